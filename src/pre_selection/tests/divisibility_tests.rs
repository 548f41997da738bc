//! Tests of divisibility: those that compare a remainder, and those that stay.
use super::{checked, lowered};
use crate::firm::{Graph, Op};
use crate::pre_selection::divisibility_tests::replace;

/// The number of comparisons with 0.
fn comparisons_with_zero(graph: &Graph) -> usize {
    let is_zero = |id| graph.op(id) == Op::Const(0);
    let is_counted = |&id: &_| {
        matches!(graph.op(id), Op::Cmp(_)) && graph.operands(id).iter().any(|&id| is_zero(id))
    };
    graph.ids().filter(is_counted).count()
}

#[test]
fn tests_compare_remainders() {
    // Before a division, a divisor that may be 0 or -1 is compared with 0 twice.
    for (text, expected) in [
        ("int y = arg * 8 + 2; if (50 / y * y == 50) return 5; return 7;", [0, 1]),
        ("int y = arg * 8 + 2; if (50 != y * (50 / y)) return 5; return 7;", [0, 1]),
        ("int x = arg + 9; if (x / arg * arg == x) return 5; return 7;", [2, 3]),
        ("int x = arg + 9; int q = x / arg; if (q * arg == x) return q; return 7;", [2, 3]),
        ("int x = arg + 9; if (x == 30 / arg * arg) return 5; return 7;", [1, 1]),
        // The product has another use, the divisor is a constant, or another relation holds.
        ("int x = arg + 9; int p = x / arg * arg; if (p == x) return p; return p + 1;", [2, 2]),
        ("if (arg / 7 * 7 == arg) return 5; return 7;", [0, 0]),
        ("int x = arg + 9; if (x / arg * arg < x) return 5; return 7;", [2, 2]),
    ] {
        let before = lowered(text);
        let after = checked(&before, replace);
        let counts = [before, after].map(|graph| comparisons_with_zero(&graph));
        assert_eq!(counts, expected, "{text}");
    }
}
