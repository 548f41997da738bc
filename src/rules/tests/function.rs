//! Tests of `function.rs`.
use super::*;

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = FUNCTIONS.iter().map(|row| row.name).collect();
    names.extend(PROPERTIES.iter().map(|row| row.name));
    names.sort();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}

#[cfg(feature = "ch04")]
#[test]
fn known_multipliers() {
    assert_eq!(magic(3), (0x5555_5556, 0));
    assert_eq!(magic(5), (0x6666_6667, 1));
    assert_eq!(magic(7), (WORD.wrap(0x9249_2493), 2));
    assert_eq!(magic(10), (0x6666_6667, 2));
    assert_eq!(magic(-5), (WORD.wrap(0x9999_9999), 1));
    assert_eq!(magic(-7), (0x6DB6_DB6D, 2));
}

/// The division as the rules compute it.
#[cfg(feature = "ch04")]
fn divided(x: i64, c: i64) -> i64 {
    let (multiplier, shift) = magic(c);
    let high = ((x * multiplier) >> 32) + correction(c) * x;
    let shifted = WORD.wrap(high) >> shift;
    shifted + i64::from(shifted < 0)
}

#[cfg(feature = "ch04")]
#[test]
fn a_multiplication_divides() {
    let edges = [i64::from(i32::MIN), i64::from(i32::MAX)];
    let divisors = (-2000..2000).chain(edges).chain([641, 6_700_417, -1_000_000_007]);
    for c in divisors.filter(|&c| is_magic(c)) {
        let near = [-2, -1, 0, 1, 2].map(|k| [k * c - 1, k * c, k * c + 1]).concat();
        let near_edges = edges.iter().flat_map(|edge| (-3..=3).map(move |k| edge + k));
        for x in near.into_iter().chain(near_edges).chain([1 << 30, -(1 << 30), 12_345_678]) {
            if WORD.wrap(x) == x {
                assert_eq!(divided(x, c), x / c, "{x} / {c}");
            }
        }
    }
}
