//! Executes code, with virtual or with real registers.
//!
//! It is stricter than the machine: a read of an unwritten register, stack word or flag is a fault.
#[cfg(feature = "ch14")]
mod call;
#[cfg(feature = "ch12")]
mod float;
#[cfg(feature = "ch05")]
mod jump;
mod memory;

#[cfg(feature = "ch14")]
pub use call::eval_program;

#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::instruction::Semantics;
#[cfg(feature = "ch04")]
use crate::ia32::instruction::needs_only_result;
#[cfg(feature = "ch14")]
use crate::ia32::instruction::{NarrowSemantics, PairSemantics};
use crate::ia32::register::{NAMES, Register};
use crate::stage::{Outcome, STEP_LIMIT};
#[cfg(feature = "ch04")]
use crate::target::Flags;
#[cfg(feature = "ch14")]
use ::memory::Size;
use arena::Id;
#[cfg(feature = "ch14")]
use call::Calls;

/// Calls the code as a cdecl function of one argument.
#[cfg(test)]
pub fn eval(code: &Code, argument: i64) -> Outcome {
    let words = [argument];
    #[cfg(feature = "ch14")]
    let words = code.signature.words_of(words[0]);
    let words: Vec<_> = words.iter().map(|&it| it as i32).collect();
    Machine::new(code, &words).run()
}

/// A machine that calls a function.
pub struct Machine<'c> {
    code: &'c Code,
    /// The next instruction.
    next: usize,
    /// The block that was jumped to last.
    #[cfg(feature = "ch05")]
    block: BlockId,
    /// Real registers, then virtual ones. esp follows from the length of the stack.
    registers: Vec<Cell>,
    stack: memory::Stack,
    #[cfg(feature = "ch04")]
    flags: ComparedValues,
    /// The carry, if it is that of a sum, a difference or a comparison.
    #[cfg(feature = "ch14")]
    carry: Option<bool>,
    result: Option<i64>,
    #[cfg(feature = "ch14")]
    calls: Calls<'c>,
}

/// The values that determine the flags.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy)]
enum ComparedValues {
    Nothing,
    /// The flags show whether this number is zero.
    Zero(i32),
    /// The flags show how these numbers compare.
    Order(i64, i64),
}

/// The content of a register.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cell {
    /// Not written by the function.
    Unwritten,
    Value(i32),
    /// The bits of a floating-point number.
    #[cfg(feature = "ch12")]
    Float(i64),
}

/// The address of symbol 0.
#[cfg(feature = "ch14")]
const FIRST_SYMBOL: i32 = 0x0804_8000;

/// The reason why an instruction cannot be executed.
type StepResult = Result<(), String>;

