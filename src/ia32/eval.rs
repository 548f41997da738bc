//! What code means: it is executed, with virtual registers or without.
//!
//! Stricter than the machine: to read what nobody wrote is a fault, be it a register, a word of
//! the stack or the flags.
use crate::base::ids::Id;
#[cfg(feature = "ch02")]
use crate::ia32::code::{Address, Base};
use crate::ia32::code::{Code, Inst, Operand};
use crate::ia32::inst::Meaning;
use crate::ia32::reg::{NAMES, Register};
#[cfg(feature = "ch04")]
use crate::rules::target::Flags;
use crate::stage::Outcome;

/// Calls the code as a cdecl function of one argument.
pub fn eval(code: &Code, argument: i64) -> Outcome {
    let mut machine = Machine::new(code, argument as i32);
    for (at, inst) in code.instructions.iter().enumerate() {
        let done = STEPS.iter().try_for_each(|step| step(&mut machine, inst));
        if let Err(reason) = done {
            return Outcome::fault(place(at, inst), reason);
        }
        if let Some(result) = machine.result {
            return Outcome::value(i64::from(result));
        }
    }
    Outcome::fault("the end of the code", "there is no ret")
}

/// How messages name an instruction.
pub fn place(at: usize, inst: &Inst) -> String {
    format!("{at}: {inst} (node {})", inst.origin)
}

struct Machine {
    /// Real registers, then virtual ones; esp is kept by the length of the stack alone.
    registers: Vec<Cell>,
    /// Words from the argument downwards.
    stack: Vec<Cell>,
    /// The two numbers whose order the flags tell.
    #[cfg(feature = "ch04")]
    flags: Option<(i32, i32)>,
    result: Option<i32>,
}

/// What a register or a word of the stack holds.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Cell {
    /// As the caller left it.
    Unwritten,
    /// A word: what the caller left in this register, saved to be restored.
    #[cfg(feature = "ch02")]
    Caller(Register),
    ReturnAddress,
    Value(i32),
}

/// What happens at each instruction, in order.
const STEPS: &[fn(&mut Machine, &Inst) -> Result<(), String>] = &[
    #[cfg(feature = "ch04")]
    Machine::lose_flags,
    Machine::execute,
];

/// The address of the argument.
#[cfg(feature = "ch02")]
const TOP: u32 = 0x7fff_f000;
/// How many words the stack may have: 8 MiB.
#[cfg(feature = "ch02")]
const STACK_WORDS: usize = 2 << 20;

impl Machine {
    fn new(code: &Code, argument: i32) -> Machine {
        Machine {
            registers: vec![Cell::Unwritten; NAMES.len() + code.virtuals as usize],
            stack: vec![Cell::Value(argument), Cell::ReturnAddress],
            #[cfg(feature = "ch04")]
            flags: None,
            result: None,
        }
    }

    #[cfg(feature = "ch04")]
    fn lose_flags(&mut self, inst: &Inst) -> Result<(), String> {
        if inst.op.row().instruction.flags == Flags::Written {
            self.flags = None;
        }
        Ok(())
    }

