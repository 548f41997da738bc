//! The results of the arithmetic instructions: a value and the flags.
//!
//! Values are `u32`, zero above their width. Source: Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 2, and volume 1, appendix A for the flags.
use super::fault::Fault;
use super::flags::{ALL, CARRY, Flags, OVERFLOW, PARITY, SIGN, ZERO};
use super::width::Width;

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

/// Keeps the carry flag.
pub fn increment(flags: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(sum(flags, ALL & !CARRY, width, a, 1, 0))
}

/// Keeps the carry flag.
pub fn decrement(flags: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(difference(flags, ALL & !CARRY, width, a, 1, 0))
}

pub fn negate(flags: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(difference(flags, ALL, width, 0, a, 0))
}

pub fn complement(_: &mut Flags, width: Width, a: u32, _: u32) -> Result<u32, Fault> {
    Ok(width.truncate(!a))
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
    let value = width.truncate(wide as u32);
    let carry = wide >> width.0 & 1 != 0;
    let overflow = carry != width.is_negative(value);
    let carry = (count < width.0).then_some(carry);
    Ok(shifted(flags, width, count, value, carry, overflow))
}

pub fn shift_right(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let carry = (u64::from(a) << 1) >> count & 1 != 0;
    let carry = (count < width.0).then_some(carry);
    Ok(shifted(flags, width, count, a >> count, carry, width.is_negative(a)))
}

/// The width of the words of a pair.
const WORD: Width = Width(32);

/// The upper word of a pair that is shifted to the left.
pub fn shift_pair_left(flags: &mut Flags, high: u32, low: u32, count: u32) -> u32 {
    let count = count & 31;
    let value = ((u64::from(high) << 32 | u64::from(low)) << count >> 32) as u32;
    let carry = (u64::from(high) << count) >> 32 & 1 != 0;
    shifted(flags, WORD, count, value, Some(carry), (high ^ value) >> 31 != 0)
}

/// The lower word of a pair that is shifted to the right.
pub fn shift_pair_right(flags: &mut Flags, low: u32, high: u32, count: u32) -> u32 {
    let count = count & 31;
    let value = ((u64::from(high) << 32 | u64::from(low)) >> count) as u32;
    let carry = (u64::from(low) << 1) >> count & 1 != 0;
    shifted(flags, WORD, count, value, Some(carry), (low ^ value) >> 31 != 0)
}

/// The number of the highest bit that is set. Without one, the result is undefined.
pub fn highest_bit(flags: &mut Flags, value: u32) -> Result<u32, Fault> {
    flags.undefine(ALL);
    flags.write(ZERO, 0);
    value.checked_ilog2().ok_or(Fault::NoBit)
}

/// Fills with the sign.
pub fn shift_right_signed(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let signed = width.wrap(a.into());
    let carry = (signed << 1) >> count & 1 != 0;
    Ok(shifted(flags, width, count, width.truncate((signed >> count) as u32), Some(carry), false))
}

pub fn rotate_left(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let value = rotated(width, a, count);
    let carry = value & 1 != 0;
    write_rotation_flags(flags, count, carry, carry != width.is_negative(value));
    Ok(value)
}

pub fn rotate_right(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let count = b & 31;
    let value = rotated(width, a, 2 * width.0 - count % width.0);
    let carry = width.is_negative(value);
    write_rotation_flags(flags, count, carry, carry != width.is_negative(value << 1));
    Ok(value)
}

/// `a` rotated to the left.
fn rotated(width: Width, a: u32, count: u32) -> u32 {
    let count = count % width.0;
    let wide = u64::from(a) << count;
    width.truncate(wide as u32 | (wide >> width.0) as u32)
}

/// A rotation by 0 keeps all flags; one by more than 1 leaves overflow undefined.
fn write_rotation_flags(flags: &mut Flags, count: u32, carry: bool, overflow: bool) {
    if count > 0 {
        flags.write(CARRY | OVERFLOW, carry_and(carry, overflow));
        flags.undefine(if count > 1 { OVERFLOW } else { 0 });
    }
}

/// The lower half of the product; carry and overflow are set if it is not the whole product.
pub fn multiply(flags: &mut Flags, width: Width, a: u32, b: u32) -> Result<u32, Fault> {
    let product = width.wrap(a.into()) * width.wrap(b.into());
    write_product_flags(flags, width.wrap(product) != product);
    Ok(width.truncate(product as u32))
}

/// The flags of a multiplication: `overflow` if its lower half is not the whole product.
pub fn write_product_flags(flags: &mut Flags, overflow: bool) {
    flags.undefine(ALL);
    flags.write(CARRY | OVERFLOW, if overflow { ALL } else { 0 });
}

fn sum(flags: &mut Flags, written: u8, width: Width, a: u32, b: u32, carry: u8) -> u32 {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let value = width.truncate(wide as u32);
    // Two numbers of one sign have a sum of that sign, or it overflowed.
    let overflow = width.is_negative((a ^ value) & (b ^ value));
    flags.write(written, of_value(width, value) | carry_and(wide >> width.0 & 1 != 0, overflow));
    value
}

fn difference(flags: &mut Flags, written: u8, width: Width, a: u32, b: u32, borrow: u8) -> u32 {
    let wide = u64::from(a).wrapping_sub(u64::from(b) + u64::from(borrow));
    let value = width.truncate(wide as u32);
    // Numbers of different signs have a difference of the first one's sign, or it overflowed.
    let overflow = width.is_negative((a ^ b) & (a ^ value));
    flags.write(written, of_value(width, value) | carry_and(wide >> width.0 & 1 != 0, overflow));
    value
}

fn logical(flags: &mut Flags, width: Width, value: u32) -> u32 {
    flags.write(ALL, of_value(width, value));
    value
}

/// A shift by 0 keeps all flags. A shift by more than 1 leaves overflow undefined; one by the whole
/// width or more leaves carry undefined as well, unless it fills with the sign.
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
    flags.undefine(if carry.is_none() { CARRY } else { 0 });
    flags.undefine(if count > 1 { OVERFLOW } else { 0 });
    value
}

fn carry_and(carry: bool, overflow: bool) -> u8 {
    (CARRY * u8::from(carry)) | (OVERFLOW * u8::from(overflow))
}

/// The flags that depend on the value alone: zero, sign, and the parity of the lowest byte.
fn of_value(width: Width, value: u32) -> u8 {
    let even = (value as u8).count_ones().is_multiple_of(2);
    (ZERO * u8::from(value == 0))
        | (SIGN * u8::from(width.is_negative(value)))
        | (PARITY * u8::from(even))
}

#[cfg(test)]
#[path = "tests/arithmetic.rs"]
mod tests;
