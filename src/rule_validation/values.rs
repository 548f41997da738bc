//! Values for the names of a pattern: all of a few bits, or many of 32.
use crate::arith::{Relation, WORD, Width};
use crate::firm::Mode;
use crate::floats;
use crate::rules::counts_with_complement;
use crate::rules::semantics::{Kind, Name, PatternSemantics};

/// The maximal number of samples of an exhaustive test.
const MAX_COMBINATIONS: usize = 1 << 18;

/// The number of samples of 32 bits.
const SAMPLE_COUNT: usize = 4000;

/// The possible values of each name of a pattern.
type Choices = Vec<Vec<i64>>;

/// The largest width of at most eight bits that can be tested exhaustively, and all samples; none
/// if there is no sample, or if there are too many even at three bits.
pub fn exhaustive(
    semantics: &PatternSemantics,
) -> Option<(Width, impl Iterator<Item = Vec<i64>> + use<>)> {
    let has_floats = semantics.names.iter().any(|it| it.mode.is_float());
    let widths = (3..=8).rev().map(Width).map(|width| {
        // A counterexample is easier to read if its numbers are small.
        let mut all: Vec<i64> = (width.min()..=width.max()).collect();
        all.sort_by_key(|number| (number.abs(), *number < 0));
        (width, choices(semantics, |_| all.clone()))
    });
    let count = |choices: &Choices| {
        choices.iter().map(Vec::len).fold(1, |product: usize, of| product.saturating_mul(of))
    };
    let is_feasible =
        |(_, choices): &(Width, Choices)| (1..=MAX_COMBINATIONS).contains(&count(choices));
    // Floats have 64 bits at every width.
    let widths = widths.into_iter().filter(|_| !has_floats);
    let (width, choices) = widths.into_iter().find(is_feasible)?;
    Some((width, (0..count(&choices)).map(move |number| sample(&choices, number))))
}

/// The sample of this number.
fn sample(choices: &Choices, number: usize) -> Vec<i64> {
    let mut rest = number;
    let pick = |of: &Vec<i64>| {
        let picked = of[rest % of.len()];
        rest /= of.len();
        picked
    };
    choices.iter().map(pick).collect()
}

/// Samples of 32 bits; none if no number satisfies the guards.
pub fn sampled(semantics: &PatternSemantics) -> impl Iterator<Item = Vec<i64>> + use<> {
    let numbers = numbers();
    let choices = choices(semantics, |name| {
        if semantics.is_count(name) {
            return counts_with_complement().collect();
        }
        semantics.required_constant(name).into_iter().chain(numbers.iter().copied()).collect()
    });
    let count = if choices.iter().any(Vec::is_empty) { 0 } else { SAMPLE_COUNT };
    let complements: Vec<_> = semantics.complements().collect();
    (0..count).map(move |number| {
        let pick = |(at, of): (usize, &Vec<i64>)| {
            of[scattered(number as u64 * 16 + at as u64) as usize % of.len()]
        };
        let mut sample: Vec<i64> = choices.iter().enumerate().map(pick).collect();
        for &[one, other] in &complements {
            sample[other] = i64::from(WORD.0) - sample[one];
        }
        sample
    })
}

/// The possible values of each name, if values and numbers are among `numbers`.
fn choices(semantics: &PatternSemantics, numbers: impl Fn(usize) -> Vec<i64>) -> Choices {
    let of = |(at, name): (usize, &Name)| {
        let numbers = || if name.mode.is_float() { float_samples() } else { numbers(at) };
        match name.kind {
            Kind::Truth => vec![0, 1],
            Kind::Relation => semantics.allowed(at, &relations(name.mode)),
            Kind::Value | Kind::Argument => numbers(),
            Kind::Number => semantics.allowed(at, &numbers()),
        }
    };
    semantics.names.iter().enumerate().map(of).collect()
}

/// The numbers of all relations between values of a mode.
pub fn relations(mode: Mode) -> Vec<i64> {
    if mode.is_float() {
        return floats::RELATIONS.map(|it| it as i64).to_vec();
    }
    Relation::ALL.into_iter().chain(Relation::UNSIGNED).map(|it| it as i64).collect()
}

/// Floating-point numbers of all kinds.
fn float_samples() -> Vec<i64> {
    let values = [0.0, 1.0, 1.5, 0.1, 3.0, 1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE, 5e-324];
    let singles = HARD_TO_ROUND.map(floats::float).into_iter().chain([f64::INFINITY, f64::NAN]);
    let values = values.into_iter().chain(singles).flat_map(|it| [it, -it]);
    let mut all: Vec<i64> = values.map(floats::bits).collect();
    all.extend((0..20).map(|number| floats::bits(floats::float(scattered(number).cast_signed()))));
    all
}

/// Numbers between two of 32 bits, in the middle or beside it: near 1, near the largest one, and
/// below the smallest ones.
const HARD_TO_ROUND: [i64; 9] = [
    0x3ff0_0000_1000_0000,
    0x3ff0_0000_3000_0000,
    0x3ff0_0000_1000_0001,
    0x47ef_ffff_efff_ffff,
    0x47ef_ffff_f000_0000,
    0x3690_0000_0000_0000,
    0x3690_0000_0000_0001,
    0x36a8_0000_0000_0000,
    0x380f_ffff_ffff_ffff,
];

/// Edge cases of arithmetic, and some pseudo-random numbers.
fn numbers() -> Vec<i64> {
    let edges = [0, 1, 3, 5, 6, 7, 9, 10, 100, 127, 129, 255, 641, 1000, 65_535];
    let powers = (1..31).map(|k| 1i64 << k);
    let mut all: Vec<i64> = edges.into_iter().chain(powers).flat_map(|it| [it, -it]).collect();
    all.extend([i64::from(i32::MIN), i64::from(i32::MAX), i64::from(i32::MIN) + 1]);
    all.extend((0..40).map(|number| i64::from(scattered(number) as i32)));
    all
}

/// A pseudo-random number that depends on `number` only.
///
/// SplitMix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014.
fn scattered(number: u64) -> u64 {
    let mut word = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
