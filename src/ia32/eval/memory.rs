//! The memory of the executed code, and addresses.
#[cfg(feature = "ch02")]
use super::{Cell, Machine, StepResult};
#[cfg(feature = "ch10")]
use crate::heap;
#[cfg(feature = "ch02")]
use crate::ia32::code::{Base, Operand};
use crate::ia32::register::Register;
#[cfg(feature = "ch02")]
use arena::Id;
use memory::{Content, Memory, Segment, Size};

/// The address of the first argument. The return address is below it.
pub const TOP: u32 = 0x7fff_f000;
const RETURN_ADDRESS: u32 = TOP - 4;

/// The maximal size of the stack in bytes.
const STACK_SIZE: u32 = 8 << 20;

/// The bytes from esp on. All bytes below are unwritten, and so is the return address. Other memory
/// is in further segments.
pub struct Stack {
    bytes: Memory,
    pub esp: u32,
    /// The address of the first argument of the function that is executed.
    #[cfg(feature = "ch04")]
    pub first_argument: u32,
    /// The addresses of the caller's values of registers, in falling order.
    #[cfg(feature = "ch02")]
    saved: Vec<(u32, Register)>,
}

impl Stack {
    /// The stack at the entry of a function.
    pub fn new(arguments: &[i32]) -> Stack {
        let words: Vec<u8> = arguments.iter().flat_map(|it| it.to_le_bytes()).collect();
        let (start, size) = (TOP - STACK_SIZE, u64::from(STACK_SIZE) + words.len() as u64);
        let stack = Segment { start, size, content: Content::Unwritten, writable: true };
        let segments = [
            stack,
            #[cfg(feature = "ch10")]
            heap::segment(),
        ];
        let mut bytes = Memory::new(segments.to_vec()).expect("no segment overlaps another");
        bytes.fill(TOP, &words).expect("the arguments are inside");
        Stack {
            bytes,
            esp: RETURN_ADDRESS,
            #[cfg(feature = "ch04")]
            first_argument: TOP,
            #[cfg(feature = "ch02")]
            saved: Vec::new(),
        }
    }

    /// Whether esp is where it was at the entry, and the return address is there.
    pub fn is_balanced(&self) -> bool {
        self.esp == RETURN_ADDRESS && self.bytes.load(RETURN_ADDRESS, Size::Word).is_err()
    }
}

#[cfg(feature = "ch02")]
impl Stack {
    pub fn load(&self, address: u32) -> Result<i32, String> {
        self.load_of(address, Size::Word)
    }

    /// The number of this size, with its sign.
    pub fn load_of(&self, address: u32, size: Size) -> Result<i32, String> {
        let loaded = self.bytes.load_signed(address, size);
        loaded.map(|value| value as i32).map_err(|fault| fault.to_string())
    }

    pub fn store(&mut self, address: u32, value: i32) -> StepResult {
        self.store_of(address, value, Size::Word)
    }

    /// Stores the lowest bits of a word.
    pub fn store_of(&mut self, address: u32, value: i32, size: Size) -> StepResult {
        if (TOP - STACK_SIZE..self.esp).contains(&address) {
            return Err(format!("{address:#x} is below the stack"));
        }
        let stored = self.bytes.store(address, size, value as u64);
        stored.map_err(|fault| fault.to_string())
    }

    /// Bytes become unwritten.
    pub fn clear(&mut self, address: u32, size: u32) {
        self.bytes.clear(address, size).expect("the bytes are inside");
    }

    /// Whether a word is unwritten.
    #[cfg(feature = "ch14")]
    pub fn is_unwritten(&self, address: u32) -> bool {
        self.load(address).is_err()
    }

