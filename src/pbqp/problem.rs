//! A problem as it was stated: cost vectors, edges with matrices, and what a selection costs.
//!
//! All costs stand in two flat arrays. Equal matrices are stored once: an instruction selector
//! states the same few border matrices again and again, so a million edges share some hundreds.
use super::cost::Cost;
use super::matrix::{Matrices, MatrixId};
use arena::{Arena, FxHashMap, Id, id};
use std::ops::Range;

id! {
    /// A decision.
    NodeId
}

id! {
    /// What two decisions cost together.
    EdgeId
}

/// A problem. It is only ever added to; solving leaves it untouched.
pub struct Problem {
    /// The cost vectors, one after the other.
    pub(super) vectors: Vec<Cost>,
    /// Where each node's vector starts; one more at the end.
    starts: Vec<u32>,
    pub(super) edges: Arena<EdgeId, Edge>,
    /// For each node the latest edge of its chain: the first few edges to smaller nodes.
    chains: Vec<Option<EdgeId>>,
    /// The edges that no chain has room for.
    beyond: FxHashMap<[NodeId; 2], EdgeId>,
    pub(super) matrices: Matrices,
}

/// An edge {u, v}, u < v; its matrix has a row for each alternative of u.
pub(super) struct Edge {
    pub ends: [NodeId; 2],
    pub matrix: MatrixId,
    /// Whether the matrix is all zeros.
    #[cfg(feature = "ch19")]
    pub silent: bool,
    /// The edge before this one in the chain of v; the first names itself.
    before: EdgeId,
}

/// So long is a chain at most: to walk it is quicker than a look into a large map.
const CHAIN: usize = 16;

impl Problem {
    pub fn new() -> Problem {
        Problem {
            vectors: Vec::new(),
            starts: vec![0],
            edges: Arena::default(),
            chains: Vec::new(),
            beyond: FxHashMap::default(),
            matrices: Matrices::default(),
        }
    }

    /// A node with one alternative per cost. Without any, the problem is infeasible.
    pub fn add_node(&mut self, costs: &[Cost]) -> NodeId {
        let node = NodeId::from_index(self.node_count());
        self.vectors.extend_from_slice(costs);
        self.starts.push(u32::try_from(self.vectors.len()).expect("fewer than 2^32 alternatives"));
        self.chains.push(None);
        node
    }

    /// Adds `matrix`, row by row, a row for each alternative of `u`, to what `u` and `v` cost
    /// together. Both may be the same node: then only the diagonal can ever be chosen.
    pub fn add_edge(&mut self, u: NodeId, v: NodeId, matrix: &[Cost]) {
        let (rows, columns) = (self.vector(u).len(), self.vector(v).len());
        assert_eq!(matrix.len(), rows * columns, "one entry per pair of alternatives");
        if u < v {
            self.join([u, v], matrix);
        } else if v < u {
            self.join([v, u], &transposed(matrix, columns));
        } else {
            let range = self.alternatives(u);
            let diagonal = matrix.iter().step_by(columns + 1);
            self.vectors[range].iter_mut().zip(diagonal).for_each(|(cost, &more)| *cost += more);
        }
    }

    fn join(&mut self, ends: [NodeId; 2], matrix: &[Cost]) {
        let Some(edge) = self.between(ends[0], ends[1]) else { return self.append(ends, matrix) };
        let both = matrix.iter().zip(self.matrices.from(self.edges[edge].matrix));
        let sum: Vec<Cost> = both.map(|(&more, &cost)| cost + more).collect();
        self.edges[edge].matrix = self.matrices.intern(&sum);
        JOINED.iter().for_each(|joined| joined(&mut self.edges[edge], &sum));
    }

    fn append(&mut self, ends: [NodeId; 2], matrix: &[Cost]) {
        let next = EdgeId::from_index(self.edges.len());
        let edge = self.edges.push(Edge {
            ends,
            matrix: self.matrices.intern(matrix),
            #[cfg(feature = "ch19")]
            silent: is_silent(matrix),
            before: self.chains[ends[1].index()].unwrap_or(next),
        });
        if self.chain(ends[1]).count() < CHAIN {
            self.chains[ends[1].index()] = Some(edge);
        } else {
            self.beyond.insert(ends, edge);
        }
    }

    /// The first edges from `node` to smaller nodes.
    fn chain(&self, node: NodeId) -> impl Iterator<Item = EdgeId> {
        let latest = self.chains[node.index()];
        let before = |edge: EdgeId| Some(self.edges[edge].before).filter(|&before| before != edge);
        std::iter::successors(latest, move |&edge| before(edge))
    }

