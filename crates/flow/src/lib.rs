#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod dominators;
mod order;

pub use dominators::Dominators;
pub use order::reverse_postorder;
