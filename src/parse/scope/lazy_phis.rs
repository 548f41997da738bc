//! Values come into a loop when they are asked for.
//!
//! At the head of a loop nobody knows yet which variables its body will change. So nothing is
//! done there. The first time the body names a variable, its value goes into the loop: a Phi is
//! made at the head of each loop on the way, from the outermost in. A variable that is not named
//! costs nothing.
//! Source: M. Braun, S. Buchwald et al., "Simple and Efficient Construction of Static Single
//! Assignment Form", CC 2013.
use super::Scope;
use crate::sea::{Graph, NodeId};

impl Scope<'_> {
    /// The value of a variable here, inside of all open loops and of no other.
    pub fn value(&mut self, graph: &mut Graph, slot: usize) -> NodeId {
        for depth in self.variables[slot].depth..self.loops.len() {
            self.add_phi(graph, depth, slot);
        }
        self.variables[slot].depth = self.loops.len();
        graph.input(self.node, slot)
    }

    /// Control has entered a loop at `head`.
    pub fn enter_loop(&mut self, graph: &mut Graph, head: NodeId) {
        self.open_loop(graph, head);
    }
}
