//! The order of the program: the sea floats, machines go step by step.
#[cfg(feature = "ch05")]
mod artifact;
#[cfg(feature = "ch05")]
mod early;
#[cfg(feature = "ch05")]
mod eval;
#[cfg(feature = "ch05")]
mod control_flow;
#[cfg(feature = "ch05")]
mod late;
#[cfg(feature = "ch05")]
mod layout;

#[cfg(feature = "ch05")]
use crate::sea::Op;
use crate::sea::{Graph, NodeId};
#[cfg(feature = "ch05")]
use arena::{Arena, ListTable, SideTable, id};

/// An order for the nodes of a graph; the graph itself is not changed by it.
pub struct Schedule {
    /// Everything that is computed, each node after all it needs; block after block.
    pub order: Vec<NodeId>,
    /// In an order to lay them out: a block stands behind all that lead to it, except from behind.
    #[cfg(feature = "ch05")]
    pub blocks: Arena<BlockId, Block>,
    /// The blocks that lead to each, in the order of its head's inputs.
    #[cfg(feature = "ch05")]
    pub predecessors: ListTable<BlockId, BlockId>,
    /// Where each node belongs; none if the program never comes there.
    #[cfg(feature = "ch05")]
    pub block_of: SideTable<NodeId, Option<BlockId>>,
}

#[cfg(feature = "ch05")]
id! {
    /// A basic block.
    BlockId
}

/// Nodes that are computed one after the other, once for each time that control comes here.
#[cfg(feature = "ch05")]
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The control that it begins with.
    pub head: NodeId,
    /// What ends it: a Return, an If, or the Region or Loop it leads to.
    pub end: NodeId,
    /// How many loops it stands in, and the head of the innermost of them.
    pub depth: u32,
    pub loop_head: Option<BlockId>,
    /// Its nodes are `order[first..last]`: Phis, then values, then the Return or If that ends it.
    pub first: u32,
    pub last: u32,
}

/// A graph and the blocks its nodes are placed in.
#[cfg(feature = "ch05")]
pub struct ScheduledGraph<'g> {
    pub graph: &'g Graph,
    pub schedule: &'g Schedule,
}

/// Puts every node right before it is needed for the first time.
#[cfg(not(feature = "ch05"))]
pub fn schedule(graph: &Graph) -> Schedule {
    Schedule { order: crate::sea::walk::reachable_nodes(graph) }
}

/// Finds the blocks of the graph, and puts every node into the one where it is best computed.
#[cfg(feature = "ch05")]
pub fn schedule(graph: &Graph) -> Schedule {
    let mut placing = early::place(graph, layout::lay_out(graph, control_flow::build(graph)));
    late::place(&mut placing);
    placing.finish()
}

#[cfg(feature = "ch05")]
impl Schedule {
    /// The nodes of a block, in order.
    pub fn nodes(&self, block: BlockId) -> &[NodeId] {
        let Block { first, last, .. } = self.blocks[block];
        &self.order[first as usize..last as usize]
    }

    /// Whether values meet in this node. A Phi to which control comes one way only, all others
    /// being dead, is no more than the value on that way.
    pub fn is_merge(&self, graph: &Graph, id: NodeId) -> bool {
        let Op::Phi(_) = graph.op(id) else { return false };
        let head = graph.input(id, 0);
        self.block_of[head].is_some_and(|block| self.blocks[block].head == head)
    }

    /// The values that a node is made of; of a Phi, those that may arrive.
    pub fn values<'g>(
        &self,
        graph: &'g Graph,
        id: NodeId,
    ) -> impl DoubleEndedIterator<Item = NodeId> + use<'_, 'g> {
        (0..graph.inputs(id).len()).filter_map(move |at| self.value(graph, id, at))
    }

    /// The input of a node at `at`, if it is a value that may arrive.
    fn value(&self, graph: &Graph, id: NodeId, at: usize) -> Option<NodeId> {
        let arrives = match graph.op(id) {
            _ if at == 0 && begins_with_control(graph.op(id)) => false,
            Op::Phi(_) => self.block_of[graph.input(graph.input(id, 0), at - 1)].is_some(),
            _ => true,
        };
        arrives.then(|| graph.input(id, at))
    }
}

/// Whether the first input of a node is control.
#[cfg(feature = "ch05")]
fn begins_with_control(op: Op) -> bool {
    matches!(op, Op::Phi(_) | Op::If | Op::Return | Op::Projection(_))
}

#[cfg(test)]
#[cfg(feature = "ch09")]
mod tests;
