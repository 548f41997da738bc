#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod components;
mod data_flow;
mod definite;
mod dependencies;
mod dominators;
mod loops;
mod order;

pub use components::{ComponentSearch, components};
pub use data_flow::{execute_all, solve};
pub use definite::{Access, DefiniteAssignment};
pub use dependencies::dependencies;
pub use dominators::Dominators;
pub use loops::{Loops, order_with_loops};
pub use order::{nodes_after_cycles, postorder, reverse_postorder};
