//! Values are at hand: a loop makes a Phi for every variable before its body is read.
//!
//! Nobody knows yet which variables the body will change, so all of them get one; those that
//! turn out to be of no use are removed when the loop has been read.
use super::Scope;
use crate::sea::{Graph, NodeId};

impl Scope<'_> {
    /// The value of a variable.
    pub fn value(&mut self, graph: &mut Graph, slot: usize) -> NodeId {
        graph.input(self.node, slot)
    }
}

#[cfg(feature = "ch07")]
impl Scope<'_> {
    /// Control has entered a loop at `head`.
    pub fn enter_loop(&mut self, graph: &mut Graph, head: NodeId) {
        self.open_loop(graph, head);
        for slot in 1..self.variables.len() {
            self.add_phi(graph, self.loops.len() - 1, slot);
        }
    }
}
