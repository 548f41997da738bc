//! The steps of rules and forms, sorted by their kinds, and their cost.
use crate::error::Error;
use crate::tree::{FormAst, Identifier, InstructionAst, RuleAst};
use source::Span;

/// The largest number in a cost.
pub const MAX_COST: u32 = 1000;

/// What is between two semicolons of a rule.
#[derive(Clone)]
pub enum Step {
    Instruction(InstructionAst),
    Out(Vec<Identifier>),
    Clobbers(Vec<Identifier>),
    Cycles(i64, Span),
}

/// A rule or an alternative of a form, and its steps in the order they are written.
pub enum ItemWithSteps {
    Rule(RuleAst, Vec<Step>),
    Form(FormAst, Vec<Step>),
}

/// The rules and the forms among items, without those whose cost is invalid.
pub fn finish(items: Vec<ItemWithSteps>, errors: &mut Vec<Error>) -> (Vec<RuleAst>, Vec<FormAst>) {
    let (mut rules, mut forms) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            ItemWithSteps::Rule(rule, steps) => rules.extend(finish_rule(rule, steps, errors)),
            ItemWithSteps::Form(form, steps) => forms.extend(finish_form(form, steps, errors)),
        }
    }
    (rules, forms)
}

fn finish_rule(mut rule: RuleAst, steps: Vec<Step>, errors: &mut Vec<Error>) -> Option<RuleAst> {
    let mut costs = Vec::new();
    for step in steps {
        match step {
            Step::Instruction(instruction) => rule.instructions.push(instruction),
            Step::Out(registers) => rule.out.extend(registers),
            Step::Clobbers(registers) => rule.clobbers.extend(registers),
            Step::Cycles(cycles, span) => costs.push((cycles, span)),
        }
    }
    if costs.is_empty() {
        let message = format!("rule `{}` has no cost", rule.name);
        errors.push(Error::rule(rule.name.span, message, "it should end with `cycles …`"));
        return None;
    }
    let cycles = cost("rule", &rule.name, &costs).map_err(|error| errors.push(error)).ok()?;
    Some(RuleAst { cycles, ..rule })
}

fn finish_form(mut form: FormAst, steps: Vec<Step>, errors: &mut Vec<Error>) -> Option<FormAst> {
    let mut costs = Vec::new();
    for step in steps {
        match step {
            Step::Instruction(instruction) => form.instructions.push(instruction),
            Step::Out(registers) => {
                let span = registers.first().map_or(form.span, |it| it.span);
                let message = format!("form `{}` has no result in a register", form.name);
                errors.push(Error::rule(span, message, "`out` belongs to rules"));
                return None;
            }
            Step::Clobbers(registers) => form.clobbers.extend(registers),
            Step::Cycles(cycles, span) => costs.push((cycles, span)),
        }
    }
    let cycles = cost("form", &form.name, &costs).map_err(|error| errors.push(error)).ok()?;
    Some(FormAst { cycles, ..form })
}

/// The only cost among `costs`, or 0.
fn cost(kind: &str, name: &Identifier, costs: &[(i64, Span)]) -> Result<u32, Error> {
    match *costs {
        [] => Ok(0),
        [_, (_, span), ..] => {
            let message = format!("{kind} `{name}` has two costs");
            Err(Error::rule(span, message, "this is the second one"))
        }
        [(cycles, span)] => u32::try_from(cycles)
            .ok()
            .filter(|it| *it <= MAX_COST)
            .ok_or_else(|| out_of_range(span)),
    }
}

/// A cost is too large, or negative.
pub fn out_of_range(span: Span) -> Error {
    let message = format!("a cost is a number from 0 to {MAX_COST}");
    Error::rule(span, message, "this is out of range")
}
