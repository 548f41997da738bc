//! A machine of any width that executes the instructions of one rule.
//!
//! A value of few bits is sign-extended. An instruction computes its result of 32 bits from it, and
//! the result is truncated. The content of memory is a hash of the address, and the effect of
//! stores is a hash of all stores. That is the result at that width, except for a few cases, which
//! are rejected: logical shifts to the right, which see the extension, and numbers that the width
//! cannot represent.
use crate::arith::{Relation, Width};
use crate::floats::{self, FloatOp};
use crate::ia32::instruction::{
    FloatSemantics, MASKS, NarrowSemantics, Op, PairSemantics, Row, Semantics,
};
use crate::ia32::instruction_table::ROWS;
use crate::ia32::register::{FIRST_FLOAT, NAMES};
use crate::rules::semantics::{
    Kind, PatternSemantics, called, called_float, float_content, memory_content, single_content,
    stored,
};
use crate::rules::{
    AddressTemplate, Immediate, InstructionTemplate, OperandTemplate, ResultLocation, Rule,
};
use crate::target::Flags;

/// The reason why there is no result.
#[derive(Debug)]
pub enum EvalError {
    /// The instructions have another meaning at this width.
    Width,
    Fault(&'static str),
}

pub struct Machine<'r> {
    rule: &'r Rule,
    width: Width,
    /// The values of registers and numbers that the pattern binds, by name.
    names: [Option<i64>; Rule::MAX_NAMES],
    numbers: [i64; Rule::MAX_NAMES],
    real: [Option<i64>; NAMES.len()],
    /// The two numbers that were compared last.
    compared: Option<(i64, i64)>,
    /// The carry, if it is that of a sum, a difference or a comparison.
    carry: Option<bool>,
    /// The effect of the stores.
    stored: Option<i64>,
    /// The condition of the jump that was taken, or the returned value.
    outcome: Option<i64>,
}

const EAX: u8 = 0;
const EDX: u8 = 2;

/// The bits above the byte that `set` writes.
const ABOVE_BYTE: i64 = 0x5eed_be00;

type Value = Result<i64, EvalError>;

