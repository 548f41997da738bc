#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod access;
mod memory;
mod page;

pub use access::{Access, Fault, Reason, Size};
pub use memory::{Content, Memory, Overlap, Segment};
