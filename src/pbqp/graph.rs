//! The graph while it shrinks: the state that the reductions read and change.
//!
//! Everything is a flat array indexed by a dense id. A node's edges stand in one stretch of
//! `incident`, and each edge knows its two places there, so an edge is taken out in O(1): the
//! last of the stretch moves into the gap. Matrices are copied when they are first written; those
//! of the problem stay as they are. A node that is gone keeps its vector, edges and matrices,
//! which from then on nobody writes, for the way back.
use super::cost::Cost;
use super::matrix::MatrixId;
use super::problem::{self, EdgeId, NodeId, Problem};
use arena::{Arena, FxHashMap, Id};
use std::ops::Range;

#[derive(Clone)]
pub struct Graph<'p> {
    problem: &'p Problem,
    /// The cost vectors as they are now. An infinite entry is a dead alternative.
    vectors: Vec<Cost>,
    /// The problem's edges that say something, then those that a reduction made.
    edges: Arena<EdgeId, Edge>,
    /// The edges between nodes that both have more than `FEW`; all others are soon found.
    crowded: FxHashMap<[NodeId; 2], EdgeId>,
    /// The matrices that differ from the problem's; each belongs to one edge.
    own: Vec<Cost>,
    incident: Vec<Link>,
    nodes: Vec<Node>,
    gone: Vec<bool>,
    /// Edges to be settled: every edge at first, later those of a node that has lost an
    /// alternative. Last in, first out.
    unsettled: Vec<EdgeId>,
    /// Every node of degree 1, every node of degree 2, and nodes that once were.
    thin: [Vec<NodeId>; 2],
    /// Alternatives that have died since somebody asked.
    dead: Vec<(NodeId, u32)>,
    /// Nodes without an alternative, in the order in which they lost the last.
    hopeless: Vec<NodeId>,
}

/// So many edges are quicker looked through than looked up.
const FEW: usize = 16;

/// What is asked of a node again and again stands in one place.
#[derive(Clone, Copy)]
struct Node {
    /// Where its alternatives stand in `vectors`, and how many there are.
    first: u32,
    count: u32,
    /// Where its stretch of `incident` starts, and how long it is now.
    start: u32,
    degree: u32,
}

/// An edge as one of its ends sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link {
    pub edge: EdgeId,
    /// The other end.
    pub other: NodeId,
}

#[derive(Clone, Copy)]
struct Edge {
    ends: [NodeId; 2],
    /// The places in `incident` that hold this edge, one per end.
    places: [u32; 2],
    /// Counts through the entries of the problem's matrices, then on through our own.
    matrix: MatrixId,
    alive: bool,
    unsettled: bool,
}

/// Which edges are left out from the beginning.
const SILENT: &[fn(&problem::Edge) -> bool] = &[
    #[cfg(feature = "ch19")]
    |edge| edge.silent,
];

/// A matrix seen from one of its two nodes, whose alternatives are the rows.
#[derive(Clone, Copy)]
pub struct View<'g> {
    entries: &'g [Cost],
    columns: usize,
    down: usize,
    across: usize,
}

impl<'g> View<'g> {
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> Cost {
        self.entries[row * self.down + column * self.across]
    }

    #[inline]
    pub fn row(self, row: usize) -> impl ExactSizeIterator<Item = Cost> + use<'g> {
        let start = row * self.down;
        (0..self.columns).map(move |column| self.entries[start + column * self.across])
    }
}

impl Node {
    fn new(alternatives: Range<usize>) -> Node {
        let [first, count] = [alternatives.start, alternatives.len()].map(|it| it as u32);
        Node { first, count, start: 0, degree: 0 }
    }
}

impl Link {
    /// What stands where no link is yet.
    fn none() -> Link {
        Link { edge: EdgeId::from_index(0), other: NodeId::from_index(0) }
    }

    /// Whether `x`, whose link this is, is the first or the second end.
    fn side(self, x: NodeId) -> usize {
        usize::from(self.other < x)
    }
}

impl Edge {
    fn new(ends: [NodeId; 2], matrix: MatrixId) -> Edge {
        Edge { ends, places: [0; 2], matrix, alive: true, unsettled: true }
    }
}

