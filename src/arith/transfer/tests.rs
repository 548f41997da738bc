//! Tests of the transfer functions.
use super::*;
use crate::arith::{BINARY, Binary, Relation};
use crate::effort::programs;
use crate::random::Random;

const NARROW: Width = Width(6);

/// A set of numbers of six bits, as the bits of a word.
fn set(values: impl Iterator<Item = i64>) -> u64 {
    values.fold(0, |set, value| set | 1 << (value & 63))
}

fn numbers() -> std::ops::RangeInclusive<i64> {
    NARROW.min()..=NARROW.max()
}

fn numbers_of(interval: Interval) -> u64 {
    set(numbers().filter(|&it| interval.contains(it)))
}

/// For each right operand, the results for all left operands of `x`.
fn results(operator: Binary, x: Interval) -> [u64; 64] {
    std::array::from_fn(|right| {
        let right = NARROW.wrap(right as i64);
        let left = numbers().filter(|&it| x.contains(it));
        set(left.map(|left| (operator.row().evaluate)(NARROW, left, right)))
    })
}

/// All results of all operators on these operands are in the intervals of the transfer functions.
fn check_all(operands: &[Interval]) {
    let sets: Vec<_> = operands.iter().map(|&it| numbers_of(it)).collect();
    for row in BINARY {
        for &x in operands {
            let results = results(row.op, x);
            for (&y, &right) in operands.iter().zip(&sets) {
                let interval = (row.transfer)(NARROW, x, y);
                let possible = (0..64).filter(|at| right >> at & 1 == 1);
                let possible = possible.fold(0, |all, at: usize| all | results[at]);
                let missing = possible & !numbers_of(interval);
                assert_eq!(missing, 0, "{} {x:?} {y:?}: {interval:?}", row.name);
                assert_reduced(interval);
            }
        }
    }
}

#[track_caller]
fn assert_reduced(interval: Interval) {
    let Interval { min, max, bits } = interval;
    assert_eq!(Interval::between(min, max, bits), Some(interval));
}

/// All intervals of six bits; without the long tests, a third of them.
fn intervals() -> Vec<Interval> {
    let all = numbers().flat_map(|min| (min..=NARROW.max()).map(move |max| (min, max)));
    let all: Vec<_> = all.map(|(min, max)| Interval::new(min, max)).collect();
    let is_long = programs(all.len() as u64) == all.len() as u64;
    all.into_iter().step_by(if is_long { 1 } else { 3 }).collect()
}

#[test]
fn bounds_are_sound() {
    check_all(&intervals());
}

/// The remainder of a program is x - x / y * y: for y = 0 it is x.
#[test]
fn remainders_of_programs_are_contained() {
    let of = |binary: Binary, width, x, y| (binary.row().evaluate)(width, x, y);
    let difference = |width, x, y| {
        let product = of(Binary::Mul, width, of(Binary::Div, width, x, y), y);
        of(Binary::Sub, width, x, product)
    };
    for &x in &intervals() {
        let results: [u64; 64] = std::array::from_fn(|y| {
            let left = numbers().filter(|&it| x.contains(it));
            set(left.map(|it| difference(NARROW, it, NARROW.wrap(y as i64))))
        });
        for &y in &intervals() {
            let possible = numbers().filter(|&it| y.contains(it));
            let possible = possible.fold(0, |all, at| all | results[(at & 63) as usize]);
            assert_eq!(possible & !numbers_of(remainder(NARROW, x, y)), 0, "{x:?} {y:?}");
        }
    }
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX];
    let pairs = || ends.into_iter().flat_map(|a| ends.map(|b| (a, b)));
    let constants = |(x, y)| (Interval::constant(x), Interval::constant(y), x, y);
    let all = pairs().map(|(x, y)| (Interval::all(Width(64)), Interval::all(Width(64)), x, y));
    for (left, right, x, y) in pairs().map(constants).chain(all) {
        let interval = remainder(Width(64), left, right);
        assert!(interval.contains(difference(Width(64), x, y)), "{x} {y}: {interval:?}");
    }
}

