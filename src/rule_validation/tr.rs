//! Executes the TR instructions of one rule, at any width.
//!
//! They have the same meaning at every width, except for numbers that the width cannot represent.
//! The content of memory is a hash of the address, and the effect of stores is a hash of all
//! stores.
use super::machine::EvalError;
use crate::arith::{Relation, Width};
use crate::rules::semantics::{Kind, PatternSemantics, memory_content, stored};
use crate::rules::{Immediate, InstructionTemplate, OperandTemplate, ResultLocation, Rule};
use crate::ttc::tr::instruction_table::{ROWS, Semantics};

/// The results of a rule: values, the condition of its jump, the effect on memory.
pub fn run(
    rule: &Rule,
    semantics: &PatternSemantics,
    width: Width,
    sample: &[i64],
) -> Result<Vec<i64>, EvalError> {
    let mut machine = Machine::new(semantics, width, sample);
    let mut steps = rule.steps.iter();
    while let (false, Some(step)) = (machine.is_over, steps.next()) {
        machine.step(step)?;
    }
    let result = |location: Option<ResultLocation>| match location {
        Some(ResultLocation::Name(name_id)) => full(machine.names[usize::from(name_id)]),
        Some(ResultLocation::Real(_)) => Err(EvalError::Fault("there are no such registers")),
        None => full(machine.effect),
    };
    rule.results().map(result).collect()
}

struct Machine<'q> {
    semantics: &'q PatternSemantics,
    sample: &'q [i64],
    width: Width,
    /// The registers, by their names.
    names: [Option<i64>; Rule::MAX_NAMES],
    /// The numbers that the pattern binds.
    numbers: [i64; Rule::MAX_NAMES],
    /// The condition of the jump, the returned value, or the effect on memory.
    effect: Option<i64>,
    is_over: bool,
}

