//! Executes instructions: registers, flags, memory, and system calls.
use super::arithmetic::{highest_bit, shift_pair_left, shift_pair_right, write_product_flags};
use super::decode::{
    Address, DecodedInstruction, EAX, EBP, EBX, ECX, EDX, ESI, ESP, NONE, Operand, Operation, Text,
};
use super::fault::Fault;
use super::flags::{ALL, Flags};
use super::load::MAX_MEMORY;
use memory::{Content, Memory, Reason, Segment, Size};
use std::ops::Range;

/// MAP_FIXED, a flag of mmap2.
const FIXED: u32 = 0x10;
/// The result of a system call that fails with ENOMEM.
const NO_MEMORY: u32 = (-12_i32).cast_unsigned();

/// By their numbers; `NONE` stays 0.
pub type Registers = [u32; NONE + 1];

/// A processor with the memory of its process.
pub struct Machine {
    pub registers: Registers,
    /// The lower halves of the registers for floats.
    pub floats: [u64; 8],
    pub flags: Flags,
    pub memory: Memory,
    /// The address of the instruction that was executed last, and of the next one.
    pub place: u32,
    pub next: u32,
    pub instructions: u64,
    /// The bytes written to standard output and to standard error.
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    /// The lowest address of the stack.
    stack_limit: u32,
    /// The function that is executed after an access to memory that is not there, and the end of
    /// its own stack.
    fault_handler: Option<u32>,
    handler_stack: Option<u32>,
}

/// The gap that Linux keeps below a stack, in bytes.
const GUARD_GAP: u32 = 1 << 20;

/// The initial value of registers. A zero could hide a missing write.
const GARBAGE: u32 = 0xdead_0000;
const GARBAGE_FLOAT: u64 = 0x7ff4_dead_dead_dead;

impl Machine {
    pub fn new(memory: Memory, start: u32, stack: Range<u32>) -> Machine {
        let mut registers = std::array::from_fn(|number| GARBAGE + number as u32);
        registers[ESP] = stack.end;
        registers[NONE] = 0;
        Machine {
            registers,
            floats: [GARBAGE_FLOAT; 8],
            flags: Flags::undefined(),
            memory,
            place: start,
            next: start,
            instructions: 0,
            output: Vec::new(),
            errors: Vec::new(),
            stack_limit: stack.start,
            fault_handler: None,
            handler_stack: None,
        }
    }

    /// Executes at most `budget` instructions. `None` means that the budget is used up.
    pub fn run(&mut self, text: &mut Text, budget: u64) -> Option<Fault> {
        while self.instructions < budget {
            let instruction = match text.instruction(self.next, &self.memory) {
                Ok(instruction) => instruction,
                Err(fault) => {
                    // A jump out of the text is reported at the jump.
                    let jumped = matches!(fault, Fault::OutsideText(_));
                    self.place = if jumped { self.place } else { self.next };
                    return Some(fault);
                }
            };
            (self.place, self.next) = (self.next, instruction.next);
            self.instructions += 1;
            if let Err(fault) = self.execute(instruction) {
                let fault = self.or_overflow(fault);
                let Some(handler) = self.handler(&fault) else { return Some(fault) };
                self.enter_handler(handler);
            }
        }
        None
    }

