//! Control flow: edges that are never taken are removed, and with them all unreachable nodes.
use super::rewriter::Rewriter;
use super::rule::{Phase, RootKind, Rule};
use crate::firm::graph::{EdgeKind, NodeId};

pub const RULES: &[Rule] = &[
    Rule {
        name: "fold-cond",
        law: "Cond of 1 or 0 → Jmp to its target for true or false",
        root: RootKind::Cond,
        phase: Phase::Control,
        matches: |graph, id| taken(graph, id).is_some(),
        apply: fold_cond,
    },
    Rule {
        name: "dead-phi-operand",
        law: "a Phi has no operand where its block has no predecessor",
        root: RootKind::Phi,
        phase: Phase::Dead,
        matches: |graph, id| dead_operands(graph, id).next().is_some(),
        apply: |graph, id| {
            let dead: Vec<_> = dead_operands(graph, id).collect();
            dead.into_iter().for_each(|at| graph.remove_operand(id, at));
        },
    },
    Rule {
        name: "dead-block",
        law: "an unreachable block is removed",
        root: RootKind::Block,
        phase: Phase::Dead,
        matches: is_dead,
        apply: Rewriter::remove,
    },
    Rule {
        name: "dead-node",
        law: "a node without a block is removed",
        root: RootKind::Inside,
        phase: Phase::Dead,
        matches: |graph, id| graph.is_bad(graph.block(id)),
        apply: Rewriter::remove,
    },
];

/// The edge that control always takes from a Cond with two targets.
fn taken(graph: &Rewriter, id: NodeId) -> Option<EdgeKind> {
    let taken = match graph.constant_at(id, 0)? {
        0 => EdgeKind::False,
        1 => EdgeKind::True,
        _ => return None,
    };
    let has = |kind| graph.targets(id).any(|(block, at)| graph.graph.edge_kind(block, at) == kind);
    (has(EdgeKind::True) && has(EdgeKind::False)).then_some(taken)
}

fn fold_cond(graph: &mut Rewriter, id: NodeId) {
    let Some(taken) = taken(graph, id) else { return };
    let targets: Vec<_> = graph.targets(id).collect();
    for (block, at) in targets {
        if graph.graph.edge_kind(block, at) == taken {
            graph.graph.set_edge_kind(block, at, EdgeKind::Always);
        } else {
            graph.remove_operand(block, at);
        }
    }
    graph.become_jump(id);
}

/// The operands of a Phi for which its block has no predecessor.
fn dead_operands(graph: &Rewriter, id: NodeId) -> impl Iterator<Item = usize> {
    let jumps = graph.operands(graph.graph.node(id).block);
    let dead = |at: usize| jumps.get(at).is_none_or(|&jump| graph.is_bad(jump));
    let operands = graph.operands(id).iter().enumerate();
    operands.filter(move |&(at, &it)| dead(at) && !graph.is_bad(it)).map(|(at, _)| at)
}

/// Whether a block is unreachable, or dominates all its predecessors.
fn is_dead(graph: &Rewriter, id: NodeId) -> bool {
    let live = |jump: &&NodeId| !graph.is_bad(**jump);
    let jumps = graph.operands(id).iter().filter(live);
    let mut predecessors = jumps.map(|&jump| graph.graph.node(jump).block);
    let reachability = graph.reachability();
    !reachability.is_reached(id) || predecessors.all(|it| reachability.is_back_edge(it, id))
}
