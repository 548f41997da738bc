//! The same graph with its nodes in another order, and without those that are left out.
use super::graph::{Form, Graph, NodeId};
use super::op::Op;
use arena::SideTable;

/// A graph of these nodes, each behind those before it. Where a block, a Phi, a Sync or the End
/// has an operand that is Bad or left out, those behind it move up; a block and its Phis must
/// agree on that. All other operands must be in the order too, and so must the start.
pub fn renumber(graph: &Graph, order: &[NodeId]) -> Graph {
    let mut renumbered = Graph::with_capacity(order.len(), graph.operand_count());
    let mut names: SideTable<NodeId, Option<NodeId>> = SideTable::new(graph.len());
    for &id in order {
        let node = graph.node(id);
        let keeps = |operand: &&NodeId| graph.op(**operand) != Op::Bad;
        let count = graph.operands(id).iter().filter(keeps).count();
        let unknown = renumbered.start;
        names[id] = Some(renumbered.add_later(node.op, node.mode, count, unknown));
    }
    let name = |id: NodeId| names[id].expect("what is used is in the order");
    for &id in order {
        let new = name(id);
        renumbered.set_block(new, name(graph.node(id).block));
        let kept =
            graph.operands(id).iter().enumerate().filter(|&(_, &it)| graph.op(it) != Op::Bad);
        for (at, (old, &operand)) in kept.enumerate() {
            renumbered.set_operand(new, at, name(operand));
            if graph.way(id, old) != super::graph::Way::Always {
                renumbered.set_way(new, at, graph.way(id, old));
            }
        }
        if graph.form(id) != Form::Source {
            renumbered.set_form(new, graph.form(id));
        }
        if graph.depth(id) > 0 {
            renumbered.set_depth(new, graph.depth(id));
        }
    }
    renumbered.symbols = graph.symbols.clone();
    (renumbered.start_block, renumbered.start) = (name(graph.start_block), name(graph.start));
    renumbered
}
