//! The size of an access, and the reasons why one is not possible.
use std::fmt;

/// The number of bytes of a load or store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
    /// 64 bits.
    Double,
}

impl Size {
    /// That of this number of bits.
    pub fn of_bits(bits: u32) -> Option<Size> {
        let sizes = [Size::Byte, Size::Half, Size::Word, Size::Double];
        sizes.into_iter().find(|it| 8 * it.bytes() == bits)
    }

    /// The number of bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Size::Byte => 1,
            Size::Half => 2,
            Size::Word => 4,
            Size::Double => 8,
        }
    }

    /// The lowest bytes of `value` with their sign.
    pub fn sign_extend(self, value: u64) -> i64 {
        let unused = 64 - 8 * self.bytes();
        (value << unused).cast_signed() >> unused
    }
}

/// The direction of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// From memory.
    Read,
    /// To memory.
    Write,
}

/// The reason why an access is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its bytes are not in one segment.
    Outside,
    /// The segment is not writable.
    ReadOnly,
    /// Some of its bytes were never written.
    Unwritten,
}

/// An access that is not possible; `Display` says it in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its direction.
    pub access: Access,
    /// The first address.
    pub address: u32,
    /// The number of bytes.
    pub size: u32,
    /// The reason.
    pub reason: Reason,
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let access = match self.access {
            Access::Read => "read",
            Access::Write => "write",
        };
        let plural = if self.size == 1 { "" } else { "s" };
        let reason = match self.reason {
            Reason::Outside => "outside any segment",
            Reason::ReadOnly => "in a read-only segment",
            Reason::Unwritten if self.size == 1 => "that was never written",
            Reason::Unwritten => "that were never written",
        };
        write!(f, "{access} of {} byte{plural} at {:#010x} {reason}", self.size, self.address)
    }
}
