//! Modes: the types of values in Firm, with Firm's names. One row each.
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::arith::Width;
#[cfg(feature = "ch12")]
use crate::floats;

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

/// The values of a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Signed integers of this width.
    Integers(Width),
    /// Floating-point numbers of 64 bits.
    #[cfg(feature = "ch12")]
    Floats,
    /// No numbers.
    None,
}

impl Mode {
    fn row(self) -> (&'static str, Values) {
        match self {
            Mode::Is => ("Is", Values::Integers(Width(32))),
            #[cfg(feature = "ch12")]
            Mode::D => ("D", Values::Floats),
            Mode::M => ("M", Values::None),
            Mode::X => ("X", Values::None),
            Mode::BB => ("BB", Values::None),
        }
    }

    pub fn name(self) -> &'static str {
        self.row().0
    }

    pub fn values(self) -> Values {
        self.row().1
    }
}

/// Floating-point numbers.
#[cfg(feature = "ch12")]
impl Mode {
    pub fn is_float(self) -> bool {
        self.values() == Values::Floats
    }

    /// A number of this mode in another one, which can represent it.
    pub fn convert(self, number: i64, to: Mode) -> Option<i64> {
        match (self.values(), to.values()) {
            (Values::Integers(_), Values::Floats) => Some(floats::bits(number as f64)),
            _ => None,
        }
    }
}

#[cfg(feature = "ch02")]
impl Values {
    /// The result of an operation; none where it is undefined.
    pub fn compute(self, op: Binary, a: i64, b: i64) -> Option<i64> {
        match self {
            Values::Integers(width) => op.evaluate_checked(width, a, b),
            #[cfg(feature = "ch12")]
            Values::Floats => floats::compute(op, a, b),
            Values::None => None,
        }
    }

    /// Whether a relation holds.
    #[cfg(feature = "ch04")]
    pub fn compare(self, relation: Relation, a: i64, b: i64) -> bool {
        #[cfg(feature = "ch12")]
        if self == Values::Floats {
            return floats::holds(relation, a, b);
        }
        relation.holds(a, b)
    }

    /// Whether a op b = b op a.
    pub fn commute(self, op: Binary) -> bool {
        self != Values::None && op.row().commutes
    }

    /// Whether (z op a) op b = z op (a op b). Sums of floats are rounded.
    #[cfg(feature = "ch25")]
    pub fn associate(self, op: Binary) -> bool {
        matches!(self, Values::Integers(_)) && op.row().commutes
    }

    /// The number of bits in memory.
    #[cfg(feature = "ch10")]
    pub fn bits(self) -> u32 {
        match self {
            Values::Integers(width) => width.0,
            #[cfg(feature = "ch12")]
            Values::Floats => 64,
            Values::None => 0,
        }
    }
}
