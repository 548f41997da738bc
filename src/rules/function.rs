//! The functions and properties of constants that rules may use: one row each.
#[cfg(feature = "ch10")]
use crate::arith::Relation;
use crate::arith::Width;

/// A number that is computed from a constant.
#[derive(Debug)]
pub struct Function {
    pub name: &'static str,
    pub of: fn(i64) -> i64,
}

/// A constant as it is.
pub const PLAIN: Function = Function { name: "", of: |c| c };

/// The names of the functions that are defined for words of 32 bits only.
#[cfg(feature = "ch19")]
pub const OF_WORDS: &[&str] =
    &["sign-and-mask", "magic", "magic-shift", "rest-shift", "inverse", "largest", "range"];

/// A property of a constant.
#[derive(Debug)]
pub struct Property {
    pub name: &'static str,
    pub holds: fn(i64) -> bool,
}

#[cfg(feature = "ch04")]
const WORD: Width = Width(32);

#[cfg(feature = "ch04")]
pub const FUNCTIONS: &[Function] = &[
    #[cfg(feature = "ch04")]
    Function { name: "negative", of: |c| WORD.wrap(-c) },
    #[cfg(feature = "ch04")]
    // log₂ |c| of a power of two.
    Function { name: "log2", of: |c| i64::from(c.unsigned_abs().trailing_zeros()) },
    #[cfg(feature = "ch17")]
    // The remainder of x by |c| = 2ᵏ: its lowest k bits.
    Function { name: "mask", of: |c| c.abs() - 1 },
    #[cfg(feature = "ch19")]
    // The sign bit, and the lowest k bits: they decide which positive remainder x has.
    Function { name: "sign-and-mask", of: |c| WORD.wrap(1 << 31 | (c.abs() - 1)) },
    #[cfg(feature = "ch04")]
    Function { name: "magic", of: |c| magic(c).0 },
    #[cfg(feature = "ch04")]
    Function { name: "magic-shift", of: |c| magic(c).1 },
    #[cfg(feature = "ch04")]
    Function { name: "predecessor", of: |c| c - 1 },
    #[cfg(feature = "ch14")]
    Function { name: "power", of: |c| 1 << (c & 31) },
    #[cfg(feature = "ch04")]
    // The count of a logical shift that leaves the highest log₂ |c| bits.
    Function { name: "rest-shift", of: |c| 32 - i64::from(c.unsigned_abs().trailing_zeros()) },
    #[cfg(feature = "ch19")]
    Function { name: "inverse", of: |c| WORD.inverse(c) },
    #[cfg(feature = "ch19")]
    // The largest quotient of a word and |c|, and the number of quotients above the smallest one.
    Function { name: "largest", of: largest_quotient },
    #[cfg(feature = "ch19")]
    Function { name: "range", of: |c| 2 * largest_quotient(c) },
];

pub const PROPERTIES: &[Property] = &[
    // It is a signed byte.
    Property { name: "imm8", holds: |c| (-128..128).contains(&c) },
    #[cfg(feature = "ch14")]
    // It is a byte without a sign.
    Property { name: "byte", holds: |c| (0..256).contains(&c) },
    #[cfg(feature = "ch12")]
    // The float with these bits is -0: only the bit of the sign is set.
    Property { name: "sign", holds: |c| c == i64::MIN },
    #[cfg(feature = "ch04")]
    // c = 2ᵏ for 1 ≤ k ≤ 30.
    Property { name: "power-of-two", holds: |c| is_power_of_two(c) },
    #[cfg(feature = "ch04")]
    // c = -2ᵏ for 1 ≤ k ≤ 31.
    Property { name: "negative-power-of-two", holds: |c| is_power_of_two(-c) },
    #[cfg(feature = "ch04")]
    // An address scales its index by 2, 4 and 8.
    Property { name: "scale", holds: |c| matches!(c, 2 | 4 | 8) },
    #[cfg(feature = "ch04")]
    // x + x · s, where an address scales by s.
    Property { name: "one-more-than-scale", holds: |c| matches!(c, 2 | 3 | 5 | 9) },
    #[cfg(feature = "ch14")]
    // A shift by it multiplies by a scale.
    Property { name: "log-of-scale", holds: |c| matches!(c, 1..=3) },
    #[cfg(feature = "ch04")]
    // Division by it is a multiplication, and perhaps a shift.
    Property { name: "magic-plain", holds: |c| is_magic(c) && !is_truncated(c) },
    #[cfg(feature = "ch04")]
    // There is no shift.
    Property { name: "magic-whole", holds: |c| is_magic(c) && !is_truncated(c) && magic(c).1 == 0 },
    #[cfg(feature = "ch04")]
    // The dividend is added to the high half of the product.
    Property { name: "magic-plus", holds: |c| is_magic(c) && is_truncated(c) },
    #[cfg(feature = "ch04")]
    // The same for -c.
    Property { name: "magic-neg", holds: |c| is_magic(-c) && !is_truncated(c) },
    #[cfg(feature = "ch04")]
    Property { name: "magic-neg-plus", holds: |c| is_magic(-c) && is_truncated(c) },
    #[cfg(feature = "ch14")]
    // The high half of the product without signs is the quotient of a number that is not negative,
    // perhaps after a shift.
    Property { name: "natural-magic", holds: |c| is_magic(c) && magic(c).1 > 0 },
    #[cfg(feature = "ch14")]
    Property { name: "natural-magic-whole", holds: |c| is_magic(c) && magic(c).1 == 0 },
    #[cfg(feature = "ch19")]
    Property { name: POSITIVE, holds: |c| c > 0 },
    #[cfg(feature = "ch19")]
    Property { name: "odd", holds: |c| c % 2 != 0 && c.abs() > 1 },
];

