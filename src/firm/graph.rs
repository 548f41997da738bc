//! The Firm graph: nodes with ordered operands, each in a block.
//!
//! The operands of all nodes are in one array, so a graph of ten million nodes takes two
//! allocations. The lowering adds nodes in the order of the schedule: operands before their users.
use super::mode::Mode;
use super::op::Op;
#[cfg(feature = "ch14")]
use crate::arith::split;
use arena::{Arena, Id, SideTable, id};
use source::Span;

id! {
    /// A node of a Firm graph; a block is a node too.
    NodeId
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub op: Op,
    /// That of its value and its operands, unless the row of the operation says otherwise.
    pub mode: Mode,
    /// The block that it is in; a block is in itself.
    pub block: NodeId,
    first: u32,
    count: u32,
}

/// The graph of a function.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The name of the function.
    pub name: String,
    #[cfg(feature = "ch14")]
    pub signature: Signature,
    nodes: Arena<NodeId, Node>,
    operands: Vec<NodeId>,
    /// For the operands of blocks, the kind of the control flow edge.
    #[cfg(feature = "ch05")]
    edge_kinds: Vec<EdgeKind>,
    /// The number of loops around each block.
    #[cfg(feature = "ch05")]
    depths: SideTable<NodeId, u32>,
    /// The tokens that nodes were made for, and that of the next nodes.
    #[cfg(feature = "ch09")]
    origins: SideTable<NodeId, Option<Span>>,
    #[cfg(feature = "ch09")]
    origin: Option<Span>,
    pub start_block: NodeId,
    pub start: NodeId,
}

/// The number of words that a function takes, two for a float, and the number that it returns: one
/// at least. A float is one result.
#[cfg(feature = "ch14")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub parameters: u32,
    pub results: u32,
    /// The set of the words of parameters that are in registers, and of those at which a float in a
    /// register begins: none in Firm, where no function has a calling convention yet.
    #[cfg(feature = "ch18")]
    pub in_registers: WordSet,
    #[cfg(feature = "ch18")]
    pub floats: WordSet,
}

#[cfg(feature = "ch14")]
impl Signature {
    pub const fn new(parameters: u32, results: u32) -> Signature {
        Signature {
            parameters,
            results,
            #[cfg(feature = "ch18")]
            in_registers: WordSet::EMPTY,
            #[cfg(feature = "ch18")]
            floats: WordSet::EMPTY,
        }
    }

    /// The number of parameters on the stack.
    pub const fn on_stack(self) -> u32 {
        let on_stack = self.parameters;
        #[cfg(feature = "ch18")]
        let on_stack = on_stack - self.in_registers.0.count_ones();
        on_stack
    }

    /// The number of results on the stack: the first one is in a register.
    pub const fn results_on_stack(self) -> u32 {
        self.results.saturating_sub(1)
    }

    /// The argument of a program of Simple as the words that its entry takes.
    pub fn words_of(self, argument: i64) -> Vec<i64> {
        if self.parameters == 2 { split(argument).to_vec() } else { vec![argument] }
    }

    /// The parameters of a program's entry: without an argument they are 0, and further arguments
    /// are not used.
    pub fn parameters(self, arguments: &[i64]) -> Vec<i64> {
        let arguments = arguments.iter().copied().chain(std::iter::repeat(0));
        arguments.take(self.parameters as usize).collect()
    }
}

/// A set of the first words of parameters, one bit for each. It is small, since each operand of an
/// instruction has room for a signature.
#[cfg(feature = "ch18")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WordSet(pub u16);

#[cfg(feature = "ch18")]
impl WordSet {
    pub const EMPTY: WordSet = WordSet(0);

    /// The number of words that it may contain.
    pub const SIZE: u32 = u16::BITS;

    /// Adds a word, if it is one of the first ones.
    pub fn insert(&mut self, word: u32) {
        if word < Self::SIZE {
            self.0 |= 1 << word;
        }
    }

    pub fn union(self, other: WordSet) -> WordSet {
        WordSet(self.0 | other.0)
    }

    pub fn contains(self, word: u32) -> bool {
        word < Self::SIZE && self.0 >> word & 1 == 1
    }

