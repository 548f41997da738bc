//! TR executes the instructions of one rule, at any width.
//!
//! They mean the same at every width, but for numbers that the width cannot hold. What memory holds
//! is made up from the address, and what is written to it from all that was.
use super::machine::EvalError;
use crate::arith::{Relation, Width};
use crate::rules::semantics::{Kind, PatternSemantics};
#[cfg(feature = "ch25")]
use crate::rules::semantics::{immediate_operand, stored};
use crate::rules::{Immediate, Place, Rule, Step, Template};
use crate::ttc::inst::{Meaning, ROWS};

/// The results of a rule: values, where it goes, what it does to memory.
pub fn run(
    rule: &Rule,
    question: &PatternSemantics,
    width: Width,
    sample: &[i64],
) -> Result<Vec<i64>, EvalError> {
    let mut machine = Machine::new(question, width, sample);
    let mut steps = rule.steps.iter();
    while let (false, Some(step)) = (machine.is_over, steps.next()) {
        machine.step(step)?;
    }
    let result = |place: Option<Place>| match place {
        Some(Place::Name(slot)) => full(machine.names[usize::from(slot)]),
        Some(Place::Real(_)) => Err(EvalError::Fault("there are no such registers")),
        None => full(machine.effect),
    };
    rule.results().map(result).collect()
}

struct Machine<'q> {
    question: &'q PatternSemantics,
    sample: &'q [i64],
    width: Width,
    /// The registers, by the slots of their names.
    names: [Option<i64>; Rule::MOST_NAMES],
    /// The numbers that the pattern binds.
    numbers: [i64; Rule::MOST_NAMES],
    /// Where control has gone, what was returned, or what has become of memory.
    effect: Option<i64>,
    is_over: bool,
}

impl<'q> Machine<'q> {
    fn new(question: &'q PatternSemantics, width: Width, sample: &'q [i64]) -> Machine<'q> {
        let (mut names, mut numbers) = ([None; _], [0; _]);
        for (name, &value) in question.names.iter().zip(sample) {
            let Some(slot) = name.slot.map(usize::from) else { continue };
            match name.kind {
                Kind::Value | Kind::Truth => names[slot] = Some(value),
                Kind::Number | Kind::Argument | Kind::Relation => numbers[slot] = value,
            }
        }
        Machine { question, sample, width, names, numbers, effect: None, is_over: false }
    }

    fn step(&mut self, step: &Step) -> Result<(), EvalError> {
        let at = |at: usize| &step.operands[at];
        match ROWS[step.instruction].meaning {
            Meaning::Move => self.write(at(0), self.read(at(1))?)?,
            Meaning::Argument => self.write(at(0), self.argument(at(1))?)?,
            Meaning::Binary(op) => {
                let value = op.evaluate_checked(self.width, self.read(at(1))?, self.read(at(2))?);
                self.write(at(0), value.ok_or(EvalError::Fault("this is no division"))?)?;
            }
            Meaning::Compare => {
                let holds = self.relation(at(0))?.holds(self.read(at(2))?, self.read(at(3))?);
                self.write(at(1), i64::from(holds))?;
            }
            Meaning::Jump => self.leave(way(at(0))?),
            Meaning::Branch => match self.read(at(0))? {
                0 => self.leave(way(at(2))?),
                1 => self.leave(way(at(1))?),
                _ => return Err(EvalError::Fault("this is neither true nor false")),
            },
            Meaning::Return => self.leave(self.read(at(0))?),
            #[cfg(feature = "ch25")]
            Meaning::Not => self.write(at(0), self.width.wrap(!self.read(at(1))?))?,
            #[cfg(feature = "ch25")]
            Meaning::Load => self.write(at(0), immediate_operand(self.width, self.read(at(1))?))?,
            #[cfg(feature = "ch25")]
            Meaning::Store => {
                let before = self.effect.unwrap_or_default();
                self.effect = Some(stored(before, self.read(at(0))?, self.read(at(1))?));
            }
        }
        Ok(())
    }

    fn leave(&mut self, result: i64) {
        (self.effect, self.is_over) = (Some(result), true);
    }

    fn read(&self, operand: &Template) -> Result<i64, EvalError> {
        match operand {
            Template::Register(slot) => full(self.names[usize::from(*slot)]),
            Template::Immediate(immediate) => self.number(immediate),
            #[cfg(feature = "ch25")]
            Template::Symbol(slot) => Ok(self.numbers[usize::from(*slot)]),
            Template::Real(_)
            | Template::Address(_)
            | Template::Condition(_)
            | Template::Relation(_)
            | Template::Block(_) => Err(EvalError::Fault("this has no value")),
        }
    }

    fn number(&self, immediate: &Immediate) -> Result<i64, EvalError> {
        if let Immediate::Of(_, slot) = immediate
            && self.arguments().any(|(_, argument)| argument == Some(*slot))
        {
            return Err(EvalError::Fault("the number of an argument is not what it is"));
        }
        let number = i64::from(immediate.number(&self.numbers));
        let wrapped = self.width.wrap(number);
        let is_literal = matches!(immediate, Immediate::Number(_));
        let is_unfit =
            self.width.0 < 32 && (immediate.is_of_words() || is_literal && wrapped != number);
        if is_unfit { Err(EvalError::Width) } else { Ok(wrapped) }
    }

    /// The places in the sample where arguments are, and their slots.
    fn arguments(&self) -> impl Iterator<Item = (usize, Option<u8>)> {
        let names = self.question.names.iter().enumerate();
        names.filter(|(_, name)| name.kind == Kind::Argument).map(|(at, name)| (at, name.slot))
    }

    /// What the argument of this number is: one of those that the pattern asks for.
    fn argument(&self, number: &Template) -> Result<i64, EvalError> {
        let is_meant = |(at, slot): &(usize, Option<u8>)| match number {
            Template::Immediate(Immediate::Of(function, own)) => {
                function.name.is_empty() && *slot == Some(*own)
            }
            Template::Immediate(Immediate::Number(number)) => {
                self.question.required_constant(*at) == Some(i64::from(*number))
            }
            _ => false,
        };
        let found = self.arguments().find(is_meant).map(|(at, _)| self.sample[at]);
        found.ok_or(EvalError::Fault("this is another argument"))
    }

    fn relation(&self, relation: &Template) -> Result<Relation, EvalError> {
        match relation {
            Template::Condition(slot) => {
                Ok(Relation::ALL[self.numbers[usize::from(*slot)] as usize])
            }
            Template::Relation(relation) => Ok(*relation),
            _ => Err(EvalError::Fault("no relation")),
        }
    }

    fn write(&mut self, operand: &Template, value: i64) -> Result<(), EvalError> {
        let Template::Register(slot) = operand else {
            return Err(EvalError::Fault("there is nothing to write to"));
        };
        self.names[usize::from(*slot)] = Some(value);
        Ok(())
    }
}

/// Whether control goes where the root is true.
fn way(block: &Template) -> Result<i64, EvalError> {
    match block {
        Template::Block(truth) => Ok(i64::from(*truth)),
        _ => Err(EvalError::Fault("no block")),
    }
}

fn full(value: Option<i64>) -> Result<i64, EvalError> {
    value.ok_or(EvalError::Fault("this reads what nobody wrote"))
}
