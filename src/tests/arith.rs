//! Tests of `arith.rs`.
use super::*;

#[test]
fn arithmetic_wraps_at_the_width() {
    assert_eq!(INT.max(), i64::from(i32::MAX));
    assert_eq!(Width(8).wrap(200), -56);
}

#[cfg(feature = "ch19")]
#[test]
fn odd_numbers_have_inverses() {
    for divisor in (1..10_000).step_by(2).chain([INT.max()]) {
        assert_eq!(INT.wrap(divisor.wrapping_mul(INT.inverse(divisor))), 1, "{divisor}");
    }
    // A product with the inverse is the exact quotient: of all bytes.
    let byte = Width(8);
    for (divisor, quotient) in (1..128).step_by(2).flat_map(|c| (-128..128).map(move |q| (c, q))) {
        let dividend = quotient * divisor;
        if byte.wrap(dividend) == dividend {
            assert_eq!(byte.wrap(dividend * byte.inverse(divisor)), quotient, "{dividend}");
        }
    }
}

#[cfg(feature = "ch02")]
#[test]
fn rows_are_in_the_order_of_the_operators() {
    for (at, row) in BINARY.iter().enumerate() {
        assert_eq!(row.op as usize, at, "{}", row.name);
    }
    for (at, row) in UNARY.iter().enumerate() {
        assert_eq!(row.op as usize, at, "{}", row.name);
    }
}

#[cfg(feature = "ch04")]
#[test]
fn relations_are_sets_of_three_bits() {
    for (relation, at) in Relation::ALL.into_iter().zip(1..) {
        assert_eq!((relation as usize, relation.row().relation), (at, relation));
        for (a, b) in [(1, 2), (2, 1), (2, 2)] {
            assert_eq!(relation.holds(a, b), relation.swapped().holds(b, a));
            assert_ne!(relation.holds(a, b), relation.negated().holds(a, b));
        }
    }
    assert!(Relation::LessEqual.holds(-1, -1) && !Relation::Less.holds(-1, -1));
}

#[cfg(feature = "ch25")]
#[test]
fn never_is_false_and_always_is_true() {
    for (a, b) in [(1, 2), (2, 1), (2, 2)] {
        assert!(Relation::Always.holds(a, b) && !Relation::Never.holds(a, b));
    }
    for relation in [Relation::Always, Relation::Never] {
        assert_eq!(relation.row().relation, relation);
    }
}

#[cfg(feature = "ch25")]
#[test]
fn shifts_take_their_count_modulo_the_width() {
    let shift = |op: Binary, a, b| (op.row().evaluate)(INT, a, b);
    assert_eq!(shift(Binary::Shl, 1, 33), 2);
    assert_eq!(shift(Binary::Shl, 1, -1), INT.min());
    assert_eq!(shift(Binary::Shrs, -8, 1), -4);
    assert_eq!(shift(Binary::Shr, -8, 1), 2_147_483_644);
    assert_eq!(shift(Binary::Shr, 1024, 33), 512);
    assert_eq!((Binary::Shr.row().evaluate)(Width(8), -128, 7), 1);
    assert_eq!((Binary::Shr.row().evaluate)(Width(64), -1, 63), 1);
    assert_eq!((Binary::Shl.row().evaluate)(Width(8), 1, 7), -128);
}

#[cfg(feature = "ch25")]
#[test]
fn a_remainder_has_the_sign_of_the_dividend() {
    let of = |a, b| Binary::Mod.evaluate_checked(INT, a, b);
    assert_eq!([of(-7, 2), of(7, -2), of(7, 0)], [Some(-1), Some(1), None]);
    assert_eq!([of(INT.min(), -1), Binary::Div.evaluate_checked(INT, INT.min(), -1)], [None, None]);
}

#[cfg(feature = "ch04")]
#[test]
fn a_negated_relation_holds_where_the_other_does_not() {
    for relation in Relation::ALL {
        for (a, b) in [(1, 2), (2, 1), (2, 2)] {
            assert_ne!(relation.holds(a, b), relation.negated().holds(a, b));
        }
    }
}

#[cfg(feature = "ch02")]
#[test]
fn division_never_traps() {
    let divide = Binary::Div.row().evaluate;
    assert_eq!(divide(INT, 7, 0), 0);
    assert_eq!(INT.min(), i64::from(i32::MIN));
    assert_eq!(divide(INT, INT.min(), -1), INT.min());
    assert_eq!(divide(Width(8), -128, -1), -128);
    assert_eq!(divide(INT, -7, 2), -3);
}