impl Machine<'_> {
    pub fn new<'c>(code: &'c Code, arguments: &[i32]) -> Machine<'c> {
        Machine {
            code,
            next: 0,
            #[cfg(feature = "ch05")]
            block: BlockId::ENTRY,
            registers: vec![Cell::Unwritten; NAMES.len() + code.virtual_registers.len()],
            stack: memory::Stack::new(arguments),
            #[cfg(feature = "ch04")]
            flags: ComparedValues::Nothing,
            #[cfg(feature = "ch14")]
            carry: None,
            result: None,
            #[cfg(feature = "ch14")]
            calls: Calls::new(std::slice::from_ref(code)),
        }
    }

    /// The result of the function.
    pub fn run(&mut self) -> Outcome {
        for _ in 0..STEP_LIMIT {
            let at = self.next;
            let Some(instruction) = self.code.instructions.get(at) else {
                return Outcome::fault("the end of the code", "there is no ret");
            };
            self.next += 1;
            if let Err(reason) = self.step(instruction) {
                return Outcome::fault(instruction.place(at), reason);
            }
            if let Some(result) = self.result {
                return Outcome::value(result);
            }
        }
        Outcome::out_of_steps()
    }

    fn step(&mut self, instruction: &Instruction) -> StepResult {
        #[cfg(feature = "ch14")]
        let carry = self.next_carry(instruction);
        self.execute(instruction)?;
        #[cfg(feature = "ch04")]
        self.write_flags(instruction)?;
        #[cfg(feature = "ch14")]
        {
            self.carry = carry?;
        }
        Ok(())
    }

    /// The flags after an instruction that does not compare.
    #[cfg(feature = "ch04")]
    fn write_flags(&mut self, instruction: &Instruction) -> StepResult {
        let [result, ..] = instruction.operands;
        match instruction.flags() {
            Flags::Untouched | Flags::Compared | Flags::Read => {}
            #[cfg(feature = "ch12")]
            Flags::ComparedUnsigned => {}
            Flags::Undefined => self.flags = ComparedValues::Nothing,
            Flags::Zero => self.flags = ComparedValues::Zero(self.read(result)?),
            Flags::Result => self.flags = ComparedValues::Order(self.read(result)?.into(), 0),
            #[cfg(feature = "ch14")]
            Flags::Carry => self.flags = ComparedValues::Nothing,
            #[cfg(feature = "ch14")]
            Flags::Borrow => {}
        }
        Ok(())
    }

    fn execute(&mut self, instruction: &Instruction) -> StepResult {
        let [first, second, ..] = instruction.operands;
        match instruction.op.row().semantics {
            Semantics::Move => self.write(first, self.read(second)?),
            #[cfg(feature = "ch04")]
            Semantics::LoadAddress => self.write(first, self.address_of(second)?),
            #[cfg(feature = "ch02")]
            Semantics::Constant(value) => self.write(first, value),
            #[cfg(feature = "ch02")]
            Semantics::Unary(function) => self.write(first, function(self.read(first)?)),
            #[cfg(feature = "ch02")]
            Semantics::Binary(function) => {
                self.write(first, function(self.read(first)?, self.read(second)?))
            }
            #[cfg(feature = "ch02")]
            Semantics::Ternary(function) => {
                self.write(first, function(self.read(second)?, self.read(instruction.operands[2])?))
            }
            #[cfg(feature = "ch04")]
            Semantics::MultiplyWide => self.multiply(first, i64::from),
            #[cfg(feature = "ch14")]
            Semantics::MultiplyWideUnsigned => {
                self.multiply(first, |word| word.cast_unsigned().into())
            }
            #[cfg(feature = "ch14")]
            Semantics::Pair(pair) => self.pair(pair, instruction.operands),
            #[cfg(feature = "ch02")]
            Semantics::SignExtend => self.write(EDX, self.read(EAX)? >> 31),
            #[cfg(feature = "ch02")]
            Semantics::Divide => self.divide(first),
            #[cfg(feature = "ch04")]
            Semantics::Compare(function) => {
                self.compare(function(self.read(first)?, self.read(second)?))
            }
            #[cfg(feature = "ch04")]
            Semantics::Set => self.set(first, second),
            #[cfg(feature = "ch29")]
            Semantics::Choose => self.choose(instruction.operands),
            #[cfg(feature = "ch04")]
            Semantics::Convert(function) => self.write(first, function(self.read(second)?)),
            #[cfg(feature = "ch05")]
            Semantics::Jump => self.jump(first),
            #[cfg(feature = "ch05")]
            Semantics::Branch => self.branch(first, second),
            #[cfg(feature = "ch02")]
            Semantics::Push => self.push(first),
            #[cfg(feature = "ch02")]
            Semantics::Pop => self.pop(first),
            Semantics::Return => self.leave(),
            #[cfg(feature = "ch12")]
            Semantics::Float(semantics) => self.float(semantics, instruction),
            #[cfg(feature = "ch14")]
            Semantics::Call => self.call(instruction),
            #[cfg(feature = "ch18")]
            Semantics::JumpToFunction => self.jump_to_function(instruction),
            #[cfg(feature = "ch14")]
            Semantics::Narrow(narrow) => self.narrow(narrow, [first, second]),
        }
    }

    #[cfg(feature = "ch14")]
    fn narrow(&mut self, narrow: NarrowSemantics, [first, second]: [Operand; 2]) -> StepResult {
        match narrow {
            NarrowSemantics::Load(size, extended) => {
                let bits = self.load_of(second, size)?;
                self.write(first, extended(bits))
            }
            NarrowSemantics::Store(size) => self.store_of(first, self.read(second)?, size),
            NarrowSemantics::Update(size, of) => {
                let updated = of(self.load_of(first, size)?, self.read(second)?);
                self.store_of(first, updated, size)
            }
            NarrowSemantics::CompareByte => {
                let [byte, other] = [self.load_of(first, Size::Byte)?, self.read(second)?];
                self.compare((byte & 0xff, other & 0xff))
            }
        }
    }

    /// Jumps to a block if the relation holds.
    #[cfg(feature = "ch05")]
    fn branch(&mut self, relation: Operand, block: Operand) -> StepResult {
        if self.holds(relation)? { self.jump(block) } else { Ok(()) }
    }

    /// Ends the execution, or returns to the caller.
    fn leave(&mut self) -> StepResult {
        #[cfg(feature = "ch14")]
        if self.has_caller() {
            return self.leave_function();
        }
        self.leave_with(i64::from(self.read(EAX)?))
    }

    /// Ends the execution with a result.
    fn leave_with(&mut self, result: i64) -> StepResult {
        #[cfg(feature = "ch14")]
        self.release_outgoing()?;
        self.result = Some(result);
        let balanced = self.stack.is_balanced();
        if balanced { Ok(()) } else { Err("the stack is not balanced".into()) }
    }

    fn read(&self, operand: Operand) -> Result<i32, String> {
        match operand {
            #[cfg(feature = "ch02")]
            Operand::Register(Register::ESP) => Ok(self.esp()),
            Operand::Register(register) => {
                let Some(&Cell::Value(value)) = self.registers.get(register.index()) else {
                    return Err(format!("{register} was never written"));
                };
                Ok(value)
            }
            Operand::Immediate(value) => Ok(value),
            #[cfg(feature = "ch02")]
            Operand::Address(_) => self.load(operand),
            Operand::None => Err("an operand is missing".into()),
            #[cfg(feature = "ch04")]
            Operand::Condition(_) => Err("a relation has no value".into()),
            #[cfg(feature = "ch05")]
            Operand::Block(_) => Err("a block has no value".into()),
            #[cfg(feature = "ch14")]
            Operand::Symbol(symbol) => Ok(FIRST_SYMBOL + symbol as i32),
            #[cfg(feature = "ch14")]
            Operand::Signature(_) => Err("a signature has no value".into()),
            #[cfg(feature = "ch18")]
            Operand::Preserved(_) => Err("a set of registers has no value".into()),
        }
    }

    fn write(&mut self, operand: Operand, value: i32) -> StepResult {
        match operand {
            #[cfg(feature = "ch02")]
            Operand::Register(Register::ESP) => return self.move_esp(value),
            Operand::Register(register) => self.registers[register.index()] = Cell::Value(value),
            #[cfg(feature = "ch02")]
            Operand::Address(_) => return self.store(operand, value),
            Operand::None | Operand::Immediate(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch04")]
            Operand::Condition(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch05")]
            Operand::Block(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch14")]
            Operand::Symbol(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch14")]
            Operand::Signature(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch18")]
            Operand::Preserved(_) => return Err("nothing to write to".into()),
        }
        Ok(())
    }
}

/// Flags and conditions.
#[cfg(feature = "ch04")]
impl Machine<'_> {
    fn holds(&self, relation: Operand) -> Result<bool, String> {
        let Operand::Condition(relation) = relation else { return Err("no relation".into()) };
        match (self.flags, relation) {
            (ComparedValues::Order(a, b), _) => Ok(relation.holds(a, b)),
            (ComparedValues::Zero(a), zero) if needs_only_result(zero) => {
                Ok(zero.holds(i64::from(a), 0))
            }
            (ComparedValues::Zero(_), _) => Err("the flags are defined for zero only".into()),
            (ComparedValues::Nothing, _) => Err("the flags are undefined".into()),
        }
    }

    fn compare(&mut self, (left, right): (i32, i32)) -> StepResult {
        self.flags = ComparedValues::Order(left.into(), right.into());
        Ok(())
    }

    /// Only the low byte is written. The upper bytes are undefined, so they get a marker.
    fn set(&mut self, relation: Operand, target: Operand) -> StepResult {
        let holds = self.holds(relation)?;
        self.write(target, 0x5eed_be00 | i32::from(holds))
    }

    /// The source is read in any case.
    #[cfg(feature = "ch29")]
    fn choose(&mut self, [relation, target, source]: [Operand; 3]) -> StepResult {
        let chosen = self.read(source)?;
        if self.holds(relation)? { self.write(target, chosen) } else { Ok(()) }
    }
}

/// The carry.
#[cfg(feature = "ch14")]
impl Machine<'_> {
    /// The carry after an instruction that has not been executed yet.
    fn next_carry(&self, instruction: &Instruction) -> Result<Option<bool>, String> {
        let below = |x: i32, y: i32| Some(x.cast_unsigned() < y.cast_unsigned());
        let [first, second, ..] = instruction.operands;
        Ok(match instruction.op.row().semantics {
            Semantics::Compare(of) => {
                let (x, y) = of(self.read(first)?, self.read(second)?);
                below(x, y)
            }
            Semantics::Binary(of) if instruction.op.row().instruction.carries => {
                let (x, y) = (self.read(first)?, self.read(second)?);
                // A difference compares its operands, a sum is compared with one.
                if of(0, 1) < 0 { below(x, y) } else { below(of(x, y), x) }
            }
            _ if instruction.flags().writes() => None,
            _ => self.carry,
        })
    }

    fn carry(&self) -> Result<bool, String> {
        self.carry.ok_or_else(|| "the carry is undefined".to_string())
    }

    /// A part of an operation on two words. After a difference, the flags show whether the left
    /// operand is less than the exact sum of the right one and the borrow.
    fn pair(&mut self, pair: PairSemantics, [x, y, count]: [Operand; 3]) -> StepResult {
        let (target, x, y) = (x, self.read(x)?, self.read(y)?);
        let third = if pair.reads_carry() {
            self.carry()?.into()
        } else {
            self.read(count)?.cast_unsigned()
        };
        self.write(target, pair.result(x, y, third))?;
        if pair == PairSemantics::SubBorrow {
            self.flags = ComparedValues::Order(x.into(), i64::from(y) + i64::from(third));
        }
        Ok(())
    }
}

/// Wide products.
#[cfg(feature = "ch04")]
impl Machine<'_> {
    /// edx:eax becomes eax times the operand, both extended.
    fn multiply(&mut self, operand: Operand, extended: fn(i32) -> i64) -> StepResult {
        let product = extended(self.read(EAX)?).wrapping_mul(extended(self.read(operand)?));
        self.write(EAX, product as i32)?;
        self.write(EDX, (product >> 32) as i32)
    }
}

/// Division.
#[cfg(feature = "ch02")]
impl Machine<'_> {
    fn divide(&mut self, divisor: Operand) -> StepResult {
        let low = i64::from(self.read(EAX)? as u32);
        let dividend = i64::from(self.read(EDX)?) << 32 | low;
        let divisor = i64::from(self.read(divisor)?);
        if divisor == 0 {
            return Err("division by zero".into());
        }
        let Ok(quotient) = i32::try_from(dividend.wrapping_div(divisor)) else {
            return Err("the quotient does not fit".into());
        };
        self.write(EAX, quotient)?;
        self.write(EDX, (dividend % divisor) as i32)
    }
}

const EAX: Operand = Operand::Register(Register::EAX);
#[cfg(feature = "ch02")]
const EDX: Operand = Operand::Register(Register::EDX);

#[cfg(test)]
#[cfg(feature = "ch04")]
mod tests;
