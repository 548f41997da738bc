#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod error;
mod expand;
mod parser;
mod print;
mod rule;
mod token;
mod tree;

pub use error::{Error, ErrorKind};
pub use expand::{MAX_ALTERNATIVES, MAX_USES};
pub use parser::{MAX_DEPTH, peepholes, rules, rules_and_forms};
pub use rule::MAX_COST;
pub use tree::*;

#[cfg(test)]
mod tests;
