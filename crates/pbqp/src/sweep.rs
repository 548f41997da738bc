//! Two more reductions that keep the optimum, for the nodes that R1 and R2 leave: dominance and RM.
//!
//! They apply to nodes of any degree and take long, so all nodes are visited one after the other,
//! and again if a sweep has found enough.
//! Sources: Desmet, De Maeyer, Hazes and Lasters, "The dead-end elimination theorem and its use
//! in protein side-chain positioning", Nature 1992, with the criterion of Goldstein, Biophysical
//! Journal 1994 (dominance); Buchwald, "Optimal register allocation for SSA-form programs",
//! 2010, and Buchwald, Zwinkau and Bersch, CC 2011 (RM).
use crate::backpropagation::ReductionStack;
use crate::cost::Cost;
use crate::graph::{Graph, Incidence};
use crate::large::LargeMatrices;
use crate::problem::{EdgeId, NodeId};
use crate::report::{Reporter, Rule};
use alloc::vec::Vec;

/// The position of the sweep.
#[derive(Clone, Default)]
pub struct SweepState {
    nodes: Vec<NodeId>,
    at: usize,
    /// The number of nodes of this sweep that were changed.
    changed: usize,
    has_started: bool,
    /// Whether nothing is swept for now.
    pub paused: bool,
}

/// A sweep is repeated if it has changed one of so many nodes.
const MAX_NODES_PER_CHANGE: usize = 16;

/// RM merges two nodes that have at most so many edges: it takes time for each.
const MAX_MERGED_EDGES: usize = 48;

impl SweepState {
    /// A sweep that is paused.
    pub fn paused() -> SweepState {
        SweepState { paused: true, ..SweepState::default() }
    }

    /// Applies a reduction to the next node that has one; false if there is none.
    pub fn step(
        &mut self,
        graph: &mut Graph,
        stack: &mut ReductionStack,
        large: &mut LargeMatrices,
        reporter: &mut Reporter,
    ) -> bool {
        if self.paused {
            return false;
        }
        while let Some(x) = self.next(graph) {
            if prune_dominated(graph, x, reporter) || rm(graph, x, stack, large, reporter) {
                self.changed += 1;
                return true;
            }
        }
        false
    }

    fn next(&mut self, graph: &Graph) -> Option<NodeId> {
        loop {
            while let Some(&x) = self.nodes.get(self.at) {
                self.at += 1;
                if !graph.is_eliminated(x) && graph.degree(x) > 0 {
                    return Some(x);
                }
            }
            let is_enough = self.changed * MAX_NODES_PER_CHANGE >= self.nodes.len();
            if self.has_started && (self.changed == 0 || !is_enough) {
                return None;
            }
            let nodes = graph.connected_nodes().collect();
            *self = SweepState { nodes, has_started: true, ..SweepState::default() };
        }
    }
}

/// Prunes the dominated alternatives of `x`, of equal ones the last first.
fn prune_dominated(graph: &mut Graph, x: NodeId, reporter: &mut Reporter) -> bool {
    let mut is_changed = false;
    for a in (0..graph.vector(x).len()).rev() {
        if is_dominated(graph, x, a) {
            graph.prune(x, a);
            reporter.chosen(graph, Rule::Dominated, x, a as u32);
            is_changed = true;
        }
    }
    is_changed
}

/// Whether for some b, alternative a of `x` is never better than b, whatever the neighbours choose:
///
/// ```text
/// c_x(a) − c_x(b) + Σ_y min_j (C_xy(a, j) − C_xy(b, j)) ≥ 0
/// ```
fn is_dominated(graph: &Graph, x: NodeId, a: usize) -> bool {
    let vector = graph.vector(x);
    // No summand is positive, because row a has a zero: b must not be more expensive itself.
    let mut cheaper = (0..vector.len()).filter(|&b| a != b && vector[b] <= vector[a]);
    vector[a].is_finite() && cheaper.any(|b| never_better(graph, x, a, b))
}

fn never_better(graph: &Graph, x: NodeId, a: usize, b: usize) -> bool {
    let mut excess = graph.vector(x)[a].difference(graph.vector(x)[b]);
    for &Incidence { edge, other } in graph.edges_of(x) {
        let (matrix, vector) = (graph.view(edge, x), graph.vector(other));
        let mut least = 0;
        for ((with_a, with_b), cost) in matrix.row(a).zip(matrix.row(b)).zip(vector) {
            if cost.is_finite() && with_a.is_finite() {
                if !with_b.is_finite() {
                    return false;
                }
                least = with_a.difference(with_b).min(least);
            }
        }
        excess += least;
        if excess < 0 {
            return false;
        }
    }
    true
}

