//! Control: ways that are never taken go, and so does all that only they lead to.
use super::rewriter::Rewriter;
use super::{On, Part, Rule};
use crate::firm::graph::{NodeId, Way};

pub const RULES: &[Rule] = &[
    Rule {
        name: "fold-cond",
        law: "Cond of 1 or 0 → Jmp to where it is true or false",
        on: On::Cond,
        part: Part::Control,
        fits: |graph, id| taken(graph, id).is_some(),
        apply: fold_cond,
    },
    Rule {
        name: "dead-phi-operand",
        law: "a Phi has no operand where its block has no way",
        on: On::Phi,
        part: Part::Dead,
        fits: |graph, id| dead_operands(graph, id).next().is_some(),
        apply: |graph, id| {
            let dead: Vec<_> = dead_operands(graph, id).collect();
            dead.into_iter().for_each(|at| graph.cut(id, at));
        },
    },
    Rule {
        name: "dead-block",
        law: "a block that control does not reach goes",
        on: On::Block,
        part: Part::Dead,
        fits: is_dead,
        apply: Rewriter::remove,
    },
    Rule {
        name: "dead-node",
        law: "what stands in no block goes",
        on: On::Inside,
        part: Part::Dead,
        fits: |graph, id| graph.is_bad(graph.block(id)),
        apply: Rewriter::remove,
    },
];

/// The way that control always takes from a Cond that leads both ways.
fn taken(graph: &Rewriter, id: NodeId) -> Option<Way> {
    let taken = match graph.constant_at(id, 0)? {
        0 => Way::False,
        1 => Way::True,
        _ => return None,
    };
    let leads = |way| graph.targets(id).any(|(block, at)| graph.graph.way(block, at) == way);
    (leads(Way::True) && leads(Way::False)).then_some(taken)
}

fn fold_cond(graph: &mut Rewriter, id: NodeId) {
    let Some(taken) = taken(graph, id) else { return };
    let targets: Vec<_> = graph.targets(id).collect();
    for (block, at) in targets {
        if graph.graph.way(block, at) == taken {
            graph.graph.set_way(block, at, Way::Always);
        } else {
            graph.cut(block, at);
        }
    }
    graph.become_jump(id);
}

/// Where a Phi has an operand though no way leads to its block there.
fn dead_operands(graph: &Rewriter, id: NodeId) -> impl Iterator<Item = usize> {
    let jumps = graph.operands(graph.graph.node(id).block);
    let dead = |at: usize| jumps.get(at).is_none_or(|&jump| graph.is_bad(jump));
    let operands = graph.operands(id).iter().enumerate();
    operands.filter(move |&(at, &it)| dead(at) && !graph.is_bad(it)).map(|(at, _)| at)
}

/// Whether no way leads to a block but from itself.
fn is_dead(graph: &Rewriter, id: NodeId) -> bool {
    let live = |jump: &&NodeId| !graph.is_bad(**jump);
    let mut sources =
        graph.operands(id).iter().filter(live).map(|&jump| graph.graph.node(jump).block);
    !graph.blocks().is_reached(id) || sources.all(|source| graph.blocks().comes_around(source, id))
}
