//! Phis: values that meet where edges of control meet.
#[cfg(feature = "ch09")]
use super::dependents::{Noted, aspect};
use super::{Component, Engine, Rule};
use crate::arith::{Binary, Width};
use crate::sea::{Graph, NodeId, Op};

pub const RULES: &[Rule] = &[
    Rule {
        name: "phi-trivial",
        law: "φ(x, x) → x; operands on edges that are not taken do not count",
        example: (
            "int x = 1; if (arg) { x = 2; return 3; } return x;",
            "if (arg) return 3; return 1;",
        ),
        root: &|graph, id| graph.op(id).is_phi(),
        decreases: Component::Weight,
        apply: &|_, graph, id| only_value(graph, id),
    },
    Rule {
        name: "phi-sink",
        law: "φ(a ∘ b, c ∘ d) → φ(a, c) ∘ φ(b, d) at a Region, if that saves work",
        example: (
            "int x = arg * 3; if (arg) x = arg * 5; return x;",
            "int x = 3; if (arg) x = 5; return arg * x;",
        ),
        // The operation on Phis would not show what is known of a Phi of equal values.
        root: &|graph, id| graph.op(id).is_phi() && graph.value(id).is_none(),
        decreases: Component::Weight,
        apply: &|engine, graph, id| {
            let op = graph.op(id);
            if is_incomplete(graph, id) {
                return None;
            }
            let input = |at| graph.input(id, at);
            let (region, first, second) = (input(0), input(1), input(2));
            let common = graph.op(first);
            let fits = graph.op(region) == Op::Region && graph.op(second) == common;
            if !fits
                || !has_two_operands(common)
                || !graph.inputs(region).all(|it| graph.is_reachable(it))
            {
                return None;
            }
            if !saves_work(graph, [first, second]) || divide_by_constants(graph, [first, second]) {
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
    Rule {
        name: "add-phi",
        law: "φ(c₁, c₂) + c → φ(c₁ + c, c₂ + c), and (x + φ) + c → x + φ'",
        example: (
            "int x = 1; if (arg) x = 2; return x + 3;",
            "int x = 4; if (arg) x = 5; return x;",
        ),
        root: &|graph, id| graph.op(id) == Op::Binary(Binary::Add) && may_have_phi(graph, id),
        decreases: Component::Weight,
        apply: &with_phi,
    },
    #[cfg(feature = "ch06")]
    Rule {
        name: "mul-phi",
        law: "φ(c₁, c₂) · c → φ(c₁ · c, c₂ · c), and (x · φ) · c → x · φ'",
        example: (
            "int x = 1; if (arg) x = 2; return x * 3;",
            "int x = 3; if (arg) x = 6; return x;",
        ),
        root: &|graph, id| graph.op(id) == Op::Binary(Binary::Mul) && may_have_phi(graph, id),
        decreases: Component::Weight,
        apply: &with_phi,
    },
    #[cfg(feature = "ch06")]
    Rule {
        name: "compare-phi",
        law: "φ(c₁, c₂) < c → φ(c₁ < c, c₂ < c), and so for the others",
        example: (
            "int x = 1; if (arg) x = 2; return x < 2;",
            "int x = 1; if (arg) x = 0; return x;",
        ),
        root: &|graph, id| matches!(graph.op(id), Op::Compare(_)) && may_have_phi(graph, id),
        decreases: Component::Weight,
        apply: &|engine, graph, id| {
            let (op, operands) = (graph.op(id), graph.operands(id));
            over_constants(engine, graph, op, operands)
        },
    },
];

/// Whether both operations are removed: one with other users would be computed twice, and in nested
/// branches twice as often again on each level. The variables of a scope do not count.
fn saves_work(graph: &Graph, operations: [NodeId; 2]) -> bool {
    operations.iter().all(|&it| {
        let mut others = graph.users(it).filter(|&user| graph.op(user) != Op::Scope);
        others.nth(1).is_none()
    })
}

/// Whether both operations divide by constants, by two of them: then neither needs a division of
/// the machine, but a quotient by a Phi would.
fn divide_by_constants(graph: &Graph, operations: [NodeId; 2]) -> bool {
    let divisors = operations.map(|it| graph.input(it, 1));
    let [first, second] = divisors;
    graph.op(operations[0]) == Op::Binary(Binary::Div)
        && first != second
        && divisors.into_iter().all(|it| matches!(graph.op(it), Op::Constant(_)))
}

/// The one value of all edges that may be taken; the Phi itself does not count.
fn only_value(graph: &Graph, id: NodeId) -> Option<NodeId> {
    if is_incomplete(graph, id) {
        return None;
    }
    let mut values = graph.live_values(id).filter(|&value| value != id);
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Whether the value of the back edge of a loop is still unknown.
fn is_incomplete(graph: &Graph, phi: NodeId) -> bool {
    graph.inputs(phi).len() < 3
}

fn has_two_operands(op: Op) -> bool {
    matches!(op, Op::Binary(_) | Op::Compare(_))
}

/// Whether the node is a Phi all of whose values are known.
pub fn is_of_constants(graph: &Graph, id: NodeId) -> bool {
    let known = |value: NodeId| graph.value(value).is_some();
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
    let constant = operands.map(|it| graph.value(it));
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
            graph.value(value).unwrap_or_default()
        });
        let result = graph.types.constant(meaning(graph.types.int, op, a, b));
        engine.node(graph, Op::Constant(result), &[])
    });
    Some(graph.create(graph.op(phi), &[region, values[0], values[1]]))
}