/// RM: merges `x` into a neighbour that determines its choice, if there is one.
fn rm(
    graph: &mut Graph,
    x: NodeId,
    stack: &mut ReductionStack,
    large: &mut LargeMatrices,
    reporter: &mut Reporter,
) -> bool {
    let Some(to_y) = determining_edge(graph, x) else { return false };
    if !large.take(merged_entries(graph, x, to_y.other)) {
        return false;
    }
    merge(graph, x, to_y, stack);
    reporter.reduced(graph, Rule::RM, x, &[to_y.other]);
    true
}

/// An edge of `x` to a node whose every allowed alternative is compatible with at most one of `x`.
fn determining_edge(graph: &Graph, x: NodeId) -> Option<Incidence> {
    graph.edges_of(x).iter().copied().find(|&Incidence { edge, other: y }| {
        let is_determined =
            |j| !graph.is_allowed(y, j) || supports(graph, x, edge, j).nth(1).is_none();
        graph.degree(x) + graph.degree(y) <= MAX_MERGED_EDGES
            && (0..graph.vector(y).len()).all(is_determined)
    })
}

/// The alternatives of `x` that are compatible with alternative `j` of the other end of `edge`.
fn supports(graph: &Graph, x: NodeId, edge: EdgeId, j: usize) -> impl Iterator<Item = usize> {
    let (matrix, vector) = (graph.view(edge, x), graph.vector(x));
    (0..vector.len()).filter(move |&i| vector[i].is_finite() && matrix.at(i, j).is_finite())
}

/// The number of entries of the matrices that `y` takes over from `x`.
fn merged_entries(graph: &Graph, x: NodeId, y: NodeId) -> usize {
    let others = graph.edges_of(x).iter().filter(|it| it.other != y);
    graph.vector(y).len() * others.map(|it| graph.vector(it.other).len()).sum::<usize>()
}

/// Merges x into its neighbour y, whose choice j determines the choice f(j) of x. The costs and the
/// edges of x become those of y.
///
/// ```text
/// c_y(j) += c_x(f(j)) + C_xy(f(j), j),    C_yz(j, l) += C_xz(f(j), l)
/// ```
fn merge(graph: &mut Graph, x: NodeId, to_y: Incidence, stack: &mut ReductionStack) {
    let Incidence { edge, other: y } = to_y;
    let determined: Vec<Option<usize>> = (0..graph.vector(y).len())
        .map(|j| supports(graph, x, edge, j).next().filter(|_| graph.is_allowed(y, j)))
        .collect();
    stack.next.extend(determined.iter().map(|i| i.unwrap_or(0) as u32));
    stack.push_r1(x, y);
    for (j, i) in determined.iter().enumerate() {
        if let Some(i) = *i {
            graph.add(y, j, graph.vector(x)[i] + graph.view(edge, x).at(i, j));
        }
    }
    let others: Vec<_> = graph.edges_of(x).iter().copied().filter(|&it| it != to_y).collect();
    graph.eliminate(x);
    graph.reserve_edges(y, others.len());
    for to_z in others {
        let matrix = merged_matrix(graph, x, to_z, &determined, y < to_z.other);
        graph.add_matrix(y, to_z.other, &matrix);
    }
}

/// C_xz(f(j), l) for all j and l: j counts the rows if y is the smaller node, otherwise the
/// columns. Entries of pruned alternatives are never read.
fn merged_matrix(
    graph: &Graph,
    x: NodeId,
    to_z: Incidence,
    determined: &[Option<usize>],
    y_is_smaller: bool,
) -> Vec<Cost> {
    let (matrix, count) = (graph.view(to_z.edge, x), graph.vector(to_z.other).len());
    let entry = |j: usize, l: usize| determined[j].map_or(Cost::ZERO, |i| matrix.at(i, l));
    if y_is_smaller {
        (0..determined.len()).flat_map(|j| (0..count).map(move |l| entry(j, l))).collect()
    } else {
        (0..count).flat_map(|l| (0..determined.len()).map(move |j| entry(j, l))).collect()
    }
}
