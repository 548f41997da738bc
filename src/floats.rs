//! Floating-point numbers: operations with their meaning, and the text of a number.
//!
//! A value is the 64 bits of a binary64 of IEEE 754, kept in an `i64` as every other value. All
//! operations round to nearest, ties to even, as SSE2 does; there is no excess precision. One row
//! for each operation, as for integers; but no law of integers is assumed here: x + 0 is not x
//! for x = -0, x - x is not 0 for an infinity, and x == x does not hold for NaN.

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
    /// The negations of these three: they hold if an operand is NaN.
    NotEqual,
    NotLess,
    NotLessEqual,
    /// From an integer of 32 bits. Every one is a float.
    FromInteger,
}

/// The data of an operation.
pub struct FloatRow {
    op: FloatOp,
    pub name: &'static str,
    pub symbol: &'static str,
    /// The number of operands.
    pub operands: usize,
    /// Whether the result is a truth value, 1 or 0, and not a float.
    pub is_relation: bool,
    evaluate: fn(i64, i64) -> i64,
}

const ROWS: &[FloatRow] = &[
    arithmetic(FloatOp::Add, "AddF", "+", 2, |a, b| bits(float(a) + float(b))),
    arithmetic(FloatOp::Sub, "SubF", "-", 2, |a, b| bits(float(a) - float(b))),
    arithmetic(FloatOp::Mul, "MulF", "*", 2, |a, b| bits(float(a) * float(b))),
    arithmetic(FloatOp::Div, "DivF", "/", 2, |a, b| bits(float(a) / float(b))),
    arithmetic(FloatOp::Minus, "MinusF", "-", 1, |a, _| bits(-float(a))),
    relation(FloatOp::Equal, "EQF", "==", |a, b| (float(a) == float(b)).into()),
    relation(FloatOp::Less, "LTF", "<", |a, b| (float(a) < float(b)).into()),
    relation(FloatOp::LessEqual, "LEF", "<=", |a, b| (float(a) <= float(b)).into()),
    relation(FloatOp::NotEqual, "NEF", "!=", |a, b| (float(a) != float(b)).into()),
    relation(FloatOp::NotLess, "NLTF", "!<", |a, b| 1 - i64::from(float(a) < float(b))),
    relation(FloatOp::NotLessEqual, "NLEF", "!<=", |a, b| 1 - i64::from(float(a) <= float(b))),
    arithmetic(FloatOp::FromInteger, "ToFloat", "(flt)", 1, |a, _| bits(a as f64)),
];

const fn arithmetic(
    op: FloatOp,
    name: &'static str,
    symbol: &'static str,
    operands: usize,
    evaluate: fn(i64, i64) -> i64,
) -> FloatRow {
    FloatRow { op, name, symbol, operands, is_relation: false, evaluate }
}

const fn relation(
    op: FloatOp,
    name: &'static str,
    symbol: &'static str,
    evaluate: fn(i64, i64) -> i64,
) -> FloatRow {
    FloatRow { op, name, symbol, operands: 2, is_relation: true, evaluate }
}

impl FloatOp {
    pub const COUNT: usize = ROWS.len();

    pub fn all() -> impl Iterator<Item = FloatOp> {
        ROWS.iter().map(|row| row.op)
    }

    pub fn row(self) -> &'static FloatRow {
        &ROWS[self as usize]
    }

    /// The result. An operation with one operand ignores the second one.
    pub fn evaluate(self, [a, b]: [i64; 2]) -> i64 {
        (self.row().evaluate)(a, b)
    }

    /// The relation that holds exactly if this one does not.
    pub fn negated(self) -> FloatOp {
        match self {
            FloatOp::Equal => FloatOp::NotEqual,
            FloatOp::Less => FloatOp::NotLess,
            FloatOp::LessEqual => FloatOp::NotLessEqual,
            FloatOp::NotEqual => FloatOp::Equal,
            FloatOp::NotLess => FloatOp::Less,
            FloatOp::NotLessEqual => FloatOp::LessEqual,
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => self,
            FloatOp::Minus | FloatOp::FromInteger => self,
        }
    }

    /// Whether the operands may be swapped.
    pub fn commutes(self) -> bool {
        matches!(self, FloatOp::Add | FloatOp::Mul | FloatOp::Equal | FloatOp::NotEqual)
    }
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
