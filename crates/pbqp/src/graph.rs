//! The graph that the reductions read and change.
//!
//! Everything is a flat array indexed by a dense id. The edges of a node are one range of
//! `incident`, and each edge has its two positions there, so an edge is removed in O(1): the last
//! of the range moves into the gap. A matrix of the problem is copied before it is first written.
//! An eliminated node keeps its vector, its edges and their matrices.
use crate::cost::Cost;
use crate::ids::{Arena, FxHashMap, Id};
use crate::matrix::MatrixId;
use crate::problem::{EdgeId, NodeId, Problem};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

#[derive(Clone)]
pub struct Graph<'p> {
    problem: &'p Problem,
    /// The cost vectors as they are now. An infinite entry is a pruned alternative.
    vectors: Vec<Cost>,
    /// The problem's edges whose matrices are not zero, then those made by reductions.
    edges: Arena<EdgeId, Edge>,
    /// The edges between nodes with more than `MAX_SCANNED` edges each.
    dense_edges: FxHashMap<[NodeId; 2], EdgeId>,
    /// The matrices that differ from the problem's; each belongs to one edge.
    own: Vec<Cost>,
    incident: Vec<Incidence>,
    nodes: Vec<Node>,
    eliminated: Vec<bool>,
    /// Edges to be normalized: at first all edges, later those of a node that has lost an
    /// alternative. Last in, first out.
    to_normalize: Vec<EdgeId>,
    /// All nodes of degree 1, all nodes of degree 2, and some whose degree has changed since.
    low_degree: [Vec<NodeId>; 2],
    /// Alternatives that have become infinite since the last `take_pruned`.
    pruned: Vec<(NodeId, u32)>,
    /// Nodes without an alternative, in the order in which they lost the last.
    wiped_out: Vec<NodeId>,
}

/// A list of so many edges is scanned faster than a map finds a key.
const MAX_SCANNED: usize = 16;

/// What is read most often of a node, in one place.
#[derive(Clone, Copy)]
struct Node {
    /// The position of its vector in `vectors`, and its length.
    first: u32,
    count: u32,
    /// The position of its range of `incident`, and its length now.
    start: u32,
    degree: u32,
}

/// An edge as seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Incidence {
    pub edge: EdgeId,
    /// The other end.
    pub other: NodeId,
}

#[derive(Clone, Copy)]
struct Edge {
    ends: [NodeId; 2],
    /// The positions in `incident` of this edge, one per end.
    positions: [u32; 2],
    /// Counts through the entries of the problem's matrices, then on through `own`.
    matrix: MatrixId,
    is_present: bool,
    is_queued: bool,
}

/// A matrix whose rows are the alternatives of a given end of its edge.
#[derive(Clone, Copy)]
pub struct MatrixView<'g> {
    entries: &'g [Cost],
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'g> MatrixView<'g> {
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> Cost {
        self.entries[row * self.row_stride + column * self.column_stride]
    }

    #[inline]
    pub fn row(self, row: usize) -> impl ExactSizeIterator<Item = Cost> + use<'g> {
        let start = row * self.row_stride;
        (0..self.columns).map(move |column| self.entries[start + column * self.column_stride])
    }
}

impl Node {
    fn new(alternatives: Range<usize>) -> Node {
        let [first, count] = [alternatives.start, alternatives.len()].map(|it| it as u32);
        Node { first, count, start: 0, degree: 0 }
    }
}

impl Incidence {
    /// Fills positions that are not used yet.
    fn unused() -> Incidence {
        Incidence { edge: EdgeId::from_index(0), other: NodeId::from_index(0) }
    }

    /// Whether `x`, whose incidence this is, is the first or the second end.
    fn side(self, x: NodeId) -> usize {
        usize::from(self.other < x)
    }
}

impl Edge {
    fn new(ends: [NodeId; 2], matrix: MatrixId) -> Edge {
        Edge { ends, positions: [0; 2], matrix, is_present: true, is_queued: true }
    }
}

