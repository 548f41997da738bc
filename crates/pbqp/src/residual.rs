//! The rest of a problem between two reductions.
use crate::cost::Cost;
use crate::graph::Graph;
use crate::problem::{NodeId, Problem};
use alloc::vec::Vec;
use core::fmt;

/// The nodes that are not eliminated, with their costs as they are now.
#[derive(Clone, Copy)]
pub struct Residual<'g>(pub(crate) &'g Graph<'g>);

impl Residual<'_> {
    /// Whether a node is not eliminated.
    pub fn contains(&self, node: NodeId) -> bool {
        !self.0.is_eliminated(node)
    }

    /// The costs of a node's alternatives; a pruned one has infinite costs.
    pub fn vector(&self, node: NodeId) -> &[Cost] {
        self.0.vector(node)
    }

    /// As a problem. It has all nodes, and no edges of eliminated ones.
    pub fn problem(&self) -> Problem {
        let mut problem = Problem::new();
        for node in self.0.nodes() {
            problem.add_node(self.0.vector(node));
        }
        for u in self.0.remaining_nodes() {
            for incidence in self.0.edges_of(u).iter().filter(|it| u < it.other) {
                let matrix = self.0.view(incidence.edge, u);
                let rows = (0..self.0.vector(u).len()).map(|row| matrix.row(row));
                problem.add_edge(u, incidence.other, &rows.flatten().collect::<Vec<_>>());
            }
        }
        problem
    }
}

impl fmt::Debug for Residual<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.0.remaining_nodes()).finish()
    }
}
