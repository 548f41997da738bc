//! Walks over the graph, without recursion: a chain of a million nodes is no deeper than one.
use super::graph::{Graph, NodeId};
use crate::base::ids::SideTable;

/// Everything `root` needs, each node after all its inputs; `root` comes last.
pub fn postorder(graph: &Graph, root: NodeId) -> Vec<NodeId> {
    let mut seen: SideTable<NodeId, bool> = SideTable::new(graph.len());
    let mut order = Vec::new();
    let mut open = vec![(root, 0)];
    seen[root] = true;
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
    order
}