impl<'p> Graph<'p> {
    pub fn new(problem: &'p Problem) -> Graph<'p> {
        let count = problem.node_count();
        let mut graph = Graph {
            problem,
            vectors: problem.vectors.clone(),
            edges: Arena::default(),
            crowded: FxHashMap::default(),
            own: Vec::new(),
            incident: Vec::new(),
            nodes: problem.nodes().map(|x| Node::new(problem.alternatives(x))).collect(),
            gone: vec![false; count],
            unsettled: Vec::new(),
            thin: [Vec::new(), Vec::new()],
            dead: Vec::new(),
            hopeless: Vec::new(),
        };
        let hopeless = |x: &NodeId| !problem.vector(*x).iter().any(|cost| cost.is_finite());
        graph.hopeless = problem.nodes().rev().filter(hopeless).collect();
        graph.lay_out();
        problem.nodes().rev().for_each(|x| graph.enlist(x));
        graph
    }

    /// Gives each node a stretch of `incident` for its edges and enters every edge. No reduction
    /// ever raises a degree, so the stretches need not grow.
    fn lay_out(&mut self) {
        let problem = self.problem;
        for stated in problem.edges.ids().map(|edge| &problem.edges[edge]) {
            if !SILENT.iter().any(|silent| silent(stated)) {
                self.edges.push(Edge::new(stated.ends, stated.matrix));
                stated.ends.iter().for_each(|end| self.nodes[end.index()].degree += 1);
            }
        }
        let mut end = 0;
        for node in &mut self.nodes {
            node.start = end;
            end += std::mem::take(&mut node.degree);
        }
        self.incident = vec![Link::none(); end as usize];
        self.edges.ids().for_each(|edge| self.enter(edge));
        self.unsettled = self.edges.ids().rev().collect();
    }

    /// Enters an edge into the stretches of its two ends.
    fn enter(&mut self, edge: EdgeId) {
        let [u, v] = self.edges[edge].ends;
        self.edges[edge].places =
            [(u, v), (v, u)].map(|(x, other)| self.append(x, Link { edge, other }));
        for (x, y) in [(u, v), (v, u)] {
            if self.degree(x) == FEW + 1 {
                self.edges_of(x).to_vec().into_iter().for_each(|it| self.note(it.edge));
            } else if self.degree(x) > FEW && self.degree(y) > FEW {
                self.note(edge);
            }
        }
    }

    /// Puts a link behind the others of `x`. Gives its place.
    fn append(&mut self, x: NodeId, link: Link) -> u32 {
        let node = &mut self.nodes[x.index()];
        let place = node.start + node.degree;
        node.degree += 1;
        self.incident[place as usize] = link;
        place
    }

    /// Sees to it that `between` finds an edge whose ends both have many.
    fn note(&mut self, edge: EdgeId) {
        let ends = self.ends(edge);
        if ends.iter().all(|&end| self.degree(end) > FEW) {
            self.crowded.insert(ends, edge);
        }
    }

    // What there is.

    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.problem.nodes()
    }

    pub fn is_gone(&self, x: NodeId) -> bool {
        self.gone[x.index()]
    }

    pub fn degree(&self, x: NodeId) -> usize {
        self.nodes[x.index()].degree as usize
    }

    #[inline]
    pub fn vector(&self, x: NodeId) -> &[Cost] {
        &self.vectors[self.alternatives(x)]
    }

    fn alternatives(&self, x: NodeId) -> Range<usize> {
        let Node { first, count, .. } = self.nodes[x.index()];
        first as usize..(first + count) as usize
    }

    pub fn is_alive(&self, x: NodeId, alternative: usize) -> bool {
        self.vector(x)[alternative].is_finite()
    }

    /// The edges of `x`; for a node that is gone, those it had when it went.
    pub fn edges_of(&self, x: NodeId) -> &[Link] {
        let Node { start, degree, .. } = self.nodes[x.index()];
        &self.incident[start as usize..][..degree as usize]
    }

    pub fn ends(&self, edge: EdgeId) -> [NodeId; 2] {
        self.edges[edge].ends
    }

    /// The end of `edge` that is not `x`.
    pub fn across(&self, edge: EdgeId, x: NodeId) -> NodeId {
        let [u, v] = self.ends(edge);
        if x == u { v } else { u }
    }

