//! The program of Firm has the meaning of the regions.
#[cfg(feature = "ch27")]
mod graphs;

use super::lower;
use crate::region::parse;
use crate::stage::{Artifact, Outcome, Termination};

#[track_caller]
fn check(text: &str, arguments: &[i64]) {
    let graph = parse(text).expect("a program");
    let program = lower(&graph).expect("no closures");
    assert_eq!(program.verify(), [], "{text}\n{}", program.print());
    let (expected, found) = (graph.eval_all(arguments), program.eval_all(arguments));
    assert_eq!(
        found.map(without_place),
        expected.map(without_place),
        "{text}\n{}",
        program.print()
    );
}

/// The places of a fault differ.
fn without_place(outcome: Outcome) -> Outcome {
    let end = match outcome.end {
        Termination::Fault { reason, .. } => Termination::Fault { place: String::new(), reason },
        end => end,
    };
    Outcome { output: outcome.output, end }
}

#[test]
fn every_node_is_lowered() {
    check("(* 6 7)", &[]);
    check("(func-2-inputs-3-outputs (+ get-0 get-1) 5 (>>s get-0 get-1))", &[-9, 2]);
    let switch = "(func-2-inputs-2-outputs (get-0 ?s) (get-1 ?s))";
    let cases = "get-1 1 get-0 (* get-0 2) get-0 3 (+ get-0 4)";
    let text = format!("(?s (switch-3-cases-2-outputs get-0 {cases}) {switch})");
    for number in -1..4 {
        check(&text, &[number, 10]);
    }
    let two = "(func-1-inputs-1-outputs (get-0 (switch-2-cases-1-outputs get-0 10 20)))";
    (-1..3).for_each(|number| check(two, &[number]));
    let inner = "(get-0 (loop get-0 3 (+ get-0 get-1) (- get-1 1) (> get-1 1)))";
    let text = format!("(func-1-inputs-1-outputs (get-0 (loop get-0 {inner} (> 100 get-0))))");
    (-3..3).for_each(|number| check(&text, &[number]));
}

#[test]
fn functions_and_their_constant_inputs() {
    let text = "(?f (func-2-inputs-2-outputs 10 (+ (* get-0 get-2) get-1) (> get-0 get-1)) \
        (?p (call ?f get-0 get-1) (func-2-inputs-2-outputs (get-0 ?p) (get-1 ?p))))";
    check(text, &[3, 4]);
    let sum = "(?sum (func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (= get-1 0) \
        get-0 get-1 (+ get-1 (get-0 (call get-0 get-0 (- get-1 1)))) 0))) \
        (func-1-inputs-1-outputs (get-0 (call ?sum ?sum get-0))))";
    check(sum, &[100]);
    let leaves = "(?f (func-1-inputs-1-outputs 5 (+ get-0 get-1)) (func-1-inputs-1-outputs \
        (get-0 (call (get-0 (switch-2-cases-1-outputs get-0 ?f ?f get-0 get-1)) 1))))";
    let graph = parse(leaves).expect("a program");
    let message = &lower(&graph).expect_err("a closure")[0].message;
    assert_eq!(message, "a function with constant inputs leaves the scope in which it is made");
}

#[test]
fn cases_are_blocks_of_their_own() {
    let steps = "(?next \
        (switch-2-cases-1-outputs (& get-0 1) get-0 (>> get-0 1) (+ (* 3 get-0) 1)) \
        (?steps (loop get-0 0 (get-0 ?next) (+ get-1 1) (!= (get-0 ?next) 1)) \
        (func-1-inputs-1-outputs (get-1 ?steps))))";
    [1, 6, 27].iter().for_each(|&number| check(steps, &[number]));
    let one = "(func-1-inputs-1-outputs (get-0 (switch-1-cases-1-outputs get-0 get-0 \
        (get-0 (switch-2-cases-1-outputs get-0 get-0 5 (* get-0 2))))))";
    [0, 1, 7].iter().for_each(|&number| check(one, &[number]));
    let endless = "(func-1-inputs-1-outputs (get-0 (loop get-0 (+ get-0 1) 1)))";
    check(endless, &[1]);
}

#[test]
fn uses_and_traps_keep_their_order() {
    let text = "(?s (use get-0 1) (func-2-inputs-3-outputs (use (use ?s 2 3) get-0) (/ get-0 \
        get-1) (use)))";
    check(text, &[5, 2]);
    check(text, &[5, 0]);
    check(text, &[i64::from(i32::MIN), -1]);
    let repeated = "(func-1-inputs-1-outputs (get-1 (loop get-0 (use) (- get-0 1) \
        (use get-1 (% 12 get-0)) (> get-0 -1))))";
    check(repeated, &[3]);
}
