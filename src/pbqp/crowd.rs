//! Who is decided by guess next: of the nodes that are left, the one with the most edges.
use super::graph::Graph;
use super::problem::NodeId;
use std::cmp::Reverse;

/// The nodes with three edges or more, by degree: a list for each degree.
///
/// Degrees only fall, so a list is complete when those of all higher degrees are empty; only then
/// is it put in order. A node whose degree has fallen meanwhile moves down when it is met, so it
/// moves no more often than it loses edges.
pub struct Crowd {
    by_degree: Vec<Vec<NodeId>>,
    /// Whether the list of the highest degree is in order, smallest node last.
    ordered: bool,
}

impl Crowd {
    pub fn new(graph: &Graph) -> Crowd {
        let mut by_degree = Vec::new();
        for x in graph.nodes().filter(|&x| !graph.is_gone(x)) {
            let degree = graph.degree(x);
            if degree >= by_degree.len() {
                by_degree.resize(degree + 1, Vec::new());
            }
            by_degree[degree].push(x);
        }
        Crowd { by_degree, ordered: false }
    }

    /// A node with the most edges, the smallest of them; none if there are no edges.
    pub fn next(&mut self, graph: &Graph) -> Option<NodeId> {
        while let Some(list) = self.by_degree.last_mut() {
            if !std::mem::replace(&mut self.ordered, true) {
                list.sort_unstable_by_key(|&x| Reverse(x));
            }
            let Some(x) = list.pop() else {
                self.by_degree.pop();
                self.ordered = false;
                continue;
            };
            let degree = graph.degree(x);
            if graph.is_gone(x) || degree == 0 {
                continue;
            }
            if degree + 1 == self.by_degree.len() {
                return Some(x);
            }
            self.by_degree[degree].push(x);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::{FAMILIES, Random};
    use super::*;

    #[test]
    fn guesses_start_at_the_first_node_with_the_most_edges() {
        for seed in 0..50 {
            let problem = (FAMILIES[3].draw)(&mut Random(seed), 30);
            let mut graph = Graph::new(&problem);
            let mut crowd = Crowd::new(&graph);
            loop {
                let left = graph.nodes().filter(|&x| !graph.is_gone(x) && graph.degree(x) > 0);
                let expected = left.max_by_key(|&x| (graph.degree(x), Reverse(x)));
                assert_eq!(crowd.next(&graph), expected, "{seed}");
                let Some(x) = expected else { break };
                graph.retire(x);
            }
        }
    }
}
