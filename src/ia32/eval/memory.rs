//! The stack of the executed code, and addresses.
use super::{Cell, Machine, StepResult};
use crate::ia32::code::{Address, Base, Operand};
use arena::Id;

impl Machine<'_> {
    /// The address of the argument.
    pub const TOP: u32 = 0x7fff_f000;

    /// The maximal size of the stack in words: 8 MiB.
    pub const STACK_WORDS: usize = 2 << 20;

    pub fn push(&mut self, operand: Operand) -> StepResult {
        let Operand::Register(register) = operand else { return Err("no register".into()) };
        let cell = self.registers[register.index()];
        let untouched = cell == Cell::Unwritten;
        self.stack.push(if untouched { Cell::Caller(register) } else { cell });
        Ok(())
    }

    pub fn pop(&mut self, operand: Operand) -> StepResult {
        let Operand::Register(register) = operand else { return Err("no register".into()) };
        self.registers[register.index()] = match self.stack.pop() {
            Some(Cell::Value(value)) => Cell::Value(value),
            Some(Cell::Caller(saved)) if saved == register => Cell::Unwritten,
            _ => return Err(format!("the stack holds no value for {register}")),
        };
        Ok(())
    }

    pub fn esp(&self) -> i32 {
        (Machine::TOP as i32).wrapping_add(4).wrapping_sub(4 * self.stack.len() as i32)
    }

    /// New words of the stack are unwritten; released words are lost.
    pub fn move_esp(&mut self, address: i32) -> StepResult {
        let depth = (Machine::TOP as i32).wrapping_add(4).wrapping_sub(address);
        let words = usize::try_from(depth / 4).unwrap_or(usize::MAX);
        if depth % 4 != 0 || words > Machine::STACK_WORDS {
            return Err(format!("esp cannot be {address:#x}"));
        }
        self.stack.resize(words, Cell::Unwritten);
        Ok(())
    }

    /// The index of the stack word at an operand's address.
    pub fn word(&self, operand: Operand) -> Result<usize, String> {
        let depth = (Machine::TOP as i32).wrapping_sub(self.address_of(operand)?);
        let word = usize::try_from(depth / 4).unwrap_or(usize::MAX);
        if depth < 0 || depth % 4 != 0 || word >= self.stack.len() {
            return Err("this address is not a word of the stack".into());
        }
        Ok(word)
    }

    #[cfg(feature = "ch04")]
    fn argument_address(&self, number: u32) -> i32 {
        let first = Machine::TOP as i32;
        #[cfg(feature = "ch26")]
        let first = first - self.calls.distance;
        first.wrapping_add((number as i32).wrapping_mul(4))
    }

    pub fn address_of(&self, operand: Operand) -> Result<i32, String> {
        let Operand::Address(address) = operand else { return Err("no address".into()) };
        let Address { base, index, displacement } = address;
        let base = match base {
            #[cfg(feature = "ch04")]
            Base::None => 0,
            Base::Register(register) => self.read(Operand::Register(register))?,
            #[cfg(feature = "ch04")]
            Base::Argument(number) => self.argument_address(number),
            Base::Slot(_) => return Err("the frame is not laid out".into()),
            #[cfg(feature = "ch26")]
            Base::Outgoing(number) => self.esp().wrapping_add(4 * number as i32),
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
