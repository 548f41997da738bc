//! Compares the routines for integers of two words with the arithmetic of Rust, in the emulator: on
//! all pairs of numbers near powers of two, and on as many random ones as the first argument says.
//!
//! `cargo run --release -p sonc-start-stub --example two_words -- 10000000`
use elf::{Function, executable};
use emulate::Termination;
use start_stub::Routine;

/// Each routine ends after so many instructions; a program reads and prints many numbers.
const BUDGET: u64 = 1_000_000;

/// The numbers that a program gets at once.
const WORDS: usize = 100;

fn main() {
    let count = std::env::args().nth(1).map_or(1000, |it| it.parse().expect("a number of pairs"));
    check(count);
}

/// Checks all numbers near powers of two, and so many random pairs.
fn check(count: usize) {
    let edges = edges();
    let mut random = random_numbers();
    let pairs = edges.iter().flat_map(|&x| edges.iter().map(move |&y| [x, y]));
    let pairs = pairs.chain((0..count).map(|_| [random(), random()]));
    let checked = check_division(pairs.filter(|&[x, y]| y != 0 && (x != i64::MIN || y != -1)));
    println!("{checked} pairs have the right quotient and remainder");
    let mut random = random_numbers();
    let numbers = edges.into_iter().chain((0..count).map(|_| random()));
    println!("{} numbers are read and printed", check_decimals(numbers));
}

/// Numbers beside powers of two, of both signs.
fn edges() -> Vec<i64> {
    let powers = (0..64).map(|power| 1_i64 << power);
    let near = powers.flat_map(|it| [-1, 0, 1].map(|by| it.wrapping_add(by)));
    let mut all: Vec<i64> = near.flat_map(|it| [it, it.wrapping_neg()]).collect();
    all.extend([3, 10, 1000, 1_000_000_007, 0x1234_5678_9abc_def0]);
    all.sort_unstable();
    all.dedup();
    all
}

/// Pseudo-random numbers of all lengths. SplitMix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014.
fn random_numbers() -> impl FnMut() -> i64 {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)).cast_signed() >> (word >> 58)
    }
}

/// The result of a routine that divides.
fn divided(routine: &Routine, [x, y]: [i64; 2]) -> i64 {
    let words = [x, x >> 32, y, y >> 32, 0].map(|it| it as i32);
    let run = emulate::call(&[routine.function()], &words, BUDGET);
    let Termination::Value(low) = run.end else { panic!("{x} and {y}: {:?}", run.end) };
    i64::from(run.words[4]) << 32 | i64::from(low.cast_unsigned())
}

/// Returns the number of pairs.
fn check_division(pairs: impl Iterator<Item = [i64; 2]>) -> u64 {
    let quotient = start_stub::quotient_function("quotient");
    let remainder = start_stub::remainder_function("remainder");
    let mut count = 0;
    for [x, y] in pairs {
        assert_eq!(divided(&quotient, [x, y]), x / y, "{x} / {y}");
        assert_eq!(divided(&remainder, [x, y]), x % y, "the remainder of {x} by {y}");
        count += 1;
    }
    count
}

/// Returns the number of numbers that a program has returned as they are.
fn check_decimals(mut numbers: impl Iterator<Item = i64>) -> u64 {
    // mov edx,[esp+8]; mov [esp+12],edx; mov eax,[esp+4]; ret
    let identity = [0x8b, 0x54, 0x24, 8, 0x89, 0x54, 0x24, 12, 0x8b, 0x44, 0x24, 4, 0xc3];
    let stub = start_stub::for_wide_integers();
    let program = executable(&[stub.function(), Function::new("identity", &identity)]);
    let mut count = 0;
    loop {
        let words: Vec<_> = numbers.by_ref().take(WORDS).map(|it| it.to_string()).collect();
        if words.is_empty() {
            return count;
        }
        let output: String = words.iter().map(|word| format!("{word}\n")).collect();
        assert_eq!(emulate::run(&program.bytes, &words, BUDGET).output, output);
        count += words.len() as u64;
    }
}

#[test]
fn a_thousand_random_pairs_agree() {
    check(1000);
}
