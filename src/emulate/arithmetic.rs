//! What the arithmetic instructions compute: a value, and the flags.
//!
//! Values are `u32`, zero above their width. Source: Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 2, and volume 1, appendix A for the flags.
use super::fault::Fault;
use super::flags::{ALL, CARRY, Flags, OVERFLOW, PARITY, SIGN, ZERO};
use crate::arith::Width;

/// Computes from the values of two operands and writes the flags. Instructions with one operand
/// ignore the second value.
pub type Operator = fn(&mut Flags, Width, u32, u32) -> Result<u32, Fault>;

pub fn add(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    Ok(sum(flags, ALL, width, a, b, 0))
}

pub fn add_with_carry(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let carry = flags.read(CARRY)?;
    Ok(sum(flags, ALL, width, a, b, carry))
}

pub fn subtract(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    Ok(difference(flags, ALL, width, a, b, 0))
}

pub fn subtract_with_borrow(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let borrow = flags.read(CARRY)?;
    Ok(difference(flags, ALL, width, a, b, borrow))
}

/// Leaves the carry flag alone.
pub fn increment(flags: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(sum(flags, ALL & !CARRY, width, a, 1, 0))
}

/// Leaves the carry flag alone.
pub fn decrement(flags: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(difference(flags, ALL & !CARRY, width, a, 1, 0))
}

pub fn negate(flags: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(difference(flags, ALL, width, 0, a, 0))
}

pub fn complement(_: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(cut(width, !a))
}

pub fn and(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    Ok(logical(flags, width, a & b))
}

pub fn or(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    Ok(logical(flags, width, a | b))
}

pub fn xor(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    Ok(logical(flags, width, a ^ b))
}

pub fn shift_left(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let wide = u64::from(a) << count;
    let value = cut(width, wide as u32);
    let carry = wide >> width.0 & 1 != 0;
    let overflow = carry != negative(width, value);
    let carry = (count < width.0).then_some(carry);
    Ok(shifted(flags, width, count, value, carry, overflow))
}

pub fn shift_right(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let carry = (u64::from(a) << 1) >> count & 1 != 0;
    let carry = (count < width.0).then_some(carry);
    Ok(shifted(flags, width, count, a >> count, carry, negative(width, a)))
}

/// Fills with the sign.
pub fn shift_right_signed(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let signed = width.wrap(a.into());
    let carry = (signed << 1) >> count & 1 != 0;
    Ok(shifted(flags, width, count, cut(width, (signed >> count) as u32), Some(carry), false))
}

/// The lower half of the product; carry and overflow say whether the upper half matters.
pub fn multiply(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let product = width.wrap(a.into()) * width.wrap(b.into());
    lost_half(flags, width.wrap(product) != product);
    Ok(cut(width, product as u32))
}

/// The flags of a multiplication whose lower half is not the whole product, or is.
pub fn lost_half(flags: &mut Flags, lost: bool) {
    flags.forget(ALL);
    flags.write(CARRY | OVERFLOW, if lost { ALL } else { 0 });
}

fn sum(flags: &mut Flags, written: u8, width: Width, a: u32, b: u32, carry: u8) -> u32 {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let value = cut(width, wide as u32);
    // Two numbers of one sign have a sum of that sign, or it overflowed.
    let overflow = negative(width, (a ^ value) & (b ^ value));
    flags.write(written, of_value(width, value) | carry_and(wide >> width.0 & 1 != 0, overflow));
    value
}

fn difference(flags: &mut Flags, written: u8, width: Width, a: u32, b: u32, borrow: u8) -> u32 {
    let wide = u64::from(a).wrapping_sub(u64::from(b) + u64::from(borrow));
    let value = cut(width, wide as u32);
    // Numbers of different signs have a difference of the first one's sign, or it overflowed.
    let overflow = negative(width, (a ^ b) & (a ^ value));
    flags.write(written, of_value(width, value) | carry_and(wide >> width.0 & 1 != 0, overflow));
    value
}

fn logical(flags: &mut Flags, width: Width, value: u32) -> u32 {
    flags.write(ALL, of_value(width, value));
    value
}

/// A shift by nothing leaves all flags alone; one by more than 1 leaves overflow undefined, and
/// one by the whole width or more also leaves carry undefined, unless it fills with the sign.
fn shifted(
    flags: &mut Flags,
    width: Width,
    count: u32,
    value: u32,
    carry: Option<bool>,
    overflow: bool,
) -> u32 {
    if count == 0 {
        return value;
    }
    flags.write(ALL, of_value(width, value) | carry_and(carry == Some(true), overflow));
    flags.forget(if carry.is_none() { CARRY } else { 0 });
    flags.forget(if count > 1 { OVERFLOW } else { 0 });
    value
}

fn carry_and(carry: bool, overflow: bool) -> u8 {
    CARRY * u8::from(carry) | OVERFLOW * u8::from(overflow)
}

/// The flags that tell about a value: zero, sign, and parity, which is that of the lowest byte.
fn of_value(width: Width, value: u32) -> u8 {
    let even = (value as u8).count_ones() % 2 == 0;
    ZERO * u8::from(value == 0) | SIGN * u8::from(negative(width, value)) | PARITY * u8::from(even)
}

fn negative(width: Width, value: u32) -> bool {
    value >> (width.0 - 1) & 1 != 0
}

/// The lowest `width` bits.
pub fn cut(width: Width, value: u32) -> u32 {
    value & u32::MAX >> (32 - width.0)
}
