//! Random programs: their results are the same before and after saturation.
use super::super::{Saturated, rules, saturate};
use super::check;
use crate::effort::programs;
use crate::random::Random;
use crate::region::{self, Graph};
use crate::stage::Artifact;
use std::collections::BTreeSet;

/// The number of programs whose result is compared with those of each rule switched off, in CI.
const COMPARED: u64 = 240;

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

/// Rules only add forms, so a rule that is switched off makes no program cheaper, but for one
/// constant: of two forms that differ in a constant, one may share it with another expression. Of
/// the first 500 programs, 3 are cheaper by this one unit without `sum`, which has one form of a
/// sum only, and none by more. Nothing traps here: see below.
#[test]
fn no_rule_makes_a_program_worse() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for seed in 0..programs(COMPARED) {
        let text = program(&mut Random::new(seed)).replace("(/ ", "(- ").replace("(% ", "(& ");
        let Ok(graph) = region::parse(&text) else { continue };
        let all = saturate(&graph, &[], false);
        let names = rules().map(|it| it.name).chain(all.fired.keys().copied());
        for rule in names.collect::<BTreeSet<_>>() {
            let Some(costs) = costs(&graph, &all, rule) else { continue };
            if costs[0] > costs[1] + ONE_CONSTANT {
                failures.push(format!("{rule} {costs:?}: {text}"));
            }
            compared += 1;
        }
    }
    assert_eq!(failures.join("\n"), "", "{compared}");
    assert!(compared > 100, "{compared}");
}

/// The cost of a number.
const ONE_CONSTANT: u64 = 1;

/// The costs of a program with all rules and without this one; none if a budget is exhausted.
fn costs(graph: &Graph, all: &Saturated, rule: &str) -> Option<[u64; 2]> {
    let without = saturate(graph, &[rule.to_string()], false);
    let is_complete = all.limits.is_empty() && without.limits.is_empty();
    is_complete.then_some([all.classes.cost, without.classes.cost])
}

/// Programs that were cheaper without a rule: the negation of a sum, a sum that begins with its
/// constant, and a loop with a constant output that has to remain because an operand traps.
#[test]
fn rules_do_not_hide_cheaper_forms() {
    let programs = [
        ("sum", "(func-2-inputs-1-outputs (- (- 0 get-1) 1))"),
        ("sum", "(func-2-inputs-1-outputs (- 0 (- get-0 get-1)))"),
        ("sum", "(func-2-inputs-1-outputs (+ -8 (- 0 (& get-0 get-1))))"),
        (
            "switch-known",
            "(func-3-inputs-2-outputs 0 (get-2 (loop (% 0 0) 0 0 0 0 (get-0 \
             (switch-2-cases-2-outputs 1 get-1 0 0 0 0 (>>s 0 get-0) 0)) 0)))",
        ),
    ];
    for (rule, text) in programs {
        let graph = region::parse(text).expect("it is a program");
        let all = saturate(&graph, &[], false);
        let [with, without] = costs(&graph, &all, rule).expect("it is small");
        assert!(with <= without, "{rule} {with} {without}: {text}");
        check(text, &[&[0, 0, 0], &[1, -1, 7], &[3, 5, i64::from(i32::MIN)]]);
    }
}

/// In the function, `x ^ x` is 0, and then nothing needs its argument. But the argument traps: the
/// result keeps it, so the call does not remain. Of the first 400 programs with divisions, one is
/// still cheaper without a rule, for a reason that is not known yet: 744, and 713 without
/// `switch-known`.
#[test]
fn an_operand_that_traps_is_kept_without_a_use() {
    let programs = [
        ("eor-same", "(call (func-1-inputs-1-outputs (^ get-0 get-0)) (/ 0 get-0))"),
        ("and-zero", "(call (func-1-inputs-1-outputs (+ 3 (& get-0 0))) (/ 7 get-0))"),
        ("switch-known", "(switch-2-cases-1-outputs 1 (/ 7 get-0) get-0 5)"),
        ("loop-once", "(loop (/ 7 get-0) 8 0)"),
    ];
    for (rule, inside) in programs {
        let text = &format!("(func-1-inputs-1-outputs (get-0 {inside}))");
        let all = check(text, &[&[0], &[1], &[7]]);
        let heads = ["call", "switch", "loop"];
        assert!(heads.iter().all(|it| !all.print().contains(it)), "{rule}: {}", all.print());
        let graph = region::parse(text).expect("it is a program");
        let [with, without] = costs(&graph, &all, rule).expect("it is small");
        assert!(with <= without, "{rule} {with} {without}: {text}");
    }
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
