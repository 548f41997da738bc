//! Graphs of any size for measurements and tests; they depend only on their parameters.
//!
//! Start jumps to the first block, and the End keeps the Start. A node is after its operands,
//! except for Phis in loops.
mod diamonds;
mod expression_tree;
mod graph_builder;
mod random;
mod straight_line;
mod structured;

pub use diamonds::{Diamonds, diamonds};
pub use expression_tree::expression_tree;
pub use straight_line::{StraightLine, straight_line};
pub use structured::structured;
