//! Eager Phis: a loop makes a Phi for every variable before its body is parsed.
//!
//! Which variables the body changes is not known yet, so all of them get one; the peepholes remove
//! useless ones after the loop.
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
    /// Enters a loop with this header.
    pub fn enter_loop(&mut self, graph: &mut Graph, header: NodeId) {
        self.open_loop(graph, header);
        for slot in 1..self.variables.len() {
            self.add_phi(graph, self.loops.len() - 1, slot);
        }
    }
}