    /// The matrix of `edge` with a row for each alternative of `x`.
    #[inline]
    pub fn view(&self, edge: EdgeId, x: NodeId) -> View<'_> {
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        let [rows, columns] = [u, v].map(|end| self.nodes[end.index()].count as usize);
        let (columns, down, across) =
            if x == u { (columns, columns, 1) } else { (rows, 1, columns) };
        let shared = self.problem.matrices.len();
        let entries = match matrix.index().checked_sub(shared) {
            Some(place) => &self.own[place..],
            None => self.problem.matrices.from(matrix),
        };
        View { entries, columns, down, across }
    }

    /// The edge between two nodes, if there is one now.
    pub fn between(&self, u: NodeId, v: NodeId) -> Option<EdgeId> {
        let (few, other) = if self.degree(u) < self.degree(v) { (u, v) } else { (v, u) };
        if self.degree(few) <= FEW {
            let link = self.edges_of(few).iter().find(|it| it.other == other);
            return link.map(|it| it.edge);
        }
        let edge = self.crowded.get(&[u.min(v), u.max(v)]).copied();
        edge.filter(|&edge| self.edges[edge].alive)
    }

    // What is to be done.

    /// The next edge that has to be settled. It counts as unsettled until `settled` is said.
    pub fn next_unsettled(&mut self) -> Option<EdgeId> {
        let edges = &self.edges;
        let open = |&edge: &EdgeId| edges[edge].alive && edges[edge].unsettled;
        std::iter::from_fn(|| self.unsettled.pop()).find(open)
    }

    pub fn settled(&mut self, edge: EdgeId) {
        self.edges[edge].unsettled = false;
    }

    /// A node with one edge, or with two.
    pub fn next_of_degree(&mut self, degree: usize) -> Option<NodeId> {
        while let Some(x) = self.thin[degree - 1].pop() {
            if !self.is_gone(x) && self.degree(x) == degree {
                return Some(x);
            }
        }
        None
    }

    /// A node that has no alternative left.
    pub fn hopeless(&self) -> Option<NodeId> {
        self.hopeless.last().copied()
    }

    pub fn nothing_died(&self) -> bool {
        self.dead.is_empty()
    }

    /// Moves the alternatives that have died since this was asked last into `dead`.
    pub fn take_dead(&mut self, dead: &mut Vec<(NodeId, u32)>) {
        dead.clear();
        std::mem::swap(dead, &mut self.dead);
    }

    // What can be done.

    /// c_x(i) += cost. An alternative that becomes infinite by it dies, and `spread` tells the
    /// neighbours.
    #[inline]
    pub fn add(&mut self, x: NodeId, i: usize, cost: Cost) {
        if !self.is_alive(x, i) {
            return;
        }
        let place = self.nodes[x.index()].first as usize + i;
        self.vectors[place] += cost;
        if cost.is_finite() {
            return;
        }
        self.dead.push((x, i as u32));
        if !self.vector(x).iter().any(|cost| cost.is_finite()) {
            self.hopeless.push(x);
        }
    }

    /// All edges of `x` have to be settled again.
    pub fn spread(&mut self, x: NodeId) {
        for at in 0..self.degree(x) {
            self.unsettle(self.edges_of(x)[at].edge);
        }
    }

    /// Makes an alternative infinite and tells the neighbours.
    #[cfg(feature = "ch19")]
    pub fn kill(&mut self, x: NodeId, i: usize) {
        let place = self.nodes[x.index()].first as usize + i;
        self.vectors[place] = Cost::INFINITY;
        self.spread(x);
    }

    /// Takes the node out that has lost its last alternative.
    #[cfg(feature = "ch19")]
    pub fn abandon(&mut self, x: NodeId) {
        self.hopeless.retain(|&other| other != x);
        if !self.is_gone(x) {
            self.retire(x);
        }
    }

    /// Sees to it that `x` can have so many edges more than it has now.
    #[cfg(feature = "ch19")]
    pub fn make_room(&mut self, x: NodeId, more: usize) {
        let start = self.incident.len();
        for at in 0..self.degree(x) {
            let link = self.edges_of(x)[at];
            self.edges[link.edge].places[link.side(x)] = (start + at) as u32;
            self.incident.push(link);
        }
        self.incident.resize(self.incident.len() + more, Link::none());
        self.nodes[x.index()].start = u32::try_from(start).expect("fewer than 2^32 ends of edges");
    }

    /// c_x(i) += least(i), and C_xy(i, j) −= least(i) for all live j where that is finite; C_xy is
    /// the matrix of `edge`.
    pub fn lift(&mut self, edge: EdgeId, x: NodeId, least: &[Cost]) {
        let View { columns, down, across, .. } = self.view(edge, x);
        let others = self.nodes[self.across(edge, x).index()].first as usize;
        for (i, &cost) in least.iter().enumerate().filter(|it| *it.1 != Cost::ZERO) {
            self.add(x, i, cost);
            if cost.is_finite() {
                let start = self.make_own(edge) + i * down;
                for j in 0..columns {
                    let entry = &mut self.own[start + j * across];
                    if self.vectors[others + j].is_finite() {
                        *entry = *entry - cost;
                    }
                }
            }
        }
    }

    /// c_x(i) −= share(i), and C_xy(i, j) += share(i) for all j: the way back from `lift`.
    #[cfg(feature = "ch19")]
    pub fn unlift(&mut self, edge: EdgeId, x: NodeId, share: &[Cost]) {
        let View { columns, down, across, .. } = self.view(edge, x);
        let (first, own) = (self.nodes[x.index()].first as usize, self.make_own(edge));
        for (i, &cost) in share.iter().enumerate() {
            self.vectors[first + i] = self.vectors[first + i] - cost;
            for j in 0..columns {
                self.own[own + i * down + j * across] += cost;
            }
        }
    }

    /// Adds `matrix`, a row for each alternative of the smaller node, to what `u` and `v` cost
    /// together.
    pub fn add_matrix(&mut self, u: NodeId, v: NodeId, matrix: &[Cost]) {
        if let Some(edge) = self.between(u, v) {
            let start = self.make_own(edge);
            self.own[start..].iter_mut().zip(matrix).for_each(|(entry, &more)| *entry += more);
            return self.unsettle(edge);
        }
        let ends = [u.min(v), u.max(v)];
        let own = MatrixId::from_index(self.problem.matrices.len() + self.own.len());
        let edge = self.edges.push(Edge::new(ends, own));
        self.enter(edge);
        self.own.extend_from_slice(matrix);
        self.unsettled.push(edge);
    }

    /// Takes an edge away from both its ends.
    pub fn remove(&mut self, edge: EdgeId) {
        let [u, v] = self.ends(edge);
        self.detach(u, Link { edge, other: v });
        self.detach(v, Link { edge, other: u });
    }

    /// Takes a node out of the graph. It keeps its edges; its neighbours lose them.
    pub fn retire(&mut self, x: NodeId) {
        self.gone[x.index()] = true;
        for at in 0..self.degree(x) {
            let Link { edge, other } = self.edges_of(x)[at];
            self.detach(other, Link { edge, other: x });
        }
    }

    /// Orders edges by where their matrices stand.
    pub fn made(&self, edge: EdgeId) -> MatrixId {
        self.edges[edge].matrix
    }

    /// Nobody reads the matrix of `edge` again: if it is the last one, there is room for another.
    pub fn release(&mut self, edge: EdgeId) {
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        let len = self.vector(u).len() * self.vector(v).len();
        let place = matrix.index().checked_sub(self.problem.matrices.len());
        if let Some(place) = place.filter(|place| place + len == self.own.len()) {
            self.own.truncate(place);
        }
    }

    /// Takes an edge away from one of its ends.
    fn detach(&mut self, x: NodeId, link: Link) {
        self.edges[link.edge].alive = false;
        let node = &mut self.nodes[x.index()];
        node.degree -= 1;
        let last = node.start + node.degree;
        let moved = self.incident[last as usize];
        let gap = self.edges[link.edge].places[link.side(x)];
        self.incident[gap as usize] = moved;
        self.edges[moved.edge].places[moved.side(x)] = gap;
        self.enlist(x);
    }

    /// Sees to it that a node of degree 1 or 2 is found.
    pub fn enlist(&mut self, x: NodeId) {
        if let degree @ (1 | 2) = self.degree(x) {
            self.thin[degree - 1].push(x);
        }
    }

    fn unsettle(&mut self, edge: EdgeId) {
        if !std::mem::replace(&mut self.edges[edge].unsettled, true) {
            self.unsettled.push(edge);
        }
    }

    /// Sees to it that `edge` has a matrix of its own, and says where that stands in `own`.
    fn make_own(&mut self, edge: EdgeId) -> usize {
        let shared = self.problem.matrices.len();
        let Edge { ends: [u, v], matrix, .. } = self.edges[edge];
        if let Some(place) = matrix.index().checked_sub(shared) {
            return place;
        }
        let len = self.vector(u).len() * self.vector(v).len();
        let place = self.own.len();
        self.own.extend_from_slice(&self.problem.matrices.from(matrix)[..len]);
        self.edges[edge].matrix = MatrixId::from_index(shared + place);
        place
    }
}
