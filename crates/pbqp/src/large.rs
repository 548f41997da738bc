//! Limits for the matrices that reductions make, which may be much larger than those they remove.
//!
//! R2 turns a node of two alternatives between two nodes of thousands into millions of entries.
//! Such a node is postponed until its neighbours have been reduced, if possible into smaller
//! matrices, and all large matrices together are bounded by the size of the problem. The search
//! decides the nodes that remain. An edge whose matrix is a sum, C(i, j) = u(i) + v(j), disappears
//! when it is normalized, so the edges of a postponed node are normalized first.
use crate::graph::Graph;
use crate::problem::{NodeId, Problem};
use alloc::vec::Vec;

/// The large matrices that may still be made, and the nodes postponed because of them.
#[derive(Clone)]
pub struct LargeMatrices<'p> {
    problem: &'p Problem,
    min_capacity: usize,
    /// The number of entries that large matrices may still have; computed for the first of them.
    capacity: Option<usize>,
    postponed: Vec<NodeId>,
}

/// A matrix of at most so many entries is not large.
pub const MAX_SMALL_MATRIX: usize = 1 << 10;

/// R2 is not postponed if it makes at most so many entries for each that it removes.
const MAX_GROWTH: usize = 16;

/// The capacity of a solver for a small problem, and for each entry of a larger problem.
pub const MIN_CAPACITY: usize = 1 << 24;
const CAPACITY_PER_ENTRY: usize = 8;

impl<'p> LargeMatrices<'p> {
    /// The limits for a problem: at least `min_capacity` entries in all.
    pub fn new(problem: &'p Problem, min_capacity: usize) -> LargeMatrices<'p> {
        LargeMatrices { problem, min_capacity, capacity: None, postponed: Vec::new() }
    }

    /// Takes `entries` entries from the capacity; false if it is too small.
    pub fn take(&mut self, entries: usize) -> bool {
        if entries <= MAX_SMALL_MATRIX {
            return true;
        }
        let capacity = self.capacity.unwrap_or_else(|| {
            let stated = self.problem.edges().map(|(_, _, matrix)| matrix.len());
            self.min_capacity + CAPACITY_PER_ENTRY * stated.sum::<usize>()
        });
        let remaining = capacity.checked_sub(entries);
        self.capacity = Some(remaining.unwrap_or(capacity));
        remaining.is_some()
    }

    /// Takes the capacity for R2 of `x`; false if R2 is to be postponed.
    pub fn take_for_r2(&mut self, graph: &Graph, x: NodeId) -> bool {
        let made = entries_made(graph, x);
        let is_moderate =
            made <= MAX_SMALL_MATRIX || made <= MAX_GROWTH * entries_removed(graph, x);
        is_moderate && self.take(made)
    }

    /// Postpones R2 of `x`.
    pub fn postpone(&mut self, x: NodeId) {
        self.postponed.push(x);
    }

    /// A postponed node that still has two neighbours, with the capacity for its R2.
    pub fn next_postponed(&mut self, graph: &Graph) -> Option<NodeId> {
        while let Some(x) = self.postponed.pop() {
            let has_two = !graph.is_eliminated(x) && graph.degree(x) == 2;
            if has_two && self.take(entries_made(graph, x)) {
                return Some(x);
            }
        }
        None
    }
}

/// The number of entries of the matrix that R2 of `x` makes.
fn entries_made(graph: &Graph, x: NodeId) -> usize {
    graph.edges_of(x).iter().map(|it| graph.vector(it.other).len()).product()
}

/// The number of entries of the matrices that R2 of `x` removes.
fn entries_removed(graph: &Graph, x: NodeId) -> usize {
    let others = graph.edges_of(x).iter().map(|it| graph.vector(it.other).len());
    graph.vector(x).len() * others.sum::<usize>()
}
