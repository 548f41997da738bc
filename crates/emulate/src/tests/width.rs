//! Tests of `width.rs`.
use super::*;

#[test]
fn the_lowest_bits_are_a_signed_number() {
    let (byte, word) = (Width(8), Width(32));
    assert_eq!((byte.truncate(0x1fe), byte.wrap(0x1fe), byte.is_negative(0x80)), (0xfe, -2, true));
    assert_eq!((word.truncate(u32::MAX), word.wrap(0xffff_ffff)), (u32::MAX, -1));
    assert_eq!((byte.size(), word.size()), (Size::Byte, Size::Word));
}
