//! Values: an operation on constants is a constant.
use super::rewriter::Rewriter;
use super::rule::{Phase, RootKind, Rule};
use crate::firm::graph::NodeId;
use crate::firm::op::Op;

pub const RULES: &[Rule] = &[
    Rule {
        name: "fold-not",
        law: "Not c → the complement of c",
        root: RootKind::Not,
        phase: Phase::Constants,
        matches: |graph, id| graph.constant_at(id, 0).is_some(),
        apply: |graph, id| {
            if let Some(value) = graph.constant_at(id, 0) {
                graph.replace_by_constant(id, !value, true);
            }
        },
    },
    Rule {
        name: "fold-binary",
        law: "a op b → the constant a op b, if it is defined",
        root: RootKind::Binary,
        phase: Phase::Constants,
        matches: |graph, id| binary(graph, id).is_some(),
        apply: |graph, id| {
            if let Some(value) = binary(graph, id) {
                graph.replace_by_constant(id, value, false);
            }
        },
    },
    Rule {
        name: "fold-cmp",
        law: "a < b → 1 if it holds, 0 if not",
        root: RootKind::Cmp,
        phase: Phase::Constants,
        matches: |graph, id| compare(graph, id).is_some(),
        apply: |graph, id| {
            if let Some(value) = compare(graph, id) {
                graph.replace_by_constant(id, value, false);
            }
        },
    },
    Rule {
        name: "fold-phi",
        law: "Phi(c, …, c) → c; operands that are the Phi itself are ignored",
        root: RootKind::Phi,
        phase: Phase::Constants,
        matches: |graph, id| selected(graph, id).is_some(),
        apply: |graph, id| {
            if let Some(value) = selected(graph, id) {
                graph.replace_by_constant(id, value, false);
            }
        },
    },
    Rule {
        name: "reassociate",
        law: "(z op a) op b → z op (a op b), for constants a and b",
        root: RootKind::Binary,
        phase: Phase::Reassociate,
        matches: |graph, id| regrouped(graph, id).is_some(),
        apply: reassociate,
    },
];

fn binary(graph: &Rewriter, id: NodeId) -> Option<i64> {
    let Op::Binary(binary) = graph.op(id) else { return None };
    let values = graph.graph.node(id).mode.values();
    values.compute(binary, graph.constant_at(id, 0)?, graph.constant_at(id, 1)?)
}

fn compare(graph: &Rewriter, id: NodeId) -> Option<i64> {
    let Op::Cmp(relation) = graph.op(id) else { return None };
    let values = graph.graph.node(id).mode.values();
    let holds = values.compare(relation, graph.constant_at(id, 0)?, graph.constant_at(id, 1)?);
    Some(i64::from(holds))
}

/// The constant that a Phi selects on every edge.
fn selected(graph: &Rewriter, id: NodeId) -> Option<i64> {
    let is_other = |operand: &&NodeId| **operand != id && !graph.is_bad(**operand);
    let mut values = graph.operands(id).iter().filter(is_other).map(|&it| graph.value(it));
    let first = values.next()??;
    values.all(|value| value == Some(first)).then_some(first)
}

/// An operation on a constant and on the same operation on a constant.
struct Regrouped {
    /// The positions of the inner operation and of the constant.
    inner_at: usize,
    constant_at: usize,
    /// The two constants; the second one is that of the inner operation.
    constants: [NodeId; 2],
    /// The other operand of the inner operation.
    rest: NodeId,
    /// The value of the operation on the two constants.
    value: i64,
}

fn regrouped(graph: &Rewriter, id: NodeId) -> Option<Regrouped> {
    let Op::Binary(binary) = graph.op(id) else { return None };
    let (constant_at, constant, inner) = with_constant(graph, id)?;
    let is_same = inner != id && graph.op(inner) == graph.op(id);
    let (other_at, other, rest) = with_constant(graph, inner).filter(|_| is_same)?;
    let values = graph.graph.node(id).mode.values();
    let value = values.compute(binary, constant, other)?;
    let constants = [graph.operands(id)[constant_at], graph.operands(inner)[other_at]];
    let regrouped = Regrouped { inner_at: 1 - constant_at, constant_at, constants, rest, value };
    (values.associate(binary) && rest != id).then_some(regrouped)
}

/// The position of the only constant operand, its value, and the other operand.
fn with_constant(graph: &Rewriter, id: NodeId) -> Option<(usize, i64, NodeId)> {
    let &[left, right] = graph.operands(id) else { return None };
    match (graph.value(left), graph.value(right)) {
        (Some(value), None) => Some((0, value, right)),
        (None, Some(value)) => Some((1, value, left)),
        _ => None,
    }
}

fn reassociate(graph: &mut Rewriter, id: NodeId) {
    let Some(found) = regrouped(graph, id) else { return };
    let Regrouped { inner_at, constant_at, constants, rest, value } = found;
    let constant = graph.combined(id, &constants, value);
    graph.set_value(id, constant_at, constant);
    graph.set_value(id, inner_at, rest);
}
