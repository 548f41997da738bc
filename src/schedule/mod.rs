//! The order of the program: the sea floats, machines go step by step.
#[cfg(feature = "ch05")]
mod early;
#[cfg(feature = "ch05")]
mod flow;
#[cfg(feature = "ch05")]
mod late;
#[cfg(feature = "ch05")]
mod layout;
#[cfg(feature = "ch07")]
mod loops;

#[cfg(feature = "ch05")]
use crate::base::ids::{Arena, SideTable, id};
#[cfg(not(feature = "ch05"))]
use crate::sea::postorder;
use crate::sea::{Graph, NodeId};

/// An order for the nodes of a graph; the graph itself is not changed by it.
pub struct Schedule {
    /// Everything that is computed, each node after all it needs; block after block.
    pub order: Vec<NodeId>,
    /// In an order to lay them out: a block stands behind all that lead to it, except from behind.
    #[cfg(feature = "ch05")]
    pub blocks: Arena<BlockId, Block>,
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
#[derive(Clone, Debug)]
pub struct Block {
    /// The control that it begins with.
    pub head: NodeId,
    /// What ends it: a Return, an If, or the Region or Loop it leads to.
    pub end: NodeId,
    /// The blocks that lead to it, in the order of its head's inputs.
    pub predecessors: Vec<BlockId>,
    /// How many loops it stands in, and the head of the innermost of them.
    pub depth: u32,
    pub loop_head: Option<BlockId>,
    /// Its nodes are `order[first..last]`: Phis, then values, then the Return or If that ends it.
    pub first: u32,
    pub last: u32,
}

/// Puts every node right before it is needed for the first time.
#[cfg(not(feature = "ch05"))]
pub fn schedule(graph: &Graph) -> Schedule {
    Schedule { order: postorder(graph, graph.end) }
}

/// Finds the blocks of the graph, and puts every node into the one where it is best computed.
#[cfg(feature = "ch05")]
pub fn schedule(graph: &Graph) -> Schedule {
    let mut placing = early::place(graph, layout::lay_out(graph, flow::find(graph)));
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

    /// Whether two ways meet at this Region or Loop. If control comes one way only, the other
    /// being dead, it is no more than a step on that way.
    pub fn is_head(&self, id: NodeId) -> bool {
        self.block_of[id].is_some_and(|block| self.blocks[block].head == id)
    }

    /// The values of a Phi that may arrive, each with its way; those of dead ways cannot.
    pub fn arriving(&self, graph: &Graph, phi: NodeId) -> impl Iterator<Item = NodeId> {
        let ways = graph.inputs(graph.input(phi, 0));
        let values = graph.inputs(phi).skip(1).zip(ways);
        values.filter(|(_, way)| self.block_of[*way].is_some()).map(|(value, _)| value)
    }
}
