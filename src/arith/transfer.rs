//! The transfer functions: the interval of the results of an operator whose operands are in two
//! intervals.
//!
//! Each contains all results. Bounds are computed in 128 bits, where nothing overflows. If all
//! results overflow in the same direction, they wrap to an interval; if only some do, they may be
//! any integer with the same known bits.
use super::Width;
use super::interval::Interval;
use super::known_bits::KnownBits;

/// A transfer function.
pub type Transfer = fn(Width, Interval, Interval) -> Interval;

pub fn add(width: Width, x: Interval, y: Interval) -> Interval {
    let bits = x.bits.sum(y.bits, false);
    wrapped(width, wide(x.min) + wide(y.min), wide(x.max) + wide(y.max), bits)
}

/// x - y = x + !y + 1.
pub fn sub(width: Width, x: Interval, y: Interval) -> Interval {
    let bits = x.bits.sum(y.bits.complement(), true);
    wrapped(width, wide(x.min) - wide(y.max), wide(x.max) - wide(y.min), bits)
}

pub fn mul(width: Width, x: Interval, y: Interval) -> Interval {
    let (min, max) = extremes(x, y, |x, y| x * y);
    wrapped(width, min, max, x.bits.product(y.bits))
}

/// Quotients are extreme for extreme operands, as long as the divisor has one sign. A quotient by
/// 0 is 0.
pub fn div(width: Width, x: Interval, y: Interval) -> Interval {
    let part = |min: i64, max: i64| {
        let (min, max) = (y.min.max(min), y.max.min(max));
        (min <= max).then(|| {
            let (min, max) = extremes(x, Interval::new(min, max), |x, y| x / y);
            wrapped(width, min, max, KnownBits::NONE)
        })
    };
    let by_zero = y.contains(0).then(|| Interval::constant(0));
    let parts = [part(i64::MIN, -1), by_zero, part(1, i64::MAX)];
    parts.into_iter().flatten().reduce(Interval::union).expect("the divisor has a value")
}

/// The remainders have the sign of the dividend, and are no further from 0 than the dividend, and
/// nearer than the divisor, if it is not 0.
pub fn remainder(_: Width, x: Interval, y: Interval) -> Interval {
    let largest = match y.contains(0) {
        true => 1 << 63,
        false => wide(y.min).abs().max(wide(y.max).abs()) - 1,
    };
    let between = |it: i64, least: i128, most: i128| wide(it).clamp(least, most) as i64;
    Interval::new(between(x.min, -largest, 0), between(x.max, 0, largest))
}

pub fn and(width: Width, x: Interval, y: Interval) -> Interval {
    let bits = KnownBits { zeros: x.bits.zeros | y.bits.zeros, ones: x.bits.ones & y.bits.ones };
    let limit = |of: Interval| if of.min >= 0 { of.max } else { width.max() };
    of_bits(width.min(), limit(x).min(limit(y)), bits)
}

pub fn or(width: Width, x: Interval, y: Interval) -> Interval {
    let bits = KnownBits { zeros: x.bits.zeros & y.bits.zeros, ones: x.bits.ones | y.bits.ones };
    let limit = |of: Interval| if of.max < 0 { of.min } else { width.min() };
    let least = if x.min >= 0 && y.min >= 0 { x.min.max(y.min) } else { limit(x).max(limit(y)) };
    of_bits(least, width.max(), bits)
}

pub fn exclusive_or(width: Width, x: Interval, y: Interval) -> Interval {
    let known = x.bits.known() & y.bits.known();
    let differing = x.bits.ones ^ y.bits.ones;
    let bits = KnownBits { zeros: known & !differing, ones: known & differing };
    of_bits(width.min(), width.max(), bits)
}

pub fn shift_left(width: Width, x: Interval, count: Interval) -> Interval {
    each_count(width, count, |count| {
        let zeros = x.bits.zeros << count | !(-1 << count);
        let bits = KnownBits { zeros, ones: x.bits.ones << count };
        wrapped(width, wide(x.min) << count, wide(x.max) << count, bits)
    })
}

/// Fills with zeros: a negative number becomes large, but for a count of 0.
pub fn shift_right(width: Width, x: Interval, count: Interval) -> Interval {
    each_count(width, count, |count| {
        if count == 0 {
            return x;
        }
        let part = |min: i64, max: i64| Interval::between(min, max, x.bits);
        let shifted = |part: Interval| {
            let word = |it: i64| (it & width.mask()).cast_unsigned();
            let logical = |it: i64| (word(it) >> count).cast_signed();
            let high = !(width.mask().cast_unsigned() >> count).cast_signed();
            let bits =
                KnownBits { zeros: logical(part.bits.zeros) | high, ones: logical(part.bits.ones) };
            of_bits(logical(part.min), logical(part.max), bits)
        };
        let parts = [part(x.min, x.max.min(-1)), part(x.min.max(0), x.max)];
        let parts = parts.into_iter().flatten().map(shifted);
        parts.reduce(Interval::union).expect("the operand has a value")
    })
}

/// Fills with the sign.
pub fn shift_right_signed(width: Width, x: Interval, count: Interval) -> Interval {
    each_count(width, count, |count| {
        let bits = KnownBits { zeros: x.bits.zeros >> count, ones: x.bits.ones >> count };
        of_bits(x.min >> count, x.max >> count, bits)
    })
}

/// The union of the results for all counts, which are taken modulo the width.
fn each_count(width: Width, count: Interval, shift: impl Fn(u32) -> Interval) -> Interval {
    let modulo = match width.0.is_power_of_two() {
        true => count.bits.low(width.0.trailing_zeros()),
        false => KnownBits::NONE,
    };
    let (first, last) = if 0 <= count.min && count.max < i64::from(width.0) {
        (count.min, count.max)
    } else {
        (0, i64::from(width.0) - 1)
    };
    let allowed = (first..=last).filter(|&it| modulo.allow(it));
    let results = allowed.map(|it| shift(it as u32));
    results.reduce(Interval::union).expect("there is a count")
}

/// The operator's results for the four pairs of bounds: the smallest and the largest.
fn extremes(x: Interval, y: Interval, exact: fn(i128, i128) -> i128) -> (i128, i128) {
    let corners = [(x.min, y.min), (x.min, y.max), (x.max, y.min), (x.max, y.max)];
    let results = corners.map(|(x, y)| exact(wide(x), wide(y)));
    (results.into_iter().min().unwrap_or(0), results.into_iter().max().unwrap_or(0))
}

fn wide(value: i64) -> i128 {
    i128::from(value)
}

/// The integers between two bounds after an overflow; `bits` are known of those without one.
fn wrapped(width: Width, min: i128, max: i128, bits: KnownBits) -> Interval {
    let bits = bits.wrapped(width);
    let low = |it: i128| width.wrap(it as i64);
    let (least, most) = (low(min), low(max));
    let is_one_interval = wide(most) - wide(least) == max - min;
    if is_one_interval {
        of_bits(least, most, bits)
    } else {
        of_bits(width.min(), width.max(), bits)
    }
}

/// The integers between two bounds with these bits: there is a result.
fn of_bits(least: i64, most: i64, bits: KnownBits) -> Interval {
    Interval::between(least, most, bits).expect("the operator has a result")
}

#[cfg(test)]
mod tests;
