//! A problem as stated: cost vectors, edges with matrices, and the cost of a selection.
//!
//! All costs are in two flat arrays. Equal matrices are stored once: the problems of an instruction
//! selector or a register allocator repeat a few matrices, so a million edges share some hundreds.
use crate::cost::Cost;
use crate::ids::{Arena, FxHashMap, Id, id};
use crate::matrix::{MatrixId, MatrixPool};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

id! {
    /// A node: a decision between alternatives.
    NodeId
}

impl NodeId {
    /// The node with this number.
    ///
    /// # Panics
    /// If the number needs more than 32 bits.
    #[inline]
    pub fn from_index(index: usize) -> NodeId {
        Id::from_index(index)
    }

    /// The number: 0 for the first node of a problem.
    #[inline]
    pub fn index(self) -> usize {
        Id::index(self)
    }
}

#[cfg(feature = "arena")]
impl arena::Id for NodeId {
    #[inline]
    fn from_index(index: usize) -> NodeId {
        Id::from_index(index)
    }

    #[inline]
    fn index(self) -> usize {
        Id::index(self)
    }
}

id! {
    /// An edge: the costs of pairs of alternatives of two nodes.
    EdgeId
}

/// A problem. Nodes, edges and costs are only ever added; solving leaves it unchanged.
#[derive(Clone)]
pub struct Problem {
    /// The cost vectors of all nodes.
    pub(crate) vectors: Vec<Cost>,
    /// The start of each node's vector, and the end of the last.
    starts: Vec<u32>,
    pub(crate) edges: Arena<EdgeId, Edge>,
    /// For each node the last edge of its chain: the first few edges to smaller nodes.
    chains: Vec<Option<EdgeId>>,
    /// The edges that are in no chain.
    unchained: FxHashMap<[NodeId; 2], EdgeId>,
    pub(crate) matrices: MatrixPool,
}

/// An edge {u, v}, u < v; its matrix has a row for each alternative of u.
#[derive(Clone)]
pub(crate) struct Edge {
    pub ends: [NodeId; 2],
    pub matrix: MatrixId,
    /// Whether all entries of the matrix are zero.
    pub is_zero: bool,
    /// The edge before this one in the chain of v; the first names itself.
    previous: EdgeId,
}

/// The length of the longest chain: it is walked faster than a large map finds a key.
const MAX_CHAIN: usize = 16;

impl Problem {
    /// A problem without nodes.
    pub fn new() -> Problem {
        Problem {
            vectors: Vec::new(),
            starts: vec![0],
            edges: Arena::default(),
            chains: Vec::new(),
            unchained: FxHashMap::default(),
            matrices: MatrixPool::default(),
        }
    }

    /// A problem without nodes, with memory for this number of nodes and of all their alternatives.
    pub fn with_capacity(nodes: usize, alternatives: usize) -> Problem {
        let mut problem = Problem::new();
        problem.vectors.reserve(alternatives);
        problem.starts.reserve(nodes);
        problem.chains.reserve(nodes);
        problem
    }

    /// Adds a node with one alternative for each cost. A node without alternatives makes the
    /// problem infeasible. Nodes are numbered 0, 1, 2, …
    pub fn add_node(&mut self, costs: &[Cost]) -> NodeId {
        let node = NodeId::from_index(self.node_count());
        self.vectors.extend_from_slice(costs);
        self.starts.push(u32::try_from(self.vectors.len()).expect("fewer than 2^32 alternatives"));
        self.chains.push(None);
        node
    }

    /// Adds `cost` to one alternative of a node. [`Cost::INFINITY`] forbids the alternative.
    pub fn add_cost(&mut self, node: NodeId, alternative: u32, cost: Cost) {
        let vector = self.alternatives(node);
        self.vectors[vector][alternative as usize] += cost;
    }

    /// Adds `matrix`, row by row with a row for each alternative of `u`, to the costs of the pair.
    /// Several edges between two nodes add up. If both are the same node, the diagonal is added to
    /// its vector.
    ///
    /// # Panics
    /// If the matrix does not have one entry for each pair of alternatives.
    pub fn add_edge(&mut self, u: NodeId, v: NodeId, matrix: &[Cost]) {
        let (rows, columns) = (self.vector(u).len(), self.vector(v).len());
        assert_eq!(matrix.len(), rows * columns, "one entry per pair of alternatives");
        if u < v {
            self.merge([u, v], matrix);
        } else if v < u {
            self.merge([v, u], &transposed(matrix, columns));
        } else {
            let range = self.alternatives(u);
            let diagonal = matrix.iter().step_by(columns + 1);
            self.vectors[range].iter_mut().zip(diagonal).for_each(|(cost, &more)| *cost += more);
        }
    }

