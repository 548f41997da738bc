//! A copy of a graph with its nodes in another order, and without some of them.
use super::graph::{EdgeKind, Graph, NodeId};
#[cfg(feature = "ch25")]
use super::op::Op;
use arena::{Id, ListTable, SideTable};

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
    renumbered.copy_origins(graph, order);
    let mut names: SideTable<NodeId, Option<NodeId>> = SideTable::new(graph.len());
    for (at, &id) in order.iter().enumerate() {
        names[id] = Some(Id::from_index(at));
    }
    let name = |id: NodeId| names[id].expect("operands are in the order");
    for &id in order {
        let node = graph.node(id);
        let operands = kept(graph, id).map(|(_, operand)| name(operand));
        let new = renumbered.add_from(node.op, node.mode, name(node.block), operands);
        if node.op.is_block() {
            copy_edge_kinds(graph, id, &mut renumbered, new);
            if graph.depth(id) > 0 {
                renumbered.set_depth(new, graph.depth(id));
            }
        }
    }
    (renumbered.start_block, renumbered.start) = (name(graph.start_block), name(graph.start));
    renumbered
}

/// The operands that are left, with their old positions.
fn kept(graph: &Graph, id: NodeId) -> impl Iterator<Item = (usize, NodeId)> {
    let operands = graph.operands(id).iter().copied().enumerate();
    #[cfg(feature = "ch25")]
    let operands = operands.filter(|&(_, operand)| !matches!(graph.op(operand), Op::Bad));
    operands
}

/// The same nodes, block by block.
pub fn by_blocks(graph: &Graph, order: &[NodeId]) -> Vec<NodeId> {
    let block = |id: NodeId| graph.node(id).block;
    let inside = order.iter().map(|&id| (block(id), id)).filter(|(block, id)| block != id);
    let inside = ListTable::group(graph.len(), inside);
    let blocks = order.iter().copied().filter(|&id| block(id) == id);
    blocks.flat_map(|it| std::iter::once(it).chain(inside[it].iter().copied())).collect()
}

/// Copies the kinds of the edges to a block that are left.
fn copy_edge_kinds(graph: &Graph, block: NodeId, renumbered: &mut Graph, new: NodeId) {
    for (at, (old, _)) in kept(graph, block).enumerate() {
        let kind = graph.edge_kind(block, old);
        if kind != EdgeKind::Always {
            renumbered.set_edge_kind(new, at, kind);
        }
    }
}
