//! A machine of any width that executes the instructions of one rule.
//!
//! A value of few bits is sign-extended, as everywhere; an instruction computes with it what it
//! computes at 32 bits, and the result is cut. That is what it would mean at that width, but for
//! a few instructions, which are refused: logical shifts to the right, which see the extension,
//! and numbers that the width cannot hold.
use crate::arith::{Relation, Width};
use crate::ia32::instruction::{Op, Semantics};
use crate::ia32::instruction_table::ROWS;
use crate::rules::semantics::{Kind, PatternSemantics};
use crate::rules::target::Flags;
use crate::rules::{AddressTemplate, Immediate, Place, Rule, Step, Template};

/// Why there is no result.
#[derive(Debug)]
pub enum EvalError {
    /// The instructions mean something else at this width.
    Width,
    Fault(&'static str),
}

pub struct Machine<'r> {
    rule: &'r Rule,
    width: Width,
    /// What the pattern binds, by slot: the values of registers, and numbers.
    names: [Option<i64>; Rule::MOST_NAMES],
    numbers: [i64; Rule::MOST_NAMES],
    real: [Option<i64>; 8],
    /// The two numbers that were compared last.
    compared: Option<(i64, i64)>,
    /// Whether control went where the root is true, or what was returned.
    left: Option<i64>,
}

const EAX: u8 = 0;
const EDX: u8 = 2;

/// What `set` leaves above the byte that it writes.
const ABOVE_BYTE: i64 = 0x5eed_be00;

type Value = Result<i64, EvalError>;

