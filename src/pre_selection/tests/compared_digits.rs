//! Comparisons of digits: those that need one division, and those that stay.
use super::{checked, lowered};
use crate::arith::Binary;
use crate::firm::{Graph, Op};
use crate::pre_selection::compared_digits::replace;
use crate::random::Random;

/// The divisions that reach the result.
fn divisions(graph: &Graph) -> usize {
    let uses = graph.use_counts();
    let is_division = |&id: &_| graph.op(id) == Op::Binary(Binary::Div) && uses[id] > 0;
    graph.ids().filter(is_division).count()
}

#[test]
fn digits_are_compared_by_remainders() {
    let tens = "int q = arg / 10; int digit = q - q / 10 * 10;";
    for (text, expected) in [
        ("if (digit < 5) return 5; return 7;", [2, 1]),
        ("if (digit > 0) return 5; return 7;", [2, 1]),
        ("if (digit == 9) return 5; return 7;", [2, 1]),
        ("if (digit != 9) return 5; return 7;", [2, 1]),
        // A negative x has a digit 0, too; another equality needs two bounds.
        ("if (digit < 0) return 5; return 7;", [2, 2]),
        ("if (digit == 0) return 5; return 7;", [2, 2]),
        ("if (digit == 5) return 5; return 7;", [2, 2]),
        // The digit or the quotient has another use.
        ("if (digit < 5) return digit; return 7;", [2, 2]),
        ("if (digit < 5) return q; return 7;", [2, 2]),
    ] {
        let text = format!("{tens} {text}");
        let before = lowered(&text);
        let after = checked(&before, replace);
        assert_eq!([before, after].map(|graph| divisions(&graph)), expected, "{text}");
    }
}

#[test]
fn the_product_of_both_divisors_fits_a_word() {
    for (d, expected) in [(32767, 1), (65536, 2)] {
        let q = format!("int q = arg / {d}; int digit = q - q / 32768 * 32768;");
        let before = lowered(&format!("{q} if (digit < 5) return 5; return 7;"));
        assert_eq!(divisions(&checked(&before, replace)), expected, "{d}");
    }
}

#[test]
fn bounds_are_exact() {
    let mut random = Random::new(43);
    for _ in 0..300 {
        let [c, d] = [0, 1].map(|_| random.pick(&[2, 3, 7, 10, 16]));
        let limit = 1 + random.below(c as usize) as i64;
        let operator = random.pick(&["<", "<=", ">", ">="]);
        // Dividends around the bound, positive and negative.
        let first = limit * d - 10 + random.pick(&[0, c * d, -c * d, -2 * limit * d]);
        let before = lowered(&format!(
            "int found = 0; int i = arg - arg;
             while (i < 20) {{ int x = {first} + i + arg; int q = x / {d};
                int digit = q - q / {c} * {c};
                if (digit {operator} {limit}) found = found * 2 + 1; else found = found * 2;
                i = i + 1; }} return found;"
        ));
        let counts = [before.clone(), checked(&before, replace)].map(|graph| divisions(&graph));
        assert_eq!(counts, [2, 1], "{c} {d} {operator} {limit}");
    }
}
