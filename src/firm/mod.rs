//! Firm: a graph of operations in static single assignment form, each in a basic block.
//!
//! Source: M. Braun, S. Buchwald, A. Zwinkau, "Firm — A Graph-Based Intermediate Representation",
//! KIT 2011. As in the TTC 2011 case there are no Proj nodes: a node that touches memory is both
//! its value and its new state of memory.
mod graph;
mod mode;
mod op;

pub use graph::{Graph, NodeId};
pub use mode::Mode;
pub use op::Op;
