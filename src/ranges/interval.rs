//! Intervals of integers, and the operators on them.
use crate::arith::{Binary, INT, Relation};

/// All integers from `min` to `max`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub min: i64,
    pub max: i64,
}

impl Interval {
    /// All integers of the language.
    pub fn all() -> Interval {
        Interval { min: INT.min(), max: INT.max() }
    }

    pub fn constant(value: i64) -> Interval {
        Interval { min: value, max: value }
    }

    pub fn contains(self, value: i64) -> bool {
        self.min <= value && value <= self.max
    }

    pub fn contains_all(self, other: Interval) -> bool {
        self.min <= other.min && other.max <= self.max
    }

    /// The smallest interval that contains both.
    pub fn union(self, other: Interval) -> Interval {
        Interval { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The integers that are in both; `self` if there is none: then the code is never executed.
    pub fn intersect(self, other: Interval) -> Interval {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        if min <= max { Interval { min, max } } else { self }
    }

    /// The remainders by these divisors: they have the sign of the dividend, and are no further
    /// from 0 than the dividend, and nearer than the divisor, if it is not 0.
    pub fn remainder(self, divisor: Interval) -> Interval {
        let largest = divisor.min.abs().max(divisor.max.abs()) - 1;
        let largest = if divisor.contains(0) { i64::MAX } else { largest };
        Interval { min: self.min.clamp(-largest, 0), max: self.max.clamp(0, largest) }
    }

    /// Contains `next`; a bound that moved goes on to the next one of `stops`, a sorted list that
    /// contains the smallest and the largest integer. Source of such thresholds: B. Blanchet et
    /// al., "A Static Analyzer for Large Safety-Critical Software", PLDI 2003, section 7.1.2.
    pub fn widen(self, next: Interval, stops: &[i64]) -> Interval {
        let below = || stops[stops.partition_point(|&it| it <= next.min) - 1];
        let above = || stops[stops.partition_point(|&it| it < next.max)];
        Interval {
            min: if next.min < self.min { below() } else { self.min },
            max: if next.max > self.max { above() } else { self.max },
        }
    }

    /// The part whose values have the relation to some value of `other`; none if no value has it.
    pub fn restrict(self, relation: Relation, other: Interval) -> Option<Interval> {
        let Interval { mut min, mut max } = self;
        match relation {
            Relation::Less => max = max.min(other.max - 1),
            Relation::LessEqual => max = max.min(other.max),
            Relation::Greater => min = min.max(other.min + 1),
            Relation::GreaterEqual => min = min.max(other.min),
            Relation::Equal => (min, max) = (min.max(other.min), max.min(other.max)),
            Relation::NotEqual if other.min == other.max => {
                min += i64::from(min == other.min);
                max -= i64::from(max == other.min);
            }
            Relation::NotEqual => {}
            // The sea has none of them.
            #[cfg(feature = "ch12")]
            Relation::Above | Relation::AboveEqual => {}
            #[cfg(feature = "ch12")]
            Relation::Below | Relation::BelowEqual => {}
            #[cfg(feature = "ch20")]
            Relation::Negative | Relation::NotNegative => {}
            #[cfg(feature = "ch25")]
            Relation::Always | Relation::Never => {}
        }
        (min <= max).then_some(Interval { min, max })
    }

    /// The results of an operator whose operands are in these intervals.
    ///
    /// Sums, differences and products are extreme for extreme operands. So are quotients, if the
    /// divisor is positive, and numbers that are shifted to the right; a quotient by 0 is 0. If all
    /// results overflow in the same direction, they wrap to an interval; if only some do, they may
    /// be any integer.
    pub fn binary(binary: Binary, x: Interval, y: Interval) -> Interval {
        let exact: fn(i64, i64) -> i64 = match binary {
            Binary::Add => |x, y| x + y,
            Binary::Sub => |x, y| x - y,
            Binary::Mul => |x, y| x * y,
            Binary::Div if y.min == 0 => {
                let positive = Interval { min: 1, max: y.max.max(1) };
                return Interval::binary(binary, x, positive).union(Interval::constant(0));
            }
            Binary::Div if y.min > 0 => |x, y| x / y,
            #[cfg(feature = "ch20")]
            Binary::Shrs if y.min == y.max && (0..32).contains(&y.min) => std::ops::Shr::shr,
            _ => return Interval::all(),
        };
        let bounds = [exact(x.min, y.min), exact(x.min, y.max), exact(x.max, y.min)];
        let hull = |hull: Interval, bound| hull.union(Interval::constant(bound));
        bounds.into_iter().fold(Interval::constant(exact(x.max, y.max)), hull).wrapped()
    }

    /// The integers that remain of these after an overflow.
    fn wrapped(self) -> Interval {
        let wrapped = Interval { min: INT.wrap(self.min), max: INT.wrap(self.max) };
        let is_interval = wrapped.max - wrapped.min == self.max - self.min;
        if is_interval { wrapped } else { Interval::all() }
    }
}
