//! The types of integers that a program can name, one row each.
use crate::arith::INT;

/// A type of integers.
pub struct IntegerType {
    pub name: &'static str,
    pub min: i64,
    pub max: i64,
}

/// Of two names for the same integers, the first one is printed.
pub const INTEGER_TYPES: &[IntegerType] = &[
    IntegerType { name: "int", min: INT.min(), max: INT.max() },
    unsigned("bool", 1),
    unsigned("u1", 1),
    unsigned("u8", 8),
    unsigned("byte", 8),
    unsigned("u16", 16),
    signed("i8", 8),
    signed("i16", 16),
    signed("i32", 32),
];

const fn unsigned(name: &'static str, bits: u32) -> IntegerType {
    IntegerType { name, min: 0, max: (1 << bits) - 1 }
}

const fn signed(name: &'static str, bits: u32) -> IntegerType {
    IntegerType { name, min: -1 << (bits - 1), max: (1 << (bits - 1)) - 1 }
}

/// The name of a type of integers: of a declared type, or the bounds.
pub fn integers_name(min: i64, max: i64) -> String {
    let row = INTEGER_TYPES.iter().find(|row| (row.min, row.max) == (min, max));
    row.map_or_else(|| format!("[{min}-{max}]"), |row| row.name.to_string())
}
