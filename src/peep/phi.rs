//! Phis: values that meet where ways meet.
use super::{Component, Engine, On, Rule};
use crate::arith::INT;
use crate::sea::{Graph, NodeId, Op};

pub const RULES: &[Rule] = &[
    Rule {
        name: "phi-same",
        law: "φ(x, x) → x, and of ways that are not taken nothing comes",
        shows: (
            "int x = 1; if (arg) { x = 2; return 3; } return x;",
            "if (arg) return 3; return 1;",
        ),
        on: On::Phi,
        shrinks: Component::Weight,
        apply: |engine, graph, id| only_value(engine, graph, id),
    },
    Rule {
        name: "phi-operation",
        law: "φ(a ∘ b, c ∘ d) → φ(a, c) ∘ φ(b, d) where no loop begins and no work is doubled",
        shows: (
            "int x = arg * 3; if (arg) x = arg * 5; return x;",
            "int x = 3; if (arg) x = 5; return arg * x;",
        ),
        on: On::Phi,
        shrinks: Component::Weight,
        apply: |engine, graph, id| {
            let op = graph.op(id);
            if is_incomplete(graph, id) {
                return None;
            }
            let [region, first, second] = [0, 1, 2].map(|at| graph.input(id, at));
            let common = graph.op(first);
            let fits = graph.op(region) == Op::Region && graph.op(second) == common;
            if !fits
                || !has_two_operands(common)
                || !graph.inputs(region).all(|it| graph.is_reachable(it))
            {
                return None;
            }
            if !saves_work(graph, [first, second]) {
                return None;
            }
            let [left, right] = [0, 1].map(|at| {
                let [one, other] = [first, second].map(|it| graph.input(it, at));
                match one == other {
                    true => one,
                    false => engine.node(graph, op, &[region, one, other]),
                }
            });
            Some(graph.create(common, &[left, right]))
        },
    },
];

/// Whether one of two operations goes away, or one of two Phis comes not: what has other users
/// would be computed twice, and in nested branches twice as often again on each level.
fn saves_work(graph: &Graph, operations: [NodeId; 2]) -> bool {
    let [first, second] = operations;
    let same = |at| graph.input(first, at) == graph.input(second, at);
    same(0) || same(1) || operations.iter().all(|&it| graph.uses(it) == 1)
}

/// The one value that comes, whichever way control takes; the Phi itself does not count.
fn only_value(_: &mut Engine, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    if is_incomplete(graph, id) {
        return None;
    }
    let mut values = graph.live_values(id).filter(|&value| value != id);
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Whether what comes back to the head of a loop is still unknown.
fn is_incomplete(graph: &Graph, phi: NodeId) -> bool {
    graph.inputs(phi).len() < 3
}

fn has_two_operands(op: Op) -> bool {
    matches!(op, Op::Binary(_) | Op::Compare(_))
}

/// Whether the node is a Phi all of whose values are known.
pub fn is_of_constants(graph: &Graph, id: NodeId) -> bool {
    let known = |value: NodeId| graph.types.value(graph.ty(value)).is_some();
    graph.op(id).is_phi() && !is_incomplete(graph, id) && graph.inputs(id).skip(1).all(known)
}

/// φ(c₁, c₂) ∘ φ(d₁, d₂) → φ(c₁ ∘ d₁, c₂ ∘ d₂), where one of them may be a constant.
pub fn over_constants(
    engine: &mut Engine,
    graph: &mut Graph,
    op: Op,
    operands: [NodeId; 2],
) -> Option<NodeId> {
    let is_phi = operands.map(|it| is_of_constants(graph, it));
    let constant = operands.map(|it| graph.types.value(graph.ty(it)));
    let phi = match is_phi {
        [true, true] if graph.input(operands[0], 0) != graph.input(operands[1], 0) => return None,
        [true, other] if other || constant[1].is_some() => operands[0],
        [false, true] if constant[0].is_some() => operands[1],
        _ => return None,
    };
    let region = graph.input(phi, 0);
    let values = [1, 2].map(|way| {
        let [a, b] = [0, 1].map(|at| {
            let value = if is_phi[at] { graph.input(operands[at], way) } else { operands[at] };
            graph.types.value(graph.ty(value)).unwrap_or_default()
        });
        let result = graph.types.constant(meaning(op, a, b));
        engine.node(graph, Op::Constant(result), &[])
    });
    Some(graph.create(graph.op(phi), &[region, values[0], values[1]]))
}

fn meaning(op: Op, a: i64, b: i64) -> i64 {
    match op {
        Op::Binary(binary) => (binary.row().evaluate)(INT, a, b),
        Op::Compare(relation) => i64::from(relation.holds(a, b)),
        other => unreachable!("{other:?} has not two operands"),
    }
}