    /// The number of its words below `word`.
    pub fn count_below(self, word: u32) -> u32 {
        let below = if word < Self::SIZE { (1 << word) - 1 } else { u16::MAX };
        (self.0 & below).count_ones()
    }
}

/// When control takes the edge from a jump to a block.
#[cfg(feature = "ch05")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EdgeKind {
    #[default]
    Always,
    /// From a Cond, if its operand is 1.
    True,
    /// From a Cond, if its operand is 0.
    False,
}

impl Graph {
    /// A graph with nothing but its start: the block and the first state of memory.
    pub fn new() -> Graph {
        let mut nodes = Arena::default();
        let start_block = add_block(&mut nodes, Op::StartBlock, 0, 0);
        let mut graph = Graph {
            name: "simple".into(),
            #[cfg(feature = "ch14")]
            signature: Signature::new(1, 1),
            nodes,
            operands: Vec::new(),
            #[cfg(feature = "ch05")]
            edge_kinds: Vec::new(),
            #[cfg(feature = "ch05")]
            depths: SideTable::new(0),
            #[cfg(feature = "ch09")]
            origins: SideTable::new(0),
            #[cfg(feature = "ch09")]
            origin: None,
            start_block,
            start: start_block,
        };
        graph.start = graph.add(Op::Start, Mode::M, start_block, &[]);
        graph
    }

    /// Adds a node to `block`.
    pub fn add(&mut self, op: Op, mode: Mode, block: NodeId, operands: &[NodeId]) -> NodeId {
        let (first, count) = (self.operands.len() as u32, operands.len() as u32);
        self.operands.extend_from_slice(operands);
        let id = self.nodes.push(Node { op, mode, block, first, count });
        #[cfg(feature = "ch09")]
        self.note_origin(id);
        id
    }

    /// Sets the token of the next nodes.
    #[cfg(feature = "ch09")]
    pub fn set_origin(&mut self, origin: Option<Span>) {
        self.origin = origin;
    }

    /// A table without entries stays empty.
    #[cfg(feature = "ch09")]
    fn note_origin(&mut self, id: NodeId) {
        if self.origin.is_some() {
            self.origins[id] = self.origin;
        }
    }

    #[cfg(feature = "ch09")]
    pub fn origin(&self, id: NodeId) -> Option<Span> {
        self.origins[id]
    }

    /// Adds a block that is entered from these jumps.
    pub fn add_block(&mut self, op: Op, predecessors: &[NodeId]) -> NodeId {
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(predecessors);
        add_block(&mut self.nodes, op, first, predecessors.len() as u32)
    }

    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id]
    }

    pub fn op(&self, id: NodeId) -> Op {
        self.nodes[id].op
    }

    pub fn value_mode(&self, id: NodeId) -> Mode {
        let Node { op, mode, .. } = self.nodes[id];
        op.value_mode(mode)
    }

    /// The operands of a node, in order; those of a block are the jumps to it.
    pub fn operands(&self, id: NodeId) -> &[NodeId] {
        let node = &self.nodes[id];
        &self.operands[node.first as usize..(node.first + node.count) as usize]
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + Clone + use<> {
        self.nodes.ids()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }
}

#[cfg(feature = "ch05")]
impl Graph {
    /// Replaces an operand; in a loop, some operands are added after their users.
    pub fn set_operand(&mut self, id: NodeId, at: usize, operand: NodeId) {
        self.operands[self.nodes[id].first as usize + at] = operand;
    }

    /// The kind of the edge to `block` from its predecessor at `at`.
    pub fn edge_kind(&self, block: NodeId, at: usize) -> EdgeKind {
        let at = self.nodes[block].first as usize + at;
        self.edge_kinds.get(at).copied().unwrap_or_default()
    }

    pub fn set_edge_kind(&mut self, block: NodeId, at: usize, kind: EdgeKind) {
        let at = self.nodes[block].first as usize + at;
        if at >= self.edge_kinds.len() {
            self.edge_kinds.resize(self.operands.capacity(), EdgeKind::Always);
        }
        self.edge_kinds[at] = kind;
    }

    /// The number of loops around a block.
    pub fn depth(&self, block: NodeId) -> u32 {
        self.depths[block]
    }

    pub fn set_depth(&mut self, block: NodeId, depth: u32) {
        self.depths[block] = depth;
    }
}

