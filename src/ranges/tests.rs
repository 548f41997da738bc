//! Tests of `ranges`.
use super::*;
use crate::arith;
use crate::parse::{Input, parse};
use crate::peephole::{Engine, optimize, rules};
use crate::schedule::{BlockId, schedule};
use crate::sea::{Graph, NodeId, Op};
use arena::Id;
use std::ops::Deref;

/// The optimized sea of a program.
fn sea_of(text: &str) -> impl Deref<Target = Graph> {
    let engine = || Engine::new(rules().collect(), false);
    let input =
        Input { text, engine: engine(), show: Box::new(|_| ()), argument: None, int: arith::INT };
    let parsed = parse(input).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    optimize(parsed.graph, engine())
}

/// Calls `look` with the ranges of the program, and with each divisor and the block of its use.
#[track_caller]
fn divisors<T>(text: &str, look: impl Fn(&SeaRanges, NodeId, BlockId) -> T) -> Vec<T> {
    let graph = sea_of(text);
    let schedule = schedule(&graph);
    let ranges = ranges_in_sea(&graph, &schedule);
    let is_division = |id: &&NodeId| graph.op(**id) == Op::Binary(Binary::Div);
    let seen = schedule.order.iter().filter(is_division).map(|&id| {
        let block = schedule.block_of[id].expect("it is placed");
        look(&ranges, graph.input(id, 1), block)
    });
    seen.collect()
}

/// The ranges of all divisors of the program, where they are used.
#[track_caller]
fn check(text: &str, expected: &[(i64, i64)]) {
    let found = divisors(text, |ranges, divisor, block| {
        let Interval { min, max, .. } = ranges.at(divisor, block).expect("it is visited");
        (min, max)
    });
    assert_eq!(found, expected, "{text}");
}

const MIN: i64 = -(1 << 31);
const MAX: i64 = (1 << 31) - 1;

#[test]
fn tests_restrict_what_they_dominate() {
    check("return 100 / arg;", &[(MIN, MAX)]);
    check("if (arg > 3) return 100 / arg; return 1;", &[(4, MAX)]);
    check("if (arg > 3) if (arg < 9) return 100 / arg; return 1;", &[(4, 8)]);
    check("if (3 >= arg) return 1; return 100 / arg;", &[(4, MAX)]);
    check("if (arg == 5) return 1; return 100 / arg;", &[(MIN, MAX)]);
    check("if (arg == -2147483647 - 1) return 1; return 100 / arg;", &[(MIN + 1, MAX)]);
    check("if (arg > 3) arg = arg * 2; return 100 / arg;", &[(MIN, MAX - 1)]);
}

#[test]
fn a_conjunction_and_a_disjunction_may_be_two_tests() {
    check("if (arg > 3 & arg < 9) return 100 / arg; return 1;", &[(4, 8)]);
    check("if (arg < 4 | arg > 8) return 1; return 100 / arg;", &[(4, 8)]);
    check("if (!(arg < 4 | arg > 8)) return 100 / arg; return 1;", &[(4, 8)]);
    check("if (arg > 3 & arg < 9) return 1; return 100 / arg;", &[(MIN, MAX)]);
    check("if (arg < 4 | arg > 8) return 100 / arg; return 1;", &[(MIN, MAX)]);
    check("if (arg & arg > -9 & arg < 9) return 100 / arg; return 1;", &[(-8, 8)]);
}

#[test]
fn operators_map_intervals() {
    let between = |of: &str| format!("if (arg > 3) if (arg < 9) return 100 / ({of}); return 1;");
    check(&between("arg * 3 - 20"), &[(-8, 4)]);
    check(&between("-arg"), &[(-8, -4)]);
    check(&between("arg * 1000000001"), &[(MIN, MAX)]);
    check(&between("arg * 1000000000"), &[(MIN, MAX - 511)]);
    check(&between("(0 - 40) / arg"), &[(4, 8), (-10, -5)]);
    check(&between("arg > 5"), &[(0, 1)]);
}

#[test]
fn intervals_that_overflow_as_a_whole_wrap() {
    let negative = |of: &str| format!("if (arg < 0) return 100 / ({of}); return 1;");
    check(&negative("arg + 2147483647 + 1"), &[(0, MAX)]);
    check(&negative("arg + 2147483647"), &[(-1, MAX - 1)]);
    check(&negative("arg - 2147483647"), &[(MIN, MAX)]);
}

