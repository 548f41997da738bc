//! Operators: names, precedence, algebraic properties and meaning.
//!
//! One row each. The parser, constant folding, every evaluator, the printers and the lowering read
//! the same row, so they cannot disagree. A value is an `i64` sign-extended from its width.
//! `evaluate` is the only arithmetic, and it works at any width, so a law can be tested
//! exhaustively at eight bits.

#[cfg(feature = "ch14")]
mod interval;
#[cfg(feature = "ch14")]
mod known_bits;
#[cfg(feature = "ch04")]
mod relation;
#[cfg(feature = "ch14")]
mod transfer;

#[cfg(feature = "ch14")]
pub use interval::Interval;
#[cfg(feature = "ch14")]
pub use known_bits::KnownBits;
#[cfg(feature = "ch04")]
pub use relation::Relation;
#[cfg(feature = "ch14")]
pub use transfer::remainder;

/// The number of bits of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Width(pub u32);

/// The width of the language's integers.
pub const INT: Width = Width(32);

/// The width of a machine's word.
#[cfg(feature = "ch14")]
pub const WORD: Width = Width(32);

impl Width {
    /// `value` truncated to this width and sign-extended.
    pub fn wrap(self, value: i64) -> i64 {
        let unused = 64 - self.0;
        (value << unused) >> unused
    }

    #[cfg(feature = "ch02")]
    pub const fn min(self) -> i64 {
        i64::MIN >> (64 - self.0)
    }

    pub const fn max(self) -> i64 {
        i64::MAX >> (64 - self.0)
    }

    /// The word m with m · |c| = 1, modulo 2 to the power of the width, for an odd c. Each step
    /// doubles the number of correct bits, and c · c = 1 modulo 2³ (H. S. Warren, Hacker's Delight,
    /// 10-16).
    #[cfg(feature = "ch19")]
    pub fn inverse(self, c: i64) -> i64 {
        let c = c.abs();
        let next = |m: i64| self.wrap(m.wrapping_mul(2 - self.wrap(c.wrapping_mul(m))));
        self.wrap((0..5).fold(c, |m, _| next(m)))
    }

    /// The shift count: counts are taken modulo the width.
    #[cfg(feature = "ch14")]
    fn shift(self, count: i64) -> u32 {
        count.rem_euclid(i64::from(self.0)) as u32
    }

    /// A mask of the bits of this width.
    #[cfg(feature = "ch14")]
    pub fn mask(self) -> i64 {
        if self.0 == 64 { -1 } else { !(-1 << self.0) }
    }
}

/// The low and the high word of an integer of 64 bits.
#[cfg(feature = "ch14")]
pub fn split(value: i64) -> [i64; 2] {
    [WORD.wrap(value), value >> 32]
}

/// The integer of 64 bits with these words.
#[cfg(feature = "ch14")]
pub fn joined(low: i64, high: i64) -> i64 {
    high << 32 | low & WORD.mask()
}

/// An arithmetic operator with two operands.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder of truncating division: it has the sign of the dividend.
    #[cfg(feature = "ch17")]
    Mod,
    #[cfg(feature = "ch14")]
    And,
    #[cfg(feature = "ch14")]
    Or,
    #[cfg(feature = "ch14")]
    Eor,
    #[cfg(feature = "ch14")]
    Shl,
    /// Fills with zeros.
    #[cfg(feature = "ch14")]
    Shr,
    /// Fills with the sign.
    #[cfg(feature = "ch14")]
    Shrs,
    /// The upper half of a product.
    #[cfg(feature = "ch14")]
    Mulh,
    /// The upper half of a product of integers without a sign.
    #[cfg(feature = "ch14")]
    Mulhu,
}

