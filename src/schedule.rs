//! The order of the program: the sea floats, machines go step by step.
use crate::sea::{Graph, NodeId, postorder};

/// An order for the nodes of a graph; the graph itself is not changed by it.
pub struct Schedule {
    /// Everything the end needs, each node after all it needs.
    pub order: Vec<NodeId>,
}

/// Puts every node right before it is needed for the first time.
pub fn schedule(graph: &Graph) -> Schedule {
    Schedule { order: postorder(graph, graph.end) }
}
