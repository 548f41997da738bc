//! Exact quotients: those that are replaced, and those that stay.
use super::{checked, lowered};
use crate::arith::Binary;
use crate::firm::{Graph, Op};
use crate::pre_selection::exact_quotients::replace;

/// The number of quotients that more than their tests use.
fn quotients(graph: &Graph) -> usize {
    let uses = graph.use_counts();
    let is_used = |&id: &_| graph.op(id) == Op::Binary(Binary::Div) && uses[id] > 1;
    graph.ids().filter(is_used).count()
}

#[test]
fn quotients_are_exact_where_a_test_has_found_so() {
    for (text, expected) in [
        ("int x = arg; while (x / 3 * 3 == x) { x = x / 3; if (x == 0) break; } return x;", [1, 0]),
        ("if (arg - arg / 8 * 8 == 0) return arg / 8; return 7;", [1, 0]),
        ("if (arg / 7 * 7 != arg) return arg; return arg / 7 + 1;", [1, 0]),
        // The quotient is used where c does not divide x, or on both sides.
        ("if (arg / 7 * 7 != arg) return arg / 7; return 1;", [1, 1]),
        ("int x = arg / 3; if (x * 3 == arg) arg = x + 5; return arg + x;", [1, 1]),
        // Another number, or a remainder other than 0.
        ("if (arg - arg / 6 * 6 == 0) return arg / 6; return 7;", [1, 1]),
        ("if (arg - arg / -3 * -3 == 0) return arg / -3; return 7;", [1, 1]),
        ("if (arg - arg / 8 * 8 == 1) return arg / 8; return 7;", [1, 1]),
    ] {
        let before = lowered(text);
        let after = checked(&before, replace);
        assert_eq!([before, after].map(|graph| quotients(&graph)), expected, "{text}");
    }
}