#[test]
fn low_bits_are_known() {
    check("return 100 / (arg * 8 + 3);", &[(MIN + 3, MAX - 4)]);
    check("if (arg > 9) return 100 / (arg * 4 - 2); return 1;", &[(MIN + 2, MAX - 1)]);
    check("if (arg == 3) arg = 7; else arg = 19; return 100 / arg;", &[(7, 19)]);
    // The largest odd integer below arg is two less than the largest integer.
    check(
        "int i = 3; int s = 0; while (i < arg) { s = s + 100 / i; i = i + 2; } return s;",
        &[(3, MAX - 2)],
    );
    // The loop's test bounds no i, but an odd i is not 0.
    let square =
        "int i = 3; int s = 0; while (i * i < arg) { s = s + 100 / i; i = i + 2; } return s;";
    check(square, &[(MIN + 1, MAX)]);
    let zero = |ranges: &SeaRanges, id, block| ranges.may_be(id, block, 0);
    assert_eq!(divisors(square, zero), [false]);
    let other = square.replace("i + 2", "i + 3");
    assert_eq!(divisors(&other, zero), [true]);
}

#[test]
fn paths_that_no_value_takes_do_not_count() {
    // In the first round x is 0, so that the sum was never computed.
    check(
        "int i = 0; int s = 0; while (i != arg) { int x = i * 3; if (x < 0) x = x + 2147483647 + 1;
         while (x != 0) { s = s + 100 / (x + 1); x = x / 2; } i = i + 1; } return s;",
        &[(MIN, MAX), (2, 2)],
    );
}

#[test]
fn loops_are_widened_and_bounded_by_their_tests() {
    check(
        "int i = 1; int s = 0; while (i < arg) { s = s + 100 / i; i = i + 1; } return s;",
        &[(1, MAX - 1)],
    );
    check(
        "int i = 1; int s = 0; while (i < 50) { s = s + arg / i; i = i + 3; } return s;",
        &[(1, 49)],
    );
    check(
        "int n = 0; int s = 0; while (n < arg) { int i = 0;
         while (i <= n) { i = i + 1; s = s + 100 / i; } n = n + 1; } return s;",
        &[(1, MAX)],
    );
    check(
        "int i = 9; int s = 0; while (i != arg) { s = s + 100 / i; i = i + 1; } return s;",
        &[(MIN, MAX)],
    );
}

#[test]
fn a_bound_that_moves_stops_at_compared_constants() {
    // The test is after the sum, so without a stop the sum overflows before it is tested.
    let counted = |test: &str| {
        format!(
            "int i = 1; while (arg) {{ i = i + 1; if ({test}) break; arg = arg / i; }} return i;"
        )
    };
    check(&counted("i > 30000"), &[(2, 30000)]);
    check(&counted("30000 <= i"), &[(2, 29999)]);
}

#[test]
fn a_bound_that_moves_stops_at_constants_of_choices() {
    // No test mentions 1000, with which high begins, and low only grows towards it.
    check(
        "int low = 0; int high = 1000; int s = 0;
         while (high - low > 1) { int middle = (low + high) / 2; s = s + arg / (middle + 1);
         if (middle * middle <= arg) low = middle; else high = middle; } return s + low;",
        &[(2, 2), (1, 1001)],
    );
}

#[test]
fn intervals_that_soon_stop_to_grow_are_not_widened() {
    // day is a remainder of a number that is not negative, if it is not negative itself.
    check(
        "int day = 0; while (arg) { arg = arg / (day + 1); day = (day + 31) - (day + 31) / 7 * 7; }
         return day;",
        &[(7, 7), (1, 7)],
    );
}

#[test]
fn a_bound_that_moves_stops_at_zero() {
    check(
        "int b = 64; int s = 0; while (b != arg) { s = s + arg / (b + 1); b = b / 2; } return s;",
        &[(1, 65), (2, 2)],
    );
    check(
        "int b = -64; int s = 0; while (b != arg) { s = s + arg / (b - 1); b = b / 2; } return s;",
        &[(-65, -1), (2, 2)],
    );
}

#[test]
fn a_remainder_is_nearer_to_zero_than_its_divisor() {
    check("return 100 / (arg - arg / 10 * 10);", &[(10, 10), (-9, 9)]);
    let known = "if (arg > 3) return 100 / (arg - arg / 10 * 10); return 1;";
    check(known, &[(10, 10), (0, 9)]);
    let known = "if (arg < 3) return 100 / (arg - arg / -7 * -7); return 1;";
    check(known, &[(-7, -7), (-6, 2)]);
    let known = "if (arg > 3) return 100 / (arg - arg / (arg - 9) * (arg - 9)); return 1;";
    check(known, &[(-5, MAX - 9), (0, MAX)]);
    // Euclid's algorithm.
    let known = "int x = 0; if (arg > 3) x = arg; int y = 12; while (y != 0) {
                 int r = x - x / y * y; x = y; y = r; } return x;";
    check(known, &[(1, 12)]);
}

#[test]
fn a_value_other_than_the_bounds_is_excluded_by_a_test() {
    let text = "if (arg == 0) return 1; if (arg != -1) return 100 / arg; return 2;";
    let found = divisors(text, |ranges, divisor, block| {
        let may_be = |value| ranges.may_be(divisor, block, value);
        assert_eq!([-2, -1, 0, 1].map(may_be), [true, false, false, true]);
        ranges.may_be(divisor, BlockId::from_index(0), 0)
    });
    assert_eq!(found, [true]);
}
