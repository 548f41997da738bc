//! @ch02-03 Addresses: words in memory.
//! @ch04 Addresses: words in memory, and the sums that `lea` computes.
//!
//! In ModRM, mode 0, 1 or 2 means a displacement of 0, 1 or 4 bytes, and r/m is the base. Two
//! registers have another meaning there. esp announces the SIB byte: scale, index and base; in it
//! the index esp means no index. ebp in mode 0 means no base and a displacement of four bytes.
//! (Intel's manual, volume 2, tables 2-2 and 2-3.)
#[cfg(feature = "ch12")]
use crate::floats;
use crate::ia32::register::Register;
use arena::Id;
use std::fmt;

/// The word at base + index · scale + displacement. Without a register it is absolute.
///
/// An operand has the size of an address. So the kind of the base and the scale are apart from the
/// numbers: an instruction has 56 bytes instead of 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    base: BaseKind,
    /// The number of the base; 0 if it has none.
    number: u32,
    index: Register,
    /// 1, 2, 4 or 8; 0 if there is no index.
    scale: u8,
    pub displacement: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum BaseKind {
    #[cfg(feature = "ch04")]
    None,
    Register,
    #[cfg(feature = "ch04")]
    Argument,
    #[cfg(feature = "ch12")]
    Constant,
    Slot,
    #[cfg(feature = "ch14")]
    Outgoing,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    #[cfg(feature = "ch04")]
    None,
    Register(Register),
    /// The address of an argument, counted from 0. Selected code only.
    #[cfg(feature = "ch04")]
    Argument(u32),
    /// The address of a floating-point number. The linker sets it. These are the lower bits of the
    /// number; the displacement is the upper ones, so that addresses stay small.
    #[cfg(feature = "ch12")]
    Constant(u32),
    /// A slot of the frame, before frame layout.
    Slot(u32),
    /// The address of an argument or result of the next call, counted from 0, before frame layout.
    #[cfg(feature = "ch14")]
    Outgoing(u32),
}

impl Address {
    /// The address of the floating-point number with these bits.
    #[cfg(feature = "ch12")]
    pub fn of_constant(bits: i64) -> Address {
        Address::new(Base::Constant(bits as u32), (bits >> 32) as i32)
    }

    /// The bits of the floating-point number at the address.
    #[cfg(feature = "ch12")]
    pub fn constant(self) -> Option<i64> {
        let Base::Constant(low) = self.base() else { return None };
        Some(i64::from(self.displacement) << 32 | i64::from(low))
    }

    /// Without an index.
    pub fn new(base: Base, displacement: i32) -> Address {
        let (base, number) = base.parts();
        Address { base, number, index: Register::EAX, scale: 0, displacement }
    }

    /// The same with an index and its scale: 1, 2, 4 or 8.
    #[cfg(feature = "ch04")]
    pub fn with_index(self, index: Register, scale: u8) -> Address {
        Address { index, scale, ..self }
    }

    pub fn base(self) -> Base {
        match self.base {
            #[cfg(feature = "ch04")]
            BaseKind::None => Base::None,
            BaseKind::Register => Base::Register(Register::from_index(self.number as usize)),
            #[cfg(feature = "ch04")]
            BaseKind::Argument => Base::Argument(self.number),
            #[cfg(feature = "ch12")]
            BaseKind::Constant => Base::Constant(self.number),
            BaseKind::Slot => Base::Slot(self.number),
            #[cfg(feature = "ch14")]
            BaseKind::Outgoing => Base::Outgoing(self.number),
        }
    }

    pub fn set_base(&mut self, register: Register) {
        (self.base, self.number) = Base::Register(register).parts();
    }

    /// A register and its scale: 1, 2, 4 or 8.
    pub fn index(self) -> Option<(Register, u8)> {
        (self.scale > 0).then_some((self.index, self.scale))
    }

    /// Whether it is the address of an argument's word.
    #[cfg(feature = "ch04")]
    pub fn is_argument_word(self) -> bool {
        self == Address::new(Base::Argument(self.number), 0)
    }

    /// Whether it is on the stack; no other register than esp points there.
    #[cfg(feature = "ch10")]
    pub fn is_on_stack(self) -> bool {
        match self.base() {
            Base::None => false,
            Base::Register(register) => register == Register::ESP,
            Base::Argument(_) | Base::Slot(_) => true,
            #[cfg(feature = "ch12")]
            Base::Constant(_) => false,
            #[cfg(feature = "ch14")]
            Base::Outgoing(_) => true,
        }
    }

