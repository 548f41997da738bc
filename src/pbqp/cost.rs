//! Costs: non-negative integers and infinity, under addition and minimum.
//!
//! (min, +) is a semiring: min is its addition, + its multiplication. Infinity is neutral for min
//! and swallows whatever is added to it, which is just what "forbidden" should do. Costs are
//! integers because rounded sums lose the optimum on large instances.
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cost(u64);

impl Cost {
    pub const ZERO: Cost = Cost(0);
    /// The cost of what must not be.
    pub const INFINITY: Cost = Cost(u64::MAX);
    /// The largest finite cost of an input: the sum of ten million of them still fits.
    pub const LARGEST: u64 = 1_000_000_000_000;

    /// A finite cost, at most `LARGEST`.
    pub fn new(value: u64) -> Cost {
        Cost(value.min(Cost::LARGEST))
    }

    pub fn is_finite(self) -> bool {
        self != Cost::INFINITY
    }
}

/// ∞ + x = ∞; a sum of finite costs stays below ∞.
impl Add for Cost {
    type Output = Cost;
    fn add(self, other: Cost) -> Cost {
        if self.is_finite() && other.is_finite() {
            Cost(self.0.saturating_add(other.0).min(u64::MAX - 1))
        } else {
            Cost::INFINITY
        }
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
        let (three, huge) = (Cost::new(3), Cost(u64::MAX - 1));
        assert_eq!(three + Cost::INFINITY, Cost::INFINITY);
        assert_eq!(Cost::INFINITY + Cost::INFINITY, Cost::INFINITY);
        assert_eq!(Cost::INFINITY - three, Cost::INFINITY);
        assert_eq!(huge + three, huge);
        assert!((huge + huge).is_finite());
        assert_eq!(Cost::new(u64::MAX), Cost(Cost::LARGEST));
    }

    #[test]
    fn costs_print_as_the_text_format_has_them() {
        assert_eq!(
            (Cost::new(12).to_string(), Cost::INFINITY.to_string()),
            ("12".into(), "inf".into())
        );
    }
}