/// The data of a binary operator.
#[cfg(feature = "ch02")]
pub struct BinaryRow {
    pub op: Binary,
    pub name: &'static str,
    pub symbol: &'static str,
    /// `*` binds tighter than `+`. 0 if the language does not have the operator.
    pub precedence: u8,
    /// Whether the operator is commutative and associative.
    pub commutes: bool,
    pub traps: Traps,
    pub evaluate: fn(Width, i64, i64) -> i64,
    /// The interval of its results, for operands of which one is not constant.
    #[cfg(feature = "ch14")]
    pub transfer: transfer::Transfer,
}

/// Where Firm's operation is undefined because a machine's traps. `evaluate` is defined there, too:
/// the lowering guards these operations.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Traps {
    Never,
    /// For divisor 0, and for the smallest integer divided by -1.
    Quotient,
    /// For the same operands.
    #[cfg(feature = "ch17")]
    Remainder,
}

/// The message where a program traps for these operands.
#[cfg(feature = "ch14")]
pub const TRAP: &str = "division by 0, or of the smallest integer by -1";

#[cfg(feature = "ch02")]
const BINARY: &[BinaryRow] = &[
    BinaryRow {
        op: Binary::Add,
        name: "Add",
        symbol: "+",
        precedence: 9,
        commutes: true,
        traps: Traps::Never,
        evaluate: |width, a, b| width.wrap(a.wrapping_add(b)),
        #[cfg(feature = "ch14")]
        transfer: transfer::add,
    },
    BinaryRow {
        op: Binary::Sub,
        name: "Sub",
        symbol: "-",
        precedence: 9,
        commutes: false,
        traps: Traps::Never,
        evaluate: |width, a, b| width.wrap(a.wrapping_sub(b)),
        #[cfg(feature = "ch14")]
        transfer: transfer::sub,
    },
    BinaryRow {
        op: Binary::Mul,
        name: "Mul",
        symbol: "*",
        precedence: 10,
        commutes: true,
        traps: Traps::Never,
        evaluate: |width, a, b| width.wrap(a.wrapping_mul(b)),
        #[cfg(feature = "ch14")]
        transfer: transfer::mul,
    },
    // x / 0 is 0, and the smallest integer divided by -1 is itself: division never traps.
    BinaryRow {
        op: Binary::Div,
        name: "Div",
        symbol: "/",
        precedence: 10,
        commutes: false,
        traps: Traps::Quotient,
        evaluate: |width, a, b| if b == 0 { 0 } else { width.wrap(a.wrapping_div(b)) },
        #[cfg(feature = "ch14")]
        transfer: transfer::div,
    },
    // x % 0 is x, so that x = x / y * y + x % y always holds.
    #[cfg(feature = "ch17")]
    BinaryRow {
        op: Binary::Mod,
        name: "Mod",
        symbol: "%",
        precedence: 10,
        commutes: false,
        traps: Traps::Remainder,
        evaluate: |width, a, b| if b == 0 { a } else { width.wrap(a.wrapping_rem(b)) },
        transfer: transfer::remainder,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::And,
        name: "And",
        symbol: "&",
        precedence: 6,
        commutes: true,
        traps: Traps::Never,
        evaluate: |_, a, b| a & b,
        transfer: transfer::and,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Or,
        name: "Or",
        symbol: "|",
        precedence: 6,
        commutes: true,
        traps: Traps::Never,
        evaluate: |_, a, b| a | b,
        transfer: transfer::or,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Eor,
        name: "Eor",
        symbol: "^",
        precedence: 6,
        commutes: true,
        traps: Traps::Never,
        evaluate: |_, a, b| a ^ b,
        transfer: transfer::exclusive_or,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Shl,
        name: "Shl",
        symbol: "<<",
        precedence: 8,
        commutes: false,
        traps: Traps::Never,
        evaluate: |width, a, b| width.wrap(a << width.shift(b)),
        transfer: transfer::shift_left,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Shr,
        name: "Shr",
        symbol: ">>>",
        precedence: 8,
        commutes: false,
        traps: Traps::Never,
        evaluate: |width, a, b| {
            let bits = (a & width.mask()).cast_unsigned();
            width.wrap((bits >> width.shift(b)).cast_signed())
        },
        transfer: transfer::shift_right,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Shrs,
        name: "Shrs",
        symbol: ">>",
        precedence: 8,
        commutes: false,
        traps: Traps::Never,
        evaluate: |width, a, b| a >> width.shift(b),
        transfer: transfer::shift_right_signed,
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Mulh,
        name: "Mulh",
        symbol: "mulh",
        precedence: 0,
        commutes: false,
        traps: Traps::Never,
        evaluate: |width, a, b| {
            let product = i128::from(a) * i128::from(b);
            width.wrap((product >> width.0) as i64)
        },
        transfer: |width, _, _| Interval::all(width),
    },
    #[cfg(feature = "ch14")]
    BinaryRow {
        op: Binary::Mulhu,
        name: "Mulhu",
        symbol: "mulhu",
        precedence: 0,
        commutes: false,
        traps: Traps::Never,
        evaluate: |width, a, b| {
            let [a, b] = [a, b].map(|it| u128::from((it & width.mask()).cast_unsigned()));
            width.wrap(((a * b) >> width.0) as i64)
        },
        transfer: |width, _, _| Interval::all(width),
    },
];

