//! Graphs of any size for measurements and tests; they depend only on their parameters.
//!
//! Start jumps to the first block, and the End keeps the Start. A node is after its operands, except
//! for Phis in loops.
mod diamonds;
mod expression_tree;
mod random;
mod straight_line;
mod structured;

pub use diamonds::{Diamonds, diamonds};
pub use expression_tree::expression_tree;
pub use straight_line::{StraightLine, straight_line};
pub use structured::structured;

use super::{Graph, Symbols};
use crate::arith::Binary;
use crate::firm::{self, Mode, NodeId, Op};

/// A graph under construction.
struct GraphBuilder {
    graph: firm::Graph,
    symbols: Symbols,
    /// The block to which nodes are added.
    block: NodeId,
}

impl GraphBuilder {
    /// A graph in which the Start jumps to the current block.
    fn new() -> GraphBuilder {
        let mut builder = GraphBuilder::without_block();
        builder.open(&[builder.graph.start]);
        builder
    }

    /// A graph without blocks but the StartBlock.
    fn without_block() -> GraphBuilder {
        let graph = firm::Graph::new();
        GraphBuilder { block: graph.start_block, graph, symbols: Symbols::default() }
    }

    /// Begins a block with these predecessors.
    fn open(&mut self, jumps: &[NodeId]) {
        self.block = self.graph.add_block(Op::Block, jumps);
    }

    fn constant(&mut self, value: i64) -> NodeId {
        self.pinned(Op::Const(value), &[])
    }

    fn argument(&mut self, number: u32) -> NodeId {
        self.pinned(Op::Argument(number), &[self.graph.start])
    }

    fn symbol(&mut self, name: &str) -> NodeId {
        let number = self.symbols.number(name);
        self.pinned(Op::SymConst(number), &[])
    }

    /// Adds a value to the StartBlock.
    fn pinned(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, Mode::Is, self.graph.start_block, operands)
    }

    /// Adds a node to the current block.
    fn add(&mut self, op: Op, mode: Mode, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, mode, self.block, operands)
    }

    fn binary(&mut self, op: Binary, left: NodeId, right: NodeId) -> NodeId {
        self.add(Op::Binary(op), Mode::Is, &[left, right])
    }

    /// Adds a Return of a value and the End, which may keep the Start.
    fn finish(mut self, memory: NodeId, value: NodeId, keeps: bool) -> Graph {
        let end = self.add(Op::Return, Mode::X, &[memory, value]);
        let end_block = self.graph.add_block(Op::EndBlock, &[end]);
        let kept: &[NodeId] = if keeps { &[self.graph.start] } else { &[] };
        self.graph.add(Op::End, Mode::X, end_block, kept);
        Graph { symbols: self.symbols, ..Graph::from(self.graph) }
    }
}
