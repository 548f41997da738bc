//! A copy of a graph with its nodes in another order, and without some of them.
use super::graph::{EdgeKind, Graph, NodeId};
use arena::{Id, ListTable, SideTable};

/// A graph of these nodes, numbered in this order. Operands that are not in the order are left out;
/// these may be operands of blocks, Phis, Syncs and the End, and a block and its Phis must agree on
/// that. The start must be in the order.
pub fn renumber(graph: &Graph, order: &[NodeId]) -> Graph {
    let mut renumbered = Graph::with_capacity(order.len(), graph.operand_count());
    renumbered.name.clone_from(&graph.name);
    #[cfg(feature = "ch14")]
    {
        renumbered.signature = graph.signature;
    }
    renumbered.copy_origins(graph, order);
    let mut names: SideTable<NodeId, Option<NodeId>> = SideTable::new(graph.len());
    for (at, &id) in order.iter().enumerate() {
        names[id] = Some(Id::from_index(at));
    }
    let name = |id: NodeId| names[id].expect("blocks and the start are in the order");
    for &id in order {
        let node = graph.node(id);
        let operands = graph.operands(id).iter().filter_map(|&operand| names[operand]);
        let new = renumbered.add_from(node.op, node.mode, name(node.block), operands);
        if node.op.is_block() {
            copy_block(graph, id, &mut renumbered, new, &names);
        }
    }
    (renumbered.start_block, renumbered.start) = (name(graph.start_block), name(graph.start));
    renumbered
}

/// The same nodes, block by block.
#[cfg(feature = "ch25")]
pub fn by_blocks(graph: &Graph, order: &[NodeId]) -> Vec<NodeId> {
    let block = |id: NodeId| graph.node(id).block;
    let inside = order.iter().map(|&id| (block(id), id)).filter(|(block, id)| block != id);
    let inside = ListTable::group(graph.len(), inside);
    let mut sorted = Vec::with_capacity(order.len());
    for &id in order.iter().filter(|&&id| block(id) == id) {
        sorted.push(id);
        sorted.extend_from_slice(&inside[id]);
    }
    sorted
}

/// Copies the depth of a block, and the kinds of the edges that are left.
fn copy_block(
    graph: &Graph,
    block: NodeId,
    renumbered: &mut Graph,
    new: NodeId,
    names: &SideTable<NodeId, Option<NodeId>>,
) {
    if graph.depth(block) > 0 {
        renumbered.set_depth(new, graph.depth(block));
    }
    let edges = graph.operands(block).iter().enumerate();
    let left = edges.filter(|&(_, &jump)| names[jump].is_some());
    for (at, (old, _)) in left.enumerate() {
        let kind = graph.edge_kind(block, old);
        if kind != EdgeKind::Always {
            renumbered.set_edge_kind(new, at, kind);
        }
    }
}
