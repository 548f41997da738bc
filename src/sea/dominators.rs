//! Which branches control must have taken to come to a place.
//!
//! Node d dominates node n if all control that comes to n has come through d before; the nearest
//! such d is the *immediate dominator* of n. There is no tree of them: from n one step up is
//! enough, and the graph may change between two questions.
//!
//! Every control node has a *depth*, given once when it is made: one more than that of the
//! deepest control it comes from. So what dominates a node lies less deep, and of two nodes the
//! deeper one dominates not the other. Where ways meet, the dominator is found by going up from
//! both, always from the deeper one, until they meet. The answer is kept as long as it lives; where
//! it is out of sight, a join is kept as its own dominator.
use super::graph::Graph;
use super::op::{NodeId, Op};

/// How many dominators a question goes up, and the root of how many nodes it goes up to find one.
/// What lies further is out of sight: so a question costs a constant time, however long the
/// program is.
const MAX_DOMINATOR_STEPS: usize = 64;

/// If the If `id` asks what an If above it has asked, the answer that one got on the way here.
pub fn dominating_test(graph: &mut Graph, id: NodeId) -> Option<bool> {
    let predicate = graph.input(id, 1);
    if graph.types.value(graph.ty(predicate)).is_some() || !graph.is_tested_again(predicate) {
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

/// The nodes whose change may give `dominating_test` another answer, besides the predicate.
#[cfg(feature = "ch09")]
pub fn test_dependencies(graph: &mut Graph, id: NodeId) -> Vec<NodeId> {
    let mut looked_at = Vec::new();
    if !graph.is_tested_again(graph.input(id, 1)) {
        return looked_at;
    }
    let mut at = graph.input(id, 0);
    for _ in 0..MAX_DOMINATOR_STEPS {
        looked_at.push(at);
        match graph.op(at) {
            Op::ControlProjection(_) => looked_at.push(graph.input(at, 0)),
            Op::Region => looked_at.extend(graph.inputs(at)),
            _ => {}
        }
        let Some(above) = immediate_dominator(graph, at) else { break };
        at = above;
    }
    looked_at
}

/// The nearest node that control must pass on its way to the control node `id`.
fn immediate_dominator(graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    if let Some(known) = step(graph, id) {
        return known;
    }
    // The joins whose dominators are being looked for, each with the two places reached.
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
            Some(above) => {
                let above = above?;
                let (_, one, other) = open.last_mut()?;
                *(if *one == deeper { one } else { other }) = above;
            }
        }
    }
    // Nobody shall look again.
    open.into_iter().for_each(|(join, ..)| graph.set_dominator(join, join));
    None
}

/// One step up, where it is known; nothing where ways meet and nobody has asked before.
fn step(graph: &Graph, id: NodeId) -> Option<Option<NodeId>> {
    match graph.op(id) {
        Op::Region => match live_predecessors(graph, id) {
            [Some(_), Some(_)] => graph.dominator(id).map(|it| Some(it).filter(|&it| it != id)),
            [one, other] => Some(one.or(other)),
        },
        Op::Start | Op::DeadControl | Op::Stop => Some(None),
        _ => Some(Some(graph.input(id, 0))),
    }
}

/// The ways of a join that control may take.
fn live_predecessors(graph: &Graph, id: NodeId) -> [Option<NodeId>; 2] {
    [0, 1].map(|at| Some(graph.input(id, at)).filter(|&way| graph.is_reachable(way)))
}
