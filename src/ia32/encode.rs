//! Allocated code as bytes, each instruction in its shortest form.
//!
//! After the opcode stands the ModRM byte: two bits of mode, three that name a register or
//! complete the opcode, three that name the other operand, r/m. Mode 3 means a register;
//! otherwise r/m is the base of an address, mode tells the size of its displacement, and the
//! number of esp announces one more byte, SIB: scale, index, base. The number of ebp without a
//! displacement means that there is no base. (Intel's manual, volume 2, section 2.1.)
use crate::base::ids::Id;
#[cfg(feature = "ch02")]
use crate::ia32::code::{Address, Base};
use crate::ia32::code::{Code, Inst, Operand};
use crate::ia32::inst::Encoding;
#[cfg(feature = "ch04")]
use crate::ia32::inst::condition;
#[cfg(feature = "ch02")]
use crate::ia32::reg::Register;

/// The bytes of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoded {
    pub bytes: Vec<u8>,
    /// Where each instruction begins.
    pub offsets: Vec<u32>,
}

/// Encodes allocated code that has been verified.
pub fn encode(code: &Code) -> Encoded {
    let mut encoded = Encoded::default();
    for inst in &code.instructions {
        encoded.offsets.push(encoded.bytes.len() as u32);
        encode_instruction(inst, &mut encoded.bytes);
    }
    encoded
}

fn encode_instruction(inst: &Inst, bytes: &mut Vec<u8>) {
    let [first, second, ..] = inst.operands;
    match inst.op.row().encoding {
        Encoding::Bare(opcode) => bytes.push(opcode),
        #[cfg(feature = "ch02")]
        Encoding::Short(opcode) => bytes.push(opcode + number(first)),
        Encoding::ShortImmediate(opcode) => {
            bytes.push(opcode + number(first));
            bytes.extend(immediate(second).to_le_bytes());
        }
        Encoding::FromRegister(opcode) => {
            bytes.push(opcode);
            mod_rm(number(second), first, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::ToRegister(opcode) => {
            bytes.extend(opcode);
            mod_rm(number(first), second, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::Twice(opcode) => {
            bytes.push(opcode);
            mod_rm(number(first), first, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::Digit(opcode, digit) => {
            bytes.push(opcode);
            mod_rm(digit, first, bytes);
        }
        #[cfg(feature = "ch02")]
        Encoding::Arithmetic(digit) => arithmetic(digit, first, immediate(second), bytes),
        #[cfg(feature = "ch04")]
        Encoding::Shift(digit) => shift(digit, first, immediate(second), bytes),
        #[cfg(feature = "ch02")]
        Encoding::MultiplyImmediate => multiply(first, second, immediate(inst.operands[2]), bytes),
        #[cfg(feature = "ch04")]
        Encoding::SetCondition => {
            bytes.extend([0x0f, 0x90 + condition_code(first)]);
            mod_rm(0, second, bytes);
        }
    }
}

/// An operation on a register and an immediate: of one byte if it is that small, else of four.
#[cfg(feature = "ch02")]
fn arithmetic(digit: u8, register: Operand, value: i32, bytes: &mut Vec<u8>) {
    if let Ok(small) = i8::try_from(value) {
        bytes.push(0x83);
        mod_rm(digit, register, bytes);
        bytes.push(small as u8);
    } else if register == Operand::Register(Register::EAX) {
        bytes.push(digit << 3 | 0x05);
        bytes.extend(value.to_le_bytes());
    } else {
        bytes.push(0x81);
        mod_rm(digit, register, bytes);
        bytes.extend(value.to_le_bytes());
    }
}

#[cfg(feature = "ch04")]
fn shift(digit: u8, register: Operand, count: i32, bytes: &mut Vec<u8>) {
    if count == 1 {
        bytes.push(0xd1);
        mod_rm(digit, register, bytes);
    } else {
        bytes.push(0xc1);
        mod_rm(digit, register, bytes);
        bytes.push(count as u8); // the machine looks at its low five bits only
    }
}

#[cfg(feature = "ch02")]
fn multiply(target: Operand, factor: Operand, value: i32, bytes: &mut Vec<u8>) {
    if let Ok(small) = i8::try_from(value) {
        bytes.push(0x6b);
        mod_rm(number(target), factor, bytes);
        bytes.push(small as u8);
    } else {
        bytes.push(0x69);
        mod_rm(number(target), factor, bytes);
        bytes.extend(value.to_le_bytes());
    }
}

/// The ModRM byte, and what it announces.
fn mod_rm(field: u8, operand: Operand, bytes: &mut Vec<u8>) {
    match operand {
        Operand::Register(_) => bytes.push(0b11 << 6 | field << 3 | number(operand)),
        #[cfg(feature = "ch02")]
        Operand::Address(address) => memory(field, address, bytes),
        Operand::None | Operand::Immediate(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch04")]
        Operand::Condition(_) => unreachable!("verified: r/m fills its slot"),
    }
}

/// In the place of r/m: a SIB byte follows. In the place of an index: there is none.
#[cfg(feature = "ch02")]
const ESP: u8 = 4;
/// In the place of a base, in mode 0: there is none, and the displacement has four bytes.
#[cfg(feature = "ch02")]
const EBP: u8 = 5;

#[cfg(feature = "ch02")]
fn memory(field: u8, address: Address, bytes: &mut Vec<u8>) {
    let base = base_number(address.base);
    let displacement = address.displacement.to_le_bytes();
    let (mode, length) = match base {
        None => (0, 4),
        Some(number) if address.displacement == 0 && number != EBP => (0, 0),
        Some(_) if i8::try_from(address.displacement).is_ok() => (1, 1),
        Some(_) => (2, 4),
    };
    let base = base.unwrap_or(EBP);
    let head = mode << 6 | field << 3;
    match address.index {
        None if base != ESP => bytes.push(head | base),
        None => bytes.extend([head | ESP, ESP << 3 | base]),
        Some((register, scale)) => {
            let scale = scale.trailing_zeros() as u8;
            let index = number(Operand::Register(register));
            bytes.extend([head | ESP, scale << 6 | index << 3 | base]);
        }
    }
    bytes.extend(&displacement[..length]);
}

#[cfg(feature = "ch02")]
fn base_number(base: Base) -> Option<u8> {
    match base {
        #[cfg(feature = "ch04")]
        Base::None => None,
        Base::Register(register) => Some(number(Operand::Register(register))),
        #[cfg(feature = "ch04")]
        Base::Argument(_) => unreachable!("verified: the frame is laid out"),
        Base::Slot(_) => unreachable!("verified: the frame is laid out"),
    }
}

fn number(operand: Operand) -> u8 {
    let Operand::Register(register) = operand else {
        unreachable!("verified: a register fills its slot")
    };
    debug_assert!(register.is_real(), "verified: registers are allocated");
    register.index() as u8
}

fn immediate(operand: Operand) -> i32 {
    let Operand::Immediate(value) = operand else {
        unreachable!("verified: an immediate fills its slot")
    };
    value
}

#[cfg(feature = "ch04")]
fn condition_code(operand: Operand) -> u8 {
    let Operand::Condition(relation) = operand else {
        unreachable!("verified: a relation fills its slot")
    };
    condition(relation).1
}
