#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod definite;
mod dominators;
mod loops;
mod order;

pub use definite::{Access, DefiniteAssignment};
pub use dominators::Dominators;
pub use loops::{Loops, order_with_loops};
pub use order::{nodes_after_cycles, postorder, reverse_postorder};
