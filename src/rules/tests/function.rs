//! Tests of `function.rs`.
use super::*;

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = FUNCTIONS.iter().map(|row| row.name).collect();
    names.extend(PROPERTIES.iter().map(|row| row.name));
    #[cfg(feature = "ch10")]
    names.extend(RELATION_PROPERTIES.iter().map(|row| row.name));
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
    assert_eq!(magic(-7), magic(7));
}

/// The division as the rules compute it.
#[cfg(feature = "ch04")]
fn divided(x: i64, c: i64) -> i64 {
    let (multiplier, shift) = magic(c);
    let high = ((x * multiplier) >> 32) + if is_truncated(c) { x } else { 0 };
    let quotient = (WORD.wrap(high) >> shift) - (x >> 63);
    if c < 0 { -quotient } else { quotient }
}

#[cfg(feature = "ch04")]
#[test]
fn a_multiplication_divides() {
    let edges = [i64::from(i32::MIN), i64::from(i32::MAX)];
    let divisors = (-2000..2000).chain(edges).chain([641, 6_700_417, -1_000_000_007]);
    for c in divisors.filter(|&c| is_magic(c.abs())) {
        let near = [-2, -1, 0, 1, 2].map(|k| [k * c - 1, k * c, k * c + 1]).concat();
        let near_edges = edges.iter().flat_map(|edge| (-3..=3).map(move |k| edge + k));
        for x in near.into_iter().chain(near_edges).chain([1 << 30, -(1 << 30), 12_345_678]) {
            if WORD.wrap(x) == x {
                assert_eq!(divided(x, c), x / c, "{x} / {c}");
            }
        }
    }
}

/// Whether c divides x, as the rules compute it.
#[cfg(feature = "ch19")]
fn divides(x: i64, c: i64) -> bool {
    let above_least = WORD.wrap(WORD.wrap(x * WORD.inverse(c)) + largest_quotient(c));
    above_least as u32 <= (2 * largest_quotient(c)) as u32
}

#[cfg(feature = "ch19")]
#[test]
fn an_odd_number_divides_its_multiples_only() {
    let edges = [i64::from(i32::MIN), i64::from(i32::MAX)];
    let divisors = (-999..1000).chain(edges).chain([641, 6_700_417, -1_000_000_007]);
    for c in divisors.filter(|c| c % 2 != 0 && c.abs() > 1) {
        let near = [-2, -1, 0, 1, 2].map(|k| [k * c - 1, k * c, k * c + 1]).concat();
        let near_edges = edges.iter().flat_map(|edge| {
            let last = edge / c * c;
            (-3..=3).flat_map(move |k| [edge + k, last + k])
        });
        for x in near.into_iter().chain(near_edges).filter(|&x| WORD.wrap(x) == x) {
            assert_eq!(divides(x, c), x % c == 0, "{x} / {c}");
        }
    }
}
