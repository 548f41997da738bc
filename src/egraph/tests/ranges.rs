//! The rules for intervals and numbers hold for all values of eight bits, and at the ends of words.
use super::super::ranges::{Form, of_interval, twice};
use super::check;
use crate::arith::{Binary, Width};

const BYTE: Width = Width(8);
const OPERATORS: [Binary; 5] = [Binary::Div, Binary::Mod, Binary::Shl, Binary::Shr, Binary::Shrs];

fn bytes() -> std::ops::RangeInclusive<i64> {
    BYTE.min()..=BYTE.max()
}

fn value(form: Form, left: i64) -> Option<i64> {
    match form {
        Form::Left => Some(left),
        Form::Number(number) => Some(number),
        Form::Operation(op, right) => op.evaluate_checked(BYTE, left, right),
    }
}

#[test]
fn rules_of_intervals_hold_for_all_bytes() {
    for op in OPERATORS {
        for (left, right) in bytes().flat_map(|left| bytes().map(move |right| (left, right))) {
            let expected = op.evaluate_checked(BYTE, left, right);
            let intervals =
                [[left, left], [left.min(0), left], [left, BYTE.max()], [0, left.max(0)]];
            for interval in intervals.into_iter().filter(|it| it[0] <= left && left <= it[1]) {
                let Some((rule, form)) = of_interval(BYTE, op, interval, right) else { continue };
                assert_eq!(expected, value(form, left), "{rule}: {left} {right} {interval:?}");
            }
        }
    }
}

#[test]
fn rules_of_repeated_operations_hold_for_all_bytes() {
    for op in OPERATORS {
        for (first, second) in bytes().flat_map(|first| bytes().map(move |it| (first, it))) {
            let Some((rule, form)) = twice(BYTE, op, first, second) else { continue };
            for left in bytes() {
                let inner = op.evaluate_checked(BYTE, left, first);
                let expected = inner.and_then(|it| op.evaluate_checked(BYTE, it, second));
                assert_eq!(expected, value(form, left), "{rule}: {left} {first} {second}");
            }
        }
    }
}

#[test]
fn the_ends_of_words_are_kept() {
    let [min, max] = [i64::from(i32::MIN), i64::from(i32::MAX)];
    for (first, second) in [(65536, 65536), (46340, 46341), (2, 1 << 30), (-3, 7), (min, 3)] {
        for op in ["/", "%"] {
            for x in ["get-0", "(>> get-0 1)", "(& get-0 2147483647)"] {
                let text = format!("(func-1-inputs-1-outputs ({op} ({op} {x} {first}) {second}))");
                check(&text, &[&[min], &[min + 1], &[-1], &[0], &[65535], &[max]]);
            }
        }
    }
    for (first, second) in [(31, 1), (16, 15), (16, 16), (33, -1), (0, 31)] {
        for op in ["<<", ">>", ">>s"] {
            let text = format!("(func-1-inputs-1-outputs ({op} ({op} get-0 {first}) {second}))");
            check(&text, &[&[min], &[-1], &[1], &[max]]);
        }
    }
}
