//! The types of numbers that a program can name, one row each.
use super::Type;
use crate::arith::Width;

/// A type of integers.
pub struct IntegerType {
    pub name: &'static str,
    pub min: i64,
    pub max: i64,
}

/// Of two names for the same integers, the first one is printed. All integers are `int`.
pub const INTEGER_TYPES: &[IntegerType] = &[
    unsigned("bool", 1),
    unsigned("u1", 1),
    unsigned("u8", 8),
    unsigned("byte", 8),
    unsigned("u16", 16),
    unsigned("u32", 32),
    signed("i8", 8),
    signed("i16", 16),
    signed("i32", 32),
    signed("i64", 64),
];

const fn unsigned(name: &'static str, bits: u32) -> IntegerType {
    IntegerType { name, min: 0, max: (1 << bits) - 1 }
}

const fn signed(name: &'static str, bits: u32) -> IntegerType {
    let width = Width(bits);
    IntegerType { name, min: width.min(), max: width.max() }
}

/// The types of floats with their size, and their values.
pub const FLOAT_TYPES: &[(&str, Type)] = &[("f32", Type::SINGLE), ("f64", Type::FLOAT)];

/// The name of a type of integers, where `int` has this width: of a declared type, or the bounds.
pub fn integers_name(int: Width, min: i64, max: i64) -> String {
    if (min, max) == (int.min(), int.max()) {
        return "int".to_string();
    }
    let row = INTEGER_TYPES.iter().find(|row| (row.min, row.max) == (min, max));
    row.map_or_else(|| format!("[{min}-{max}]"), |row| row.name.to_string())
}