    /// What `choice`, one alternative per node, costs.
    pub fn cost(&self, choice: &[u32]) -> Cost {
        let chosen = |node: NodeId| choice[node.index()] as usize;
        let vectors = self.nodes().map(|node| self.vector(node)[chosen(node)]);
        let matrices =
            self.edges().map(|(u, v, matrix)| matrix[chosen(u) * self.vector(v).len() + chosen(v)]);
        vectors.chain(matrices).sum()
    }

    /// Whether every selection costs less than infinity, but those that are forbidden.
    pub fn is_summable(&self) -> bool {
        let most = |costs: &[Cost]| {
            let finite = costs.iter().copied().filter(|cost| cost.is_finite());
            finite.max().unwrap_or(Cost::ZERO)
        };
        let vectors = self.nodes().map(|node| most(self.vector(node)));
        let matrices = self.edges().map(|(_, _, matrix)| most(matrix));
        vectors.chain(matrices).sum::<Cost>().is_finite()
    }

    pub fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    #[cfg(test)]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.node_count()).map(NodeId::from_index)
    }

    pub fn vector(&self, node: NodeId) -> &[Cost] {
        &self.vectors[self.alternatives(node)]
    }

    /// The edges in the order they were added: u, v, and the matrix row by row; u < v.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, &[Cost])> {
        self.edges.ids().map(|edge| {
            let [u, v] = self.edges[edge].ends;
            (u, v, self.entries(edge))
        })
    }

    /// The matrix of an edge, row by row.
    pub(super) fn entries(&self, edge: EdgeId) -> &[Cost] {
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        &self.matrices.from(matrix)[..self.vector(u).len() * self.vector(v).len()]
    }

    /// The edge between two nodes, given in any order.
    pub(super) fn between(&self, u: NodeId, v: NodeId) -> Option<EdgeId> {
        let ends = [u.min(v), u.max(v)];
        let near = self.chain(ends[1]).find(|&edge| self.edges[edge].ends == ends);
        near.or_else(|| self.beyond.get(&ends).copied())
    }

    /// The place of a node's vector in `vectors`.
    pub(super) fn alternatives(&self, node: NodeId) -> Range<usize> {
        self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize
    }
}

#[cfg(feature = "ch19")]
fn is_silent(matrix: &[Cost]) -> bool {
    matrix.iter().all(|&cost| cost == Cost::ZERO)
}

/// What else is to be known of the sum of two matrices.
const JOINED: &[fn(&mut Edge, &[Cost])] = &[
    #[cfg(feature = "ch19")]
    |edge, sum| edge.silent = is_silent(sum),
];

/// The matrix whose rows are the columns of this one.
pub(super) fn transposed(matrix: &[Cost], columns: usize) -> Vec<Cost> {
    (0..columns).flat_map(|j| matrix.iter().skip(j).step_by(columns).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(values: &[u64]) -> Vec<Cost> {
        values.iter().map(|&value| Cost::new(value)).collect()
    }

    fn two_by_three() -> (Problem, NodeId, NodeId) {
        let mut problem = Problem::new();
        let u = problem.add_node(&costs(&[1, 2]));
        let v = problem.add_node(&costs(&[10, 20, 30]));
        (problem, u, v)
    }

    #[test]
    fn a_selection_pays_vectors_and_matrices() {
        let (mut problem, u, v) = two_by_three();
        problem.add_edge(u, v, &costs(&[100, 200, 300, 400, 500, 600]));
        assert_eq!(problem.cost(&[1, 2]), Cost::new(2 + 30 + 600));
    }

    #[test]
    fn parallel_edges_become_one_whichever_way_they_are_given() {
        let (mut problem, u, v) = two_by_three();
        problem.add_edge(u, v, &costs(&[100, 200, 300, 400, 500, 600]));
        problem.add_edge(v, u, &costs(&[1000, 2000, 3000, 4000, 5000, 6000]));
        assert_eq!(problem.edge_count(), 1);
        let (_, _, matrix) = problem.edges().next().unwrap();
        assert_eq!(matrix, costs(&[1100, 3200, 5300, 2400, 4500, 6600]));
        assert_eq!(problem.cost(&[1, 0]), Cost::new(2 + 10 + 400 + 2000));
    }

    #[test]
    fn a_loop_is_paid_by_its_node() {
        let (mut problem, _, v) = two_by_three();
        let mut matrix = costs(&[7, 0, 0, 0, 8, 0, 0, 0, 9]);
        matrix[4] = Cost::INFINITY;
        problem.add_edge(v, v, &matrix);
        assert_eq!(problem.edge_count(), 0);
        assert_eq!(problem.vector(v), [Cost::new(17), Cost::INFINITY, Cost::new(39)]);
    }
}