impl<'r> Machine<'r> {
    pub fn new(
        rule: &'r Rule,
        semantics: &PatternSemantics,
        width: Width,
        sample: &[i64],
    ) -> Machine<'r> {
        let (mut names, mut numbers) = ([None; _], [0; _]);
        for (name, &value) in semantics.names.iter().zip(sample) {
            let Some(name_id) = name.rule_name else { continue };
            numbers[usize::from(name_id)] = value;
            names[usize::from(name_id)] = match name.kind {
                Kind::Value | Kind::Truth => Some(value),
                Kind::Number | Kind::Argument | Kind::Relation => None,
            };
        }
        let mut real = [None; NAMES.len()];
        for &(name_id, register) in &rule.fixed {
            real[usize::from(register)] = names[usize::from(name_id)];
        }
        Machine {
            rule,
            width,
            names,
            numbers,
            real,
            compared: None,
            carry: None,
            stored: None,
            outcome: None,
        }
    }

    /// The results of the rule: values, and the condition of its jump.
    pub fn run(mut self) -> Result<Vec<i64>, EvalError> {
        let mut steps = self.rule.steps.iter();
        while let (None, Some(step)) = (self.outcome, steps.next()) {
            self.step(step)?;
        }
        let result = |location: Option<ResultLocation>| match location {
            Some(ResultLocation::Name(name_id)) => full(self.names[usize::from(name_id)]),
            Some(ResultLocation::Real(register)) => full(self.real[usize::from(register)]),
            None => full(self.outcome.or(self.stored)),
        };
        self.rule.results().map(result).collect()
    }

    fn step(&mut self, step: &InstructionTemplate) -> Result<(), EvalError> {
        let row = &ROWS[step.instruction];
        self.check_width(row.op, step)?;
        let at = |at: usize| &step.operands[at];
        let carry = self.next_carry(row, step);
        match row.semantics {
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
            Semantics::MultiplyWide => self.multiply(self.read(at(0))?, |_, word| word)?,
            Semantics::MultiplyWideUnsigned => {
                let without_sign = |width: Width, word| word & ((1 << width.0) - 1);
                self.multiply(self.read(at(0))?, without_sign)?
            }
            Semantics::Pair(pair) => self.pair(pair, &step.operands)?,
            Semantics::SignExtend => self.put(EDX, full(self.real[usize::from(EAX)])? >> 63),
            Semantics::Divide => self.divide(self.read(at(0))?)?,
            Semantics::Compare(of) => {
                let (a, b) = of(self.word(at(0))?, self.word(at(1))?);
                self.compared = Some((a.into(), b.into()));
            }
            Semantics::Set => {
                let upper_bits = if self.width.0 == 32 { ABOVE_BYTE } else { 0 };
                self.write(at(1), upper_bits | i64::from(self.holds(at(0))?))?;
            }
            #[cfg(feature = "ch29")]
            Semantics::Choose => self.choose([0, 1, 2].map(at))?,
            Semantics::Convert(of) => self.write(at(0), of(self.word(at(1))?).into())?,
            Semantics::Jump => self.outcome = self.branch_outcome(at(0)),
            Semantics::Branch => {
                let target = self.branch_outcome(at(1));
                self.outcome = target.filter(|_| matches!(self.holds(at(0)), Ok(true)));
                self.holds(at(0))?;
            }
            Semantics::Return => self.outcome = Some(full(self.real[usize::from(EAX)])?),
            Semantics::Float(float) => self.float(float, &step.operands)?,
            Semantics::Call => self.call(row, self.read(at(0))?),
            Semantics::Narrow(narrow) => self.narrow(narrow, &step.operands)?,
            Semantics::Push | Semantics::Pop | Semantics::JumpToFunction => {
                return Err(EvalError::Fault("rules leave the stack alone"));
            }
        }
        match row.instruction.flags {
            Flags::Undefined | Flags::Zero | Flags::Result | Flags::Carry => self.compared = None,
            Flags::Untouched | Flags::Compared | Flags::Read => {}
            Flags::ComparedUnsigned | Flags::Borrow => {}
        }
        self.carry = carry?;
        Ok(())
    }

    /// An access of a byte or a half word in memory.
    fn narrow(
        &mut self,
        narrow: NarrowSemantics,
        operands: &[OperandTemplate],
    ) -> Result<(), EvalError> {
        let mask = Width(8 * narrow.size().bytes()).mask();
        match narrow {
            NarrowSemantics::Load(_, of) => {
                self.write(&operands[0], of(self.word(&operands[1])?).into())?;
            }
            NarrowSemantics::Store(_) => {
                self.write(&operands[0], self.read(&operands[1])? & mask)?;
            }
            NarrowSemantics::Update(_, of) => {
                let updated = of(self.word(&operands[0])?, self.word(&operands[1])?);
                self.write(&operands[0], i64::from(updated) & mask)?;
            }
            NarrowSemantics::CompareByte => {
                let [byte, other] = [self.read(&operands[0])?, self.read(&operands[1])?];
                self.compared = Some((byte & mask, other & mask));
            }
        }
        Ok(())
    }

    fn call(&mut self, row: &Row, address: i64) {
        match *row.instruction.writes {
            [register] if usize::from(register) == FIRST_FLOAT => {
                self.real[FIRST_FLOAT] = Some(called_float(address));
            }
            _ => self.put(EAX, called(self.width, address)),
        }
        for &register in row.instruction.clobbers() {
            self.real[usize::from(register)] = None;
        }
    }

    /// The carry after an instruction that has not been executed yet.
    fn next_carry(&self, row: &Row, step: &InstructionTemplate) -> Result<Option<bool>, EvalError> {
        let below = |x: i32, y: i32| Some(Relation::Below.holds(x.into(), y.into()));
        let word = |at: usize| self.word(&step.operands[at]);
        Ok(match row.semantics {
            Semantics::Compare(of) => {
                let (x, y) = of(word(0)?, word(1)?);
                below(x, y)
            }
            Semantics::Binary(of) if row.instruction.carries => {
                let (x, y) = (word(0)?, word(1)?);
                let result = self.width.wrap(of(x, y).into()) as i32;
                if of(0, 1) < 0 { below(x, y) } else { below(result, x) }
            }
            _ if row.instruction.flags.writes() => None,
            _ => self.carry,
        })
    }

    /// A part of an operation on two words.
    fn pair(&mut self, pair: PairSemantics, operands: &[OperandTemplate]) -> Result<(), EvalError> {
        let (x, y) = (self.word(&operands[0])?, self.word(&operands[1])?);
        let third = match operands.get(2) {
            Some(count) => self.word(count)?.cast_unsigned(),
            None => self.carry()?.into(),
        };
        if pair == PairSemantics::SubBorrow {
            self.compared = Some((x.into(), i64::from(y) + i64::from(third)));
        }
        self.write(&operands[0], pair.result(x, y, third).into())
    }

    fn carry(&self) -> Result<bool, EvalError> {
        self.carry.ok_or(EvalError::Fault("there is no carry"))
    }

    /// Rejects instructions that have another meaning at this width than at 32 bits.
    fn check_width(&self, op: Op, step: &InstructionTemplate) -> Result<(), EvalError> {
        let bits = i64::from(self.width.0);
        if bits == 32 {
            return Ok(());
        }
        let count = |at: usize| match &step.operands[at] {
            OperandTemplate::Immediate(immediate) => i64::from(immediate.number(&self.numbers)),
            _ => bits,
        };
        let unfit = |operand: &OperandTemplate| match operand {
            OperandTemplate::Immediate(Immediate::Number(number)) => {
                self.width.wrap(i64::from(*number)) != i64::from(*number)
            }
            _ => is_of_words(operand),
        };
        let holds = match op {
            Op::Shr => false,
            Op::Shl | Op::Sar => (0..bits).contains(&count(1)),
            // The count is taken modulo 32.
            Op::SarCount => false,
            Op::ShlCount | Op::ShrCount => false,
            Op::Rol | Op::Shld | Op::Shrd | Op::ShldCount | Op::ShrdCount => false,
            _ => true,
        };
        if holds && !step.operands.iter().any(unfit) { Ok(()) } else { Err(EvalError::Width) }
    }

    /// An instruction with registers for floats; their values are not truncated.
    fn float(
        &mut self,
        semantics: FloatSemantics,
        operands: &[OperandTemplate],
    ) -> Result<(), EvalError> {
        let at = |at: usize| self.read_float(&operands[at]);
        let result = match semantics {
            FloatSemantics::Move => at(1)?,
            FloatSemantics::Zero => 0,
            FloatSemantics::Compute(op) => op.evaluate([at(0)?, at(1)?]),
            FloatSemantics::Xor => floats::bits(floats::float(at(0)? ^ at(1)?)),
            FloatSemantics::Mask => {
                let relation = MASKS[self.read(&operands[2])? as usize].1;
                let relation = relation.ok_or(EvalError::Fault("there is no such relation"))?;
                -i64::from(floats::holds(relation, at(0)?, at(1)?))
            }
            FloatSemantics::Compare => {
                self.compared = Some(floats::order(at(0)?, at(1)?));
                return Ok(());
            }
            FloatSemantics::LowWord => {
                let word = at(1)?;
                return self.write(&operands[0], word);
            }
            FloatSemantics::FromWord => {
                FloatOp::FromInteger.evaluate([self.read(&operands[1])?; 2])
            }
            FloatSemantics::Narrow => floats::narrowed(at(1)?).into(),
            FloatSemantics::Widen => floats::widened(self.read_single(&operands[1])?),
            FloatSemantics::StoreSingle => {
                let bits = self.read_single(&operands[1])?.cast_signed();
                return self.store(&operands[0], bits.into());
            }
            FloatSemantics::Return => {
                self.outcome = Some(full(self.real[FIRST_FLOAT])?);
                return Ok(());
            }
        };
        match &operands[0] {
            OperandTemplate::Register(name_id) => {
                self.names[usize::from(*name_id)] = Some(result);
                Ok(())
            }
            address => self.store(address, result),
        }
    }

    /// The bits of a floating-point number.
    fn read_float(&self, operand: &OperandTemplate) -> Value {
        match operand {
            OperandTemplate::Address(
                AddressTemplate { constant: Some(name_id), .. }
                | AddressTemplate { argument: Some(name_id), .. },
            ) => Ok(self.numbers[usize::from(*name_id)]),
            OperandTemplate::Address(_) if self.stored.is_none() => {
                Ok(float_content(self.width.wrap(self.address(operand)?)))
            }
            _ => self.read(operand),
        }
    }

    /// The bits of a floating-point number of 32 bits.
    fn read_single(&self, operand: &OperandTemplate) -> Result<u32, EvalError> {
        match operand {
            OperandTemplate::Address(_) if self.stored.is_none() => {
                Ok(single_content(self.width.wrap(self.address(operand)?)))
            }
            _ => Ok(self.read_float(operand)? as u32),
        }
    }

    fn word(&self, operand: &OperandTemplate) -> Result<i32, EvalError> {
        Ok(self.read(operand)? as i32)
    }

    fn read(&self, operand: &OperandTemplate) -> Value {
        match operand {
            OperandTemplate::Register(name_id) => full(self.names[usize::from(*name_id)]),
            OperandTemplate::Real(register) => full(self.real[usize::from(*register)]),
            OperandTemplate::Immediate(immediate) => Ok(self.number(immediate)),
            OperandTemplate::Address(AddressTemplate { argument: Some(name_id), .. }) => {
                Ok(self.numbers[usize::from(*name_id)])
            }
            OperandTemplate::Address(_) if self.stored.is_some() => {
                Err(EvalError::Fault("this loads after a store"))
            }
            OperandTemplate::Address(_) => {
                Ok(memory_content(self.width, self.width.wrap(self.address(operand)?)))
            }
            OperandTemplate::Condition(_)
            | OperandTemplate::Relation(_)
            | OperandTemplate::Block(_) => Err(EvalError::Fault("this has no value")),
            OperandTemplate::Symbol(name_id) => Ok(self.numbers[usize::from(*name_id)]),
        }
    }

    fn number(&self, immediate: &Immediate) -> i64 {
        i64::from(immediate.number(&self.numbers))
    }

    fn address(&self, operand: &OperandTemplate) -> Value {
        let OperandTemplate::Address(address) = operand else {
            return Err(EvalError::Fault("no address"));
        };
        if address.argument.is_some() {
            return Err(EvalError::Fault("the address of an argument is no value"));
        }
        let mut sum: i64 = address.displacement.iter().map(|it| self.number(it)).sum();
        if let Some(base) = address.base {
            sum += full(self.names[usize::from(base)])?;
        }
        if let Some((index, scale)) = address.index {
            sum += full(self.names[usize::from(index)])? * self.number(&scale);
        }
        Ok(sum)
    }

    fn write(&mut self, operand: &OperandTemplate, value: i64) -> Result<(), EvalError> {
        match operand {
            OperandTemplate::Register(name_id) => {
                self.names[usize::from(*name_id)] = Some(self.width.wrap(value));
            }
            OperandTemplate::Real(register) => self.put(*register, value),
            address => self.store(address, self.width.wrap(value))?,
        }
        Ok(())
    }

    fn store(&mut self, operand: &OperandTemplate, value: i64) -> Result<(), EvalError> {
        let OperandTemplate::Address(AddressTemplate { argument: None, .. }) = operand else {
            return Err(EvalError::Fault("there is nothing to write to"));
        };
        let address = self.width.wrap(self.address(operand)?);
        let before = self.stored.unwrap_or_default();
        self.stored = Some(stored(before, address, value));
        Ok(())
    }

    fn put(&mut self, register: u8, value: i64) {
        self.real[usize::from(register)] = Some(self.width.wrap(value));
    }

    /// The factors are words of this width, extended by `extended`.
    fn multiply(&mut self, factor: i64, extended: fn(Width, i64) -> i64) -> Result<(), EvalError> {
        let [x, y] =
            [full(self.real[usize::from(EAX)])?, factor].map(|it| extended(self.width, it));
        let product = x.wrapping_mul(y);
        self.put(EAX, product);
        self.put(EDX, product >> self.width.0);
        Ok(())
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

    #[cfg(feature = "ch29")]
    fn choose(
        &mut self,
        [relation, target, source]: [&OperandTemplate; 3],
    ) -> Result<(), EvalError> {
        let chosen = if self.holds(relation)? { source } else { target };
        self.write(target, self.read(chosen)?)
    }

    fn holds(&self, relation: &OperandTemplate) -> Result<bool, EvalError> {
        let relation = match relation {
            OperandTemplate::Condition(name_id) => {
                Relation::of_number(self.numbers[usize::from(*name_id)])
            }
            OperandTemplate::Relation(relation) => *relation,
            _ => return Err(EvalError::Fault("no relation")),
        };
        let (a, b) = self.compared.ok_or(EvalError::Fault("nothing was compared"))?;
        Ok(relation.holds(a, b))
    }

    fn branch_outcome(&self, block: &OperandTemplate) -> Option<i64> {
        match block {
            OperandTemplate::Block(truth) => Some(i64::from(*truth)),
            _ => None,
        }
    }
}

fn full(value: Option<i64>) -> Value {
    value.ok_or(EvalError::Fault("this reads a register that was never written"))
}

fn is_of_words(operand: &OperandTemplate) -> bool {
    match operand {
        OperandTemplate::Immediate(immediate) => immediate.is_of_words(),
        OperandTemplate::Address(address) => {
            address.displacement.iter().any(Immediate::is_of_words)
        }
        _ => false,
    }
}
