//! How control flows from block to block, as far as folding has to know.
//!
//! A block that every remaining way to comes out of is not reached: these ways are those of a loop
//! that nothing enters any more. For this the dominators of the graph as it was are good enough,
//! since the ways that are left are some of those that were there.
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::{Op, Place};
use arena::ListTable;
use flow::Dominators;

pub struct Blocks {
    dominators: Dominators<NodeId>,
    /// Whether all loops have one entry: else the dominators are not to be trusted.
    reducible: bool,
}

impl Blocks {
    pub fn new(graph: &Graph) -> Blocks {
        let order = reverse_postorder(graph);
        let (from, rest) = (|block| sources(graph, block), order.iter().copied().skip(1));
        let dominators = Dominators::build(graph.start_block, rest.clone(), from);
        let reducible = rest.into_iter().all(|block| {
            let parent = dominators.immediate_dominator(block);
            sources(graph, block).filter(|&it| dominators.contains(it)).all(|source| {
                dominators.dominates(parent, source) || dominators.dominates(block, source)
            })
        });
        Blocks { dominators, reducible }
    }

    pub fn is_reached(&self, block: NodeId) -> bool {
        self.dominators.contains(block)
    }

    /// Whether control comes from `source` to `block` only if it has been there before.
    pub fn comes_around(&self, source: NodeId, block: NodeId) -> bool {
        self.reducible && self.dominators.dominates(block, source)
    }
}

/// The blocks that control comes from.
fn sources(graph: &Graph, block: NodeId) -> impl Iterator<Item = NodeId> + Clone {
    let jumps = graph.operands(block).iter().filter(|&&jump| graph.op(jump) != Op::Bad);
    jumps.map(|&jump| graph.node(jump).block)
}

/// The blocks that control reaches, each behind all that lead to it from before.
pub fn reverse_postorder(graph: &Graph) -> Vec<NodeId> {
    let is_block = |id: &NodeId| graph.op(*id).row().place == Place::Block;
    let ways = graph.ids().filter(is_block);
    let ways = ways.flat_map(|to| sources(graph, to).map(move |from| (from, to)));
    let targets = ListTable::group(graph.len(), ways);
    let next = |block, visited: usize| targets[block].get(visited).copied();
    flow::reverse_postorder(graph.start_block, graph.len(), next)
}
