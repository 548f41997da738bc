#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod element;
mod fast_path;
mod id_table;
mod position;
mod read;
#[cfg(test)]
mod tests;
mod write;
mod xml;

pub use element::{Attribute, Element, Kind, ReadError, referred};
pub use id_table::IdTable;
pub use position::{SourcePosition, positions};
pub use read::read;
pub use write::{Value, Writer};
