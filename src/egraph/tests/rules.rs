//! Each rule alone makes its second example of its first one, and can be switched off.
use super::super::{Rule, rules, saturate};
use super::check;
use crate::peephole;
use crate::region::{self, Graph};
use crate::stage::Artifact;

const ARGUMENTS: [&[i64]; 6] =
    [&[0, 0], &[1, 5], &[-1, 3], &[7, -2], &[1_000_000, 99_999], &[i32::MIN as i64, -1]];

fn program(example: &str) -> (String, Graph) {
    let text = format!("(func-2-inputs-1-outputs {example})");
    let graph = region::parse(&text).unwrap_or_else(|it| panic!("{text}: {it:?}"));
    (text, graph)
}

/// The names of all rules but one, those of the peepholes included.
fn all_but(rule: &Rule) -> Vec<String> {
    let names = rules().map(|it| it.name).chain(peephole::rules().map(|it| it.name));
    names.filter(|it| *it != rule.name).map(String::from).collect()
}

#[test]
fn each_alone_rewrites_its_example() {
    let mut failures = Vec::new();
    for rule in rules() {
        let (_, before) = program(rule.example.0);
        let found = saturate(&before, &all_but(&rule), false);
        let fired: Vec<_> = found.fired.keys().copied().collect();
        if fired != [rule.name] || found.graph != program(rule.example.1).1 {
            failures.push(format!("{} {fired:?}: {}", rule.name, found.graph.print()));
        }
    }
    assert_eq!(failures, [""; 0]);
}

#[test]
fn each_is_switched_off() {
    for rule in rules() {
        let (_, before) = program(rule.example.0);
        let found = saturate(&before, &[rule.name.to_string()], false);
        assert!(!found.fired.contains_key(rule.name), "{}", rule.name);
    }
}

#[test]
fn each_keeps_the_results() {
    for rule in rules() {
        let (before, _) = program(rule.example.0);
        check(&before, &ARGUMENTS);
    }
}

#[test]
fn names_are_unique() {
    let rules: Vec<_> = rules().map(|it| it.name).collect();
    let peepholes: Vec<_> = peephole::rules().map(|it| it.name).collect();
    for (at, name) in rules.iter().enumerate() {
        assert!(!rules[..at].contains(name) && !peepholes.contains(name), "{name}");
    }
}

#[test]
fn a_trace_has_each_union() {
    let (_, before) = program("(get-0 (loop get-0 get-1 (+ get-0 (* get-1 get-1)) get-1 0))");
    let traced = saturate(&before, &[], true);
    let rules: Vec<_> = traced.steps.iter().map(|it| it.rule).collect();
    assert_eq!(rules, ["loop-once"]);
    assert_eq!(traced.steps[0].after, "(+ get-0 (* get-1 get-1))");
    assert_eq!(saturate(&before, &[], false).steps.len(), 0);
}
