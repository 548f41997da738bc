//! Shared by the tests of passes on Firm: they keep what a graph computes.
mod choice_of_bits;
mod compared_digits;
mod compared_quotients;
mod divisibility_tests;
mod exact_quotients;
mod invariants;
mod operation_into_phi;
mod register_promotion;

use crate::firm::Graph;
use crate::lower::lower;
use crate::parse::{Input, parse};
use crate::peephole::{Engine, optimize, rules};
use crate::schedule::schedule;
use crate::stage::{Artifact, Outcome, Termination};

pub const ARGUMENTS: [i64; 6] = [0, 1, 7, 30, -5, i32::MIN as i64];

/// The graph of a program, before the passes.
pub fn lowered(text: &str) -> Graph {
    let engine = || Engine::new(rules().collect(), false);
    let input = Input { text, engine: engine(), show: Box::new(|_| {}), argument: None };
    let parsed = parse(input).unwrap_or_else(|wrong| panic!("{wrong:?}")).graph;
    let sea = optimize(parsed, engine());
    lower(&sea, &schedule(&sea))
}

/// The graph after a pass; it is valid and has the same results.
pub fn checked(before: &Graph, pass: impl Fn(Graph) -> Graph) -> Graph {
    let after = pass(before.clone());
    assert_eq!(after.verify(), [], "{}\n{}", before.print(), after.print());
    for argument in ARGUMENTS {
        let expected = before.eval(argument);
        if let Some(Outcome { end: Termination::Value(_), .. }) = expected {
            let shown = || format!("{argument}\n{}\n{}", before.print(), after.print());
            assert_eq!(after.eval(argument), expected, "{}", shown());
        }
    }
    after
}
