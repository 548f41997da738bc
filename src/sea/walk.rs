//! Graph traversals with an explicit stack: recursion could overflow on a long chain of nodes.
use super::graph::Graph;
use super::op::NodeId;
use arena::SideTable;
use picture::Kind;

/// The nodes of the program: all that its end depends on, and all control, even in infinite loops.
pub fn reachable_nodes(graph: &Graph) -> Vec<NodeId> {
    let is_control = |&id: &NodeId| graph.op(id).row().kind == Kind::Control;
    let control = graph.ids().filter(is_control).filter(|&id| graph.uses(id) > 0);
    postorder(graph, [graph.end].into_iter().chain(control))
}

/// All nodes the roots depend on, each after its inputs, except for back edges.
pub fn postorder(graph: &Graph, roots: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    let mut seen: SideTable<NodeId, bool> = SideTable::new(graph.len());
    let mut order = Vec::new();
    let mut open = Vec::new();
    for root in roots {
        if !std::mem::replace(&mut seen[root], true) {
            open.push((root, 0));
        }
        while let Some((id, next)) = open.last_mut() {
            let mut rest = graph.inputs(*id).skip(*next);
            match rest.find(|&input| {
                *next += 1;
                !seen[input]
            }) {
                Some(input) => {
                    seen[input] = true;
                    open.push((input, 0));
                }
                None => {
                    order.push(*id);
                    open.pop();
                }
            }
        }
    }
    order
}
