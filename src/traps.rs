//! Traps: the places where a program ends with a message.
use arena::id;

id! {
    /// A place where a program may end with a message.
    TrapId
}

/// A place in the program's text, and the condition that does not hold there. Line and column count
/// from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trap {
    pub line: u32,
    pub column: u32,
    pub failure: Failure,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// An index is not below the length. Its numbers are the index and the length.
    Index,
    /// No array has the length. Its number is the length.
    Length,
}

impl Failure {
    /// The message, without the name of the file, from line, column and the numbers.
    pub fn message(self, place_and_numbers: &[i64]) -> String {
        match (self, place_and_numbers) {
            (Failure::Index, [line, column, index, length]) => {
                format!("{line}:{column}: index {index} out of bounds for length {length}")
            }
            (Failure::Length, [line, column, length]) => {
                format!("{line}:{column}: no array has length {length}")
            }
            _ => String::new(),
        }
    }
}

impl Trap {
    /// The message, without the name of the file; `numbers` are those of the failure.
    pub fn message(&self, numbers: &[i64]) -> String {
        let place = [self.line, self.column].map(i64::from);
        self.failure.message(&[&place, numbers].concat())
    }
}
