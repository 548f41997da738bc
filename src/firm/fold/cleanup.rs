//! Cleanup: duplicate constants, unused nodes, blocks in a row.
use super::rewriter::Rewriter;
use super::rule::{Phase, RootKind, Rule};
use crate::firm::graph::NodeId;
use crate::firm::op::Op;

pub const RULES: &[Rule] = &[
    Rule {
        name: "merge-constants",
        law: "constants of one value → one of them",
        root: RootKind::Const,
        phase: Phase::Share,
        matches: |graph, id| duplicate(graph, id).is_some(),
        apply: |graph, id| {
            if let Some(value) = duplicate(graph, id) {
                graph.replace_by_constant(id, value, false);
            }
        },
    },
    Rule {
        name: "unused-node",
        law: "a node without users is removed, except for the start and the end",
        root: RootKind::Any,
        phase: Phase::Unused,
        matches: |graph, id| {
            let stays = matches!(graph.op(id), Op::Start | Op::StartBlock | Op::End | Op::EndBlock);
            graph.is_unused(id) && !stays
        },
        apply: Rewriter::remove,
    },
    Rule {
        name: "merge-blocks",
        law: "a block without Phis after one Jmp → part of the block with the Jmp",
        root: RootKind::Block,
        phase: Phase::Merge,
        matches: |graph, id| jumping(graph, id).is_some(),
        apply: |graph, id| {
            if let Some((jump, block)) = jumping(graph, id) {
                graph.merge(id, block);
                debug_assert!(graph.is_unused(jump), "a Jmp has one target");
                graph.remove(jump);
            }
        },
    },
];

/// The value of a constant, if there is another node for it.
fn duplicate(graph: &Rewriter, id: NodeId) -> Option<i64> {
    let value = graph.value(id)?;
    graph.first_of(graph.graph.node(id).mode, value).filter(|&first| first != id).map(|_| value)
}

/// The only jump to a block, if it is a Jmp and the block has no Phis, and its block.
fn jumping(graph: &Rewriter, id: NodeId) -> Option<(NodeId, NodeId)> {
    let live = |jump: &&NodeId| !graph.is_bad(**jump);
    let mut jumps = graph.operands(id).iter().filter(live);
    let (Some(&jump), None) = (jumps.next(), jumps.next()) else { return None };
    let has_phi = || graph.members(id).iter().any(|&member| graph.op(member) == Op::Phi);
    let block = graph.block(jump);
    (graph.op(jump) == Op::Jmp && block != id && !has_phi()).then_some((jump, block))
}
