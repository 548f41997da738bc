//! Costs: non-negative integers and infinity, under addition and minimum.
//!
//! (min, +) is a semiring. Infinity is the neutral element of min and absorbs every summand, so it
//! expresses "forbidden". Costs are integers because rounded sums lose the optimum on large
//! instances.
//!
//! A sum that reaches infinity stays infinite. No cost is negative, so a selection that contains
//! such a sum costs at least as much: no cheaper selection is missed, and the cost of a reported
//! selection is exact. If every selection costs that much, the solver finds none. A wider type for
//! the total alone would not help: R1 and R2 put sums into vectors and matrices.
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Sub};

/// A non-negative integer, or infinity for a forbidden choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(u64);

impl Cost {
    /// No cost.
    pub const ZERO: Cost = Cost(0);
    /// The cost of a forbidden choice. Sums of this or more are infinite, too.
    // Twice this number still fits into 64 bits, so a sum can be computed first and capped then.
    pub const INFINITY: Cost = Cost(u64::MAX / 2);
    /// The largest finite cost of an input. The sum of nine million of them is still finite.
    pub const MAX_INPUT: u64 = 1_000_000_000_000;

    /// A finite cost, at most [`Cost::MAX_INPUT`].
    pub fn new(value: u64) -> Cost {
        Cost(value.min(Cost::MAX_INPUT))
    }

    /// Whether the choice is allowed.
    pub fn is_finite(self) -> bool {
        self != Cost::INFINITY
    }

    /// The number; none for infinity.
    pub fn value(self) -> Option<u64> {
        self.is_finite().then_some(self.0)
    }

    /// self − other, for finite costs.
    pub(crate) fn difference(self, other: Cost) -> i64 {
        self.0.cast_signed() - other.0.cast_signed()
    }

    /// One of `parts` equal parts of a finite cost, rounded down.
    pub(crate) fn part(self, parts: u64) -> Cost {
        Cost(self.0 / parts)
    }

    /// For a minimum and a maximum over the entries whose column is finite: this entry twice if
    /// `column` is finite, otherwise ∞ and 0. The branch would be unpredictable, so there is none.
    pub(crate) fn where_finite(self, column: Cost) -> [Cost; 2] {
        let mask = u64::from(column.is_finite()).wrapping_sub(1);
        [Cost(self.0 | (mask & Cost::INFINITY.0)), Cost(self.0 & !mask)]
    }
}

/// ∞ + x = ∞
impl Add for Cost {
    type Output = Cost;
    fn add(self, other: Cost) -> Cost {
        Cost(self.0 + other.0).min(Cost::INFINITY)
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

/// ∞ − x = ∞ for a finite x ≤ self; ∞ − ∞ is undefined.
impl Sub for Cost {
    type Output = Cost;
    fn sub(self, part: Cost) -> Cost {
        debug_assert!(part.is_finite() && part <= self, "the result is not negative");
        if self.is_finite() { Cost(self.0 - part.0) } else { Cost::INFINITY }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

/// The number, or `inf`.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_finite() { write!(f, "{}", self.0) } else { write!(f, "inf") }
    }
}
