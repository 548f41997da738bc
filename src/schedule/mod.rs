//! Scheduling: puts the floating nodes of the sea into blocks, and the nodes of a block in order.
#[cfg(feature = "ch05")]
mod print;
#[cfg(feature = "ch05")]
mod early;
#[cfg(feature = "ch05")]
mod eval;
#[cfg(feature = "ch05")]
mod control_flow;
#[cfg(feature = "ch11")]
mod anti_dependence;
#[cfg(feature = "ch11")]
mod late;
#[cfg(feature = "ch05")]
mod layout;

#[cfg(feature = "ch05")]
pub use print::loops_around;

use crate::sea::{Graph, NodeId, Op};
use arena::{Arena, ListTable, SideTable, id};

/// The blocks and the order of a graph's nodes; the graph itself does not change.
pub struct Schedule {
    /// All nodes that are computed, each after its inputs; block by block.
    pub order: Vec<NodeId>,
    /// In layout order: a block is after all its predecessors, except for those of back edges.
    #[cfg(feature = "ch05")]
    pub blocks: Arena<BlockId, Block>,
    /// The predecessors of each block, in the order of its head's inputs.
    #[cfg(feature = "ch05")]
    pub predecessors: ListTable<BlockId, BlockId>,
    /// The block of each node; `None` if it is unreachable.
    #[cfg(feature = "ch05")]
    pub block_of: SideTable<NodeId, Option<BlockId>>,
}

#[cfg(feature = "ch05")]
id! {
    /// A basic block.
    BlockId
}

/// A range of nodes that are executed together, in order.
#[cfg(feature = "ch05")]
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its first control node.
    pub head: NodeId,
    /// @ch05-14 Its end: a Return, an If, or the Region or Loop it jumps to.
    /// @ch15-17 Its end: a Return, a Trap, an If, or the Region or Loop it jumps to.
    /// @ch18 Its end: a Return, a Trap, a Call, an If, or the Region or Loop it jumps to.
    pub end: NodeId,
    /// The number of loops it is in.
    pub depth: u32,
    /// The header of the innermost loop that it is in.
    #[cfg(feature = "ch11")]
    pub loop_header: Option<BlockId>,
    /// Its nodes are `order[first..last]`: Phis, then values, then the final Return or If.
    pub first: u32,
    pub last: u32,
}

/// A graph and its schedule.
#[cfg(feature = "ch05")]
pub struct ScheduledGraph<'g> {
    pub graph: &'g Graph,
    pub schedule: &'g Schedule,
}

/// Puts every node right before its first use.
#[cfg(not(feature = "ch05"))]
pub fn schedule(graph: &Graph) -> Schedule {
    Schedule { order: crate::sea::walk::reachable_nodes(graph) }
}

/// Builds the blocks of the graph, and puts every node into one.
#[cfg(feature = "ch05")]
pub fn schedule(graph: &Graph) -> Schedule {
    let placement = early::place(graph, layout::lay_out(graph, control_flow::build(graph)));
    #[cfg(feature = "ch11")]
    let placement = late::place(placement, late::best);
    placement.finish()
}

/// The choice among the blocks that a node can be in.
#[cfg(feature = "ch11")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlacementMethod {
    /// The first one.
    Early,
    /// The last one.
    Late,
    /// The last one that is in as few loops as possible.
    #[default]
    Best,
}

/// Builds the blocks of the graph, and puts every node into the first one that it can be in.
#[cfg(feature = "ch11")]
pub fn schedule_early(graph: &Graph) -> Schedule {
    early::place(graph, layout::lay_out(graph, control_flow::build(graph))).finish()
}

/// Builds the blocks of the graph, and puts every node into the last one that it can be in.
#[cfg(feature = "ch11")]
pub fn schedule_late(graph: &Graph) -> Schedule {
    let placement = early::place(graph, layout::lay_out(graph, control_flow::build(graph)));
    late::place(placement, |_, _, last| last).finish()
}

#[cfg(feature = "ch05")]
impl Schedule {
    /// The nodes of a block, in order.
    pub fn nodes(&self, block: BlockId) -> &[NodeId] {
        let Block { first, last, .. } = self.blocks[block];
        &self.order[first as usize..last as usize]
    }

    /// Whether the node is a Phi with several live predecessors. With one, it is just the value of
    /// that predecessor.
    pub fn is_merge(&self, graph: &Graph, id: NodeId) -> bool {
        let Op::Phi(_) = graph.op(id) else { return false };
        let head = graph.input(id, 0);
        self.block_of[head].is_some_and(|block| self.blocks[block].head == head)
    }

    /// The value inputs of a node; of a Phi, only the live ones.
    pub fn values<'g>(
        &self,
        graph: &'g Graph,
        id: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + use<'_, 'g> {
        let op = graph.op(id);
        let join = op.is_phi().then(|| graph.input(id, 0));
        let is_live = move |&(at, _): &(usize, NodeId)| {
            join.is_none_or(|join| self.block_of[graph.input(join, at - 1)].is_some())
        };
        let inputs = graph.inputs(id).enumerate().skip(usize::from(has_control_input(op)));
        inputs.filter(is_live).map(|(_, value)| value)
    }
}

/// Whether the first input of a node is control.
#[cfg(feature = "ch05")]
fn has_control_input(op: Op) -> bool {
    #[cfg(feature = "ch10")]
    if op.is_pinned() {
        return true;
    }
    #[cfg(feature = "ch18")]
    if let Op::Call(_) = op {
        return true;
    }
    op.ends_program() || op.is_given() || matches!(op, Op::Phi(_) | Op::If)
}

#[cfg(test)]
#[cfg(feature = "ch09")]
mod tests;
