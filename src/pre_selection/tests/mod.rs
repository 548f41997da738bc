//! Shared by the tests of passes on Firm: they keep what a graph computes.
mod choice_of_bits;
mod compared_digits;
mod compared_quotients;
mod divisibility_tests;
mod exact_quotients;
mod invariants;
mod operation_into_phi;
mod register_promotion;

use super::{Options, improve};
use crate::arith;
use crate::firm::{Graph, Program};
use crate::lower::lower;
use crate::parse::{Input, parse};
use crate::peephole::{Engine, optimize, rules};
use crate::schedule::schedule;
use crate::stage::{Artifact, Halt, Outcome, Rewrite, Stage, StageObserver, Termination};

pub const ARGUMENTS: [i64; 6] = [0, 1, 7, 30, -5, i32::MIN as i64];

/// The graph of a program, before the passes.
pub fn lowered(text: &str) -> Graph {
    let engine = || Engine::new(rules().collect(), false);
    let input =
        Input { text, engine: engine(), show: Box::new(|_| {}), argument: None, int: arith::INT };
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

/// The steps that are observed.
#[derive(Default)]
struct Steps(Vec<Rewrite>);

impl StageObserver for Steps {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }

    fn rewrite(&mut self, step: &Rewrite) {
        self.0.push(step.clone());
    }
}

#[test]
fn the_step_of_a_pass_has_a_place() {
    let check = |text: &str, pass: &str, place: &str| {
        let functions = vec![lowered(text)];
        let program = Program { functions, result: Default::default() };
        let mut steps = Steps::default();
        let cycles: &dyn Fn(_, _) -> _ = &|_, _| Some(1);
        improve(program, Options { without: &[], trace: true, cycles }, &mut steps);
        let step = steps.0.iter().find(|it| it.rule == pass).expect("the pass changes it");
        let origin = step.origin.expect("a place");
        assert_eq!(&text[origin.range()], place, "{pass}");
    };
    check("int a=1; if(arg>3) a=arg; return a;", "if-conversion", "if");
    check("int a=arg/3; if(a<2) return 5; return 7;", "compared-quotients", "/");
}
