//! The frame of generated graphs.
use crate::arith::Binary;
use crate::firm::{self, Mode, NodeId, Op};
use crate::ttc::{Graph, Symbols};

/// A graph under construction.
pub struct GraphBuilder {
    pub graph: firm::Graph,
    symbols: Symbols,
    /// The block to which nodes are added.
    pub block: NodeId,
}

impl GraphBuilder {
    /// A graph in which the Start jumps to the current block.
    pub fn new() -> GraphBuilder {
        let mut builder = GraphBuilder::without_block();
        builder.open(&[builder.graph.start]);
        builder
    }

    /// A graph without blocks but the StartBlock.
    pub fn without_block() -> GraphBuilder {
        let graph = firm::Graph::new();
        GraphBuilder { block: graph.start_block, graph, symbols: Symbols::default() }
    }

    /// Begins a block with these predecessors.
    pub fn open(&mut self, jumps: &[NodeId]) {
        self.block = self.graph.add_block(Op::Block, jumps);
    }

    pub fn constant(&mut self, value: i64) -> NodeId {
        self.pinned(Op::Const(value), &[])
    }

    pub fn argument(&mut self, number: u32) -> NodeId {
        self.pinned(Op::Argument(number), &[self.graph.start])
    }

    pub fn symbol(&mut self, name: &str) -> NodeId {
        let number = self.symbols.number(name);
        self.pinned(Op::SymConst(number), &[])
    }

    /// Adds a value to the StartBlock.
    pub fn pinned(&mut self, op: Op, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, Mode::Is, self.graph.start_block, operands)
    }

    /// Adds a node to the current block.
    pub fn add(&mut self, op: Op, mode: Mode, operands: &[NodeId]) -> NodeId {
        self.graph.add(op, mode, self.block, operands)
    }

    pub fn binary(&mut self, op: Binary, left: NodeId, right: NodeId) -> NodeId {
        self.add(Op::Binary(op), Mode::Is, &[left, right])
    }

    /// Adds a Return of a value and the End, which may keep the Start.
    pub fn finish(mut self, memory: NodeId, value: NodeId, keeps: bool) -> Graph {
        let end = self.add(Op::Return, Mode::Is, &[memory, value]);
        let end_block = self.graph.add_block(Op::EndBlock, &[end]);
        let kept: &[NodeId] = if keeps { &[self.graph.start] } else { &[] };
        self.graph.add(Op::End, Mode::X, end_block, kept);
        Graph { symbols: self.symbols, ..Graph::from(self.graph) }
    }
}