/// Memory.
#[cfg(feature = "ch10")]
impl Graph {
    /// Whether the node is a state of memory; a Load is a value, too.
    pub fn is_memory(&self, id: NodeId) -> bool {
        self.value_mode(id) == Mode::M || self.op(id).accesses_memory()
    }
}

/// The end of the program keeps loops.
#[cfg(feature = "ch07")]
impl Graph {
    /// Adds operands after those that the node has.
    pub fn add_operands(&mut self, id: NodeId, more: &[NodeId]) {
        let Node { first, count, .. } = self.nodes[id];
        let moved = self.operands.len() as u32;
        self.operands.extend_from_within(first as usize..(first + count) as usize);
        self.operands.extend_from_slice(more);
        let node = &mut self.nodes[id];
        (node.first, node.count) = (moved, count + more.len() as u32);
    }
}

/// Graphs that are changed.
#[cfg(feature = "ch14")]
impl Graph {
    /// A graph with memory for this number of nodes and operands, and without a start.
    pub fn with_capacity(nodes: usize, operands: usize) -> Graph {
        let mut graph = Graph::new();
        graph.nodes = Arena::with_capacity(nodes);
        graph.operands = Vec::with_capacity(operands);
        graph.depths = SideTable::new(nodes);
        graph
    }

    /// Gives the node with id n the token of the node `order[n]` of another graph.
    pub fn copy_origins(&mut self, other: &Graph, order: &[NodeId]) {
        if !other.origins.is_empty() {
            self.origins = SideTable::of(order.iter().map(|&id| other.origin(id)).collect());
        }
    }

    /// Adds a node with the operands that an iterator yields.
    #[inline]
    pub fn add_from(
        &mut self,
        op: Op,
        mode: Mode,
        block: NodeId,
        operands: impl Iterator<Item = NodeId>,
    ) -> NodeId {
        let first = self.operands.len();
        self.operands.extend(operands);
        let (first, count) = (first as u32, (self.operands.len() - first) as u32);
        self.nodes.push(Node { op, mode, block, first, count })
    }

    /// Moves a node to another block.
    pub fn set_block(&mut self, id: NodeId, block: NodeId) {
        self.nodes[id].block = block;
    }

    /// Replaces the operation and the mode of a node, and keeps the first `count` operands.
    pub fn rewrite(&mut self, id: NodeId, op: Op, mode: Mode, count: usize) {
        let node = &mut self.nodes[id];
        (node.op, node.mode, node.count) = (op, mode, node.count.min(count as u32));
    }

    /// Replaces the operation, the mode and the operands of a node, which had at least as many.
    pub fn replace(&mut self, id: NodeId, op: Op, mode: Mode, operands: &[NodeId]) {
        self.rewrite(id, op, mode, operands.len());
        operands.iter().enumerate().for_each(|(at, &it)| self.set_operand(id, at, it));
    }

    /// The number of uses of each node as an operand.
    #[cfg(feature = "ch29")]
    pub fn use_counts(&self) -> SideTable<NodeId, u32> {
        let mut uses = SideTable::new(self.len());
        for id in self.ids() {
            self.operands(id).iter().for_each(|&operand| uses[operand] += 1);
        }
        uses
    }

    /// The number of operands of all nodes.
    pub fn operand_count(&self) -> usize {
        self.nodes.ids().map(|id| self.nodes[id].count as usize).sum()
    }
}

/// Graphs that are built in any order.
#[cfg(feature = "ch25")]
impl Graph {
    /// Adds a node with `count` operands. All of them and the block are `unknown` so far; the block
    /// of a block is itself.
    pub fn add_later(&mut self, op: Op, mode: Mode, count: usize, unknown: NodeId) -> NodeId {
        let (first, own) = (self.operands.len(), Id::from_index(self.nodes.len()));
        self.operands.resize(first + count, unknown);
        let block = if mode == Mode::BB { own } else { unknown };
        let id =
            self.nodes.push(Node { op, mode, block, first: first as u32, count: count as u32 });
        self.note_origin(id);
        id
    }
}

fn add_block(nodes: &mut Arena<NodeId, Node>, op: Op, first: u32, count: u32) -> NodeId {
    let own = Id::from_index(nodes.len());
    nodes.push(Node { op, mode: Mode::BB, block: own, first, count })
}