impl<'q> Machine<'q> {
    fn new(semantics: &'q PatternSemantics, width: Width, sample: &'q [i64]) -> Machine<'q> {
        let (mut names, mut numbers) = ([None; _], [0; _]);
        for (name, &value) in semantics.names.iter().zip(sample) {
            let Some(name_id) = name.rule_name.map(usize::from) else { continue };
            match name.kind {
                Kind::Value | Kind::Truth => names[name_id] = Some(value),
                Kind::Number | Kind::Argument | Kind::Relation => numbers[name_id] = value,
            }
        }
        Machine { semantics, sample, width, names, numbers, effect: None, is_over: false }
    }

    fn step(&mut self, step: &InstructionTemplate) -> Result<(), EvalError> {
        let at = |at: usize| &step.operands[at];
        match ROWS[step.instruction].semantics {
            Semantics::Move => self.write(at(0), self.read(at(1))?)?,
            Semantics::Argument => self.write(at(0), self.argument(at(1))?)?,
            Semantics::Binary(op) => {
                let value = op.evaluate_checked(self.width, self.read(at(1))?, self.read(at(2))?);
                self.write(at(0), value.ok_or(EvalError::Fault("this is no division"))?)?;
            }
            Semantics::Compare => {
                let holds = self.relation(at(0))?.holds(self.read(at(2))?, self.read(at(3))?);
                self.write(at(1), i64::from(holds))?;
            }
            Semantics::Jump => self.leave(branch_outcome(at(0))?),
            Semantics::Branch => match self.read(at(0))? {
                0 => self.leave(branch_outcome(at(2))?),
                1 => self.leave(branch_outcome(at(1))?),
                _ => return Err(EvalError::Fault("this is neither true nor false")),
            },
            Semantics::Return => self.leave(self.read(at(0))?),
            #[cfg(feature = "ch25")]
            Semantics::Not => self.write(at(0), self.width.wrap(!self.read(at(1))?))?,
            #[cfg(feature = "ch25")]
            Semantics::Load if self.effect.is_some() => {
                return Err(EvalError::Fault("this loads after a store"));
            }
            #[cfg(feature = "ch25")]
            Semantics::Load => self.write(at(0), memory_content(self.width, self.read(at(1))?))?,
            #[cfg(feature = "ch25")]
            Semantics::Store => {
                let before = self.effect.unwrap_or_default();
                self.effect = Some(stored(before, self.read(at(0))?, self.read(at(1))?));
            }
        }
        Ok(())
    }

    fn leave(&mut self, result: i64) {
        (self.effect, self.is_over) = (Some(result), true);
    }

    fn read(&self, operand: &OperandTemplate) -> Result<i64, EvalError> {
        match operand {
            OperandTemplate::Register(name_id) => full(self.names[usize::from(*name_id)]),
            OperandTemplate::Immediate(immediate) => self.number(immediate),
            OperandTemplate::Symbol(name_id) => Ok(self.numbers[usize::from(*name_id)]),
            OperandTemplate::Real(_)
            | OperandTemplate::Address(_)
            | OperandTemplate::Condition(_)
            | OperandTemplate::Relation(_)
            | OperandTemplate::Block(_) => Err(EvalError::Fault("this has no value")),
        }
    }

    fn number(&self, immediate: &Immediate) -> Result<i64, EvalError> {
        if let Immediate::Of(_, name_id) = immediate
            && self.arguments().any(|(_, argument)| argument == Some(*name_id))
        {
            return Err(EvalError::Fault("the number of an argument is not its value"));
        }
        let number = i64::from(immediate.number(&self.numbers));
        let wrapped = self.width.wrap(number);
        let is_literal = matches!(immediate, Immediate::Number(_));
        let is_unfit =
            self.width.0 < 32 && (immediate.is_of_words() || is_literal && wrapped != number);
        if is_unfit { Err(EvalError::Width) } else { Ok(wrapped) }
    }

    /// The indices of arguments in the sample, and their names.
    fn arguments(&self) -> impl Iterator<Item = (usize, Option<u8>)> {
        let names = self.semantics.names.iter().enumerate();
        names.filter(|(_, name)| name.kind == Kind::Argument).map(|(at, name)| (at, name.rule_name))
    }

    /// The value of the argument with this number: one of those in the pattern.
    fn argument(&self, number: &OperandTemplate) -> Result<i64, EvalError> {
        let is_meant = |(at, name_id): &(usize, Option<u8>)| match number {
            OperandTemplate::Immediate(Immediate::Of(function, own)) => {
                function.name.is_empty() && *name_id == Some(*own)
            }
            OperandTemplate::Immediate(Immediate::Number(number)) => {
                self.semantics.required_constant(*at) == Some(i64::from(*number))
            }
            _ => false,
        };
        let found = self.arguments().find(is_meant).map(|(at, _)| self.sample[at]);
        found.ok_or(EvalError::Fault("this is another argument"))
    }

    fn relation(&self, relation: &OperandTemplate) -> Result<Relation, EvalError> {
        match relation {
            OperandTemplate::Condition(name_id) => {
                Ok(Relation::of_number(self.numbers[usize::from(*name_id)]))
            }
            OperandTemplate::Relation(relation) => Ok(*relation),
            _ => Err(EvalError::Fault("no relation")),
        }
    }

    fn write(&mut self, operand: &OperandTemplate, value: i64) -> Result<(), EvalError> {
        let OperandTemplate::Register(name_id) = operand else {
            return Err(EvalError::Fault("there is nothing to write to"));
        };
        self.names[usize::from(*name_id)] = Some(value);
        Ok(())
    }
}

/// The condition of the jump to this target.
fn branch_outcome(block: &OperandTemplate) -> Result<i64, EvalError> {
    match block {
        OperandTemplate::Block(truth) => Ok(i64::from(*truth)),
        _ => Err(EvalError::Fault("no block")),
    }
}

fn full(value: Option<i64>) -> Result<i64, EvalError> {
    value.ok_or(EvalError::Fault("this reads a register that was never written"))
}
