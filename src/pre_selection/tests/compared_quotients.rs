//! Comparisons of quotients: those that compare the dividend, and those that stay.
use super::{checked, lowered};
use crate::arith::Binary;
use crate::firm::{Graph, Op};
use crate::pre_selection::compared_quotients::replace;
use crate::random::Random;

/// The number of comparisons of quotients.
fn comparisons(graph: &Graph) -> usize {
    let is_quotient = |&id: &_| graph.op(id) == Op::Binary(Binary::Div);
    let is_counted =
        |&id: &_| matches!(graph.op(id), Op::Cmp(_)) && graph.operands(id).iter().any(is_quotient);
    graph.ids().filter(is_counted).count()
}

#[test]
fn quotients_are_compared_by_their_dividends() {
    for (text, expected) in [
        ("int a = arg / 3; if (a < 2) return 5; return 7;", [1, 0]),
        ("int a = arg / 3; if (a < -1) return 5; if (a > 2) return 6; return 7;", [2, 0]),
        ("int a = arg / 1000000; if (a <= 0) return 5; if (a >= -7) return 6; return 7;", [2, 0]),
        // The quotient has another use, or the bound is no word.
        ("int a = arg / 3; if (a < 2) return 5; return a;", [1, 1]),
        ("int a = arg / -3; if (a < 2) return 5; return 7;", [1, 1]),
        ("int a = arg / 3; if (a == 2) return 5; return 7;", [1, 1]),
    ] {
        let before = lowered(text);
        let after = checked(&before, replace);
        assert_eq!([before, after].map(|graph| comparisons(&graph)), expected, "{text}");
    }
}

#[test]
fn bounds_are_exact() {
    let mut random = Random::new(41);
    for _ in 0..300 {
        let divisor = random.pick(&[1, 2, 3, 7, 10, 1 << 16]);
        let limit = random.below(7) as i64 - 3;
        let operator = random.pick(&["<", "<=", ">", ">="]);
        // The dividends around the bound.
        let first = divisor * limit - divisor - 2;
        let step = (divisor / 3).max(1);
        let before = lowered(&format!(
            "int x = {first}; int found = 0; int i = arg - arg;
             while (i < 20) {{ int q = (x + i * {step} + arg) / {divisor};
                if (q {operator} {limit}) found = found * 2 + 1; else found = found * 2;
                i = i + 1; }} return found;"
        ));
        let counts = [before.clone(), checked(&before, replace)].map(|graph| comparisons(&graph));
        // Nothing is divided by 1.
        assert_eq!(counts, [usize::from(divisor > 1), 0]);
    }
}
