//! Dominating tests: which branches control must have taken to reach a node.
//!
//! Node d *dominates* node n if every path from Start to n contains d; the nearest such d ≠ n is
//! the *immediate dominator* of n. No dominator tree is kept: one step up at a time is enough, and
//! the graph may change between two queries.
//!
//! Every control node has a *depth*, fixed at its creation: one more than that of its deepest
//! input. A dominator is less deep than the nodes it dominates, so of two nodes the deeper one does
//! not dominate the other. The immediate dominator of a join is found by going up from both
//! predecessors, always from the deeper one, until they meet. The result is cached while it is part
//! of the graph; a join whose dominator is too far up is cached as its own dominator.
use super::graph::Graph;
use super::op::{NodeId, Op};

/// How many dominators one query follows, and the square root of the steps it takes to find one.
/// The limit makes the time of a query constant, whatever the length of the program.
const MAX_DOMINATOR_STEPS: usize = 64;

/// If a dominating If tests the predicate of the If `id`: the branch taken there.
pub fn dominating_test(graph: &mut Graph, id: NodeId) -> Option<bool> {
    let predicate = graph.input(id, 1);
    if graph.value(predicate).is_some() || !graph.is_tested_again(predicate) {
        return None;
    }
    let mut at = graph.input(id, 0);
    for _ in 0..MAX_DOMINATOR_STEPS {
        if let Op::ControlProjection(truth) = graph.op(at)
            && graph.input(graph.input(at, 0), 1) == predicate
        {
            return Some(truth);
        }
        at = immediate_dominator(graph, at)?;
    }
    None
}

/// The nodes whose change may change the result of `dominating_test`, besides the predicate.
#[cfg(feature = "ch09")]
pub fn test_dependencies(graph: &mut Graph, id: NodeId) -> Vec<NodeId> {
    if !graph.is_tested_again(graph.input(id, 1)) {
        return Vec::new();
    }
    dominator_dependencies(graph, graph.input(id, 0))
}

/// The nodes whose change may change the dominators of the control node `id`, as far as a query
/// follows them.
#[cfg(feature = "ch09")]
pub fn dominator_dependencies(graph: &mut Graph, id: NodeId) -> Vec<NodeId> {
    let (mut at, mut visited) = (id, Vec::new());
    for _ in 0..MAX_DOMINATOR_STEPS {
        visited.push(at);
        match graph.op(at) {
            Op::ControlProjection(_) => visited.push(graph.input(at, 0)),
            Op::Region => visited.extend(graph.inputs(at)),
            _ => {}
        }
        let Some(dominator) = immediate_dominator(graph, at) else { break };
        at = dominator;
    }
    visited
}

/// Whether the control node `above` dominates `id`, as far as the limit allows to see.
#[cfg(feature = "ch10")]
pub fn dominates(graph: &mut Graph, above: NodeId, id: NodeId) -> bool {
    let mut at = Some(id);
    for _ in 0..MAX_DOMINATOR_STEPS {
        match at {
            Some(node) if node == above => return true,
            Some(node) => at = immediate_dominator(graph, node),
            None => return false,
        }
    }
    false
}

/// The immediate dominator of the control node `id`.
fn immediate_dominator(graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    if let Some(known) = step(graph, id) {
        return known;
    }
    // The joins whose dominators are being computed, each with the two nodes reached.
    let mut open = vec![(id, graph.input(id, 0), graph.input(id, 1))];
    for _ in 0..MAX_DOMINATOR_STEPS * MAX_DOMINATOR_STEPS {
        let (join, one, other) = *open.last()?;
        if one == other {
            graph.set_dominator(join, one);
            open.pop();
            if open.is_empty() {
                return Some(one);
            }
            continue;
        }
        let deeper = if graph.depth(one) < graph.depth(other) { other } else { one };
        match step(graph, deeper) {
            None => open.push((deeper, graph.input(deeper, 0), graph.input(deeper, 1))),
            Some(dominator) => {
                let dominator = dominator?;
                let (_, one, other) = open.last_mut()?;
                *(if *one == deeper { one } else { other }) = dominator;
            }
        }
    }
    // Caches the failure.
    open.into_iter().for_each(|(join, ..)| graph.set_dominator(join, join));
    None
}

/// The immediate dominator if it is known; `None` for a join that is not cached.
fn step(graph: &Graph, id: NodeId) -> Option<Option<NodeId>> {
    match graph.op(id) {
        Op::Region => match live_predecessors(graph, id) {
            [Some(_), Some(_)] => graph.dominator(id).map(|it| Some(it).filter(|&it| it != id)),
            [one, other] => Some(one.or(other)),
        },
        Op::Start | Op::DeadControl | Op::Stop => Some(None),
        #[cfg(feature = "ch18")]
        Op::Function(_) => Some(None),
        _ => Some(Some(graph.input(id, 0))),
    }
}

/// The live predecessors of a join.
fn live_predecessors(graph: &Graph, id: NodeId) -> [Option<NodeId>; 2] {
    [0, 1].map(|at| Some(graph.input(id, at)).filter(|&it| graph.is_reachable(it)))
}