// Construction.
impl<'p> Graph<'p> {
    pub fn new(problem: &'p Problem) -> Graph<'p> {
        let is_wiped_out = |x: &NodeId| !problem.vector(*x).iter().any(|cost| cost.is_finite());
        let mut graph = Graph {
            problem,
            vectors: problem.vectors.clone(),
            edges: Arena::default(),
            dense_edges: FxHashMap::default(),
            own: Vec::new(),
            incident: Vec::new(),
            nodes: problem.nodes().map(|x| Node::new(problem.alternatives(x))).collect(),
            eliminated: vec![false; problem.node_count()],
            to_normalize: Vec::new(),
            low_degree: [Vec::new(), Vec::new()],
            pruned: Vec::new(),
            wiped_out: problem.nodes().rev().filter(is_wiped_out).collect(),
        };
        graph.add_stated_edges();
        problem.nodes().rev().for_each(|x| graph.queue_low_degree(x));
        graph
    }

    /// Gives each node a range of `incident` and adds the problem's edges. Only RM raises a degree,
    /// after `reserve_edges`, so the ranges need not grow.
    fn add_stated_edges(&mut self) {
        for stated in self.problem.edges.ids().map(|edge| &self.problem.edges[edge]) {
            if !stated.is_zero {
                self.edges.push(Edge::new(stated.ends, stated.matrix));
                stated.ends.iter().for_each(|end| self.nodes[end.index()].degree += 1);
            }
        }
        let mut end = 0;
        for node in &mut self.nodes {
            node.start = end;
            end += core::mem::take(&mut node.degree);
        }
        self.incident = vec![Incidence::unused(); end as usize];
        self.edges.ids().for_each(|edge| self.attach(edge));
        self.to_normalize = self.edges.ids().rev().collect();
    }

    /// Adds an edge to the lists of its two ends.
    fn attach(&mut self, edge: EdgeId) {
        let [u, v] = self.edges[edge].ends;
        self.edges[edge].positions =
            [(u, v), (v, u)].map(|(x, other)| self.append(x, Incidence { edge, other }));
        for (x, y) in [(u, v), (v, u)] {
            if self.degree(x) == MAX_SCANNED + 1 {
                self.edges_of(x).to_vec().into_iter().for_each(|it| self.index_if_dense(it.edge));
            } else if self.degree(x) > MAX_SCANNED && self.degree(y) > MAX_SCANNED {
                self.index_if_dense(edge);
            }
        }
    }

    /// Appends to the edges of `x`. Returns the position.
    fn append(&mut self, x: NodeId, incidence: Incidence) -> u32 {
        let node = &mut self.nodes[x.index()];
        let position = node.start + node.degree;
        node.degree += 1;
        self.incident[position as usize] = incidence;
        position
    }

    /// Adds an edge to `dense_edges` if both ends have many edges.
    fn index_if_dense(&mut self, edge: EdgeId) {
        let ends = self.ends(edge);
        if ends.iter().all(|&end| self.degree(end) > MAX_SCANNED) {
            self.dense_edges.insert(ends, edge);
        }
    }
}

// Queries.
impl Graph<'_> {
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.problem.nodes()
    }

    /// The nodes that are not eliminated.
    pub fn remaining_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes().filter(|&x| !self.is_eliminated(x))
    }

    /// The nodes that are not eliminated and have edges.
    pub fn connected_nodes(&self) -> impl Iterator<Item = NodeId> {
        self.remaining_nodes().filter(|&x| self.degree(x) > 0)
    }

    pub fn is_eliminated(&self, x: NodeId) -> bool {
        self.eliminated[x.index()]
    }

    pub fn degree(&self, x: NodeId) -> usize {
        self.nodes[x.index()].degree as usize
    }

    #[inline]
    pub fn vector(&self, x: NodeId) -> &[Cost] {
        let Node { first, count, .. } = self.nodes[x.index()];
        &self.vectors[first as usize..(first + count) as usize]
    }

    /// Whether an alternative of `x` is not pruned.
    pub fn is_allowed(&self, x: NodeId, alternative: usize) -> bool {
        self.vector(x)[alternative].is_finite()
    }

    /// The edges of `x`; for an eliminated node, those it had last.
    pub fn edges_of(&self, x: NodeId) -> &[Incidence] {
        let Node { start, degree, .. } = self.nodes[x.index()];
        &self.incident[start as usize..][..degree as usize]
    }

    pub fn ends(&self, edge: EdgeId) -> [NodeId; 2] {
        self.edges[edge].ends
    }

    /// The end of `edge` that is not `x`.
    pub fn other_end(&self, edge: EdgeId, x: NodeId) -> NodeId {
        let [u, v] = self.ends(edge);
        if x == u { v } else { u }
    }

    /// The matrix of `edge` with a row for each alternative of `x`.
    #[inline]
    pub fn view(&self, edge: EdgeId, x: NodeId) -> MatrixView<'_> {
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        let [rows, columns] = [u, v].map(|end| self.nodes[end.index()].count as usize);
        let (columns, row_stride, column_stride) =
            if x == u { (columns, columns, 1) } else { (rows, 1, columns) };
        let shared = self.problem.matrices.len();
        let entries = match matrix.index().checked_sub(shared) {
            Some(start) => &self.own[start..],
            None => self.problem.matrices.from(matrix),
        };
        MatrixView { entries, columns, row_stride, column_stride }
    }

    /// The edge between two nodes, if there is one now.
    pub fn between(&self, u: NodeId, v: NodeId) -> Option<EdgeId> {
        let (fewer, other) = if self.degree(u) < self.degree(v) { (u, v) } else { (v, u) };
        if self.degree(fewer) <= MAX_SCANNED {
            let incidence = self.edges_of(fewer).iter().find(|it| it.other == other);
            return incidence.map(|it| it.edge);
        }
        let edge = self.dense_edges.get(&[u.min(v), u.max(v)]).copied();
        edge.filter(|&edge| self.edges[edge].is_present)
    }

    /// A node that has no alternative left.
    pub fn wiped_out(&self) -> Option<NodeId> {
        self.wiped_out.last().copied()
    }

    pub fn nothing_pruned(&self) -> bool {
        self.pruned.is_empty()
    }

    /// A key that orders edges by the positions of their matrices.
    pub fn matrix_of(&self, edge: EdgeId) -> MatrixId {
        self.edges[edge].matrix
    }
}

