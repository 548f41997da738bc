//! Operations on Phis of constants: those that move before the Phi, and those that stay.
use super::{checked, lowered};
use crate::arith::Binary;
use crate::firm::{Graph, Op, blocks};
use crate::pre_selection::operation_into_phi::move_operations;
use crate::random::Random;

/// The number of Phis of constants.
fn phis_of_constants(graph: &Graph) -> usize {
    let is_constant = |&id: &_| matches!(graph.op(id), Op::Const(_));
    let is_counted =
        |&id: &_| graph.op(id) == Op::Phi && graph.operands(id).iter().all(is_constant);
    graph.ids().filter(is_counted).count()
}

#[test]
fn sums_and_products_move_before_phis() {
    for (text, expected) in [
        ("int a = arg; if (arg < 7) a = a + 3; else a = a - 5; return a;", [1, 0]),
        ("int a = arg; if (arg < 7) a = a * 3; else a = a * 5; return a;", [1, 0]),
        ("int a = 3; if (arg < 7) a = 4; return a + arg;", [1, 0]),
        ("int a = 0; if (arg < 7) a = 4; return a + arg;", [1, 0]),
        // The value is a Phi, too, or a sum with one.
        ("int a = 3; int b = arg; if (arg < 7) { a = 4; b = 9; } return a * b;", [1, 0]),
        ("int a = 3; int b = arg; if (arg < 7) { a = 4; b = 9; } return a * (b + arg);", [1, 0]),
        // The Phi has another use, or the value is known after it only.
        ("int a = 3; int b = arg; if (arg < 7) { a = 4; b = 9; } return a * (b / 3);", [1, 1]),
        ("int a = 3; if (arg < 7) a = 4; return arg / a + (arg + a);", [1, 1]),
        // A difference would load both constants, too.
        ("int a = 3; if (arg < 7) a = 4; return a / arg;", [1, 1]),
    ] {
        let before = lowered(text);
        let after = checked(&before, move_operations);
        assert_eq!([before, after].map(|graph| phis_of_constants(&graph)), expected, "{text}");
    }
}

#[test]
fn operations_with_a_neutral_element_are_left_out() {
    let count = |graph: &Graph, binary| {
        graph.ids().filter(|&id| graph.op(id) == Op::Binary(binary)).count()
    };
    for (text, binary, expected) in [
        ("int a = 0; if (arg < 7) a = 4; return a + arg;", Binary::Add, 1),
        ("int a = 0; if (arg < 7) a = 4; return arg - a;", Binary::Sub, 1),
        ("int a = 0; if (arg < 7) a = 4; return a - arg;", Binary::Sub, 2),
        ("int a = 3; if (arg < 7) a = 1; return arg * a;", Binary::Mul, 1),
        ("int a = 0; if (arg < 7) a = 4; return arg * a;", Binary::Mul, 2),
    ] {
        let after = checked(&lowered(text), move_operations);
        assert_eq!(count(&after, binary), expected, "{text}");
    }
}

/// The blocks of a loop before the Phi keep their places, so no other block is between them.
#[test]
fn loops_stay_together() {
    let text = "int f = arg; int p = 0; int i = 0;
        if (f) {} else { while (1) { if (i) break; i = 1; } }
        if (arg) p = 1; return arg + p;";
    let graph = checked(&lowered(text), move_operations);
    let mut depths: Vec<_> = blocks(&graph).map(|block| graph.depth(block)).collect();
    depths.dedup();
    assert_eq!(depths, [0, 1, 0]);
}

/// A branch whose sides compute a variable by the same operator, mostly with a number.
fn branch(random: &mut Random) -> String {
    let [to, from] = [(); 2].map(|()| random.pick(&["a", "b", "c"]));
    let operator = random.pick(&["+", "-", "*", "/"]);
    let [yes, no] = [(); 2].map(|()| random.pick(&["1", "3", "7", "-5", "arg"]));
    let [yes, no] = [yes, no].map(|operand| format!("{to} = {from} {operator} {operand};"));
    format!("if (a < b) {{ {yes} }} else {{ {no} }}")
}

#[test]
fn moved_operations_keep_the_results() {
    let mut random = Random::new(34);
    let mut fewer = 0;
    for _ in 0..400 {
        let [first, second, third] = [(); 3].map(|()| branch(&mut random));
        let before = lowered(&format!(
            "int a = arg; int b = 7; int c = 2; {first} int i = arg;
             while (i > 0) {{ i = i - 1; {second} {third} }} return a + b * 3 + c * 5;"
        ));
        let after = checked(&before, move_operations);
        fewer += phis_of_constants(&before) - phis_of_constants(&after);
    }
    assert!(fewer > 100, "{fewer}");
}
