//! Kinds of registers: their class and their size.
/// The kind of a register, or of the part of it that an operand names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterKind {
    pub class: RegisterClass,
    pub bytes: u8,
}

/// A class of registers: an operand of one class cannot be in a register of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterClass {
    /// Integers and addresses.
    General,
    /// Floating-point numbers.
    #[cfg(feature = "ch12")]
    Float,
}

#[cfg(feature = "ch20")]
impl RegisterClass {
    /// In the order of their numbers, so that the array that `map` makes of them has an element at
    /// each number.
    pub const ALL: [RegisterClass; 2] = [RegisterClass::General, RegisterClass::Float];
}

impl RegisterKind {
    /// A general register of 32 bits.
    pub const WORD: RegisterKind = RegisterKind { class: RegisterClass::General, bytes: 4 };

    /// A register of 64 bits for a floating-point number.
    #[cfg(feature = "ch12")]
    pub const FLOAT: RegisterKind = RegisterKind { class: RegisterClass::Float, bytes: 8 };

    /// The whole register, given a part of it.
    #[cfg(feature = "ch02")]
    pub fn whole(self) -> RegisterKind {
        match self.class {
            RegisterClass::General => RegisterKind::WORD,
            #[cfg(feature = "ch12")]
            RegisterClass::Float => RegisterKind::FLOAT,
        }
    }

    /// Whether a register of this kind contains a part of the other kind.
    #[cfg(feature = "ch04")]
    pub fn contains(self, part: RegisterKind) -> bool {
        self.class == part.class && part.bytes <= self.bytes
    }
}
