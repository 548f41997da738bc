//! Intervals of integers, and the operators on them.
use crate::arith::{Binary, INT, Relation};

/// The integers from `min` to `max` whose lowest bits are those of `min`; `max` is one of them.
///
/// Sums and products keep such bits, also if they overflow. Source, for all divisors instead of
/// powers of two: P. Granger, "Static Analysis of Arithmetical Congruences", 1989.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub min: i64,
    pub max: i64,
    /// So many of the lowest bits are the same in all of them.
    pub low_bits: u32,
}

impl Interval {
    pub fn new(min: i64, max: i64) -> Interval {
        Interval { min, max, low_bits: 0 }
    }

    /// All integers of the language.
    pub fn all() -> Interval {
        Interval::new(INT.min(), INT.max())
    }

    pub fn constant(value: i64) -> Interval {
        Interval { min: value, max: value, low_bits: INT.0 }
    }

    /// Those of the integers with these lowest bits that are between two bounds.
    pub fn between(self, least: i64, most: i64) -> Option<Interval> {
        let above = |bound: i64| (self.min - bound).rem_euclid(1 << self.low_bits);
        let below = |bound: i64| (bound - self.min).rem_euclid(1 << self.low_bits);
        let (min, max) = (least + above(least), most - below(most));
        (min <= max).then_some(Interval { min, max, ..self })
    }

    pub fn contains(self, value: i64) -> bool {
        self.contains_all(Interval::constant(value))
    }

    pub fn contains_all(self, other: Interval) -> bool {
        self.union(other) == self
    }

    /// The smallest interval that contains both.
    pub fn union(self, other: Interval) -> Interval {
        let equal_bits = (self.min - other.min).trailing_zeros();
        Interval {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            low_bits: self.low_bits.min(other.low_bits).min(equal_bits),
        }
    }

    /// The integers that are also between the bounds of another interval; `self` if there is none:
    /// then the code is never executed.
    pub fn intersect(self, other: Interval) -> Interval {
        self.between(self.min.max(other.min), self.max.min(other.max)).unwrap_or(self)
    }

    /// The remainders by these divisors: they have the sign of the dividend, and are no further
    /// from 0 than the dividend, and nearer than the divisor, if it is not 0.
    pub fn remainder(self, divisor: Interval) -> Interval {
        let largest = divisor.min.abs().max(divisor.max.abs()) - 1;
        let largest = if divisor.contains(0) { i64::MAX } else { largest };
        Interval::new(self.min.clamp(-largest, 0), self.max.clamp(0, largest))
    }

    /// Contains `next`; a bound that moved goes on to the next one of `stops`, a sorted list that
    /// contains the smallest and the largest integer. If fewer low bits are the same, none is kept.
    /// Source of such thresholds: B. Blanchet et al., "A Static Analyzer for Large Safety-Critical
    /// Software", PLDI 2003, section 7.1.2.
    pub fn widen(self, next: Interval, stops: &[i64]) -> Interval {
        let below = || stops[stops.partition_point(|&it| it <= next.min) - 1];
        let above = || stops[stops.partition_point(|&it| it < next.max)];
        let min = if next.min < self.min { below() } else { self.min };
        let max = if next.max > self.max { above() } else { self.max };
        let is_kept = self.union(next).low_bits == self.low_bits;
        let low_bits = if is_kept { self.low_bits } else { 0 };
        Interval { low_bits, ..self }.between(min, max).expect("it contains both")
    }

    /// The part whose values have the relation to some value of `other`; none if no value has it.
    pub fn restrict(self, relation: Relation, other: Interval) -> Option<Interval> {
        let Interval { mut min, mut max, .. } = self;
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
            Relation::NotLess | Relation::NotLessEqual => {}
            #[cfg(feature = "ch12")]
            Relation::Above | Relation::AboveEqual => {}
            #[cfg(feature = "ch12")]
            Relation::Below | Relation::BelowEqual => {}
            #[cfg(feature = "ch20")]
            Relation::Negative | Relation::NotNegative => {}
            #[cfg(feature = "ch25")]
            Relation::Always | Relation::Never => {}
        }
        self.between(min, max)
    }

    /// The results of an operator whose operands are in these intervals.
    ///
    /// Sums, differences and products are extreme for extreme operands. So are quotients, if the
    /// divisor is positive, and numbers that are shifted to the right; a quotient by 0 is 0. If all
    /// results overflow in the same direction, they wrap to an interval; if only some do, they may
    /// be any integer with the same lowest bits.
    pub fn binary(binary: Binary, x: Interval, y: Interval) -> Interval {
        let exact: fn(i64, i64) -> i64 = match binary {
            Binary::Add => |x, y| x + y,
            Binary::Sub => |x, y| x - y,
            Binary::Mul => |x, y| x * y,
            Binary::Div if y.min == 0 => {
                let positive = Interval::new(1, y.max.max(1));
                return Interval::binary(binary, x, positive).union(Interval::constant(0));
            }
            Binary::Div if y.min > 0 => |x, y| x / y,
            #[cfg(feature = "ch20")]
            Binary::Shrs if y.min == y.max && (0..32).contains(&y.min) => std::ops::Shr::shr,
            _ => return Interval::all(),
        };
        let low_bits = match binary {
            Binary::Add | Binary::Sub => x.low_bits.min(y.low_bits),
            Binary::Mul => x.low_bits_of_product(y),
            _ => 0,
        };
        let corners = [(x.min, y.min), (x.min, y.max), (x.max, y.min), (x.max, y.max)];
        let results = corners.into_iter().map(|(x, y)| Interval::constant(exact(x, y)));
        let hull = results.reduce(Interval::union).expect("there are four corners");
        Interval { low_bits, ..hull }.wrapped()
    }

    /// (a + 2ⁱ·m) · (b + 2ʲ·n) = a·b + 2ʲ·a·n + 2ⁱ·b·m + 2ⁱ⁺ʲ·m·n.
    fn low_bits_of_product(self, other: Interval) -> u32 {
        let [a, b] = [self, other].map(|it| it.min.trailing_zeros());
        let (i, j) = (self.low_bits, other.low_bits);
        (a + j).min(b + i).min(i + j).min(INT.0)
    }

    /// The integers that remain of these after an overflow.
    fn wrapped(self) -> Interval {
        let (min, max) = (INT.wrap(self.min), INT.wrap(self.max));
        let wrapped = Interval { min, max, ..self };
        if max - min == self.max - self.min {
            return wrapped;
        }
        wrapped.between(INT.min(), INT.max()).expect("it contains the bounds")
    }
}
