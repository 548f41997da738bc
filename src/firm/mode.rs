//! Modes: the types of values in Firm, with Firm's names.
use crate::arith::Width;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// A signed integer of 32 bits.
    Is,
    /// A floating-point number of 64 bits.
    #[cfg(feature = "ch12")]
    D,
    /// A state of memory.
    M,
    /// Control flow.
    X,
    /// A basic block.
    BB,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Mode::Is => "Is",
            #[cfg(feature = "ch12")]
            Mode::D => "D",
            Mode::M => "M",
            Mode::X => "X",
            Mode::BB => "BB",
        }
    }

    /// The width of the integers of this mode; none if it has no integers.
    pub fn width(self) -> Option<Width> {
        match self {
            Mode::Is => Some(Width(32)),
            #[cfg(feature = "ch12")]
            Mode::D => None,
            Mode::M | Mode::X | Mode::BB => None,
        }
    }
}