    /// As [`Problem::add_edge`], with `cost(i, j)` for alternative `i` of `u` and `j` of `v`.
    pub fn add_edge_with(&mut self, u: NodeId, v: NodeId, cost: impl Fn(usize, usize) -> Cost) {
        // The smaller node gets the rows, so that the matrix need not be transposed.
        let is_swapped = v < u;
        let ends = [u.min(v), u.max(v)];
        let [rows, columns] = ends.map(|end| self.vector(end).len());
        let mut matrix = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            let entry = |j| if is_swapped { cost(j, i) } else { cost(i, j) };
            matrix.extend((0..columns).map(entry));
        }
        self.add_edge(ends[0], ends[1], &matrix);
    }

    /// Adds an edge between two nodes whose matrix is zero, unless they have an edge.
    pub fn add_zero_edge(&mut self, u: NodeId, v: NodeId) {
        let ends = [u.min(v), u.max(v)];
        if u != v && self.between(u, v).is_none() {
            let zeros = self.matrices.zeros(self.vector(u).len() * self.vector(v).len());
            self.append(ends, zeros, true);
        }
    }

    /// Adds `matrix` to the edge between two nodes, or adds the edge.
    fn merge(&mut self, ends: [NodeId; 2], matrix: &[Cost]) {
        let Some(edge) = self.between(ends[0], ends[1]) else {
            let (matrix, is_zero) = (self.matrices.intern(matrix), is_zero(matrix));
            return self.append(ends, matrix, is_zero);
        };
        let pairs = matrix.iter().zip(self.matrices.from(self.edges[edge].matrix));
        let sum: Vec<Cost> = pairs.map(|(&more, &cost)| cost + more).collect();
        self.edges[edge].matrix = self.matrices.intern(&sum);
        self.edges[edge].is_zero = is_zero(&sum);
    }

    fn append(&mut self, ends: [NodeId; 2], matrix: MatrixId, is_zero: bool) {
        let next = EdgeId::from_index(self.edges.len());
        let edge = self.edges.push(Edge {
            ends,
            matrix,
            is_zero,
            previous: self.chains[ends[1].index()].unwrap_or(next),
        });
        if self.chain(ends[1]).count() < MAX_CHAIN {
            self.chains[ends[1].index()] = Some(edge);
        } else {
            self.unchained.insert(ends, edge);
        }
    }

    /// The first edges from `node` to smaller nodes.
    fn chain(&self, node: NodeId) -> impl Iterator<Item = EdgeId> {
        let last = self.chains[node.index()];
        let previous = |edge: EdgeId| Some(self.edges[edge].previous).filter(|&it| it != edge);
        core::iter::successors(last, move |&edge| previous(edge))
    }

    /// The cost of a selection: `choice` has the chosen alternative of each node.
    pub fn cost(&self, choice: &[u32]) -> Cost {
        let chosen = |node: NodeId| choice[node.index()] as usize;
        let vectors = self.nodes().map(|node| self.vector(node)[chosen(node)]);
        let matrices =
            self.edges().map(|(u, v, matrix)| matrix[chosen(u) * self.vector(v).len() + chosen(v)]);
        vectors.chain(matrices).sum()
    }

    /// Whether the largest finite entries of all vectors and matrices have a finite sum. If they
    /// have not, an infeasible problem may have a selection that is allowed but costs too much.
    pub fn is_summable(&self) -> bool {
        let largest = |costs: &[Cost]| {
            let finite = costs.iter().copied().filter(|cost| cost.is_finite());
            finite.max().unwrap_or(Cost::ZERO)
        };
        let vectors = self.nodes().map(|node| largest(self.vector(node)));
        let matrices = self.edges().map(|(_, _, matrix)| largest(matrix));
        vectors.chain(matrices).sum::<Cost>().is_finite()
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of edges. Edges between the same two nodes count once.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// All nodes, in the order in which they were added.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.node_count()).map(NodeId::from_index)
    }

    /// The costs of a node's alternatives.
    pub fn vector(&self, node: NodeId) -> &[Cost] {
        &self.vectors[self.alternatives(node)]
    }

    /// The edges in the order in which they were added: u, v, and the matrix row by row; u < v.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, &[Cost])> {
        self.edges.ids().map(|edge| {
            let [u, v] = self.edges[edge].ends;
            (u, v, self.entries(edge))
        })
    }

    /// The matrix of an edge, row by row.
    pub(crate) fn entries(&self, edge: EdgeId) -> &[Cost] {
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        &self.matrices.from(matrix)[..self.vector(u).len() * self.vector(v).len()]
    }

    /// The edge between two nodes, given in any order.
    pub(crate) fn between(&self, u: NodeId, v: NodeId) -> Option<EdgeId> {
        let ends = [u.min(v), u.max(v)];
        let chained = self.chain(ends[1]).find(|&edge| self.edges[edge].ends == ends);
        chained.or_else(|| self.unchained.get(&ends).copied())
    }

    /// The position of a node's vector in `vectors`.
    pub(crate) fn alternatives(&self, node: NodeId) -> Range<usize> {
        self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize
    }
}

impl Default for Problem {
    fn default() -> Problem {
        Problem::new()
    }
}

fn is_zero(matrix: &[Cost]) -> bool {
    matrix.iter().all(|&cost| cost == Cost::ZERO)
}

/// The transposed matrix.
pub(crate) fn transposed(matrix: &[Cost], columns: usize) -> Vec<Cost> {
    let mut transposed = Vec::with_capacity(matrix.len());
    for column in 0..columns {
        transposed.extend(matrix.iter().skip(column).step_by(columns));
    }
    transposed
}
