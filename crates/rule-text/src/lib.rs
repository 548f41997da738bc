#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod error;
mod parser;
mod print;
mod rule;
mod token;
mod tree;

pub use error::{Error, ErrorKind};
pub use parser::{MAX_DEPTH, peepholes, rules};
pub use rule::MAX_COST;
pub use tree::*;

#[cfg(test)]
mod tests;