    fn execute(&mut self, instruction: &DecodedInstruction) -> Result<(), Fault> {
        match instruction.operation {
            Operation::Nothing => Ok(()),
            Operation::Move => {
                let value = self.read(&instruction.right)?;
                self.write(&instruction.target, value)
            }
            Operation::MoveSigned => {
                let value = self.read(&instruction.right)?;
                let value = instruction.right.width().wrap(value.into()) as u32;
                self.write(&instruction.target, instruction.width.truncate(value))
            }
            Operation::MoveAddress => {
                let Operand::Memory { address, .. } = &instruction.right else {
                    unreachable!("lea is only decoded with an address");
                };
                self.write(&instruction.target, instruction.width.truncate(self.address(address)))
            }
            Operation::Exchange => {
                let (left, right) = (self.read(&instruction.left)?, self.read(&instruction.right)?);
                self.write(&instruction.left, right)?;
                self.write(&instruction.right, left)
            }
            Operation::Combine(operator) => {
                let (left, right) = (self.read(&instruction.left)?, self.read(&instruction.right)?);
                let value = operator(&mut self.flags, instruction.width, left, right)?;
                self.write(&instruction.target, value)
            }
            Operation::Compare(operator) => {
                let (left, right) = (self.read(&instruction.left)?, self.read(&instruction.right)?);
                operator(&mut self.flags, instruction.width, left, right).map(|_| ())
            }
            Operation::SetIf(condition) => {
                let holds = condition.holds(self.flags)?;
                self.write(&instruction.target, holds.into())
            }
            Operation::MoveIf(condition) => {
                let value = self.read(&instruction.right)?; // even if it is not moved
                if condition.holds(self.flags)? {
                    self.write(&instruction.target, value)
                } else {
                    Ok(())
                }
            }
            Operation::JumpIf(condition) => {
                if condition.holds(self.flags)? {
                    self.jump(&instruction.target)
                } else {
                    Ok(())
                }
            }
            Operation::Jump => self.jump(&instruction.target),
            Operation::Call => {
                let after = self.next;
                self.jump(&instruction.target)?;
                self.push(after)
            }
            Operation::Return => {
                self.next = self.pop()?;
                // The number of bytes that `ret n` pops.
                let arguments = self.read(&instruction.left)?;
                self.registers[ESP] = self.registers[ESP].wrapping_add(arguments);
                Ok(())
            }
            Operation::Push => {
                let value = self.read(&instruction.left)?;
                self.push(value)
            }
            Operation::Pop => {
                let value = self.pop()?;
                self.write(&instruction.target, value)
            }
            Operation::Leave => {
                self.registers[ESP] = self.registers[EBP];
                self.registers[EBP] = self.pop()?;
                Ok(())
            }
            Operation::ExtendSign => {
                self.registers[EDX] = (self.registers[EAX].cast_signed() >> 31).cast_unsigned();
                Ok(())
            }
            Operation::MultiplyWide { signed } => {
                let factor = self.read(&instruction.left)?;
                self.multiply(signed, factor);
                Ok(())
            }
            Operation::ShiftPair { left } => {
                let operands = [&instruction.target, &instruction.source, &instruction.third];
                let [first, second, count] = operands.map(|it| self.read(it));
                let shift = if left { shift_pair_left } else { shift_pair_right };
                let value = shift(&mut self.flags, first?, second?, count?);
                self.write(&instruction.target, value)
            }
            Operation::HighestBit => {
                let value = self.read(&instruction.right)?;
                let number = highest_bit(&mut self.flags, value)?;
                self.write(&instruction.target, number)
            }
            Operation::DivideWide { signed } => {
                let divisor = self.read(&instruction.left)?;
                self.divide(signed, divisor)
            }
            Operation::Interrupt => match self.read(&instruction.left)? {
                0x80 => self.system_call(),
                number => Err(Fault::Interrupt(number)),
            },
            Operation::Float(operation) => self.float(operation, instruction),
        }
    }

    fn jump(&mut self, target: &Operand) -> Result<(), Fault> {
        self.next = self.read(target)?;
        Ok(())
    }

    pub fn read(&mut self, operand: &Operand) -> Result<u32, Fault> {
        match operand {
            Operand::Immediate(value) => Ok(*value),
            Operand::Register { number, shift, width } => {
                Ok(width.truncate(self.registers[*number as usize] >> shift))
            }
            Operand::Memory { address, width } => self.load(self.address(address), width.size()),
            Operand::Float { .. } => unreachable!("no integer is in a register for floats"),
        }
    }

    /// `value` is zero above the operand's width.
    pub fn write(&mut self, operand: &Operand, value: u32) -> Result<(), Fault> {
        match operand {
            Operand::Immediate(_) => unreachable!("no instruction writes to an immediate operand"),
            Operand::Register { number, shift, width } => {
                let register = &mut self.registers[*number as usize];
                let written = width.truncate(u32::MAX) << shift;
                *register = *register & !written | value << shift;
                Ok(())
            }
            Operand::Memory { address, width } => {
                Ok(self.memory.store(self.address(address), width.size(), value.into())?)
            }
            Operand::Float { .. } => unreachable!("no integer is in a register for floats"),
        }
    }

    fn load(&self, address: u32, size: Size) -> Result<u32, Fault> {
        Ok(self.memory.load(address, size)? as u32)
    }

    pub fn address(&self, address: &Address) -> u32 {
        let index = self.registers[address.index as usize].wrapping_mul(address.scale.into());
        let base = self.registers[address.base as usize];
        base.wrapping_add(index).wrapping_add(address.displacement)
    }

    fn push(&mut self, value: u32) -> Result<(), Fault> {
        let top = self.registers[ESP].wrapping_sub(4);
        self.memory.store(top, Size::Word, value.into())?;
        self.registers[ESP] = top;
        Ok(())
    }

