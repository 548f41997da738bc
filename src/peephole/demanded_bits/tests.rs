//! Tests of demanded bits, for all integers of six bits.
//!
//! Two values agree if their demanded bits are the same. An extension that is needless agrees with
//! its operand; an operation agrees for operands that agree; and the root is the same for them. So
//! the root is the same without the extension, however many operations are between them.
use super::*;

const NARROW: Width = Width(6);

/// Extensions of values, and the roots of the rule.
const EXTENSIONS: [Binary; 3] = [Binary::And, Binary::Shr, Binary::Shrs];
const ROOTS: [Binary; 2] = [Binary::Shl, Binary::And];

fn numbers() -> std::ops::RangeInclusive<i64> {
    NARROW.min()..=NARROW.max()
}

/// Numbers of bits that are not all bits.
fn demands() -> impl Iterator<Item = Width> {
    (1..NARROW.0).map(Width)
}

fn evaluate(binary: Binary, x: i64, y: i64) -> i64 {
    (binary.row().evaluate)(NARROW, x, y)
}

fn agree(demanded: Width, x: i64, y: i64) -> bool {
    (x ^ y) & demanded.mask() == 0
}

/// All pairs of different values that agree.
fn pairs(demanded: Width) -> impl Iterator<Item = [i64; 2]> {
    let others = move |x| (x + 1..=NARROW.max()).filter(move |&y| agree(demanded, x, y));
    numbers().flat_map(move |x| others(x).map(move |y| [x, y]))
}

#[test]
fn a_needless_extension_keeps_the_demanded_bits() {
    let extended = |binary, x, constant| match binary {
        Binary::And => evaluate(Binary::And, x, constant),
        _ => evaluate(binary, evaluate(Binary::Shl, x, constant), constant),
    };
    for (demanded, binary) in demands().flat_map(|it| EXTENSIONS.map(|binary| (it, binary))) {
        for constant in numbers() {
            let keeps_all = numbers().all(|x| agree(demanded, extended(binary, x, constant), x));
            let expected = match binary {
                Binary::And => keeps_all,
                // Other counts are those of shifts modulo the width.
                _ => keeps_all && (0..i64::from(NARROW.0)).contains(&constant),
            };
            let found = keeps(binary, constant, demanded, NARROW);
            assert_eq!(found, expected, "{binary:?} {constant}, {demanded:?}");
        }
    }
}

/// Whether an operation agrees whenever its operands at `at` do and the others are equal.
fn is_narrow(op: Op, at: usize) -> bool {
    let result = |x, other| match (op, at) {
        (Op::Unary(unary), _) => (unary.row().evaluate)(NARROW, x),
        (Op::Binary(binary), 0) => evaluate(binary, x, other),
        (Op::Binary(binary), _) => evaluate(binary, other, x),
        _ => unreachable!("it is arithmetic"),
    };
    demands().all(|demanded| {
        let agrees = |[x, y]: [i64; 2]| {
            numbers().all(|other| agree(demanded, result(x, other), result(y, other)))
        };
        pairs(demanded).all(agrees)
    })
}

#[test]
fn operations_agree_if_their_narrow_inputs_do() {
    let binary = (0..Binary::COUNT).map(|at| (Op::Binary(Binary::at(at)), 2));
    let unary = [Unary::Minus, Unary::Not].map(|it| (Op::Unary(it), 1));
    for (op, inputs) in binary.chain(unary) {
        let expected = (0..inputs).take_while(|&at| is_narrow(op, at)).count();
        assert_eq!(narrow_inputs(op), expected, "{op:?}");
    }
}

#[test]
fn a_root_is_the_same_for_values_that_agree() {
    for (root, constant) in ROOTS.into_iter().flat_map(|it| numbers().map(move |c| (it, c))) {
        let Some(bits) = demanded_by(root, constant, NARROW) else { continue };
        let result = |x| evaluate(root, x, constant);
        let differs = |&[x, y]: &[i64; 2]| result(x) != result(y);
        assert_eq!(pairs(bits).find(differs), None, "{root:?} {constant}");
        let needs_all = bits.0 == 0 || pairs(Width(bits.0 - 1)).any(|it| differs(&it));
        assert!(needs_all, "{root:?} {constant} demands fewer bits than {bits:?}");
    }
}
