//! Modes: the types of values in Firm, with Firm's names.
use crate::arith::Width;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// A signed integer of 32 bits.
    Is,
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
            Mode::M => "M",
            Mode::X => "X",
            Mode::BB => "BB",
        }
    }

    /// The width of the integers of this mode; none if it has no integers.
    pub fn width(self) -> Option<Width> {
        match self {
            Mode::Is => Some(Width(32)),
            Mode::M | Mode::X | Mode::BB => None,
        }
    }
}