// Work lists.
impl Graph<'_> {
    /// The next edge to be normalized. It counts as queued until `set_normalized`.
    pub fn next_to_normalize(&mut self) -> Option<EdgeId> {
        let edges = &self.edges;
        let is_queued = |&edge: &EdgeId| edges[edge].is_present && edges[edge].is_queued;
        core::iter::from_fn(|| self.to_normalize.pop()).find(is_queued)
    }

    pub fn set_normalized(&mut self, edge: EdgeId) {
        self.edges[edge].is_queued = false;
    }

    /// The next node with one edge, or with two.
    pub fn next_of_degree(&mut self, degree: usize) -> Option<NodeId> {
        while let Some(x) = self.low_degree[degree - 1].pop() {
            if !self.is_eliminated(x) && self.degree(x) == degree {
                return Some(x);
            }
        }
        None
    }

    /// Moves the alternatives that were pruned since the last call into `pruned`.
    pub fn take_pruned(&mut self, pruned: &mut Vec<(NodeId, u32)>) {
        pruned.clear();
        core::mem::swap(pruned, &mut self.pruned);
    }

    /// Queues all edges of `x`, which has lost an alternative.
    pub fn propagate(&mut self, x: NodeId) {
        for at in 0..self.degree(x) {
            self.queue(self.edges_of(x)[at].edge);
        }
    }

    fn queue(&mut self, edge: EdgeId) {
        if !core::mem::replace(&mut self.edges[edge].is_queued, true) {
            self.to_normalize.push(edge);
        }
    }

    /// Queues a node of degree 1 or 2.
    fn queue_low_degree(&mut self, x: NodeId) {
        if let degree @ (1 | 2) = self.degree(x) {
            self.low_degree[degree - 1].push(x);
        }
    }
}

