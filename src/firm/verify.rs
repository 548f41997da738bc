//! The invariants of Firm.
//!
//! - `operands`: a node has the operands of its row, each of the right mode.
//! - `mode`: the mode of a node is one of those that its operation may have.
//! - `place`: a node is in a block that its operation allows.
//! - `order`: a node is after its operands.
//! - `start`: there is one StartBlock, one Start, one EndBlock and one End.
//! - `range`: a constant is a number of its mode, and a relation one of its mode.
use super::graph::{Graph, NodeId};
use super::mode::{Mode, Values};
use super::op::{AllowedBlock, Op};
use super::print::violation;
#[cfg(feature = "ch05")]
use super::verify_flow;
#[cfg(feature = "ch12")]
use crate::floats;
use crate::stage::Violation;
use arena::Id;

/// The invariants of single nodes.
const NODES: &[(&str, fn(&Graph, NodeId) -> bool)] =
    &[("operands", operands), ("mode", mode), ("place", place), ("order", order), ("range", range)];

/// Every broken invariant; those of control flow and of values rely on the ones before them.
pub fn verify(graph: &Graph) -> Vec<Violation> {
    let violations = nodes(graph);
    let violations = if violations.is_empty() { start(graph) } else { violations };
    #[cfg(feature = "ch05")]
    let violations = if violations.is_empty() { verify_flow::jumps(graph) } else { violations };
    #[cfg(feature = "ch05")]
    let violations = if violations.is_empty() { verify_flow::values(graph) } else { violations };
    violations
}

fn nodes(graph: &Graph) -> Vec<Violation> {
    let mut violations = Vec::new();
    for &(invariant, holds) in NODES {
        let broken = graph.ids().filter(|&id| !holds(graph, id));
        violations.extend(broken.map(|id| violation(invariant, graph, id)));
    }
    violations
}

fn start(graph: &Graph) -> Vec<Violation> {
    let mut violations = Vec::new();
    for op in [Op::StartBlock, Op::Start, Op::EndBlock, Op::End] {
        let count = graph.ids().filter(|&id| graph.op(id) == op).count();
        if count != 1 {
            let detail = format!("{count} × {}", op.row().name);
            violations.push(Violation { invariant: "start", detail });
        }
    }
    violations
}

pub fn operands(graph: &Graph, id: NodeId) -> bool {
    let modes = graph.op(id).row().operands;
    let operands = graph.operands(id);
    if operands.len() < modes.len() {
        return false;
    }
    let (first, further) = operands.split_at(modes.len());
    let own = graph.node(id).mode;
    modes.iter().zip(first).all(|(mode, &operand)| yields(graph, operand, mode.of(own)))
        && further.iter().all(|&operand| may_follow(graph, id, operand))
}

/// Whether a node can be an operand of this mode.
fn yields(graph: &Graph, operand: NodeId, mode: Mode) -> bool {
    #[cfg(feature = "ch10")]
    if mode == Mode::M {
        return graph.is_memory(operand);
    }
    graph.value_mode(operand) == mode
}

/// Whether a node can be an operand of `id` after those that its operation names.
fn may_follow(graph: &Graph, id: NodeId, operand: NodeId) -> bool {
    // In files the Start may be a jump, and End may keep any node.
    #[cfg(feature = "ch25")]
    if (graph.op(id), graph.op(operand)) == (Op::Block, Op::Start) || graph.op(id) == Op::End {
        return true;
    }
    let node = graph.node(id);
    #[cfg(feature = "ch14")]
    if node.op == Op::Return {
        return yields(graph, operand, node.mode);
    }
    // A call passes words and floats.
    #[cfg(feature = "ch18")]
    if let Op::Call(_) = node.op {
        return matches!(graph.value_mode(operand), Mode::Is | Mode::D);
    }
    node.op.row().more.is_some_and(|mode| yields(graph, operand, mode.of(node.mode)))
}

pub fn mode(graph: &Graph, id: NodeId) -> bool {
    graph.op(id).row().modes.contains(&graph.node(id).mode)
}

pub fn place(graph: &Graph, id: NodeId) -> bool {
    let block = graph.op(graph.node(id).block);
    match graph.op(id).row().block {
        AllowedBlock::Itself => graph.node(id).block == id,
        AllowedBlock::StartBlock => block == Op::StartBlock,
        AllowedBlock::EndBlock => block == Op::EndBlock,
        AllowedBlock::Any => block.is_block() && block != Op::EndBlock,
        #[cfg(feature = "ch25")]
        AllowedBlock::None => true,
    }
}

fn order(graph: &Graph, id: NodeId) -> bool {
    // The operands on the back edge of a loop are after the header and its Phis.
    #[cfg(feature = "ch05")]
    if matches!(graph.op(id), Op::Block | Op::Phi) {
        return true;
    }
    graph.operands(id).iter().all(|operand| operand.index() < id.index())
}

pub fn range(graph: &Graph, id: NodeId) -> bool {
    match (graph.op(id), graph.node(id).mode.values()) {
        (Op::Const(value), Values::Integers(width)) => width.wrap(value) == value,
        #[cfg(feature = "ch12")]
        (Op::Cmp(relation), Values::Floats) => floats::RELATIONS.contains(&relation),
        _ => true,
    }
}
