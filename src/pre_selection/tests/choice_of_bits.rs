//! Choices by two bits: those that become an exclusive or, and those that stay.
use super::{checked, lowered};
use crate::arith::Binary;
use crate::firm::{Graph, Op};
use crate::pre_selection::choice_of_bits::replace;
use crate::random::Random;

fn exclusive_ors(graph: &Graph) -> usize {
    graph.ids().filter(|&id| graph.op(id) == Op::Binary(Binary::Eor)).count()
}

/// A program with two bits, a and b.
fn with_bits(text: &str) -> String {
    format!("int a = arg < 7; int b = arg > 3; int c = 0; int d = 0; {text} return c + d * arg;")
}

#[test]
fn choices_by_bits_are_exclusive_ors() {
    for (text, expected) in [
        ("if (a != b) c = 1;", 1),
        ("if (a == b) c = 1;", 2),
        ("if (a == b) c = 0; else c = 8;", 1),
        ("if (a != b) { c = 1; d = 16; }", 1),
        ("if (a != b) { c = 4; d = 16; }", 1),
        // Different numbers for both cases, no power of two, and no bits.
        ("if (a != b) c = 1; else c = 2;", 0),
        ("if (a != b) c = 3;", 0),
        ("if (a * 2 != b) c = 1;", 0),
        ("if (a < b) c = 1;", 0),
    ] {
        let before = lowered(&with_bits(text));
        assert_eq!(exclusive_ors(&checked(&before, replace)), expected, "{text}");
    }
}

#[test]
fn random_bits_keep_their_results() {
    let mut random = Random::new(42);
    let mut found = 0;
    for _ in 0..300 {
        let branches = [(); 3].map(|()| {
            let [x, y, to] = [(); 3].map(|()| random.pick(&["a", "b", "c", "d"]));
            let operator = random.pick(&["==", "!="]);
            let [yes, no] = [(); 2].map(|()| random.pick(&["0", "0", "1", "4"]));
            format!("if ({x} {operator} {y}) {to} = {yes}; else {to} = {no};")
        });
        let body = branches.concat();
        let text = with_bits(&format!("while (arg > 0) {{ {body} arg = arg - 3; }}"));
        found += exclusive_ors(&checked(&lowered(&text), replace));
    }
    assert!(found > 100, "{found}");
}
