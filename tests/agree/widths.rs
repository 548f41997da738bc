//! Variables of narrow types. The name of a variable says its type.

/// The names of types, each with that of the variable.
const TYPES: [(&str, &str); 6] =
    [("b", "u8"), ("d", "i16"), ("f", "bool"), ("g", "i8"), ("h", "u16"), ("k", "i32")];

pub fn type_of(name: &str) -> &'static str {
    TYPES.iter().find(|it| it.0 == name).map_or("int", |it| it.1)
}

/// The value of a variable to which `value` was assigned.
pub fn stored(name: &str, value: i32) -> i32 {
    converted(type_of(name), value)
}

/// The value that a variable of a type has after an assignment of `value`.
pub fn converted(ty: &str, value: i32) -> i32 {
    match ty {
        "bool" => value & 1,
        "u8" => (value as u8).into(),
        "i8" => (value as i8).into(),
        "u16" => (value as u16).into(),
        "i16" => (value as i16).into(),
        _ => value,
    }
}