    /// New words of the stack are unwritten; released words are lost.
    pub fn move_to(&mut self, esp: u32) -> StepResult {
        let is_inside = (TOP - STACK_SIZE..=TOP).contains(&esp);
        if !is_inside || !esp.is_multiple_of(4) {
            return Err(format!("esp cannot be {esp:#x}"));
        }
        if self.esp < esp {
            self.clear(self.esp, esp - self.esp);
        }
        while self.saved.pop_if(|(address, _)| *address < esp).is_some() {}
        self.esp = esp;
        Ok(())
    }
}

#[cfg(feature = "ch02")]
impl Machine<'_> {
    pub fn push(&mut self, operand: Operand) -> StepResult {
        let top = self.stack.esp.wrapping_sub(4);
        self.stack.move_to(top)?;
        #[cfg(feature = "ch15")]
        if let Operand::Immediate(number) = operand {
            return self.stack.store(top, number);
        }
        let Operand::Register(register) = operand else { return Err("no register".into()) };
        match self.registers[register.index()] {
            Cell::Value(value) => self.stack.store(top, value)?,
            Cell::Unwritten => self.stack.saved.push((top, register)),
            #[cfg(feature = "ch12")]
            Cell::Float(_) => return Err("a push takes a word".into()),
        }
        Ok(())
    }

    pub fn pop(&mut self, operand: Operand) -> StepResult {
        let Operand::Register(register) = operand else { return Err("no register".into()) };
        let top = self.stack.esp;
        self.registers[register.index()] = match self.stack.load(top) {
            Ok(value) => Cell::Value(value),
            Err(_) if self.stack.saved.last() == Some(&(top, register)) => Cell::Unwritten,
            Err(_) => return Err(format!("the stack holds no value for {register}")),
        };
        self.stack.move_to(top.wrapping_add(4))
    }

    pub fn esp(&self) -> i32 {
        self.stack.esp.cast_signed()
    }

    pub fn move_esp(&mut self, address: i32) -> StepResult {
        self.stack.move_to(address.cast_unsigned())
    }

    pub fn load(&self, operand: Operand) -> Result<i32, String> {
        self.load_of(operand, Size::Word)
    }

    pub fn store(&mut self, operand: Operand, value: i32) -> StepResult {
        self.store_of(operand, value, Size::Word)
    }

    /// The number of this size in memory.
    pub fn load_of(&self, operand: Operand, size: Size) -> Result<i32, String> {
        self.stack.load_of(self.address_of(operand)?.cast_unsigned(), size)
    }

    /// Stores the lowest bits of a word.
    pub fn store_of(&mut self, operand: Operand, value: i32, size: Size) -> StepResult {
        let address = self.address_of(operand)?.cast_unsigned();
        self.stack.store_of(address, value, size)
    }

    /// The word at an address.
    #[cfg(feature = "ch10")]
    pub fn load_word(&self, address: u32) -> Result<i64, String> {
        self.stack.load(address).map(i64::from)
    }

    #[cfg(feature = "ch04")]
    fn argument_address(&self, number: u32) -> i32 {
        let first = self.stack.first_argument.cast_signed();
        first.wrapping_add((number as i32).wrapping_mul(4))
    }

    pub fn address_of(&self, operand: Operand) -> Result<i32, String> {
        let Operand::Address(address) = operand else { return Err("no address".into()) };
        let base = match address.base() {
            #[cfg(feature = "ch04")]
            Base::None => 0,
            Base::Register(register) => self.read(Operand::Register(register))?,
            #[cfg(feature = "ch04")]
            Base::Argument(number) => self.argument_address(number),
            Base::Slot(_) => return Err("the frame is not laid out".into()),
            #[cfg(feature = "ch12")]
            Base::Constant(_) => return Err("the address of a constant is not known".into()),
            #[cfg(feature = "ch14")]
            Base::Outgoing(number) => self.esp().wrapping_add(4 * number as i32),
        };
        let index = match address.index() {
            Some((register, scale)) => {
                self.read(Operand::Register(register))?.wrapping_mul(i32::from(scale))
            }
            None => 0,
        };
        Ok(base.wrapping_add(index).wrapping_add(address.displacement))
    }
}
