//! Intervals of integers with known bits: the knowledge about a value that types, ranges and
//! equality saturation share.
//!
//! An interval is in its *reduced* form: its bounds have the known bits, and the bits in which the
//! bounds agree from the top are known. Then two intervals with the same integers are mostly equal,
//! and the union of two is computed for bounds and bits apart. Sources: P. Cousot, R. Cousot,
//! "Abstract Interpretation", POPL 1977; the same, "Systematic Design of Program Analysis
//! Frameworks", POPL 1979, on reduced products.
use super::known_bits::KnownBits;
use super::{Relation, Width};

/// The integers from `min` to `max` that have these bits; the bounds are two of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    pub min: i64,
    pub max: i64,
    pub bits: KnownBits,
}

impl Interval {
    /// All integers between two bounds.
    pub const fn new(min: i64, max: i64) -> Interval {
        Interval { min, max, bits: KnownBits::of_bounds(min, max) }
    }

    /// All integers of this width.
    pub const fn all(width: Width) -> Interval {
        Interval::new(width.min(), width.max())
    }

    pub const fn constant(value: i64) -> Interval {
        Interval { min: value, max: value, bits: KnownBits::constant(value) }
    }

    /// 0 and 1.
    pub fn truth() -> Interval {
        Interval::new(0, 1)
    }

    /// The integers between two bounds that have these bits, if there are any.
    pub fn between(least: i64, most: i64, bits: KnownBits) -> Option<Interval> {
        if least > most {
            return None;
        }
        let bits = bits.intersect(KnownBits::of_bounds(least, most));
        if bits.zeros & bits.ones != 0 {
            return None;
        }
        let (min, max) = (bits.first_from(least)?, bits.last_up_to(most)?);
        let bits = bits.intersect(KnownBits::of_bounds(min, max));
        (min <= max).then_some(Interval { min, max, bits })
    }

    /// The only integer of the interval.
    pub fn value(self) -> Option<i64> {
        (self.min == self.max).then_some(self.min)
    }

    pub fn contains(self, value: i64) -> bool {
        self.min <= value && value <= self.max && self.bits.allow(value)
    }

    pub fn contains_all(self, other: Interval) -> bool {
        self.union(other) == self
    }

    /// The smallest interval that contains both.
    pub fn union(self, other: Interval) -> Interval {
        Interval {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            bits: self.bits.union(other.bits),
        }
    }

    /// The integers of both, if there are any.
    pub fn intersect(self, other: Interval) -> Option<Interval> {
        let bits = self.bits.intersect(other.bits);
        Interval::between(self.min.max(other.min), self.max.min(other.max), bits)
    }

    /// Contains `next`; a bound that moved goes on to the next one of `thresholds`, a sorted list
    /// that contains the smallest and the largest integer. If fewer of the lowest bits are known,
    /// none is kept. Source of such thresholds: B. Blanchet et al., "A Static Analyzer for Large
    /// Safety-Critical Software", PLDI 2003, section 7.1.2.
    pub fn widen(self, next: Interval, thresholds: &[i64]) -> Interval {
        let below = || thresholds[thresholds.partition_point(|&it| it <= next.min) - 1];
        let above = || thresholds[thresholds.partition_point(|&it| it < next.max)];
        let min = if next.min < self.min { below() } else { self.min };
        let max = if next.max > self.max { above() } else { self.max };
        let both = self.bits.union(next.bits);
        let count = both.low_count();
        let kept = if count == self.bits.low_count() { count } else { 0 };
        Interval::between(min, max, both.low(kept)).expect("it contains both")
    }

    /// The smallest interval that contains this one and whose bounds are 0, ±2ᵏ or 2ᵏ - 1.
    pub fn rounded(self) -> Interval {
        let length = |it: i64| 64 - it.leading_zeros();
        let power = |it: i64| (1_u64 << (length(it) - 1)).cast_signed();
        let min = match self.min {
            0 => 0,
            min @ 1.. => power(min),
            min => -1 << length(!min),
        };
        let max = match self.max {
            max @ 0.. => ((1_u64 << length(max)) - 1).cast_signed(),
            i64::MIN => i64::MIN,
            max => -power(-max),
        };
        Interval::between(min, max, self.bits).expect("it contains the interval")
    }

    /// The part whose values have the relation to some value of `other`; none if no value has it.
    pub fn restrict(self, relation: Relation, other: Interval) -> Option<Interval> {
        let Interval { mut min, mut max, bits } = self;
        match relation {
            Relation::Less => max = max.min(other.max.checked_sub(1)?),
            Relation::LessEqual => max = max.min(other.max),
            Relation::Greater => min = min.max(other.min.checked_add(1)?),
            Relation::GreaterEqual => min = min.max(other.min),
            Relation::Equal => return self.intersect(other),
            Relation::NotEqual if other.min == other.max => {
                if min == other.min {
                    min = min.checked_add(1)?;
                } else if max == other.min {
                    max -= 1;
                }
            }
            Relation::NotEqual => {}
            Relation::NotLess | Relation::NotLessEqual => {}
            // A number without a sign that is below one that is not negative is not negative.
            Relation::Below if other.min >= 0 => {
                (min, max) = (min.max(0), max.min(other.max.checked_sub(1)?));
            }
            Relation::AboveEqual if min >= 0 && other.min >= 0 => min = min.max(other.min),
            Relation::Above | Relation::AboveEqual | Relation::Below | Relation::BelowEqual => {}
            #[cfg(feature = "ch29")]
            Relation::Negative | Relation::NotNegative => {}
            #[cfg(feature = "ch25")]
            Relation::Always | Relation::Never => {}
        }
        Interval::between(min, max, bits)
    }

    /// Whether the relation holds for all values of two intervals, or for none; unknown if for
    /// some only.
    pub fn compare(self, relation: Relation, other: Interval) -> Option<bool> {
        let possible = |it: Relation| self.restrict(it, other).is_some();
        match [relation, relation.negated()].map(possible) {
            [true, false] => Some(true),
            [false, true] => Some(false),
            _ => None,
        }
    }
}
