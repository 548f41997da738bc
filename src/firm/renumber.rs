//! A copy of a graph with its nodes in another order, and without some of them.
use super::graph::{EdgeKind, Graph, NodeId};
use super::op::Op;
use arena::SideTable;

/// A graph of these nodes, numbered in this order. Operands that are Bad are removed from blocks,
/// Phis, Syncs and the End; a block and its Phis must agree on that. All other operands must be in
/// the order too, and so must the start.
pub fn renumber(graph: &Graph, order: &[NodeId]) -> Graph {
    let mut renumbered = Graph::with_capacity(order.len(), graph.operand_count());
    renumbered.name.clone_from(&graph.name);
    #[cfg(feature = "ch26")]
    {
        renumbered.signature = graph.signature;
    }
    let mut names: SideTable<NodeId, Option<NodeId>> = SideTable::new(graph.len());
    for &id in order {
        let node = graph.node(id);
        let keeps = |operand: &&NodeId| graph.op(**operand) != Op::Bad;
        let count = graph.operands(id).iter().filter(keeps).count();
        let unknown = renumbered.start;
        renumbered.set_origin(graph.origin(id));
        names[id] = Some(renumbered.add_later(node.op, node.mode, count, unknown));
    }
    let name = |id: NodeId| names[id].expect("operands are in the order");
    for &id in order {
        let new = name(id);
        renumbered.set_block(new, name(graph.node(id).block));
        let kept =
            graph.operands(id).iter().enumerate().filter(|&(_, &it)| graph.op(it) != Op::Bad);
        for (at, (old, &operand)) in kept.enumerate() {
            renumbered.set_operand(new, at, name(operand));
            if graph.edge_kind(id, old) != EdgeKind::Always {
                renumbered.set_edge_kind(new, at, graph.edge_kind(id, old));
            }
        }
        if graph.depth(id) > 0 {
            renumbered.set_depth(new, graph.depth(id));
        }
    }
    (renumbered.start_block, renumbered.start) = (name(graph.start_block), name(graph.start));
    renumbered
}
