//! Random programs: their results are the same before and after saturation.
use super::super::{rules, saturate};
use super::check;
use crate::random::Random;
use crate::region;
use std::collections::BTreeSet;

/// The number of programs whose result is compared with those of each rule switched off.
const COMPARED: u64 = 24;

#[test]
fn random_programs_agree() {
    let checked = (0..600).filter(|&seed| {
        let mut random = Random::new(seed);
        let text = program(&mut random);
        let number = |random: &mut Random| i64::from(random.word() >> random.below(32));
        let arguments: Vec<Vec<i64>> =
            (0..4).map(|_| (0..3).map(|_| number(&mut random)).collect()).collect();
        let arguments: Vec<&[i64]> = arguments.iter().map(Vec::as_slice).collect();
        // A constant predicate without a case is an error.
        let is_valid = region::parse(&text).is_ok();
        if is_valid {
            check(&text, &arguments);
        }
        is_valid
    });
    let count = checked.count();
    assert!(count > 100, "{count} programs");
}

/// Rules only add forms, so a rule that is switched off makes no program cheaper. It would if one
/// rule overwrote what another one reads. It is no theorem: of 500 programs, 3 are a little cheaper
/// without `sum`. Nothing traps here: a rule may take away a use of an operand that traps, and then
/// another rule must not remove the rest.
#[test]
fn no_rule_makes_a_program_worse() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for seed in 0..COMPARED {
        let text = program(&mut Random::new(seed)).replace("(/ ", "(- ").replace("(% ", "(& ");
        let Ok(graph) = region::parse(&text) else { continue };
        let all = saturate(&graph, &[], false);
        let names = rules().map(|it| it.name).chain(all.fired.keys().copied());
        for rule in names.collect::<BTreeSet<_>>() {
            let without = saturate(&graph, &[rule.to_string()], false);
            let is_complete = all.limits.is_empty() && without.limits.is_empty();
            if is_complete && all.classes.cost > without.classes.cost {
                let costs = [all.classes.cost, without.classes.cost];
                failures.push(format!("{rule} {costs:?}: {text}"));
            }
            compared += usize::from(is_complete);
        }
    }
    assert_eq!(failures.join("\n"), "", "{compared}");
    assert!(compared > 100, "{compared}");
}

/// A program of three arguments and two results.
fn program(random: &mut Random) -> String {
    let [result, other] = [5, 3].map(|depth| expression(random, 3, depth));
    format!("(func-3-inputs-2-outputs {result} {other})")
}

const OPERATORS: [&str; 17] =
    ["+", "+", "-", "*", "&", "|", "^", "<<", ">>", ">>s", "=", "!=", "<", ">", "/", "%", "<="];

/// An expression in a scope with this number of arguments.
fn expression(random: &mut Random, arguments: usize, depth: usize) -> String {
    let number =
        |random: &mut Random| random.pick(&[0, 1, 2, -1, 3, 4, 7, 31, -8, 100]).to_string();
    if depth == 0 || random.below(8) == 0 {
        return match random.below(3) {
            0 => number(random),
            _ => format!("get-{}", random.below(arguments)),
        };
    }
    let some = |random: &mut Random, count: usize, arguments: usize, depth: usize| {
        let all = (0..count).map(|_| expression(random, arguments, depth - 1) + " ");
        all.collect::<String>()
    };
    match random.below(10) {
        0 => {
            let (inputs, cases) = (1 + random.below(3), 1 + random.below(3));
            let outside = some(random, 1 + inputs, arguments, depth);
            let inside = some(random, 2 * cases, inputs, depth);
            let output = random.below(2);
            format!("(get-{output} (switch-{cases}-cases-2-outputs {outside} {inside}))")
        }
        1 => {
            let count = 1 + random.below(3);
            let outside = some(random, count, arguments, depth);
            let inside = some(random, count, count, depth);
            let bound = random.below(20);
            let limit = format!("(> {bound} get-0)");
            let predicate = if random.below(2) == 0 { "0".to_string() } else { limit };
            format!("(get-{} (loop {outside} {inside} {predicate}))", random.below(count))
        }
        2 => {
            let inputs = 1 + random.below(2);
            let constants = random.below(2);
            let outside = some(random, constants, arguments, depth);
            let body = expression(random, inputs + constants, depth - 1);
            let given = some(random, inputs, arguments, depth);
            format!("(get-0 (call (func-{inputs}-inputs-1-outputs {outside} {body}) {given}))")
        }
        _ => {
            let operator = random.pick(&OPERATORS);
            format!("({operator} {})", some(random, 2, arguments, depth))
        }
    }
}
