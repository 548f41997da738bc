//! Modes: the types of values in Firm, with Firm's names. One row each.
#[cfg(feature = "ch02")]
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::arith::Width;
#[cfg(feature = "ch14")]
use crate::arith::{Interval, WORD};
#[cfg(feature = "ch12")]
use crate::floats;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// A signed integer of 32 bits.
    Is,
    /// A signed integer of 64 bits.
    #[cfg(feature = "ch14")]
    Ls,
    /// A floating-point number of 64 bits.
    #[cfg(feature = "ch12")]
    D,
    /// A floating-point number of 32 bits. Only memory holds it: a load makes it one of 64 bits.
    #[cfg(feature = "ch14")]
    F,
    /// A signed integer of 8 bits. Only memory holds it: a load extends it to a word.
    #[cfg(feature = "ch14")]
    Bs,
    /// The same without a sign.
    #[cfg(feature = "ch14")]
    Bu,
    /// A signed integer of 16 bits, in memory.
    #[cfg(feature = "ch14")]
    Hs,
    /// The same without a sign.
    #[cfg(feature = "ch14")]
    Hu,
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
    /// Integers of this width without a sign.
    #[cfg(feature = "ch14")]
    Naturals(Width),
    /// Floating-point numbers of 64 bits.
    #[cfg(feature = "ch12")]
    Floats,
    /// Floating-point numbers of 32 bits.
    #[cfg(feature = "ch14")]
    Singles,
    /// No numbers.
    None,
}

impl Mode {
    fn row(self) -> (&'static str, Values) {
        match self {
            Mode::Is => ("Is", Values::Integers(Width(32))),
            #[cfg(feature = "ch14")]
            Mode::Ls => ("Ls", Values::Integers(Width(64))),
            #[cfg(feature = "ch12")]
            Mode::D => ("D", Values::Floats),
            #[cfg(feature = "ch14")]
            Mode::F => ("F", Values::Singles),
            #[cfg(feature = "ch14")]
            Mode::Bs => ("Bs", Values::Integers(Width(8))),
            #[cfg(feature = "ch14")]
            Mode::Bu => ("Bu", Values::Naturals(Width(8))),
            #[cfg(feature = "ch14")]
            Mode::Hs => ("Hs", Values::Integers(Width(16))),
            #[cfg(feature = "ch14")]
            Mode::Hu => ("Hu", Values::Naturals(Width(16))),
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

/// Memory.
#[cfg(feature = "ch14")]
impl Mode {
    /// The mode of a register with a number that has this mode in memory.
    pub fn in_register(self) -> Mode {
        match self {
            Mode::Bs | Mode::Bu | Mode::Hs | Mode::Hu => Mode::Is,
            Mode::F => Mode::D,
            other => other,
        }
    }

    /// The number of words of an argument.
    pub fn words(self) -> u32 {
        if matches!(self, Mode::Ls | Mode::D) { 2 } else { 1 }
    }

    /// The integers that a register may have from memory.
    pub fn numbers(self) -> Interval {
        match self.values() {
            Values::Naturals(width) => Interval::new(0, width.mask()),
            Values::Integers(width) => Interval::all(width),
            Values::Floats | Values::Singles | Values::None => Interval::all(WORD),
        }
    }

    /// The number in a register whose bits in memory are these, the lowest ones.
    pub fn extend(self, bits: i64) -> i64 {
        match self.values() {
            Values::Integers(width) => width.wrap(bits),
            Values::Naturals(width) => bits & width.mask(),
            Values::Singles => floats::widened(bits as u32),
            Values::Floats | Values::None => bits,
        }
    }

    /// The bits in memory of a number in a register. Those of an integer are its lowest ones.
    pub fn stored(self, number: i64) -> i64 {
        match self.values() {
            Values::Singles => WORD.wrap(floats::narrowed(number).into()),
            _ => number,
        }
    }
}

/// Floating-point numbers.
#[cfg(feature = "ch12")]
impl Mode {
    pub fn is_float(self) -> bool {
        #[cfg(feature = "ch14")]
        if self == Mode::F {
            return true;
        }
        self.values() == Values::Floats
    }

    /// A number of this mode in another one. A narrower integer consists of the lowest bits.
    /// @ch14 A float becomes one of 32 bits first, if that is this mode.
    pub fn convert(self, number: i64, to: Mode) -> Option<i64> {
        match (self.values(), to.values()) {
            (Values::Integers(_), Values::Floats) => Some(floats::bits(number as f64)),
            #[cfg(feature = "ch14")]
            (Values::Integers(_), Values::Integers(width)) => Some(width.wrap(number)),
            #[cfg(feature = "ch14")]
            (Values::Singles, Values::Floats) => Some(self.extend(self.stored(number))),
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
            #[cfg(feature = "ch14")]
            Values::Naturals(_) | Values::Singles => None,
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
            #[cfg(feature = "ch14")]
            Values::Naturals(width) => width.0,
            #[cfg(feature = "ch12")]
            Values::Floats => 64,
            #[cfg(feature = "ch14")]
            Values::Singles => 32,
            Values::None => 0,
        }
    }
}
