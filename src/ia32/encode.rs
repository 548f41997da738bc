//! Encodes allocated code, each instruction in its shortest form.
//!
//! The ModRM byte follows the opcode: two bits of mode, three that name a register or complete the
//! opcode, three that name the other operand, r/m. In mode 3, r/m is a register. (Intel's Software
//! Developer's Manual, volume 2, section 2.1.)
#[cfg(feature = "ch05")]
use crate::ia32::branch_relaxation::{self, short};
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::encoded::Encoded;
#[cfg(feature = "ch04")]
use crate::ia32::instruction::condition;
use crate::ia32::instruction::{Encoding, Op};
use crate::ia32::register::Register;
#[cfg(feature = "ch12")]
use crate::ia32::relocations;
use arena::Id;
#[cfg(feature = "ch10")]
use memory::Size;

/// Encodes allocated code that has been verified.
pub fn encode(code: &Code) -> Encoded {
    let mut encoded = Encoded::default();
    encode_instructions(code, &mut encoded);
    #[cfg(feature = "ch05")]
    branch_relaxation::relax(code, &mut encoded);
    #[cfg(feature = "ch12")]
    relocations::collect(code, &mut encoded);
    encoded
}

fn encode_instructions(code: &Code, encoded: &mut Encoded) {
    for instruction in &code.instructions {
        encoded.offsets.push(encoded.bytes.len() as u32);
        #[cfg(feature = "ch10")]
        if let Some((opcode, address)) = short_move(instruction) {
            encoded.bytes.push(opcode);
            encoded.bytes.extend(address.to_le_bytes());
            continue;
        }
        encode_instruction(instruction, &mut encoded.bytes);
    }
}

pub fn encode_instruction(instruction: &Instruction, bytes: &mut Vec<u8>) {
    let [first, second, ..] = instruction.operands;
    match instruction.op.row().encoding {
        Encoding::Bare(opcode) => bytes.push(opcode),
        #[cfg(feature = "ch02")]
        Encoding::Short(opcode) => bytes.push(opcode + number(first)),
        Encoding::ShortImmediate(opcode) => {
            bytes.push(opcode + number(first));
            bytes.extend(immediate(second).to_le_bytes());
        }
        Encoding::FromRegister(opcode) => with_mod_rm(&[opcode], number(second), first, bytes),
        #[cfg(feature = "ch02")]
        Encoding::ToRegister(opcode) => with_mod_rm(opcode, number(first), second, bytes),
        #[cfg(feature = "ch02")]
        Encoding::Twice(opcode) => with_mod_rm(&[opcode], number(first), first, bytes),
        #[cfg(feature = "ch02")]
        Encoding::Digit(opcode, digit) => with_mod_rm(&[opcode], digit, first, bytes),
        #[cfg(feature = "ch12")]
        Encoding::FromLongRegister(opcode) => with_mod_rm(opcode, number(second), first, bytes),
        #[cfg(feature = "ch12")]
        Encoding::LongTwice(opcode) => with_mod_rm(opcode, number(first), first, bytes),
        #[cfg(feature = "ch12")]
        Encoding::ToRegisterByte(opcode) => with_byte(opcode, [first, second], instruction, bytes),
        #[cfg(feature = "ch14")]
        Encoding::FromRegisterByte(opcode) => {
            with_byte(opcode, [second, first], instruction, bytes)
        }
        #[cfg(feature = "ch10")]
        Encoding::DigitImmediate(opcode, digit, size) => {
            digit_immediate((opcode, digit), first, (immediate(second), size), bytes)
        }
        #[cfg(feature = "ch10")]
        Encoding::TestImmediate => test(first, immediate(second), bytes),
        #[cfg(feature = "ch02")]
        Encoding::Arithmetic(digit) => arithmetic(digit, first, immediate(second), bytes),
        #[cfg(feature = "ch14")]
        Encoding::HalfArithmetic(digit) => half_arithmetic(digit, first, second, bytes),
        #[cfg(feature = "ch04")]
        Encoding::Shift(digit) => shift(digit, first, immediate(second), bytes),
        #[cfg(feature = "ch02")]
        Encoding::MultiplyImmediate => {
            multiply(first, second, immediate(instruction.operands[2]), bytes)
        }
        #[cfg(feature = "ch04")]
        Encoding::SetCondition => set_condition(first, second, bytes),
        #[cfg(feature = "ch29")]
        Encoding::MoveCondition => move_condition(instruction.operands, bytes),
        #[cfg(feature = "ch14")]
        Encoding::SymbolDistance(opcode) => bytes.extend([opcode, 0, 0, 0, 0]),
        #[cfg(feature = "ch14")]
        Encoding::ShortSymbol(opcode) => bytes.extend([opcode + number(first), 0, 0, 0, 0]),
        #[cfg(feature = "ch15")]
        Encoding::PushImmediate => push(immediate(first), bytes),
        #[cfg(feature = "ch05")]
        Encoding::Jump => bytes.extend(short(None)),
        #[cfg(feature = "ch05")]
        Encoding::JumpCondition => bytes.extend(short(Some(condition_code(first)))),
    }
}