#[cfg(feature = "ch02")]
impl Binary {
    pub const COUNT: usize = BINARY.len();

    pub fn row(self) -> &'static BinaryRow {
        &BINARY[self as usize]
    }

    /// The operator of the row at index `at`.
    pub const fn at(at: usize) -> Binary {
        BINARY[at].op
    }

    /// The operators of the language.
    pub fn of_language() -> impl Iterator<Item = Binary> {
        BINARY.iter().filter(|row| row.precedence > 0).map(|row| row.op)
    }

    /// The interval of the results for operands in two intervals.
    #[cfg(feature = "ch14")]
    pub fn results(self, width: Width, x: Interval, y: Interval) -> Interval {
        match (x.value(), y.value()) {
            (Some(x), Some(y)) => Interval::constant((self.row().evaluate)(width, x, y)),
            _ => (self.row().transfer)(width, x, y),
        }
    }

    /// The result of Firm's operation; `None` where it is undefined.
    pub fn evaluate_checked(self, width: Width, a: i64, b: i64) -> Option<i64> {
        let fits = b != 0 && (a != width.min() || b != -1);
        let is_defined = match self.row().traps {
            Traps::Never => true,
            Traps::Quotient => fits,
            #[cfg(feature = "ch17")]
            Traps::Remainder => fits,
        };
        is_defined.then(|| (self.row().evaluate)(width, a, b))
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

/// The data of a unary operator.
#[cfg(feature = "ch02")]
pub struct UnaryRow {
    pub op: Unary,
    pub name: &'static str,
    pub symbol: &'static str,
    pub evaluate: fn(Width, i64) -> i64,
}

#[cfg(feature = "ch02")]
const UNARY: &[UnaryRow] = &[
    UnaryRow {
        op: Unary::Minus,
        name: "Minus",
        symbol: "-",
        evaluate: |width, x| width.wrap(x.wrapping_neg()),
    },
    #[cfg(feature = "ch04")]
    UnaryRow { op: Unary::Not, name: "Not", symbol: "!", evaluate: |_, x| i64::from(x == 0) },
];

#[cfg(feature = "ch02")]
impl Unary {
    pub fn row(self) -> &'static UnaryRow {
        &UNARY[self as usize]
    }
}

/// The binary operators' symbols, with their precedence.
#[cfg(feature = "ch02")]
pub fn operators() -> impl Iterator<Item = (&'static str, u8)> {
    let operators = Binary::of_language().map(|op| (op.row().symbol, op.row().precedence));
    #[cfg(feature = "ch04")]
    let operators = {
        let symbol = |relation: Relation| (relation.row().symbol, Relation::PRECEDENCE);
        operators.chain(Relation::ALL.map(symbol))
    };
    operators
}

#[cfg(test)]
#[path = "tests/arith.rs"]
mod tests;
