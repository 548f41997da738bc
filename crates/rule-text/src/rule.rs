//! The steps of a rule, sorted by their kinds, and its cost.
use crate::error::Error;
use crate::tree::{Identifier, InstructionAst, RuleAst};
use source::Span;

/// The largest number in a cost.
pub const MAX_COST: u32 = 1000;

/// What is between two semicolons of a rule.
#[derive(Clone)]
pub enum Step {
    Instruction(InstructionAst),
    Out(Vec<Identifier>),
    Clobbers(Vec<Identifier>),
    Cost { bytes: i64, cycles: i64, span: Span },
}

/// A rule and its steps in the order they are written.
pub type RuleWithSteps = (RuleAst, Vec<Step>);

/// The rule with these steps, unless its cost is invalid.
pub fn finish((rule, steps): RuleWithSteps, errors: &mut Vec<Error>) -> Option<RuleAst> {
    let mut rule = RuleAst { instructions: Vec::new(), ..rule };
    let mut costs = Vec::new();
    for step in steps {
        match step {
            Step::Instruction(instruction) => rule.instructions.push(instruction),
            Step::Out(registers) => rule.out.extend(registers),
            Step::Clobbers(registers) => rule.clobbers.extend(registers),
            Step::Cost { bytes, cycles, span } => costs.push((bytes, cycles, span)),
        }
    }
    match cost(&rule.name, &costs) {
        Ok((bytes, cycles)) => Some(RuleAst { bytes, cycles, ..rule }),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}

/// The only cost among `costs`.
fn cost(name: &Identifier, costs: &[(i64, i64, Span)]) -> Result<(u32, u32), Error> {
    let valid = |number: i64| u32::try_from(number).ok().filter(|it| *it <= MAX_COST);
    match *costs {
        [] => {
            let label = "it should end with `bytes … cycles …`";
            Err(Error::rule(name.span, format!("rule `{name}` has no cost"), label))
        }
        [_, (_, _, span), ..] => {
            let message = format!("rule `{name}` has two costs");
            Err(Error::rule(span, message, "this is the second one"))
        }
        [(bytes, cycles, span)] => valid(bytes).zip(valid(cycles)).ok_or_else(|| {
            let message = format!("a cost is a number from 0 to {MAX_COST}");
            Error::rule(span, message, "this is out of range")
        }),
    }
}