#[test]
fn known_bits_are_sound() {
    let patterns = (0..729).filter_map(|number: i64| {
        let digit = |at: u32, of: i64| i64::from(number / 3_i64.pow(at) % 3 == of) << at;
        let [zeros, ones] = [1, 2].map(|of| (0..6).fold(0, |all, at| all | digit(at, of)));
        let bits = KnownBits { zeros, ones }.wrapped(NARROW);
        Interval::between(NARROW.min(), NARROW.max(), bits)
    });
    check_all(&patterns.collect::<Vec<_>>());
}

/// A random interval of a width: the union of some random numbers of different sizes.
fn random_interval(random: &mut Random, width: Width) -> Interval {
    let word =
        |random: &mut Random| i64::from(random.word()) << 32 | i64::from(random.word() as u32);
    let base = width.wrap(word(random));
    let shift = random.below(64) as u32;
    let count = 1 + random.below(4);
    let mask = word(random) >> shift;
    let near = |random: &mut Random| width.wrap(base.wrapping_add(word(random) >> shift & mask));
    let numbers = (0..count).map(|_| near(random)).collect::<Vec<_>>();
    let all = numbers.into_iter().map(Interval::constant).reduce(Interval::union);
    all.expect("there is a number")
}

/// Some numbers of an interval.
fn some_of(interval: Interval, random: &mut Random) -> Vec<i64> {
    let Interval { min, max, bits } = interval;
    let between = (0..6).filter_map(|_| {
        let span = max.wrapping_sub(min).cast_unsigned();
        let word = u64::from(random.word() as u32) << 32 | u64::from(random.word() as u32);
        let distance = if span == u64::MAX { word } else { word % (span + 1) };
        bits.first_from(min.wrapping_add(distance.cast_signed()))
    });
    between.filter(|&it| interval.contains(it)).chain([min, max]).collect()
}

#[test]
fn results_of_wide_numbers_are_contained() {
    let mut random = Random::new(14);
    for width in [8, 32, 64].map(Width) {
        for _ in 0..programs(20_000) {
            let [x, y] = [0, 1].map(|_| random_interval(&mut random, width));
            for row in BINARY {
                let interval = (row.transfer)(width, x, y);
                assert_reduced(interval);
                for a in some_of(x, &mut random) {
                    for b in some_of(y, &mut random) {
                        let result = (row.evaluate)(width, a, b);
                        let text = row.symbol;
                        assert!(interval.contains(result), "{a} {text} {b} of {x:?} {y:?}");
                    }
                }
            }
            for relation in Relation::ALL {
                let known = x.compare(relation, y);
                let pairs = [(x.min, y.min), (x.min, y.max), (x.max, y.min), (x.max, y.max)];
                for (a, b) in pairs {
                    assert!(known.is_none_or(|it| it == relation.holds(a, b)), "{x:?} {y:?}");
                }
            }
        }
    }
}

#[test]
fn intervals_of_constants_are_constants() {
    let mut random = Random::new(3);
    for row in BINARY {
        for _ in 0..1000 {
            let [a, b] = [0, 1].map(|_| i64::from(random.word()) >> random.below(32));
            let result = row.op.results(Width(32), Interval::constant(a), Interval::constant(b));
            let value = (row.evaluate)(Width(32), a, b);
            assert_eq!(result.value(), Some(value), "{a} {} {b}", row.symbol);
        }
    }
}

#[test]
fn known_operators_are_precise() {
    let byte = Interval::new(0, 255);
    let of = |operator: Binary, x, y| (operator.row().transfer)(Width(32), x, y);
    let constant = Interval::constant;
    assert_eq!(of(Binary::And, Interval::all(Width(32)), constant(255)), byte);
    let shifted = of(Binary::Shl, Interval::all(Width(32)), constant(24));
    let extended = of(Binary::Shrs, shifted, constant(24));
    assert_eq!(extended, Interval::new(-128, 127));
    let six = of(Binary::And, byte, constant(6));
    assert_eq!((six.min, six.max, six.bits.allow(5)), (0, 6, false));
    assert_eq!(of(Binary::And, six, constant(1)), constant(0));
    assert_eq!(of(Binary::Add, byte, constant(1)), Interval::new(1, 256));
    let odd = of(Binary::Shr, constant(-1), Interval::new(28, 31));
    assert_eq!((odd.min, odd.max, odd.bits.allow(6)), (1, 15, false));
}
