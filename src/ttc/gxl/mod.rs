//! Graphs of the case in files of GXL.
//!
//! Nodes and edges come in any order, each with a type and attributes. Edges lead from users to
//! operands; the attribute `position` is the number of the operand, or -1 if the edge leads to the
//! block of the node. The names Shr and Shrs are exchanged: the case's Shr fills with the sign.
mod build;
mod export;
#[cfg(test)]
mod tests;
mod types;
mod write;

pub use build::{Imported, read};
pub use export::export;
pub use gxl::{ReadError, SourcePosition, positions};
pub use write::{counts, write};