    fn execute(&mut self, inst: &Inst) -> Result<(), String> {
        let [first, second, ..] = inst.operands;
        match inst.op.row().meaning {
            Meaning::Move => self.write(first, self.read(second)?),
            #[cfg(feature = "ch04")]
            Meaning::Address => self.write(first, self.address_of(second)?),
            #[cfg(feature = "ch02")]
            Meaning::Constant(value) => self.write(first, value),
            #[cfg(feature = "ch02")]
            Meaning::Unary(function) => self.write(first, function(self.read(first)?)),
            #[cfg(feature = "ch02")]
            Meaning::Binary(function) => {
                self.write(first, function(self.read(first)?, self.read(second)?))
            }
            #[cfg(feature = "ch02")]
            Meaning::Ternary(function) => {
                self.write(first, function(self.read(second)?, self.read(inst.operands[2])?))
            }
            #[cfg(feature = "ch04")]
            Meaning::MultiplyWide => {
                let product = i64::from(self.read(EAX)?) * i64::from(self.read(first)?);
                self.write(EAX, product as i32)?;
                self.write(EDX, (product >> 32) as i32)
            }
            #[cfg(feature = "ch02")]
            Meaning::SignExtend => self.write(EDX, self.read(EAX)? >> 31),
            #[cfg(feature = "ch02")]
            Meaning::Divide => self.divide(first),
            #[cfg(feature = "ch04")]
            Meaning::Compare(function) => {
                self.flags = Some(function(self.read(first)?, self.read(second)?));
                Ok(())
            }
            #[cfg(feature = "ch04")]
            Meaning::Set => self.set(first, second),
            #[cfg(feature = "ch04")]
            Meaning::ZeroExtend => self.write(first, self.read(second)? & 0xff),
            #[cfg(feature = "ch02")]
            Meaning::Push => self.push(first),
            #[cfg(feature = "ch02")]
            Meaning::Pop => self.pop(first),
            Meaning::Return => {
                self.result = Some(self.read(EAX)?);
                let balanced = self.stack.pop() == Some(Cell::ReturnAddress);
                if balanced { Ok(()) } else { Err("the stack is not balanced".into()) }
            }
        }
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
            Operand::Address(_) => {
                let Cell::Value(value) = self.stack[self.word(operand)?] else {
                    return Err("this word of the stack was never written".into());
                };
                Ok(value)
            }
            Operand::None => Err("an operand is missing".into()),
            #[cfg(feature = "ch04")]
            Operand::Condition(_) => Err("a relation has no value".into()),
        }
    }

    fn write(&mut self, operand: Operand, value: i32) -> Result<(), String> {
        match operand {
            #[cfg(feature = "ch02")]
            Operand::Register(Register::ESP) => return self.move_esp(value),
            Operand::Register(register) => self.registers[register.index()] = Cell::Value(value),
            #[cfg(feature = "ch02")]
            Operand::Address(_) => {
                let word = self.word(operand)?;
                self.stack[word] = Cell::Value(value);
            }
            Operand::None | Operand::Immediate(_) => return Err("nothing to write to".into()),
            #[cfg(feature = "ch04")]
            Operand::Condition(_) => return Err("nothing to write to".into()),
        }
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn divide(&mut self, divisor: Operand) -> Result<(), String> {
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

    /// Only the low byte is written; what stands above it is nobody's business.
    #[cfg(feature = "ch04")]
    fn set(&mut self, relation: Operand, target: Operand) -> Result<(), String> {
        let Operand::Condition(relation) = relation else { return Err("no relation".into()) };
        let Some((a, b)) = self.flags else {
            return Err("no comparison has left its flags".into());
        };
        let holds = relation.holds(i64::from(a), i64::from(b));
        self.write(target, 0x5eed_be00 | i32::from(holds))
    }

    #[cfg(feature = "ch02")]
    fn push(&mut self, operand: Operand) -> Result<(), String> {
        let Operand::Register(register) = operand else { return Err("no register".into()) };
        let cell = self.registers[register.index()];
        let untouched = cell == Cell::Unwritten;
        self.stack.push(if untouched { Cell::Caller(register) } else { cell });
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn pop(&mut self, operand: Operand) -> Result<(), String> {
        let Operand::Register(register) = operand else { return Err("no register".into()) };
        self.registers[register.index()] = match self.stack.pop() {
            Some(Cell::Value(value)) => Cell::Value(value),
            Some(Cell::Caller(saved)) if saved == register => Cell::Unwritten,
            _ => return Err(format!("the stack has nothing for {register}")),
        };
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn esp(&self) -> i32 {
        (TOP as i32).wrapping_add(4).wrapping_sub(4 * self.stack.len() as i32)
    }

    /// New words of the stack are unwritten; words that are given up are lost.
    #[cfg(feature = "ch02")]
    fn move_esp(&mut self, address: i32) -> Result<(), String> {
        let depth = (TOP as i32).wrapping_add(4).wrapping_sub(address);
        let words = usize::try_from(depth / 4).unwrap_or(usize::MAX);
        if depth % 4 != 0 || words > STACK_WORDS {
            return Err(format!("esp cannot be {address:#x}"));
        }
        self.stack.resize(words, Cell::Unwritten);
        Ok(())
    }

    /// Which word of the stack an operand's address means.
    #[cfg(feature = "ch02")]
    fn word(&self, operand: Operand) -> Result<usize, String> {
        let depth = (TOP as i32).wrapping_sub(self.address_of(operand)?);
        let word = usize::try_from(depth / 4).unwrap_or(usize::MAX);
        if depth < 0 || depth % 4 != 0 || word >= self.stack.len() {
            return Err("this address is not a word of the stack".into());
        }
        Ok(word)
    }

    #[cfg(feature = "ch02")]
    fn address_of(&self, operand: Operand) -> Result<i32, String> {
        let Operand::Address(address) = operand else { return Err("no address".into()) };
        let Address { base, index, displacement } = address;
        let base = match base {
            #[cfg(feature = "ch04")]
            Base::None => 0,
            Base::Register(register) => self.read(Operand::Register(register))?,
            #[cfg(feature = "ch04")]
            Base::Argument(number) => (TOP as i32).wrapping_add((number as i32).wrapping_mul(4)),
            Base::Slot(_) => return Err("the frame is not laid out".into()),
        };
        let index = match index {
            Some((register, scale)) => {
                self.read(Operand::Register(register))?.wrapping_mul(i32::from(scale))
            }
            None => 0,
        };
        Ok(base.wrapping_add(index).wrapping_add(displacement))
    }
}

const EAX: Operand = Operand::Register(Register::EAX);
#[cfg(feature = "ch02")]
const EDX: Operand = Operand::Register(Register::EDX);
