//! Floating-point numbers: operations with their meaning, and the text of a number.
//!
//! A value is the 64 bits of a binary64 of IEEE 754, kept in an `i64` as every other value. All
//! operations round to nearest, ties to even, as SSE2 does; there is no excess precision. One row
//! for each operation, as for integers; but no law of integers is assumed here: x + 0 is not x
//! for x = -0, x - x is not 0 for an infinity, and x == x does not hold for NaN.
//! @ch14 A binary32 is a value, too: every one is also a binary64.

use crate::arith::{Binary, Relation};

/// An operation that yields a float or that has floats as operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Changes the sign.
    Minus,
    Equal,
    Less,
    LessEqual,
    /// From an integer of 32 bits. Every one is a float.
    FromInteger,
    /// The nearest float that 32 bits can hold; an infinity if it is too large.
    #[cfg(feature = "ch14")]
    Round,
}

/// The data of an operation.
pub struct FloatRow {
    op: FloatOp,
    pub name: &'static str,
    pub symbol: &'static str,
    /// The number of operands.
    pub operands: usize,
    pub meaning: Meaning,
}

/// The function that an operation computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Arithmetic(Binary),
    /// The result is a truth value, 1 or 0, and not a float.
    Compare(Relation),
    Minus,
    FromInteger,
    #[cfg(feature = "ch14")]
    Round,
}

const ROWS: &[FloatRow] = &[
    row(FloatOp::Add, "AddF", "+", 2, Meaning::Arithmetic(Binary::Add)),
    row(FloatOp::Sub, "SubF", "-", 2, Meaning::Arithmetic(Binary::Sub)),
    row(FloatOp::Mul, "MulF", "*", 2, Meaning::Arithmetic(Binary::Mul)),
    row(FloatOp::Div, "DivF", "/", 2, Meaning::Arithmetic(Binary::Div)),
    row(FloatOp::Minus, "MinusF", "-", 1, Meaning::Minus),
    row(FloatOp::Equal, "EQF", "==", 2, Meaning::Compare(Relation::Equal)),
    row(FloatOp::Less, "LTF", "<", 2, Meaning::Compare(Relation::Less)),
    row(FloatOp::LessEqual, "LEF", "<=", 2, Meaning::Compare(Relation::LessEqual)),
    row(FloatOp::FromInteger, "ToFloat", "(flt)", 1, Meaning::FromInteger),
    #[cfg(feature = "ch14")]
    row(FloatOp::Round, "RoundF32", "(f32)", 1, Meaning::Round),
];

const fn row(
    op: FloatOp,
    name: &'static str,
    symbol: &'static str,
    operands: usize,
    meaning: Meaning,
) -> FloatRow {
    FloatRow { op, name, symbol, operands, meaning }
}

impl FloatOp {
    pub fn row(self) -> &'static FloatRow {
        let row = ROWS.iter().find(|row| row.op == self);
        row.expect("every operation has a row")
    }

    /// The relation that it tests.
    pub fn relation(self) -> Option<Relation> {
        let Meaning::Compare(relation) = self.row().meaning else { return None };
        Some(relation)
    }

    /// The result. An operation with one operand ignores the second one.
    pub fn evaluate(self, [a, b]: [i64; 2]) -> i64 {
        match self.row().meaning {
            Meaning::Arithmetic(op) => compute(op, a, b).expect("these operators are total"),
            Meaning::Compare(relation) => holds(relation, a, b).into(),
            Meaning::Minus => bits(-float(a)),
            Meaning::FromInteger => bits(a as f64),
            #[cfg(feature = "ch14")]
            Meaning::Round => widened(narrowed(a)),
        }
    }
}

/// The meaning of an operator, if floats have it.
pub fn arithmetic(op: Binary) -> Option<fn(f64, f64) -> f64> {
    Some(match op {
        Binary::Add => |a, b| a + b,
        Binary::Sub => |a, b| a - b,
        Binary::Mul => |a, b| a * b,
        Binary::Div => |a, b| a / b,
        #[cfg(feature = "ch14")]
        _ => return None,
    })
}

pub fn compute(op: Binary, a: i64, b: i64) -> Option<i64> {
    Some(bits(arithmetic(op)?(float(a), float(b))))
}

/// The relations between floats: three, and their negations, which hold if an operand is NaN.
pub const RELATIONS: [Relation; 6] = [
    Relation::Equal,
    Relation::Less,
    Relation::LessEqual,
    Relation::NotEqual,
    Relation::NotLess,
    Relation::NotLessEqual,
];

pub fn holds(relation: Relation, a: i64, b: i64) -> bool {
    match relation {
        Relation::Equal => float(a) == float(b),
        Relation::Less => float(a) < float(b),
        Relation::LessEqual => float(a) <= float(b),
        negation => !holds(negated(negation), a, b),
    }
}

/// The relation that holds exactly if this one does not.
pub fn negated(relation: Relation) -> Relation {
    let half = RELATIONS.len() / 2;
    let at = RELATIONS.iter().position(|it| *it == relation).expect("a relation of floats");
    RELATIONS[(at + half) % RELATIONS.len()]
}

/// The number with these bits.
pub fn float(bits: i64) -> f64 {
    f64::from_bits(bits.cast_unsigned())
}

/// The bits of a number. Programs cannot tell one NaN from another, so all become one.
pub fn bits(float: f64) -> i64 {
    let float = if float.is_nan() { f64::NAN } else { float };
    float.to_bits().cast_signed()
}

/// The 32 bits of the nearest number that has so many, as memory holds it.
#[cfg(feature = "ch14")]
pub fn narrowed(bits: i64) -> u32 {
    let float = float(bits) as f32;
    if float.is_nan() { f32::NAN } else { float }.to_bits()
}

/// The bits of the number with these 32 bits: it is the same one.
#[cfg(feature = "ch14")]
pub fn widened(bits: u32) -> i64 {
    self::bits(f32::from_bits(bits).into())
}

/// Two integers that compare as two floats do; if one of these is NaN, as if the first were less.
pub fn order(a: i64, b: i64) -> (i64, i64) {
    match float(a).partial_cmp(&float(b)) {
        Some(std::cmp::Ordering::Equal) => (0, 0),
        Some(std::cmp::Ordering::Greater) => (1, 0),
        Some(std::cmp::Ordering::Less) | None => (0, 1),
    }
}

/// The bits of -0.
pub const NEGATIVE_ZERO: i64 = i64::MIN;

/// The shortest decimal number that is read as this one, and of these the nearest; of two that are
/// equally near, the one with an even last digit. It has one digit after the point at least: plain
/// from 0.001 up to 10⁷, else with an exponent.
pub fn text(bits: i64) -> String {
    let value = float(bits);
    if value.is_nan() {
        return "NaN".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_string();
    }
    let (digits, exponent) = shortest(value);
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        let decimals = (digits as i32 - 1 - exponent).max(1);
        return format!("{value:.0$}", decimals as usize);
    }
    let text = format!("{value:.0$E}", digits - 1);
    // Below a power of 2, the nearest number of so many digits may be read as another one.
    let text = if text.parse() == Ok(value) { text } else { format!("{value:E}") };
    if text.contains('.') { text } else { text.replace('E', ".0E") }
}

/// The number of digits of the shortest decimal number that is read as this one, and its exponent.
fn shortest(value: f64) -> (usize, i32) {
    let text = format!("{value:E}");
    let (number, exponent) = text.split_once('E').expect("the format has an exponent");
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    (digits, exponent.parse().expect("it is a number"))
}

#[cfg(test)]
#[path = "tests/floats.rs"]
mod tests;
