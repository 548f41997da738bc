//! The invariants of control flow in Firm, and of values that are used in other blocks.
//!
//! - `jump`: the last node of a block, and no other, is a jump; the EndBlock's predecessors are
//!   Returns.
//! - `branch-targets`: a Cond has one target for true and one for false, a Jmp has one target.
//! - `critical-edge`: no edge leads from a Cond to a block with several predecessors.
//! - `reached`: every block is reachable from the start.
//! - `keep-alive`: from every block a path leads to the end, or to a block that End keeps.
//! - `phi`: Phis are first in a block, with one operand for each of its predecessors, of which
//!   there are several.
//! - `dominance`: the block of an operand dominates that of its user; for a Phi, the predecessor.
use super::control_flow::{ControlFlow, blocks, dominators};
use super::graph::{EdgeKind, Graph, NodeId};
use super::mode::Mode;
use super::op::Op;
use super::print::violation;
use crate::stage::Violation;
use arena::SideTable;
use flow::Dominators;

/// The invariants of control flow.
pub fn jumps(graph: &Graph) -> Vec<Violation> {
    let flow = ControlFlow::new(graph);
    let mut violations = Vec::new();
    let mut check = |invariant, holds: bool, id| {
        if !holds {
            violations.push(violation(invariant, graph, id));
        }
    };
    let reached = reached(graph, &flow);
    let leaves = reaches_end(graph);
    let edges = outgoing_edges(graph);
    for block in blocks(graph) {
        check("critical-edge", !is_critical(graph, block), block);
        if graph.op(block) == Op::EndBlock {
            let from = graph.operands(block).iter();
            from.for_each(|&jump| check("jump", graph.op(jump) == Op::Return, jump));
            continue;
        }
        check("reached", reached[block], block);
        check("keep-alive", leaves[block], block);
        let nodes = flow.nodes(block);
        check("jump", nodes.last().is_some_and(|&id| is_jump(graph, id)), block);
        for (at, &id) in nodes.iter().enumerate() {
            check("jump", at + 1 == nodes.len() || !is_jump(graph, id), id);
            check("branch-targets", !is_jump(graph, id) || has_targets(graph, &edges, id), id);
        }
    }
    violations
}

/// The invariants of values; those of control flow must hold.
pub fn values(graph: &Graph) -> Vec<Violation> {
    let flow = ControlFlow::new(graph);
    let dominators = dominators(graph, &flow.reverse_postorder(graph));
    let mut violations = Vec::new();
    for block in blocks(graph).filter(|&it| graph.op(it) != Op::EndBlock) {
        let mut has_values = false;
        for &id in flow.nodes(block) {
            let is_phi = graph.op(id) == Op::Phi;
            let count = graph.operands(block).len();
            has_values |= !is_phi;
            if is_phi && (has_values || count < 2 || graph.operands(id).len() != count) {
                violations.push(violation("phi", graph, id));
            } else if !is_dominated(graph, &dominators, id) {
                violations.push(violation("dominance", graph, id));
            }
        }
    }
    violations
}

fn is_jump(graph: &Graph, id: NodeId) -> bool {
    graph.value_mode(id) == Mode::X
}

fn is_critical(graph: &Graph, block: NodeId) -> bool {
    let predecessors = graph.operands(block);
    predecessors.len() > 1 && predecessors.iter().any(|&jump| graph.op(jump) == Op::Cond)
}

/// The number of edges of each jump: unconditional ones, those for true, and those for false.
pub type OutgoingEdges = SideTable<NodeId, [u32; 3]>;

pub fn outgoing_edges(graph: &Graph) -> OutgoingEdges {
    let mut edges: OutgoingEdges = SideTable::new(graph.len());
    for block in blocks(graph) {
        for (at, &jump) in graph.operands(block).iter().enumerate() {
            let kind = match graph.edge_kind(block, at) {
                EdgeKind::Always => 0,
                EdgeKind::True => 1,
                EdgeKind::False => 2,
            };
            edges[jump][kind] += 1;
        }
    }
    edges
}

/// Whether a jump has as many edges as its operation needs.
pub fn has_targets(graph: &Graph, edges: &OutgoingEdges, jump: NodeId) -> bool {
    edges[jump] == if graph.op(jump) == Op::Cond { [0, 1, 1] } else { [1, 0, 0] }
}

pub fn reached(graph: &Graph, flow: &ControlFlow) -> SideTable<NodeId, bool> {
    let mut reached = SideTable::new(graph.len());
    flow.reverse_postorder(graph).into_iter().for_each(|block| reached[block] = true);
    reached
}

/// The blocks from which a path leads to the end, or to a node that End keeps.
pub fn reaches_end(graph: &Graph) -> SideTable<NodeId, bool> {
    let mut leaves: SideTable<NodeId, bool> = SideTable::new(graph.len());
    let mut open: Vec<_> = blocks(graph).filter(|&it| graph.op(it) == Op::EndBlock).collect();
    let ends = graph.ids().filter(|&id| graph.op(id) == Op::End);
    open.extend(ends.flat_map(|end| graph.operands(end)));
    while let Some(id) = open.pop() {
        let block = graph.node(id).block;
        if !std::mem::replace(&mut leaves[block], true) {
            open.extend(graph.operands(block));
        }
    }
    leaves
}

/// Whether all operands are computed before the node is.
pub fn is_dominated(graph: &Graph, dominators: &Dominators<NodeId>, id: NodeId) -> bool {
    let block = graph.node(id).block;
    let used_in = |at: usize| match graph.op(id) {
        Op::Phi => graph.node(graph.operands(block)[at]).block,
        _ => block,
    };
    let is_value = |operand: NodeId| !graph.op(operand).is_block();
    let mut operands = graph.operands(id).iter().enumerate();
    operands.all(|(at, &operand)| {
        is_value(operand) && dominators.dominates(graph.node(operand).block, used_in(at))
    })
}
