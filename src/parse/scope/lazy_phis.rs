//! Lazy Phis: a loop makes the Phi of a variable at the first use in its body.
//!
//! At the loop header it is not known yet which variables the body changes, so no Phi is made
//! there. The first time the body names a variable, it gets a Phi at the header of each open loop
//! that has none for it yet, from the outermost in. A variable that is not named costs nothing.
//! Source: M. Braun, S. Buchwald et al., "Simple and Efficient Construction of Static Single
//! Assignment Form", CC 2013.
use super::Scope;
use crate::sea::{Graph, NodeId};

impl Scope<'_> {
    /// The current value of a variable, with its Phis in all open loops.
    pub fn value(&mut self, graph: &mut Graph, slot: usize) -> NodeId {
        for depth in self.variables[slot].depth..self.loops.len() {
            self.add_phi(graph, depth, slot);
        }
        self.variables[slot].depth = self.loops.len();
        graph.input(self.node, slot)
    }

    /// Enters a loop with this header.
    pub fn enter_loop(&mut self, graph: &mut Graph, header: NodeId) {
        self.open_loop(graph, header);
    }
}