/// The short form of a move between eax and a fixed address: the opcode, and the address.
#[cfg(feature = "ch10")]
fn short_move(instruction: &Instruction) -> Option<(u8, i32)> {
    const EAX: Operand = Operand::Register(Register::EAX);
    let [first, second, ..] = instruction.operands;
    match (instruction.op, first, second) {
        (Op::Load, EAX, Operand::Address(it)) if it.is_absolute() => Some((0xa1, it.displacement)),
        (Op::Store, Operand::Address(it), EAX) if it.is_absolute() => Some((0xa3, it.displacement)),
        _ => None,
    }
}

/// An operation on an r/m and an immediate of one byte if possible, else of four.
#[cfg(feature = "ch02")]
fn arithmetic(digit: u8, target: Operand, value: i32, bytes: &mut Vec<u8>) {
    if let Ok(small) = i8::try_from(value) {
        bytes.push(0x83);
        mod_rm(digit, target, bytes);
        bytes.push(small as u8);
    } else if target == Operand::Register(Register::EAX) {
        bytes.push(digit << 3 | 0x05);
        bytes.extend(value.to_le_bytes());
    } else {
        bytes.push(0x81);
        mod_rm(digit, target, bytes);
        bytes.extend(value.to_le_bytes());
    }
}

/// An operation on a half word and an immediate of one byte if possible, else of two.
#[cfg(feature = "ch14")]
fn half_arithmetic(digit: u8, target: Operand, value: Operand, bytes: &mut Vec<u8>) {
    let value = immediate(value) as i16;
    let is_small = i8::try_from(value).is_ok();
    let (opcode, size) = if is_small { (0x83, Size::Byte) } else { (0x81, Size::Half) };
    digit_immediate((&[0x66, opcode], digit), target, (value.into(), size), bytes);
}

#[cfg(feature = "ch10")]
fn digit_immediate(
    (opcode, digit): (&[u8], u8),
    target: Operand,
    (value, size): (i32, Size),
    bytes: &mut Vec<u8>,
) {
    with_mod_rm(opcode, digit, target, bytes);
    bytes.extend(&value.to_le_bytes()[..size.bytes() as usize]);
}

#[cfg(feature = "ch10")]
fn test(target: Operand, value: i32, bytes: &mut Vec<u8>) {
    if target == Operand::Register(Register::EAX) {
        bytes.push(0xa9);
        bytes.extend(value.to_le_bytes());
    } else {
        digit_immediate((&[0xf7], 0), target, (value, Size::Word), bytes);
    }
}

#[cfg(feature = "ch15")]
fn push(value: i32, bytes: &mut Vec<u8>) {
    if let Ok(small) = i8::try_from(value) {
        bytes.extend([0x6a, small as u8]);
    } else {
        bytes.push(0x68);
        bytes.extend(value.to_le_bytes());
    }
}

#[cfg(feature = "ch04")]
fn set_condition(condition: Operand, target: Operand, bytes: &mut Vec<u8>) {
    with_mod_rm(&[0x0f, 0x90 + condition_code(condition)], 0, target, bytes);
}

#[cfg(feature = "ch29")]
fn move_condition([condition, target, source]: [Operand; 3], bytes: &mut Vec<u8>) {
    with_mod_rm(&[0x0f, 0x40 + condition_code(condition)], number(target), source, bytes);
}

/// The machine uses the low five bits of a count only.
#[cfg(feature = "ch04")]
fn shift(digit: u8, register: Operand, count: i32, bytes: &mut Vec<u8>) {
    let count = count as u8;
    if count == 1 {
        bytes.push(0xd1);
        mod_rm(digit, register, bytes);
    } else {
        bytes.push(0xc1);
        mod_rm(digit, register, bytes);
        bytes.push(count);
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

/// The opcode, and the ModRM byte.
fn with_mod_rm(opcode: &[u8], field: u8, operand: Operand, bytes: &mut Vec<u8>) {
    bytes.extend(opcode);
    mod_rm(field, operand, bytes);
}

/// The same for a register and an operand, and a byte of immediate after it.
#[cfg(feature = "ch12")]
fn with_byte(
    opcode: &[u8],
    [register, operand]: [Operand; 2],
    instruction: &Instruction,
    bytes: &mut Vec<u8>,
) {
    with_mod_rm(opcode, number(register), operand, bytes);
    bytes.push(immediate(instruction.operands[2]) as u8);
}

/// The ModRM byte, and the bytes that belong to it.
fn mod_rm(field: u8, operand: Operand, bytes: &mut Vec<u8>) {
    match operand {
        Operand::Register(_) => bytes.push(0b11 << 6 | field << 3 | number(operand)),
        #[cfg(feature = "ch02")]
        Operand::Address(address) => address.encode(field, bytes),
        Operand::None | Operand::Immediate(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch04")]
        Operand::Condition(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch05")]
        Operand::Block(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch14")]
        Operand::Symbol(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch14")]
        Operand::Signature(_) => unreachable!("verified: r/m fills its slot"),
        #[cfg(feature = "ch18")]
        Operand::Preserved(_) => unreachable!("verified: r/m fills its slot"),
    }
}

fn number(operand: Operand) -> u8 {
    let Operand::Register(register) = operand else {
        unreachable!("verified: a register fills its slot")
    };
    debug_assert!(register.is_real(), "verified: registers are allocated");
    // The registers of each class are numbered from 0 on.
    register.index() as u8 % 8
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

#[cfg(test)]
#[cfg(feature = "ch04")]
#[path = "tests/encode.rs"]
mod tests;