/// Whether both operands are known or Phis; the left one may be an operation of the same kind.
fn may_have_phi(graph: &Graph, id: NodeId) -> bool {
    let is_simple = |it: NodeId| graph.op(it).is_phi() || graph.value(it).is_some();
    let [left, right] = graph.operands(id);
    is_simple(right) && (is_simple(left) || graph.op(left) == graph.op(id))
}

/// Applies the operation to the constants of a Phi.
fn with_phi(engine: &mut Engine, graph: &mut Graph, id: NodeId) -> Option<NodeId> {
    let (op, [left, right]) = (graph.op(id), graph.operands(id));
    if let Some(phi) = over_constants(engine, graph, op, [left, right]) {
        return Some(phi);
    }
    if graph.op(left) != op {
        return None;
    }
    let [x, inner] = graph.operands(left);
    let phi = over_constants(engine, graph, op, [inner, right])?;
    let phi = engine.peephole(graph, phi);
    Some(graph.create(op, &[x, phi]))
}

/// Notes the nodes that `with_phi` and `over_constants` inspect below the operands of `id`.
#[cfg(feature = "ch09")]
pub fn note_operands(graph: &Graph, id: NodeId, noted: &mut Noted) {
    graph.inputs(id).for_each(|operand| note_values(graph, operand, noted));
    let left = graph.input(id, 0);
    if graph.op(left) == graph.op(id) {
        let inner = graph.input(left, 1);
        noted.extend([(left, aspect::INPUTS), (inner, aspect::TYPE)]);
        note_values(graph, inner, noted);
    }
}

/// Notes the values, if the node is a Phi.
#[cfg(feature = "ch09")]
pub fn note_values(graph: &Graph, id: NodeId, noted: &mut Noted) {
    if graph.op(id).is_phi() {
        noted.push((id, aspect::INPUTS));
        noted.extend(graph.inputs(id).skip(1).map(|value| (value, aspect::TYPE)));
    }
}

fn meaning(int: Width, op: Op, a: i64, b: i64) -> i64 {
    match op {
        Op::Binary(binary) => (binary.row().evaluate)(int, a, b),
        Op::Compare(relation) => i64::from(relation.holds(a, b)),
        other => unreachable!("{other:?} has not two operands"),
    }
}
