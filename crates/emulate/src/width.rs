//! The widths of operands.
use memory::Size;

/// The number of bits of an operand: 8, 16 or 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width(pub u32);

impl Width {
    /// The lowest bits of `value`; the others are zero.
    pub fn truncate(self, value: u32) -> u32 {
        value & u32::MAX >> (32 - self.0)
    }

    /// The lowest bits of `value` as a signed number.
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - self.0;
        (value << unused) >> unused
    }

    /// Whether the highest bit is set.
    pub fn is_negative(self, value: u32) -> bool {
        value >> (self.0 - 1) & 1 != 0
    }

    /// In memory.
    pub fn size(self) -> Size {
        match self.0 {
            8 => Size::Byte,
            16 => Size::Half,
            _ => Size::Word,
        }
    }
}

#[cfg(test)]
#[path = "tests/width.rs"]
mod tests;
