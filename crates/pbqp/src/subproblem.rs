//! Parts of a graph as problems of their own: connected components, and neighbourhoods of a node.
use crate::cost::Cost;
use crate::graph::{Graph, Incidence};
use crate::problem::{NodeId, Problem};
use alloc::vec;
use alloc::vec::Vec;

/// A part of a graph: node n of the problem is `nodes[n]` of the graph, and pruned alternatives are
/// left out.
pub struct Subproblem {
    pub problem: Problem,
    pub nodes: Vec<NodeId>,
    /// The alternatives in the graph, for those of all nodes of the problem.
    alternatives: Vec<u32>,
}

impl Subproblem {
    /// The nodes and alternatives of the graph that correspond to a choice in the problem.
    pub fn in_graph(&self, choice: &[u32]) -> impl Iterator<Item = (NodeId, u32)> {
        self.problem.nodes().map(|x| {
            let at = self.problem.alternatives(x).start + choice[x.index()] as usize;
            (self.nodes[x.index()], self.alternatives[at])
        })
    }
}

/// Extracts subproblems from a graph.
pub struct SubproblemExtractor {
    /// For each node its number in the current part plus 1; 0 for the nodes outside.
    positions: Vec<u32>,
}

impl SubproblemExtractor {
    pub fn new(graph: &Graph) -> SubproblemExtractor {
        SubproblemExtractor { positions: vec![0; graph.nodes().count()] }
    }

    /// The nodes nearest to `center`, in breadth-first order from there: at most `size` nodes, and
    /// none but `center` with more than `max_degree` edges.
    pub fn neighbourhood(
        &mut self,
        graph: &Graph,
        center: NodeId,
        size: usize,
        max_degree: usize,
    ) -> Vec<NodeId> {
        let mut nodes = vec![center];
        self.positions[center.index()] = 1;
        let mut at = 0;
        while let Some(&x) = nodes.get(at) {
            at += 1;
            for &Incidence { other: y, .. } in graph.edges_of(x) {
                let fits = nodes.len() < size && graph.degree(y) <= max_degree;
                if fits && self.positions[y.index()] == 0 {
                    nodes.push(y);
                    self.positions[y.index()] = 1;
                }
            }
        }
        nodes.iter().for_each(|x| self.positions[x.index()] = 0);
        nodes
    }

    /// The problem of some nodes, in the order of their numbers, while all other nodes keep their
    /// `choice`.
    pub fn extract(&mut self, graph: &Graph, mut nodes: Vec<NodeId>, choice: &[u32]) -> Subproblem {
        nodes.sort_unstable();
        for (at, x) in nodes.iter().enumerate() {
            self.positions[x.index()] = at as u32 + 1;
        }
        let (mut problem, mut alternatives, mut costs) = (Problem::new(), Vec::new(), Vec::new());
        for &x in &nodes {
            costs.clear();
            for (i, &cost) in graph.vector(x).iter().enumerate().filter(|it| it.1.is_finite()) {
                costs.push(cost + self.outer_cost(graph, x, i, choice));
                alternatives.push(i as u32);
            }
            problem.add_node(&costs);
        }
        for &x in &nodes {
            for &Incidence { edge, other: y } in graph.edges_of(x) {
                if x > y || self.positions[y.index()] == 0 {
                    continue;
                }
                costs.clear();
                let (matrix, columns) = (graph.view(edge, x), graph.vector(y));
                for i in (0..graph.vector(x).len()).filter(|&i| graph.is_allowed(x, i)) {
                    let row = columns.iter().zip(matrix.row(i));
                    costs.extend(row.filter(|(column, _)| column.is_finite()).map(|(_, it)| it));
                }
                let [u, v] = [x, y].map(|it| self.positions[it.index()] as usize - 1);
                problem.add_edge(NodeId::from_index(u), NodeId::from_index(v), &costs);
            }
        }
        nodes.iter().for_each(|x| self.positions[x.index()] = 0);
        Subproblem { problem, nodes, alternatives }
    }

    /// The cost of alternative `i` of `x` on edges to nodes outside.
    fn outer_cost(&self, graph: &Graph, x: NodeId, i: usize, choice: &[u32]) -> Cost {
        let outer = graph.edges_of(x).iter().filter(|it| self.positions[it.other.index()] == 0);
        let chosen = |x: NodeId| choice[x.index()] as usize;
        outer.map(|it| graph.view(it.edge, x).at(i, chosen(it.other))).sum()
    }
}

/// The connected components of the graph, without nodes that have no edge.
pub fn components(graph: &Graph) -> Vec<Vec<NodeId>> {
    let mut is_visited = vec![false; graph.nodes().count()];
    let mut components = Vec::new();
    for first in graph.connected_nodes() {
        if core::mem::replace(&mut is_visited[first.index()], true) {
            continue;
        }
        let mut nodes = vec![first];
        let mut at = 0;
        while let Some(&x) = nodes.get(at) {
            at += 1;
            for &Incidence { other: y, .. } in graph.edges_of(x) {
                if !core::mem::replace(&mut is_visited[y.index()], true) {
                    nodes.push(y);
                }
            }
        }
        components.push(nodes);
    }
    components
}