    /// Whether it has no register.
    #[cfg(feature = "ch10")]
    pub fn is_absolute(self) -> bool {
        self.base() == Base::None && self.index().is_none()
    }

    /// Base and index.
    pub fn registers(self) -> [Option<Register>; 2] {
        [self.base().register(), self.index().map(|(register, _)| register)]
    }

    pub fn rename(&mut self, mut rename: impl FnMut(Register) -> Register) {
        if let Base::Register(register) = self.base() {
            self.number = rename(register).index() as u32;
        }
        if self.scale > 0 {
            self.index = rename(self.index);
        }
    }

    /// Encodes ModRM with `field` between mode and r/m, SIB and displacement. The frame is laid
    /// out.
    pub fn encode(self, field: u8, bytes: &mut Vec<u8>) {
        let base = self.base().register();
        let displacement = self.displacement.to_le_bytes();
        let (mode, length) = match base {
            None => (0, 4),
            Some(base) if self.displacement == 0 && base != Register::EBP => (0, 0),
            Some(_) if i8::try_from(self.displacement).is_ok() => (1, 1),
            Some(_) => (2, 4),
        };
        let base = base.map_or(EBP, number);
        let head = mode << 6 | field << 3;
        match self.index() {
            None if base != ESP => bytes.push(head | base),
            None => bytes.extend([head | ESP, ESP << 3 | base]),
            Some((index, scale)) => {
                let scale = scale.trailing_zeros() as u8;
                bytes.extend([head | ESP, scale << 6 | number(index) << 3 | base]);
            }
        }
        bytes.extend(&displacement[..length]);
    }
}

const ESP: u8 = 4;
const EBP: u8 = 5;

fn number(register: Register) -> u8 {
    debug_assert!(register.is_real(), "verified: registers are allocated");
    register.index() as u8
}

impl Base {
    fn parts(self) -> (BaseKind, u32) {
        match self {
            #[cfg(feature = "ch04")]
            Base::None => (BaseKind::None, 0),
            Base::Register(register) => (BaseKind::Register, register.index() as u32),
            #[cfg(feature = "ch04")]
            Base::Argument(number) => (BaseKind::Argument, number),
            #[cfg(feature = "ch12")]
            Base::Constant(number) => (BaseKind::Constant, number),
            Base::Slot(number) => (BaseKind::Slot, number),
            #[cfg(feature = "ch14")]
            Base::Outgoing(number) => (BaseKind::Outgoing, number),
        }
    }

    pub fn register(self) -> Option<Register> {
        match self {
            Base::Register(register) => Some(register),
            #[cfg(feature = "ch04")]
            Base::None | Base::Argument(_) => None,
            Base::Slot(_) => None,
            #[cfg(feature = "ch12")]
            Base::Constant(_) => None,
            #[cfg(feature = "ch14")]
            Base::Outgoing(_) => None,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        #[cfg(feature = "ch10")]
        if self.is_absolute() {
            return write!(f, "ds:{:#x}", self.displacement);
        }
        let base = match self.base() {
            #[cfg(feature = "ch04")]
            Base::None => None,
            Base::Register(register) => Some(register.to_string()),
            #[cfg(feature = "ch04")]
            Base::Argument(number) => Some(format!("argument {number}")),
            Base::Slot(number) => Some(format!("slot {number}")),
            #[cfg(feature = "ch12")]
            Base::Constant(_) => {
                let number = self.constant().map(floats::text).unwrap_or_default();
                return write!(f, "[constant {number}]");
            }
            #[cfg(feature = "ch14")]
            Base::Outgoing(number) => Some(format!("outgoing {number}")),
        };
        // Where the bytes have a displacement, objdump shows it even if it is 0.
        let is_shown = base.is_none() || self.base() == Base::Register(Register::EBP);
        let index = self.index().map(|(register, scale)| format!("{register}*{scale}"));
        let terms = base.into_iter().chain(index).collect::<Vec<_>>().join("+");
        let size = self.displacement.unsigned_abs();
        let sign = if self.displacement < 0 { '-' } else { '+' };
        if size == 0 && !is_shown {
            write!(f, "[{terms}]")
        } else {
            write!(f, "[{terms}{sign}{size:#x}]")
        }
    }
}
