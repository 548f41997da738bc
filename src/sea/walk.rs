//! Walks over the graph, without recursion: a chain of a million nodes is no deeper than one.
use super::graph::Graph;
use super::op::NodeId;
use arena::SideTable;
use picture::Kind;

/// The program: what its end needs, and all control, even where it never comes to an end.
pub fn reachable_nodes(graph: &Graph) -> Vec<NodeId> {
    let is_control = |&id: &NodeId| graph.op(id).row().kind == Kind::Control;
    let control = graph.ids().filter(is_control).filter(|&id| graph.uses(id) > 0);
    postorder(graph, [graph.end].into_iter().chain(control))
}

/// Everything that one of the roots needs, each node after all its inputs; only around a loop
/// something has to be first.
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
