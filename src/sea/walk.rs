//! Graph traversals. They do not recurse: the stack could overflow on a long chain of nodes.
use super::graph::Graph;
use super::op::NodeId;
#[cfg(feature = "ch05")]
use super::op::Op;
use picture::Kind;

/// The nodes of the program: all that its end depends on, and all control, even in infinite loops.
pub fn reachable_nodes(graph: &Graph) -> Vec<NodeId> {
    let is_control = |&id: &NodeId| graph.op(id).row().kind == Kind::Control;
    let control = graph.ids().filter(|&id| graph.uses(id) > 0).filter(is_control);
    postorder(graph, [graph.end].into_iter().chain(control))
}

/// All nodes the roots depend on, each after its inputs, except for back edges.
pub fn postorder(graph: &Graph, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    flow::postorder(roots, graph.len(), |id, at| {
        (at < graph.inputs(id).len()).then(|| graph.input(id, at))
    })
}

/// The inputs without back edges.
/// @ch05 A Phi has none of its values, and a Loop none of its back edges.
#[cfg(feature = "ch02")]
pub fn forward_inputs(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> {
    #[cfg(feature = "ch05")]
    if matches!(graph.op(id), Op::Phi(_)) {
        return graph.inputs(id).take(1);
    }
    #[cfg(feature = "ch07")]
    if graph.op(id) == Op::Loop {
        return graph.inputs(id).take(1);
    }
    graph.inputs(id).take(usize::MAX)
}