// Changes.
impl Graph<'_> {
    /// c_x(i) += cost. If that makes it infinite, the alternative is pruned.
    #[inline]
    pub fn add(&mut self, x: NodeId, i: usize, cost: Cost) {
        if !self.is_allowed(x, i) {
            return;
        }
        let position = self.nodes[x.index()].first as usize + i;
        self.vectors[position] += cost;
        if cost.is_finite() {
            return;
        }
        self.pruned.push((x, i as u32));
        if !self.vector(x).iter().any(|cost| cost.is_finite()) {
            self.wiped_out.push(x);
        }
    }

    /// Makes a dominated alternative infinite and queues the edges of `x`.
    pub fn prune(&mut self, x: NodeId, i: usize) {
        let position = self.nodes[x.index()].first as usize + i;
        self.vectors[position] = Cost::INFINITY;
        self.propagate(x);
    }

    /// c_x(i) += minima(i), and C_xy(i, j) −= minima(i) for all allowed j, where that is finite;
    /// C_xy is the matrix of `edge`.
    pub fn project(&mut self, edge: EdgeId, x: NodeId, minima: &[Cost]) {
        let MatrixView { columns, row_stride, column_stride, .. } = self.view(edge, x);
        let others = self.nodes[self.other_end(edge, x).index()].first as usize;
        for (i, &cost) in minima.iter().enumerate().filter(|it| *it.1 != Cost::ZERO) {
            self.add(x, i, cost);
            if cost.is_finite() {
                let start = self.make_own(edge) + i * row_stride;
                for j in 0..columns {
                    let entry = &mut self.own[start + j * column_stride];
                    if self.vectors[others + j].is_finite() {
                        *entry = *entry - cost;
                    }
                }
            }
        }
    }

    /// c_x(i) −= shares(i), and C_xy(i, j) += shares(i) for all j: the inverse of `project`.
    pub fn extend(&mut self, edge: EdgeId, x: NodeId, shares: &[Cost]) {
        let MatrixView { columns, row_stride, column_stride, .. } = self.view(edge, x);
        let (first, own) = (self.nodes[x.index()].first as usize, self.make_own(edge));
        for (i, &cost) in shares.iter().enumerate() {
            self.vectors[first + i] = self.vectors[first + i] - cost;
            for j in 0..columns {
                self.own[own + i * row_stride + j * column_stride] += cost;
            }
        }
    }

    /// Adds `matrix`, with a row for each alternative of the smaller node, to the edge between `u`
    /// and `v`, or adds the edge.
    pub fn add_matrix(&mut self, u: NodeId, v: NodeId, matrix: &[Cost]) {
        if let Some(edge) = self.between(u, v) {
            let start = self.make_own(edge);
            self.own[start..].iter_mut().zip(matrix).for_each(|(entry, &more)| *entry += more);
            return self.queue(edge);
        }
        let ends = [u.min(v), u.max(v)];
        let own = MatrixId::from_index(self.problem.matrices.len() + self.own.len());
        let edge = self.edges.push(Edge::new(ends, own));
        self.attach(edge);
        self.own.extend_from_slice(matrix);
        self.to_normalize.push(edge);
    }

    /// Moves the edges of `x` to a range with space for `more` edges.
    pub fn reserve_edges(&mut self, x: NodeId, more: usize) {
        let start = self.incident.len();
        for at in 0..self.degree(x) {
            let incidence = self.edges_of(x)[at];
            self.edges[incidence.edge].positions[incidence.side(x)] = (start + at) as u32;
            self.incident.push(incidence);
        }
        self.incident.resize(self.incident.len() + more, Incidence::unused());
        self.nodes[x.index()].start = u32::try_from(start).expect("fewer than 2^31 edges");
    }

    /// Removes an edge from both its ends.
    pub fn remove(&mut self, edge: EdgeId) {
        let [u, v] = self.ends(edge);
        self.detach(u, Incidence { edge, other: v });
        self.detach(v, Incidence { edge, other: u });
    }

    /// Removes a node. It keeps its edges; its neighbours lose them.
    pub fn eliminate(&mut self, x: NodeId) {
        self.eliminated[x.index()] = true;
        for at in 0..self.degree(x) {
            let Incidence { edge, other } = self.edges_of(x)[at];
            self.detach(other, Incidence { edge, other: x });
        }
    }

    /// Removes a node that has lost its last alternative.
    pub fn drop_wiped_out(&mut self, x: NodeId) {
        self.wiped_out.retain(|&other| other != x);
        if !self.is_eliminated(x) {
            self.eliminate(x);
        }
    }

    /// Frees the memory of an edge's matrix, which is not read again, if it is the last one.
    pub fn free_matrix(&mut self, edge: EdgeId) {
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        let len = self.vector(u).len() * self.vector(v).len();
        let start = matrix.index().checked_sub(self.problem.matrices.len());
        if let Some(start) = start.filter(|start| start + len == self.own.len()) {
            self.own.truncate(start);
        }
    }

    /// Removes an edge from one of its ends.
    fn detach(&mut self, x: NodeId, incidence: Incidence) {
        self.edges[incidence.edge].is_present = false;
        let node = &mut self.nodes[x.index()];
        node.degree -= 1;
        let last = node.start + node.degree;
        let moved = self.incident[last as usize];
        let gap = self.edges[incidence.edge].positions[incidence.side(x)];
        self.incident[gap as usize] = moved;
        self.edges[moved.edge].positions[moved.side(x)] = gap;
        self.queue_low_degree(x);
    }

    /// Copies the matrix of `edge` to `own` unless it is there. Returns its position.
    fn make_own(&mut self, edge: EdgeId) -> usize {
        let shared = self.problem.matrices.len();
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        if let Some(start) = matrix.index().checked_sub(shared) {
            return start;
        }
        let len = self.vector(u).len() * self.vector(v).len();
        let start = self.own.len();
        self.own.extend_from_slice(&self.problem.matrices.from(matrix)[..len]);
        self.edges[edge].matrix = MatrixId::from_index(shared + start);
        start
    }
}
