//! Costs: non-negative integers and infinity, under addition and minimum.
//!
//! (min, +) is a semiring: min is its addition, + its multiplication. Infinity is neutral for min
//! and swallows whatever is added to it, which is just what "forbidden" should do. Costs are
//! integers because rounded sums lose the optimum on large instances.
//!
//! A sum that reaches infinity stays there. No cost is negative, so whatever such a sum is a part
//! of costs at least as much: nothing that costs less is ever missed, and a selection that is
//! found has its exact cost. But where all selections cost so much, none is found. (A wider type
//! for the total would not do: R1 and R2 put sums into vectors and matrices, which would have to
//! be wider too, and are what is read all the time.)
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Sub};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cost(u64);

impl Cost {
    pub const ZERO: Cost = Cost(0);
    /// The cost of what must not be, and of all that costs more than can be told from it.
    /// Twice this number still fits, so that sums need no look at their parts.
    pub const INFINITY: Cost = Cost(u64::MAX / 2);
    /// The largest finite cost of an input: the sum of nine million of them is still finite.
    pub const LARGEST: u64 = 1_000_000_000_000;

    /// A finite cost, at most `LARGEST`.
    pub fn new(value: u64) -> Cost {
        Cost(value.min(Cost::LARGEST))
    }

    /// How much more this is than another finite cost.
    #[cfg(feature = "ch19")]
    pub fn difference(self, other: Cost) -> i64 {
        self.0.cast_signed() - other.0.cast_signed()
    }

    /// `c | all` is infinite if this is, and `c & none` is zero then; otherwise both are c. Where a
    /// branch would be taken at random, this is quicker.
    pub fn masks(self) -> [u64; 2] {
        let all = u64::from(self.is_finite()).wrapping_sub(1) & Cost::INFINITY.0;
        [all, !all]
    }

    /// One of so many equal parts of a finite cost, rounded down.
    #[cfg(feature = "ch19")]
    pub fn part(self, parts: u64) -> Cost {
        Cost(self.0 / parts)
    }

    pub fn is_finite(self) -> bool {
        self != Cost::INFINITY
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

/// ∞ − x = ∞ for a finite x; ∞ − ∞ means nothing and is never asked for.
impl Sub for Cost {
    type Output = Cost;
    fn sub(self, part: Cost) -> Cost {
        debug_assert!(part.is_finite() && part <= self, "only a part can be taken away");
        if self.is_finite() { Cost(self.0 - part.0) } else { Cost::INFINITY }
    }
}

impl BitOr<u64> for Cost {
    type Output = Cost;
    fn bitor(self, mask: u64) -> Cost {
        Cost(self.0 | mask)
    }
}

impl BitAnd<u64> for Cost {
    type Output = Cost;
    fn bitand(self, mask: u64) -> Cost {
        Cost(self.0 & mask)
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_finite() { write!(f, "{}", self.0) } else { write!(f, "inf") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_swallows_and_finite_sums_stay_finite() {
        let (three, large) = (Cost::new(3), Cost::new(u64::MAX));
        assert_eq!(three + Cost::INFINITY, Cost::INFINITY);
        assert_eq!(Cost::INFINITY + Cost::INFINITY, Cost::INFINITY);
        assert_eq!(Cost::INFINITY - three, Cost::INFINITY);
        assert_eq!(large, Cost(Cost::LARGEST));
        let many: Cost = (0..9_000_000).map(|_| large).sum();
        assert!(many.is_finite() && many < many + three);
    }

    #[test]
    fn costs_print_as_the_text_format_has_them() {
        assert_eq!(
            (Cost::new(12).to_string(), Cost::INFINITY.to_string()),
            ("12".into(), "inf".into())
        );
    }
}
