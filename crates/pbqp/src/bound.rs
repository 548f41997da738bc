//! A lower bound for a component: minima are moved to where they add up.
//!
//! Normalization moves into each vector what its node costs at least, and the sum of the vectors'
//! minima is a lower bound, which depends on the distribution of the costs over vectors and
//! matrices. So the nodes are visited forwards and backwards: each collects the row minima of its
//! matrices, keeps the minimum of its vector and distributes the rest in equal parts to the edges
//! that point onwards. No selection changes its cost by that, all entries stay non-negative, and
//! minima move towards each other. Source: Kolmogorov, "Convergent tree-reweighted message passing
//! for energy minimization", IEEE PAMI 2006 (TRW-S); here with integers.
use crate::cost::Cost;
use crate::graph::Graph;
use crate::problem::{EdgeId, NodeId};
use crate::reduce;
use alloc::vec::Vec;

/// The number of passes over all nodes.
const PASSES: usize = 6;

/// A lower bound for the remaining nodes of an arc-consistent `graph`, at least the sum of their
/// minima.
pub fn trw_s_bound(mut graph: Graph) -> Cost {
    let mut nodes: Vec<NodeId> = graph.remaining_nodes().collect();
    let mut bound = sum_of_minima(&graph);
    let mut costs = Vec::new();
    for pass in 0..PASSES {
        for &x in &nodes {
            collect(&mut graph, x, &mut costs);
            distribute(&mut graph, x, pass % 2 == 0, &mut costs);
        }
        nodes.iter().rev().for_each(|&x| collect(&mut graph, x, &mut costs));
        bound = bound.max(sum_of_minima(&graph));
        nodes.reverse();
    }
    bound
}

/// The sum of the minima of all remaining vectors, which is a lower bound.
pub fn sum_of_minima(graph: &Graph) -> Cost {
    graph.remaining_nodes().map(|x| minimum(graph, x)).sum()
}

/// The minimum of the vector of `x`.
pub fn minimum(graph: &Graph, x: NodeId) -> Cost {
    graph.vector(x).iter().copied().min().unwrap_or(Cost::INFINITY)
}

/// c_x(i) += min_j C_xy(i, j) for all neighbours y, which is subtracted from the matrices.
fn collect(graph: &mut Graph, x: NodeId, minima: &mut Vec<Cost>) {
    for at in 0..graph.degree(x) {
        let edge = graph.edges_of(x)[at].edge;
        reduce::row_minima(graph, edge, x, minima);
        graph.project(edge, x, minima);
    }
}

/// Moves the costs of x above its minimum to its edges to later nodes, in equal parts. If more
/// edges come from earlier nodes, there are as many parts as those, and some remain.
fn distribute(graph: &mut Graph, x: NodeId, forwards: bool, shares: &mut Vec<Cost>) {
    let minimum = minimum(graph, x);
    let onwards = graph.edges_of(x).iter().filter(|it| (x < it.other) == forwards);
    let edges: Vec<EdgeId> = onwards.map(|it| it.edge).collect();
    let parts = edges.len().max(graph.degree(x) - edges.len()).max(1);
    shares.clear();
    shares.extend(graph.vector(x).iter().map(|&cost| match cost.is_finite() {
        true => (cost - minimum).part(parts as u64),
        false => Cost::ZERO,
    }));
    edges.into_iter().for_each(|edge| graph.extend(edge, x, shares));
}
