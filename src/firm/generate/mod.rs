//! Graphs of any size to measure with, and of any shape to test with; the same every time.
//!
//! The frame is that of the case "Compiler Optimization" (TTC 2011): Start jumps to the first
//! block, and the End keeps the Start. A node stands behind its operands, except for those of
//! Phis that come from the end of a loop.
mod diamonds;
mod random;
mod straight;
mod structured;
mod tree;

pub use diamonds::{Diamonds, diamonds};
pub use straight::{Straight, straight};
pub use structured::structured;
pub use tree::tree;

use super::graph::{Graph, NodeId};
use super::op::Op;
use crate::arith::Binary;

/// A graph that is being generated.
struct Frame {
    graph: Graph,
    /// The block that is being filled.
    block: NodeId,
}

impl Frame {
    /// Start jumps to the block where it begins.
    fn new() -> Frame {
        let mut graph = Graph::new();
        let block = graph.add_block(Op::Block, &[graph.start]);
        Frame { graph, block }
    }

    fn constant(&mut self, value: i64) -> NodeId {
        self.pinned(Op::Const(value), &[])
    }

    fn argument(&mut self, number: u32) -> NodeId {
        self.pinned(Op::Argument(number), &[self.graph.start])
    }

    fn symbol(&mut self, name: &str) -> NodeId {
        let number = self.graph.symbols.number(name);
        self.pinned(Op::SymConst(number), &[])
    }

    /// Adds a node to the StartBlock.
    fn pinned(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, self.graph.start_block, operands)
    }

    /// Adds a node to the block that is being filled.
    fn add(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, self.block, operands)
    }

    fn binary(&mut self, op: Binary, left: NodeId, right: NodeId) -> NodeId {
        self.add(Op::Binary(op), &[left, right])
    }

    /// Returns a value, and ends; the End may keep the Start.
    fn finish(mut self, memory: NodeId, value: NodeId, keeps: bool) -> Graph {
        let end = self.add(Op::Return, &[memory, value]);
        let end_block = self.graph.add_block(Op::EndBlock, &[end]);
        let kept: &[NodeId] = if keeps { &[self.graph.start] } else { &[] };
        self.graph.add(Op::End, end_block, kept);
        self.graph
    }
}
