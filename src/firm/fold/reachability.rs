//! Reachable blocks and back edges.
//!
//! A block is unreachable if it dominates all its predecessors: then it heads a loop without an
//! entry. The dominators of the graph before folding suffice, since folding only removes edges.
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::Op;
use arena::ListTable;
use flow::Dominators;

pub struct Reachability {
    dominators: Dominators<NodeId>,
    /// Whether all loops have one entry; otherwise the dominators prove nothing.
    reducible: bool,
}

impl Reachability {
    pub fn new(graph: &Graph) -> Reachability {
        let order = reverse_postorder(graph);
        let (from, rest) = (|block| predecessors(graph, block), order.iter().copied().skip(1));
        let dominators = Dominators::build(graph.start_block, rest.clone(), from);
        let reducible = rest.into_iter().all(|block| {
            let parent = dominators.immediate_dominator(block);
            predecessors(graph, block).filter(|&it| dominators.contains(it)).all(|source| {
                dominators.dominates(parent, source) || dominators.dominates(block, source)
            })
        });
        Reachability { dominators, reducible }
    }

    pub fn is_reached(&self, block: NodeId) -> bool {
        self.dominators.contains(block)
    }

    /// Whether every path to `source` contains `block`.
    pub fn is_back_edge(&self, source: NodeId, block: NodeId) -> bool {
        self.reducible && self.dominators.dominates(block, source)
    }
}

/// The blocks before a block.
fn predecessors(graph: &Graph, block: NodeId) -> impl Iterator<Item = NodeId> + Clone {
    let jumps = graph.operands(block).iter().filter(|&&jump| graph.op(jump) != Op::Bad);
    jumps.map(|&jump| graph.node(jump).block)
}

/// The reachable blocks; each is after all its predecessors, back edges excepted.
pub fn reverse_postorder(graph: &Graph) -> Vec<NodeId> {
    let is_block = |id: &NodeId| graph.op(*id).is_block();
    let edges = graph.ids().filter(is_block);
    let edges = edges.flat_map(|to| predecessors(graph, to).map(move |from| (from, to)));
    let targets = ListTable::group(graph.len(), edges);
    let next = |block, visited: usize| targets[block].get(visited).copied();
    flow::reverse_postorder(graph.start_block, graph.len(), next)
}
