//! The type of a node from the types of its inputs.
//!
//! Never better than the truth: whatever value the node yields at run time, its type allows it.
use super::graph::Graph;
use super::op::{NodeId, Op};
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::arith::{Binary, INT, Unary};
use crate::types::{Type, TypeKind};

/// What is known about the value of `id`; Top while some of its inputs are missing.
pub fn infer(graph: &mut Graph, id: NodeId) -> Type {
    let op = graph.op(id);
    let incomplete = op.row().inputs.is_some_and(|wanted| graph.inputs(id).len() < wanted);
    match op {
        // Who never enters a loop never comes back either.
        #[cfg(feature = "ch07")]
        Op::Loop => graph.ty(graph.input(id, 0)),
        // What comes back is not known yet.
        #[cfg(feature = "ch07")]
        Op::Phi(_) if incomplete => Type::INTEGER,
        _ if incomplete => Type::TOP,
        // Given with the program, not computed.
        Op::Start => graph.ty(id),
        #[cfg(feature = "ch05")]
        Op::Return if !graph.is_reachable(graph.input(id, 0)) => {
            graph.types.intern(TypeKind::DeadControl)
        }
        Op::Return => graph.types.intern(TypeKind::Bottom),
        Op::Constant(ty) => ty,
        Op::Binary(binary) => arithmetic(graph, id, binary),
        Op::Unary(unary) => sign_or_not(graph, id, unary),
        #[cfg(feature = "ch03")]
        Op::Scope => graph.types.intern(TypeKind::Bottom),
        #[cfg(feature = "ch04")]
        Op::Projection(index) => element(graph, id, index),
        #[cfg(feature = "ch04")]
        Op::Compare(relation) => comparison(graph, id, relation),
        #[cfg(feature = "ch05")]
        Op::Stop => graph.types.intern(TypeKind::Bottom),
        #[cfg(feature = "ch05")]
        Op::DeadControl => graph.types.intern(TypeKind::DeadControl),
        #[cfg(feature = "ch05")]
        Op::If => branches(graph, id),
        #[cfg(feature = "ch05")]
        Op::ControlProjection(truth) => element(graph, id, u32::from(!truth)),
        #[cfg(feature = "ch05")]
        Op::Region => join(graph, id),
        #[cfg(feature = "ch05")]
        Op::Phi(_) => merged(graph, id),
    }
}

fn arithmetic(graph: &mut Graph, id: NodeId, binary: Binary) -> Type {
    let [left, right] = [0, 1].map(|at| graph.ty(graph.input(id, at)));
    match (graph.types.value(left), graph.types.value(right)) {
        (Some(a), Some(b)) => graph.types.constant((binary.row().evaluate)(INT, a, b)),
        _ => unknown(graph, [left, right]),
    }
}

/// What is known of a result where not both operands are: nothing yet, if nothing is known of one
/// of them. With the meet of Top and 5, a result would be 5 first, and another one later.
fn unknown(graph: &mut Graph, [left, right]: [Type; 2]) -> Type {
    if left == Type::TOP || right == Type::TOP {
        return Type::TOP;
    }
    graph.types.meet(left, right)
}

fn sign_or_not(graph: &mut Graph, id: NodeId, unary: Unary) -> Type {
    let operand = graph.ty(graph.input(id, 0));
    match graph.types.value(operand) {
        Some(x) => graph.types.constant((unary.row().evaluate)(INT, x)),
        None => operand,
    }
}

#[cfg(feature = "ch04")]
fn comparison(graph: &mut Graph, id: NodeId, relation: Relation) -> Type {
    let [left, right] = [0, 1].map(|at| graph.ty(graph.input(id, at)));
    match (graph.types.value(left), graph.types.value(right)) {
        (Some(a), Some(b)) => graph.types.constant(i64::from(relation.holds(a, b))),
        _ => unknown(graph, [left, right]),
    }
}

/// Which way control goes on: both, one if the predicate is known, none where it never comes.
#[cfg(feature = "ch05")]
fn branches(graph: &mut Graph, id: NodeId) -> Type {
    let [control, predicate] = [0, 1].map(|at| graph.input(id, at));
    let test = graph.ty(predicate);
    let known = graph.types.value(test);
    // A predicate of which nothing is known is never computed, so nothing comes behind it.
    let taken =
        |wanted: bool| test != Type::TOP && known.is_none_or(|value| (value != 0) == wanted);
    let dead = graph.types.intern(TypeKind::DeadControl);
    let [comes, never] = [graph.ty(control), dead];
    let ways = [true, false].map(|truth| if taken(truth) { comes } else { never });
    graph.types.intern(TypeKind::Tuple(ways.to_vec()))
}

/// Control comes if it comes on one of the ways.
#[cfg(feature = "ch05")]
fn join(graph: &mut Graph, id: NodeId) -> Type {
    let [first, second] = [0, 1].map(|at| graph.ty(graph.input(id, at)));
    graph.types.meet(first, second)
}

/// What is known of all values that may come; of itself a Phi knows what it knows of the others.
#[cfg(feature = "ch05")]
fn merged(graph: &mut Graph, id: NodeId) -> Type {
    let mut known = Type::TOP;
    let count = graph.inputs(id).len();
    for at in 1..count {
        if let Some(value) = graph.live_value(id, at).filter(|&value| value != id) {
            known = graph.types.meet(known, graph.ty(value));
        }
    }
    known
}

#[cfg(feature = "ch04")]
fn element(graph: &mut Graph, id: NodeId, index: u32) -> Type {
    let of = graph.ty(graph.input(id, 0));
    match graph.types.kind(of) {
        TypeKind::Tuple(types) if (index as usize) < types.len() => types[index as usize],
        _ => graph.types.intern(TypeKind::Bottom),
    }
}
