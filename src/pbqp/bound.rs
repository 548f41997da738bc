//! A lower bound for what a dense component costs: minima are gathered where they add up.
//!
//! Normal matrices leave in each vector what its node costs at least, and the sum of these minima
//! is a bound. It depends on how costs are spread over vectors and matrices. So the nodes are
//! visited forwards and backwards: each collects from its edges what its alternatives cost there at
//! least, keeps the minimum, and hands the rest on in equal parts to the edges that lead onwards.
//! No selection costs more or less by that, all entries stay at least 0, and minima move towards
//! each other. Source: Kolmogorov, "Convergent tree-reweighted message passing for energy
//! minimization", IEEE PAMI 2006, whose sequential messages these are, in integers.
use super::cost::Cost;
use super::graph::Graph;
use super::problem::{EdgeId, NodeId};
use super::reduce;

/// So often all nodes are visited.
const ROUNDS: usize = 6;

/// No selection of what is left of a settled `graph` costs less; not less than the sum of its
/// minima.
pub fn spread_bound(mut graph: Graph) -> Cost {
    let mut nodes: Vec<NodeId> = graph.nodes().filter(|&x| !graph.is_gone(x)).collect();
    let mut best = sum_of_minima(&graph, &nodes);
    let mut room = Vec::new();
    for round in 0..ROUNDS {
        for &x in &nodes {
            gather(&mut graph, x, &mut room);
            hand_on(&mut graph, x, round % 2 == 0, &mut room);
        }
        nodes.iter().rev().for_each(|&x| gather(&mut graph, x, &mut room));
        best = best.max(sum_of_minima(&graph, &nodes));
        nodes.reverse();
    }
    best
}

fn sum_of_minima(graph: &Graph, nodes: &[NodeId]) -> Cost {
    nodes.iter().map(|&x| reduce::cheapest(graph.vector(x).iter().copied()).1).sum()
}

/// c_x(i) += min_j C_xy(i, j) for all neighbours y, which is taken from the matrices.
fn gather(graph: &mut Graph, x: NodeId, least: &mut Vec<Cost>) {
    for at in 0..graph.degree(x) {
        let edge = graph.edges_of(x)[at].edge;
        reduce::find_least(graph, edge, x, least);
        graph.lift(edge, x, least);
    }
}

/// What x costs above its minimum goes to the edges to later nodes, a part to each; to none if
/// more edges come from earlier nodes, for those have as much right to it.
fn hand_on(graph: &mut Graph, x: NodeId, forwards: bool, share: &mut Vec<Cost>) {
    let (_, minimum) = reduce::cheapest(graph.vector(x).iter().copied());
    let onwards = graph.edges_of(x).iter().filter(|link| (x < link.other) == forwards);
    let edges: Vec<EdgeId> = onwards.map(|link| link.edge).collect();
    let parts = edges.len().max(graph.degree(x) - edges.len()).max(1);
    share.clear();
    share.extend(graph.vector(x).iter().map(|&cost| match cost.is_finite() {
        true => (cost - minimum).part(parts as u64),
        false => Cost::ZERO,
    }));
    edges.into_iter().for_each(|edge| graph.unlift(edge, x, share));
}

#[cfg(test)]
mod tests {
    use super::super::problem::Problem;
    use super::super::random::{FAMILIES, Random, brute_force};
    use super::super::report::Reduction;
    use super::super::solver::{Solver, State};
    use super::*;

    /// The bound of what R1 and R2 leave, and the least cost of the whole; without what is paid.
    fn bounds(problem: &Problem) -> Option<[Cost; 3]> {
        let mut silent = |_: Reduction| {};
        let mut solver = Solver::new(State::new(problem), &mut silent);
        solver.reduce().ok()?;
        let graph = solver.state.graph;
        let nodes: Vec<NodeId> = graph.nodes().filter(|&x| !graph.is_gone(x)).collect();
        let before = sum_of_minima(&graph, &nodes);
        Some([before, spread_bound(graph), brute_force(problem)])
    }

    #[test]
    fn the_bound_is_never_above_the_least_cost_and_often_better_than_minima() {
        let mut better = 0;
        for family in FAMILIES {
            for seed in 0..200 {
                let problem = (family.draw)(&mut Random(seed), 8);
                let Some([before, bound, least]) = bounds(&problem) else { continue };
                assert!(before <= bound && bound <= least, "{} {seed}", family.name);
                better += usize::from(before < bound);
            }
        }
        assert!(better > 50, "{better}");
    }
}