impl<'r> Machine<'r> {
    pub fn new(
        rule: &'r Rule,
        question: &PatternSemantics,
        width: Width,
        sample: &[i64],
    ) -> Machine<'r> {
        let (mut names, mut numbers) = ([None; _], [0; _]);
        for (name, &value) in question.names.iter().zip(sample) {
            let Some(slot) = name.slot else { continue };
            numbers[usize::from(slot)] = value;
            names[usize::from(slot)] = match name.kind {
                Kind::Value | Kind::Truth => Some(value),
                Kind::Number | Kind::Argument | Kind::Relation => None,
            };
        }
        let mut real = [None; 8];
        for &(slot, register) in &rule.fixed {
            real[usize::from(register)] = names[usize::from(slot)];
        }
        Machine { rule, width, names, numbers, real, compared: None, left: None }
    }

    /// The results of the rule: values, and where it goes.
    pub fn run(mut self) -> Result<Vec<i64>, EvalError> {
        let mut steps = self.rule.steps.iter();
        while let (None, Some(step)) = (self.left, steps.next()) {
            self.step(step)?;
        }
        let result = |place: Option<Place>| match place {
            Some(Place::Name(slot)) => full(self.names[usize::from(slot)]),
            Some(Place::Real(register)) => full(self.real[usize::from(register)]),
            None => full(self.left),
        };
        self.rule.results().map(result).collect()
    }

    fn step(&mut self, step: &Step) -> Result<(), EvalError> {
        let row = &ROWS[step.instruction];
        self.check_width(row.op, step)?;
        let at = |at: usize| &step.operands[at];
        match row.meaning {
            Semantics::Move => self.write(at(0), self.read(at(1))?)?,
            Semantics::LoadAddress => self.write(at(0), self.address(at(1))?)?,
            Semantics::Constant(value) => self.write(at(0), i64::from(value))?,
            Semantics::Unary(of) => self.write(at(0), of(self.word(at(0))?).into())?,
            Semantics::Binary(of) => {
                self.write(at(0), of(self.word(at(0))?, self.word(at(1))?).into())?
            }
            Semantics::Ternary(of) => {
                self.write(at(0), of(self.word(at(1))?, self.word(at(2))?).into())?
            }
            Semantics::MultiplyWide => {
                let product = full(self.real[usize::from(EAX)])? * self.read(at(0))?;
                self.put(EAX, product);
                self.put(EDX, product >> self.width.0);
            }
            Semantics::SignExtend => self.put(EDX, full(self.real[usize::from(EAX)])? >> 63),
            Semantics::Divide => self.divide(self.read(at(0))?)?,
            Semantics::Compare(of) => {
                let (a, b) = of(self.word(at(0))?, self.word(at(1))?);
                self.compared = Some((a.into(), b.into()));
            }
            Semantics::Set => {
                let above = if self.width.0 == 32 { ABOVE_BYTE } else { 0 };
                self.write(at(1), above | i64::from(self.holds(at(0))?))?;
            }
            Semantics::ZeroExtend => self.write(at(0), self.read(at(1))? & 0xff)?,
            Semantics::Jump => self.left = self.way(at(0)),
            Semantics::Branch => {
                let way = self.way(at(1));
                self.left = way.filter(|_| matches!(self.holds(at(0)), Ok(true)));
                self.holds(at(0))?;
            }
            Semantics::Return => self.left = Some(full(self.real[usize::from(EAX)])?),
            Semantics::Push | Semantics::Pop => {
                return Err(EvalError::Fault("rules leave the stack alone"));
            }
        }
        match row.instruction.flags {
            Flags::Undefined | Flags::Zero | Flags::Result => self.compared = None,
            Flags::Untouched | Flags::Compared | Flags::Read => {}
        }
        Ok(())
    }

    /// Whether the instruction means at this width what it means at 32 bits.
    fn check_width(&self, op: Op, step: &Step) -> Result<(), EvalError> {
        let bits = i64::from(self.width.0);
        if bits == 32 {
            return Ok(());
        }
        let count = |at: usize| match &step.operands[at] {
            Template::Immediate(immediate) => i64::from(immediate.number(&self.numbers)),
            _ => bits,
        };
        let unfit = |operand: &Template| match operand {
            Template::Immediate(Immediate::Number(number)) => {
                self.width.wrap(i64::from(*number)) != i64::from(*number)
            }
            _ => is_of_words(operand),
        };
        let holds = match op {
            Op::Shr => false,
            Op::Shl | Op::Sar => (0..bits).contains(&count(1)),
            _ => true,
        };
        if holds && !step.operands.iter().any(unfit) { Ok(()) } else { Err(EvalError::Width) }
    }

    fn word(&self, operand: &Template) -> Result<i32, EvalError> {
        Ok(self.read(operand)? as i32)
    }

    fn read(&self, operand: &Template) -> Value {
        match operand {
            Template::Register(slot) => full(self.names[usize::from(*slot)]),
            Template::Real(register) => full(self.real[usize::from(*register)]),
            Template::Immediate(immediate) => Ok(self.number(immediate)),
            Template::Address(AddressTemplate { argument: Some(slot), .. }) => {
                Ok(self.numbers[usize::from(*slot)])
            }
            Template::Address(_) => Err(EvalError::Fault("this reads memory")),
            Template::Condition(_) | Template::Relation(_) | Template::Block(_) => {
                Err(EvalError::Fault("this has no value"))
            }
            #[cfg(feature = "ch25")]
            Template::Symbol(_) => Err(EvalError::Fault("this has no value")),
        }
    }

    fn number(&self, immediate: &Immediate) -> i64 {
        i64::from(immediate.number(&self.numbers))
    }

    fn address(&self, operand: &Template) -> Value {
        let Template::Address(address) = operand else {
            return Err(EvalError::Fault("no address"));
        };
        if address.argument.is_some() {
            return Err(EvalError::Fault("the place of an argument is no value"));
        }
        let mut sum: i64 = address.displacement.iter().map(|it| self.number(it)).sum();
        if let Some(base) = address.base {
            sum += full(self.names[usize::from(base)])?;
        }
        if let Some((index, scale)) = address.index {
            sum += full(self.names[usize::from(index)])? * i64::from(scale);
        }
        Ok(sum)
    }

    fn write(&mut self, operand: &Template, value: i64) -> Result<(), EvalError> {
        match operand {
            Template::Register(slot) => {
                self.names[usize::from(*slot)] = Some(self.width.wrap(value));
            }
            Template::Real(register) => self.put(*register, value),
            _ => return Err(EvalError::Fault("this writes to memory")),
        }
        Ok(())
    }

    fn put(&mut self, register: u8, value: i64) {
        self.real[usize::from(register)] = Some(self.width.wrap(value));
    }

    fn divide(&mut self, divisor: i64) -> Result<(), EvalError> {
        let [low, high] = [EAX, EDX].map(|it| full(self.real[usize::from(it)]));
        let bits = self.width.0;
        let dividend = high? << bits | low? & ((1 << bits) - 1);
        if divisor == 0 {
            return Err(EvalError::Fault("this divides by zero"));
        }
        let quotient = dividend / divisor;
        if self.width.wrap(quotient) != quotient {
            return Err(EvalError::Fault("the quotient does not fit"));
        }
        self.put(EAX, quotient);
        self.put(EDX, dividend % divisor);
        Ok(())
    }

    fn holds(&self, relation: &Template) -> Result<bool, EvalError> {
        let relation = match relation {
            Template::Condition(slot) => Relation::ALL[self.numbers[usize::from(*slot)] as usize],
            Template::Relation(relation) => *relation,
            _ => return Err(EvalError::Fault("no relation")),
        };
        let (a, b) = self.compared.ok_or(EvalError::Fault("nothing was compared"))?;
        Ok(relation.holds(a, b))
    }

    fn way(&self, block: &Template) -> Option<i64> {
        match block {
            Template::Block(truth) => Some(i64::from(*truth)),
            _ => None,
        }
    }
}

fn full(value: Option<i64>) -> Value {
    value.ok_or(EvalError::Fault("this reads what nobody wrote"))
}

fn is_of_words(operand: &Template) -> bool {
    match operand {
        Template::Immediate(immediate) => immediate.is_of_words(),
        Template::Address(address) => address.displacement.iter().any(Immediate::is_of_words),
        _ => false,
    }
}
