//! The Firm graph: nodes with ordered operands, each in a block.
//!
//! All operands of all nodes stand in one array, so a graph of ten million nodes is two
//! allocations. A graph fresh from the lowering stands in the order of the schedule: a node's
//! operands come before it.
use super::mode::Mode;
use super::op::Op;
#[cfg(feature = "ch05")]
use crate::base::ids::SideTable;
use crate::base::ids::{Arena, id};

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

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
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

fn add_block(nodes: &mut Arena<NodeId, Node>, op: Op, first: u32, count: u32) -> NodeId {
    let own = crate::base::ids::Id::from_index(nodes.len());
    nodes.push(Node { op, mode: Mode::BB, block: own, first, count })
}
