//! Operators: what each is called, how tightly it binds, which laws it obeys and what it means.
//!
//! One row each. Parser, folder, every evaluator, the printers and the lowering read the same
//! row, so they cannot disagree. A value is an `i64` sign-extended from its width; `meaning` is
//! the only arithmetic there is, and it works at any width, so a law can be tested exhaustively
//! at eight bits.

/// The number of bits of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Width(pub u32);

/// The width of the language's `int`.
pub const INT: Width = Width(32);

impl Width {
    /// `value` cut to this width and sign-extended again.
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - self.0;
        (value << unused) >> unused
    }

    pub fn min(self) -> i64 {
        i64::MIN >> (64 - self.0)
    }

    pub fn max(self) -> i64 {
        i64::MAX >> (64 - self.0)
    }
}

/// An operator with two operands.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    #[cfg(feature = "ch04")]
    Equal,
    #[cfg(feature = "ch04")]
    Less,
    #[cfg(feature = "ch04")]
    LessEqual,
}

/// Everything about a binary operator that is data.
#[cfg(feature = "ch02")]
pub struct BinaryRow {
    pub op: Binary,
    pub name: &'static str,
    pub sign: &'static str,
    pub meaning: fn(Width, i64, i64) -> i64,
}

#[cfg(feature = "ch02")]
const BINARY: &[BinaryRow] = &[
    BinaryRow {
        op: Binary::Add,
        name: "Add",
        sign: "+",
        meaning: |width, a, b| width.wrap(a.wrapping_add(b)),
    },
    BinaryRow {
        op: Binary::Sub,
        name: "Sub",
        sign: "-",
        meaning: |width, a, b| width.wrap(a.wrapping_sub(b)),
    },
    BinaryRow {
        op: Binary::Mul,
        name: "Mul",
        sign: "*",
        meaning: |width, a, b| width.wrap(a.wrapping_mul(b)),
    },
    // x / 0 is 0, and the smallest integer divided by -1 is itself: division never traps.
    BinaryRow {
        op: Binary::Div,
        name: "Div",
        sign: "/",
        meaning: |width, a, b| if b == 0 { 0 } else { width.wrap(a.wrapping_div(b)) },
    },
    #[cfg(feature = "ch04")]
    BinaryRow { op: Binary::Equal, name: "EQ", sign: "==", meaning: |_, a, b| i64::from(a == b) },
    #[cfg(feature = "ch04")]
    BinaryRow { op: Binary::Less, name: "LT", sign: "<", meaning: |_, a, b| i64::from(a < b) },
    #[cfg(feature = "ch04")]
    BinaryRow {
        op: Binary::LessEqual,
        name: "LE",
        sign: "<=",
        meaning: |_, a, b| i64::from(a <= b),
    },
];

#[cfg(feature = "ch02")]
impl Binary {
    pub fn row(self) -> &'static BinaryRow {
        &BINARY[self as usize]
    }
}

/// An operator with one operand.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    Minus,
    #[cfg(feature = "ch04")]
    Not,
}

/// Everything about a unary operator that is data.
#[cfg(feature = "ch02")]
pub struct UnaryRow {
    pub op: Unary,
    pub name: &'static str,
    pub sign: &'static str,
    pub meaning: fn(Width, i64) -> i64,
}

#[cfg(feature = "ch02")]
const UNARY: &[UnaryRow] = &[
    UnaryRow {
        op: Unary::Minus,
        name: "Minus",
        sign: "-",
        meaning: |width, x| width.wrap(x.wrapping_neg()),
    },
    #[cfg(feature = "ch04")]
    UnaryRow { op: Unary::Not, name: "Not", sign: "!", meaning: |_, x| i64::from(x == 0) },
];

#[cfg(feature = "ch02")]
impl Unary {
    pub fn row(self) -> &'static UnaryRow {
        &UNARY[self as usize]
    }
}

/// How two integers may stand to each other: a set of the three bits of `Relation::BITS`.
///
/// `Less | Equal` is `LessEqual`; the mirrored relation swaps the bits of less and greater.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Greater = 1,
    Equal = 2,
    GreaterEqual = 3,
    Less = 4,
    NotEqual = 5,
    LessEqual = 6,
}

#[cfg(feature = "ch04")]
impl Relation {
    pub const ALL: [Relation; 6] = [
        Relation::Greater,
        Relation::Equal,
        Relation::GreaterEqual,
        Relation::Less,
        Relation::NotEqual,
        Relation::LessEqual,
    ];

    pub fn holds(self, a: i64, b: i64) -> bool {
        let bit = match a.cmp(&b) {
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Less => 4,
        };
        self as u8 & bit != 0
    }

    pub fn name(self) -> &'static str {
        match self {
            Relation::Greater => "greater",
            Relation::Equal => "equal",
            Relation::GreaterEqual => "greater-equal",
            Relation::Less => "less",
            Relation::NotEqual => "not-equal",
            Relation::LessEqual => "less-equal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_wraps_around() {
        assert_eq!((INT.min(), INT.max()), (i64::from(i32::MIN), i64::from(i32::MAX)));
        assert_eq!(Width(8).wrap(200), -56);
    }

    #[cfg(feature = "ch02")]
    #[test]
    fn rows_stand_in_the_order_of_the_operators() {
        for (at, row) in BINARY.iter().enumerate() {
            assert_eq!(row.op as usize, at, "{}", row.name);
        }
        for (at, row) in UNARY.iter().enumerate() {
            assert_eq!(row.op as usize, at, "{}", row.name);
        }
    }

    #[cfg(feature = "ch02")]
    #[test]
    fn division_never_traps() {
        let divide = Binary::Div.row().meaning;
        assert_eq!(divide(INT, 7, 0), 0);
        assert_eq!(divide(INT, INT.min(), -1), INT.min());
        assert_eq!(divide(Width(8), -128, -1), -128);
        assert_eq!(divide(INT, -7, 2), -3);
    }
}
