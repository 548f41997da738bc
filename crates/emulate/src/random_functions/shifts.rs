//! Random shifts and rotations, and searches for the highest bit.
use super::Generator;
use crate::flags::{ALL, CARRY, OVERFLOW, ZERO};

pub fn shift(to: &mut Generator) {
    let number = to.one_of(&[0, 1, 4, 5, 7]); // rol, ror, shl, shr, sar
    let count = to.one_of(&[0, 1, 1, 2, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64]);
    let size = if count == 1 && to.below(2) == 0 {
        let size = to.sized(0xd0);
        to.operand(number, size);
        size
    } else {
        let size = to.sized(0xc0);
        to.operand(number, size);
        to.code.push(count);
        size
    };
    let count = count as usize % 32;
    if count > 0 {
        let overflow = if count == 1 { 0 } else { OVERFLOW };
        let carry = if count >= 8 * size && number < 7 && number > 1 { CARRY } else { 0 };
        let written = if number < 2 { to.defined | CARRY | OVERFLOW } else { ALL };
        to.defined = written & !overflow & !carry;
    }
}

pub fn shift_by_register(to: &mut Generator) {
    let number = to.one_of(&[4, 5, 7]);
    let size = to.sized(0xd2);
    to.operand(number, size);
    to.defined = 0; // a count of 0 leaves the flags unchanged
}

/// shld, shrd, by a number or by cl.
pub fn shift_pair(to: &mut Generator) {
    let (opcode, field) = (to.one_of(&[0xa4, 0xa5, 0xac, 0xad]), to.register());
    let count = to.one_of(&[0, 1, 2, 7, 16, 31, 32, 33]);
    if opcode & 1 != 0 {
        to.bytes(&[0xb1, count]); // mov cl,count
    }
    to.bytes(&[0x0f, opcode]);
    to.operand(field, 4);
    if opcode & 1 == 0 {
        to.code.push(count);
    }
    match count % 32 {
        0 => {}
        1 => to.defined = ALL,
        _ => to.defined = ALL & !OVERFLOW,
    }
}

/// bsr of a number that is not 0.
pub fn highest_bit(to: &mut Generator) {
    let (target, source) = (to.register(), to.register());
    let bit = to.below(8) as u8;
    to.bytes(&[0x83, 0xc8 | source, 1 << (bit % 7)]); // or source,bit
    to.bytes(&[0x0f, 0xbd, 0xc0 | target << 3 | source]);
    to.defined = ZERO;
}