    fn pop(&mut self) -> Result<u32, Fault> {
        let value = self.load(self.registers[ESP], Size::Word)?;
        self.registers[ESP] = self.registers[ESP].wrapping_add(4);
        Ok(value)
    }

    fn multiply(&mut self, signed: bool, factor: u32) {
        let other = self.registers[EAX];
        let (product, overflow) = if signed {
            let product = i64::from(factor.cast_signed()) * i64::from(other.cast_signed());
            (product.cast_unsigned(), i32::try_from(product).is_err())
        } else {
            let product = u64::from(factor) * u64::from(other);
            (product, u32::try_from(product).is_err())
        };
        self.registers[EAX] = product as u32;
        self.registers[EDX] = (product >> 32) as u32;
        write_product_flags(&mut self.flags, overflow);
    }

    fn divide(&mut self, signed: bool, divisor: u32) -> Result<(), Fault> {
        let dividend = u64::from(self.registers[EDX]) << 32 | u64::from(self.registers[EAX]);
        if divisor == 0 {
            return Err(Fault::DivisionByZero);
        }
        let (quotient, remainder, fits) = if signed {
            let (dividend, divisor) = (dividend.cast_signed(), i64::from(divisor.cast_signed()));
            let quotient = dividend.wrapping_div(divisor);
            let remainder = dividend.wrapping_rem(divisor);
            (quotient as u32, remainder as u32, i32::try_from(quotient).is_ok())
        } else {
            let quotient = dividend / u64::from(divisor);
            let remainder = dividend % u64::from(divisor);
            (quotient as u32, remainder as u32, u32::try_from(quotient).is_ok())
        };
        if !fits {
            return Err(Fault::QuotientTooLarge);
        }
        self.registers[EAX] = quotient;
        self.registers[EDX] = remainder;
        self.flags.undefine(ALL);
        Ok(())
    }

    /// An access to the gap below the stack means that the stack is full.
    fn or_overflow(&self, fault: Fault) -> Fault {
        let Fault::Memory(access) = fault else { return fault };
        let gap = self.stack_limit - GUARD_GAP..self.stack_limit;
        let is_overflow = access.reason == Reason::Outside && gap.contains(&access.address);
        if is_overflow { Fault::StackOverflow } else { fault }
    }

    /// The handler of a fault. When the stack is full, it needs a stack of its own. A fault in a
    /// handler ends the program.
    fn handler(&mut self, fault: &Fault) -> Option<u32> {
        let is_handled = match fault {
            Fault::Memory(_) => true,
            Fault::StackOverflow => self.handler_stack.is_some(),
            _ => false,
        };
        if is_handled { self.fault_handler.take() } else { None }
    }

    /// The kernel also copies the registers to the stack of the handler, which is not done here.
    fn enter_handler(&mut self, handler: u32) {
        self.next = handler;
        self.registers[ESP] = self.handler_stack.unwrap_or(self.registers[ESP]);
    }

    /// The number of the call is in eax, its arguments are in ebx, ecx and edx.
    fn system_call(&mut self) -> Result<(), Fault> {
        let [first, second, third] = [EBX, ECX, EDX].map(|number| self.registers[number]);
        match self.registers[EAX] {
            1 => Err(Fault::Exit((first & 0xff) as i32)),
            4 => {
                let bytes = self.memory.bytes(second, third)?;
                match first {
                    1 => self.output.extend(bytes),
                    2 => self.errors.extend(bytes),
                    file => return Err(Fault::NoSuchFile(file)),
                }
                self.registers[EAX] = third;
                Ok(())
            }
            // sigaction: of SIGSEGV, the first word at ecx is the address of the handler.
            67 if first == 11 => {
                self.fault_handler = Some(self.memory.load(second, Size::Word)? as u32);
                self.registers[EAX] = 0;
                Ok(())
            }
            // sigaltstack: address, flags and size at ebx.
            186 => {
                let address = self.memory.load(first, Size::Word)?;
                let size = self.memory.load(first.wrapping_add(8), Size::Word)?;
                self.handler_stack = Some(address.wrapping_add(size) as u32);
                self.registers[EAX] = 0;
                Ok(())
            }
            // mmap2: new zeros at the address ebx, if esi demands that address.
            192 if self.registers[ESI] & FIXED != 0 => {
                let (start, size) = (first, second.into());
                let segment = Segment { start, size, content: Content::Zero, writable: true };
                let added = size <= MAX_MEMORY && self.memory.add(segment).is_ok();
                self.registers[EAX] = if added { start } else { NO_MEMORY };
                Ok(())
            }
            number => Err(Fault::SystemCall(number)),
        }
    }
}
