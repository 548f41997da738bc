//! The invariants of Firm.
//!
//! - `operands`: a node has the operands its row names, each of the right mode.
//! - `mode`: a node has the mode of its row.
//! - `place`: a node stands in a block, and in one where its kind may stand.
//! - `order`: a node stands behind what it needs.
//! - `start`: there is one StartBlock, one Start, one EndBlock and one End.
//! - `range`: a constant fits its mode.
use super::graph::{Graph, NodeId};
use super::mode::Mode;
use super::op::{Op, Place};
#[cfg(feature = "ch05")]
use super::verify_flow;
use crate::stage::Violation;
use arena::Id;

/// Whether an invariant holds at a node.
type Holds = fn(&Graph, NodeId) -> bool;

const NODES: &[(&str, Holds)] =
    &[("operands", operands), ("mode", mode), ("place", place), ("order", order), ("range", range)];

/// What is asked of a whole graph; each only if all before it have found nothing.
const CHECKS: &[fn(&Graph) -> Vec<Violation>] = &[
    nodes,
    start,
    #[cfg(feature = "ch05")]
    verify_flow::jumps,
    #[cfg(feature = "ch05")]
    verify_flow::values,
];

/// Every broken invariant.
pub fn verify(graph: &Graph) -> Vec<Violation> {
    let mut checks = CHECKS.iter().map(|check| check(graph));
    checks.find(|violations| !violations.is_empty()).unwrap_or_default()
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

pub fn violation(invariant: &'static str, graph: &Graph, id: NodeId) -> Violation {
    let detail = format!("{} {}", super::print::name(id), super::print::label(graph, id));
    Violation { invariant, detail }
}

pub fn operands(graph: &Graph, id: NodeId) -> bool {
    let wanted = graph.operand_modes(id);
    let count = wanted.clone().count();
    let operands = graph.operands(id);
    if operands.len() < count {
        return false;
    }
    let (first, more) = operands.split_at(count);
    let serves = |operand: NodeId, wanted| SERVES.iter().any(|it| it(graph, id, operand, wanted));
    wanted.zip(first).all(|(wanted, &operand)| serves(operand, wanted))
        && more.iter().all(|&it| graph.op(id).row().more.is_some_and(|wanted| serves(it, wanted)))
}

/// Whether an operand of a node will do where a mode is wanted; one row is enough.
const SERVES: &[fn(&Graph, NodeId, NodeId, Mode) -> bool] = &[
    |graph, _, operand, wanted| graph.node(operand).mode == wanted,
    #[cfg(feature = "ch25")]
    |graph, id, operand, wanted| match (graph.op(id), graph.op(operand)) {
        (_, Op::Bad) => false,
        // What is kept may be anything.
        (Op::End, _) => true,
        // A Phi of states of memory.
        (Op::Phi, _) if graph.node(id).mode == Mode::M => graph.is_memory(operand),
        (Op::Block, Op::Start) => true,
        _ => wanted == Mode::M && graph.is_memory(operand),
    },
];

/// Whether a node has the mode it should; one row is enough.
const HAS_MODE: &[fn(&Graph, NodeId) -> bool] = &[
    |graph, id| graph.node(id).mode == graph.op(id).row().mode,
    #[cfg(feature = "ch25")]
    |graph, id| graph.op(id) == Op::Phi && graph.node(id).mode == Mode::M,
];

pub fn mode(graph: &Graph, id: NodeId) -> bool {
    HAS_MODE.iter().any(|has_mode| has_mode(graph, id))
}

pub fn place(graph: &Graph, id: NodeId) -> bool {
    let block = graph.op(graph.node(id).block);
    match graph.op(id).row().place {
        Place::Block => graph.node(id).block == id,
        Place::StartBlock => block == Op::StartBlock,
        Place::EndBlock => block == Op::EndBlock,
        Place::Anywhere => block.row().place == Place::Block && block != Op::EndBlock,
        #[cfg(feature = "ch25")]
        Place::Nowhere => true,
    }
}

fn order(graph: &Graph, id: NodeId) -> bool {
    let comes_around = match graph.op(id) {
        // What comes from the end of a loop to its beginning stands behind.
        #[cfg(feature = "ch05")]
        Op::Block | Op::Phi => true,
        _ => false,
    };
    comes_around || graph.operands(id).iter().all(|operand| operand.index() < id.index())
}

pub fn range(graph: &Graph, id: NodeId) -> bool {
    match (graph.op(id), graph.node(id).mode.width()) {
        (Op::Const(value), Some(width)) => width.wrap(value) == value,
        (Op::Const(_), None) => false,
        _ => true,
    }
}