/// The names of the properties that only make an instruction shorter. Rules with such a guard are
/// right for all other constants, too.
#[cfg(feature = "ch19")]
pub const OF_LENGTH: &[&str] = &["imm8"];

/// The name of a property that a question to a solver states for all numbers at once.
#[cfg(feature = "ch19")]
pub const POSITIVE: &str = "positive";

/// The functions of a relation, given by its number.
#[cfg(feature = "ch12")]
pub const RELATION_FUNCTIONS: &[Function] = &[
    // The number that stands for a relation of floats in `cmpsd`.
    Function {
        name: "predicate",
        of: |at| match Relation::of_number(at) {
            Relation::Equal => 0,
            Relation::Less => 1,
            Relation::LessEqual => 2,
            Relation::NotEqual => 4,
            Relation::NotLess => 5,
            _ => 6,
        },
    },
];

/// The properties of a relation, given by its number.
#[cfg(feature = "ch10")]
pub const RELATION_PROPERTIES: &[Property] = &[
    // It depends on nothing but whether its operands are equal.
    Property {
        name: "equality",
        holds: |at| is(at, Relation::Equal) || is(at, Relation::NotEqual),
    },
    #[cfg(feature = "ch14")]
    Property { name: "signed", holds: |at| !Relation::of_number(at).is_unsigned() },
    #[cfg(feature = "ch12")]
    Property { name: "equal", holds: |at| is(at, Relation::Equal) },
    #[cfg(feature = "ch14")]
    Property { name: "below", holds: |at| is(at, Relation::Below) },
    #[cfg(feature = "ch14")]
    Property { name: "below-equal", holds: |at| is(at, Relation::BelowEqual) },
    #[cfg(feature = "ch14")]
    Property { name: "above", holds: |at| is(at, Relation::Above) },
    #[cfg(feature = "ch14")]
    Property { name: "above-equal", holds: |at| is(at, Relation::AboveEqual) },
    #[cfg(feature = "ch14")]
    Property { name: "greater", holds: |at| is(at, Relation::Greater) },
    #[cfg(feature = "ch12")]
    Property { name: "unequal", holds: |at| is(at, Relation::NotEqual) },
    #[cfg(feature = "ch12")]
    Property { name: "less", holds: |at| is(at, Relation::Less) },
    #[cfg(feature = "ch12")]
    Property { name: "less-equal", holds: |at| is(at, Relation::LessEqual) },
    #[cfg(feature = "ch12")]
    Property { name: "not-less", holds: |at| is(at, Relation::NotLess) },
    #[cfg(feature = "ch12")]
    Property { name: "not-less-equal", holds: |at| is(at, Relation::NotLessEqual) },
];

#[cfg(feature = "ch10")]
fn is(at: i64, relation: Relation) -> bool {
    Relation::of_number(at) == relation
}

#[cfg(feature = "ch04")]
fn is_power_of_two(c: i64) -> bool {
    c >= 2 && c & (c - 1) == 0
}

#[cfg(feature = "ch04")]
fn is_magic(c: i64) -> bool {
    c >= 3 && !is_power_of_two(c)
}

/// Whether the multiplier has 32 bits. As a signed word, it is less by 2³², so the high half of the
/// product is less by the dividend.
#[cfg(feature = "ch04")]
fn is_truncated(c: i64) -> bool {
    magic(c).0 < 0
}

/// The multiplier m and the shift s with which a signed division by |c| ≥ 2 becomes
/// x / |c| = ⌊x · m / 2³²⁺ˢ⌋ + (x < 0). m is taken as a signed word.
///
/// H. S. Warren, Hacker's Delight, 2nd edition, section 10-1: the smallest p ≥ 32 with
/// 2ᵖ > nc · (|c| - 2ᵖ mod |c|), where nc is the largest dividend, of either sign, whose remainder
/// is |c| - 1; then m = (2ᵖ + |c| - 2ᵖ mod |c|) / |c| and s = p - 32.
#[cfg(feature = "ch04")]
fn magic(c: i64) -> (i64, i64) {
    let divisor = i128::from(c.abs().max(2));
    let largest = (1i128 << 31) - 1 - (1i128 << 31) % divisor;
    let is_sufficient = |p: &u32| (1i128 << p) > largest * (divisor - (1i128 << p) % divisor);
    let p = (32..64).find(is_sufficient).unwrap_or(63);
    let multiplier = ((1i128 << p) + divisor - (1i128 << p) % divisor) / divisor;
    (WORD.wrap(multiplier as i64), i64::from(p) - 32)
}

/// ⌊(2³¹ - 1) / |c|⌋, which for an odd c is also ⌊2³¹ / |c|⌋.
#[cfg(feature = "ch19")]
fn largest_quotient(c: i64) -> i64 {
    WORD.max() / c.abs().max(1)
}

#[cfg(feature = "ch04")]
#[cfg(test)]
#[path = "tests/function.rs"]
mod tests;
