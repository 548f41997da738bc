//! The Firm graph: nodes with ordered operands, each in a block.
//!
//! All operands of all nodes stand in one array, so a graph of ten million nodes is two
//! allocations. A graph fresh from the lowering stands in the order of the schedule: a node's
//! operands come before it.
use super::mode::Mode;
use super::op::Op;
#[cfg(feature = "ch25")]
use super::symbols::Symbols;
#[cfg(feature = "ch05")]
use arena::SideTable;
use arena::{Arena, Id, id};

id! {
    /// A node of a Firm graph; a block is a node too.
    NodeId
}

#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub op: Op,
    pub mode: Mode,
    /// The block it stands in; a block stands in itself.
    pub block: NodeId,
    first: u32,
    count: u32,
}

#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Arena<NodeId, Node>,
    operands: Vec<NodeId>,
    /// Beside the predecessors of blocks, when control takes this way.
    #[cfg(feature = "ch05")]
    ways: Vec<Way>,
    /// How many loops each block stands in.
    #[cfg(feature = "ch05")]
    depths: SideTable<NodeId, u32>,
    /// The instruction that was selected for each node.
    #[cfg(feature = "ch25")]
    forms: SideTable<NodeId, Form>,
    /// Names whose addresses are constants.
    #[cfg(feature = "ch25")]
    pub symbols: Symbols,
    pub start_block: NodeId,
    pub start: NodeId,
}

/// When control takes the way from a jump to a block.
#[cfg(feature = "ch05")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Way {
    #[default]
    Always,
    /// From a Cond, where its operand is 1.
    True,
    /// From a Cond, where its operand is 0.
    False,
}

/// What a node is on the target of the case "Compiler Optimization" (TTC 2011).
#[cfg(feature = "ch25")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Form {
    /// No instruction was selected, or none is needed.
    #[default]
    Source,
    /// The instruction that does what the operation does.
    Plain,
    /// The one that takes this number in place of the operand at 1.
    Number(i32),
    /// The one that takes the address of this symbol in place of the operand at 1.
    Symbol(u32),
}

impl Graph {
    /// A graph that holds only its start: the block and the first state of memory.
    pub fn new() -> Graph {
        let mut nodes = Arena::default();
        let start_block = add_block(&mut nodes, Op::StartBlock, 0, 0);
        let mut graph = Graph {
            nodes,
            operands: Vec::new(),
            #[cfg(feature = "ch05")]
            ways: Vec::new(),
            #[cfg(feature = "ch05")]
            depths: SideTable::new(0),
            #[cfg(feature = "ch25")]
            forms: SideTable::new(0),
            #[cfg(feature = "ch25")]
            symbols: Symbols::default(),
            start_block,
            start: start_block,
        };
        graph.start = graph.add(Op::Start, start_block, &[]);
        graph
    }

    /// Adds a node to `block`; its mode is that of its row.
    pub fn add(&mut self, op: Op, block: NodeId, operands: &[NodeId]) -> NodeId {
        let (first, count) = (self.operands.len() as u32, operands.len() as u32);
        self.operands.extend_from_slice(operands);
        self.nodes.push(Node { op, mode: op.row().mode, block, first, count })
    }

    /// Adds a block that control enters from `predecessors`.
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

    /// What the node uses, in order; for a block, the jumps that lead to it.
    pub fn operands(&self, id: NodeId) -> &[NodeId] {
        let node = &self.nodes[id];
        &self.operands[node.first as usize..(node.first + node.count) as usize]
    }

    /// The modes of the operands that the node has in any case: those of its row, except for one
    /// that its instruction holds itself.
    pub fn operand_modes(&self, id: NodeId) -> impl Iterator<Item = Mode> + Clone + use<> {
        let held = HELD[HELD.len() - 1](self, id);
        let modes = self.op(id).row().operands.iter().copied().enumerate();
        modes.filter(move |&(at, _)| Some(at) != held).map(|(_, mode)| mode)
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
    /// Replaces an operand; of what stands in a loop, some operands come later.
    pub fn set_operand(&mut self, id: NodeId, at: usize, operand: NodeId) {
        self.operands[self.nodes[id].first as usize + at] = operand;
    }

    /// When control comes to `block` from its predecessor at `at`.
    pub fn way(&self, block: NodeId, at: usize) -> Way {
        let at = self.nodes[block].first as usize + at;
        self.ways.get(at).copied().unwrap_or_default()
    }

    /// Says when control comes to `block` from its predecessor at `at`.
    pub fn set_way(&mut self, block: NodeId, at: usize, way: Way) {
        let at = self.nodes[block].first as usize + at;
        if at >= self.ways.len() {
            self.ways.resize(at + 1, Way::Always);
        }
        self.ways[at] = way;
    }

    /// How many loops a block stands in.
    pub fn depth(&self, block: NodeId) -> u32 {
        self.depths[block]
    }

    pub fn set_depth(&mut self, block: NodeId, depth: u32) {
        self.depths[block] = depth;
    }
}

/// Graphs that are not made from their beginning to their end, or that are changed.
#[cfg(feature = "ch25")]
impl Graph {
    /// A graph with room for so many nodes and operands; its start is still to be named.
    pub fn with_capacity(nodes: usize, operands: usize) -> Graph {
        let mut graph = Graph::new();
        graph.nodes = Arena::with_capacity(nodes);
        graph.operands = Vec::with_capacity(operands);
        graph
    }

    /// Adds a node with so many operands; all of them, and its block, are `unknown` so far. A
    /// block stands in itself.
    pub fn add_later(&mut self, op: Op, mode: Mode, count: usize, unknown: NodeId) -> NodeId {
        let (first, own) = (self.operands.len(), Id::from_index(self.nodes.len()));
        self.operands.resize(first + count, unknown);
        let block = if mode == Mode::BB { own } else { unknown };
        self.nodes.push(Node { op, mode, block, first: first as u32, count: count as u32 })
    }

    /// Gives a node more operands, behind those that it has.
    pub fn add_operands(&mut self, id: NodeId, more: &[NodeId]) {
        let Node { first, count, .. } = self.nodes[id];
        let moved = self.operands.len() as u32;
        self.operands.extend_from_within(first as usize..(first + count) as usize);
        self.operands.extend_from_slice(more);
        let node = &mut self.nodes[id];
        (node.first, node.count) = (moved, count + more.len() as u32);
    }

    /// Moves a node to another block.
    pub fn set_block(&mut self, id: NodeId, block: NodeId) {
        self.nodes[id].block = block;
    }

    /// Makes something else of a node, with its mode and only the first `count` of its operands.
    pub fn rewrite(&mut self, id: NodeId, op: Op, count: usize) {
        let node = &mut self.nodes[id];
        (node.op, node.mode, node.count) = (op, op.row().mode, node.count.min(count as u32));
    }

    /// The instruction that was selected for the node.
    pub fn form(&self, id: NodeId) -> Form {
        self.forms[id]
    }

    pub fn set_form(&mut self, id: NodeId, form: Form) {
        self.forms[id] = form;
    }

    /// The instructions that were selected, one after the other for all nodes.
    pub fn set_forms(&mut self, forms: Vec<Form>) {
        self.forms = SideTable::of(forms);
    }

    /// Whether the node is a state of memory, if only besides something else.
    pub fn is_memory(&self, id: NodeId) -> bool {
        self.nodes[id].mode == Mode::M || self.op(id).accesses_memory()
    }

    /// How many operands all nodes have together.
    pub fn operand_count(&self) -> usize {
        self.nodes.ids().map(|id| self.nodes[id].count as usize).sum()
    }
}

/// Which operand is part of the instruction that was selected; the last one counts.
const HELD: &[fn(&Graph, NodeId) -> Option<usize>] = &[
    |_, _| None,
    #[cfg(feature = "ch25")]
    |graph, id| match graph.forms[id] {
        Form::Source | Form::Plain => None,
        Form::Number(_) | Form::Symbol(_) => Some(1),
    },
];

fn add_block(nodes: &mut Arena<NodeId, Node>, op: Op, first: u32, count: u32) -> NodeId {
    let own = Id::from_index(nodes.len());
    nodes.push(Node { op, mode: Mode::BB, block: own, first, count })
}
