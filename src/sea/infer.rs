//! The type of a node from the types of its inputs.
//!
//! Never better than the truth: whatever value the node yields at run time, its type allows it.
use super::graph::{Graph, NodeId};
use super::op::Op;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::arith::{Binary, INT, Unary};
use crate::types::{Shape, Type};

/// What is known about the value of `id`; Top while some of its inputs are missing.
pub fn infer(graph: &mut Graph, id: NodeId) -> Type {
    let op = graph.op(id);
    if op.row().inputs.is_some_and(|wanted| graph.inputs(id).len() < wanted) {
        return graph.types.intern(Shape::Top);
    }
    match op {
        // Given with the program, not computed.
        Op::Start => graph.ty(id),
        Op::Return => graph.types.intern(Shape::Bottom),
        Op::Constant(ty) => ty,
        Op::Binary(binary) => arithmetic(graph, id, binary),
        Op::Unary(unary) => sign_or_not(graph, id, unary),
        #[cfg(feature = "ch03")]
        Op::Scope => graph.types.intern(Shape::Bottom),
        #[cfg(feature = "ch04")]
        Op::Projection(index) => element(graph, id, index),
        #[cfg(feature = "ch04")]
        Op::Compare(relation) => comparison(graph, id, relation),
        #[cfg(feature = "ch05")]
        Op::Stop => graph.types.intern(Shape::Bottom),
        #[cfg(feature = "ch05")]
        Op::Dead => graph.types.intern(Shape::Dead),
        #[cfg(feature = "ch05")]
        Op::If => branches(graph, id),
        #[cfg(feature = "ch05")]
        Op::Branch(truth) => element(graph, id, u32::from(!truth)),
        #[cfg(feature = "ch05")]
        Op::Region => graph.types.intern(Shape::Control),
        #[cfg(feature = "ch07")]
        Op::Loop => graph.types.intern(Shape::Control),
        #[cfg(feature = "ch05")]
        Op::Phi(_) => graph.types.integer(),
    }
}

fn arithmetic(graph: &mut Graph, id: NodeId, binary: Binary) -> Type {
    let [left, right] = [0, 1].map(|at| graph.ty(graph.input(id, at)));
    match (graph.types.value(left), graph.types.value(right)) {
        (Some(a), Some(b)) => graph.types.constant((binary.row().meaning)(INT, a, b)),
        _ => graph.types.meet(left, right),
    }
}

fn sign_or_not(graph: &mut Graph, id: NodeId, unary: Unary) -> Type {
    let operand = graph.ty(graph.input(id, 0));
    match graph.types.value(operand) {
        Some(x) => graph.types.constant((unary.row().meaning)(INT, x)),
        None => operand,
    }
}

#[cfg(feature = "ch04")]
fn comparison(graph: &mut Graph, id: NodeId, relation: Relation) -> Type {
    let [left, right] = [0, 1].map(|at| graph.ty(graph.input(id, at)));
    match (graph.types.value(left), graph.types.value(right)) {
        (Some(a), Some(b)) => graph.types.constant(i64::from(relation.holds(a, b))),
        _ => graph.types.meet(left, right),
    }
}

/// Control goes on both ways.
#[cfg(feature = "ch05")]
fn branches(graph: &mut Graph, _: NodeId) -> Type {
    let control = graph.types.intern(Shape::Control);
    graph.types.intern(Shape::Tuple(vec![control; 2]))
}

#[cfg(feature = "ch04")]
fn element(graph: &mut Graph, id: NodeId, index: u32) -> Type {
    let of = graph.ty(graph.input(id, 0));
    match graph.types.shape(of) {
        Shape::Tuple(types) if (index as usize) < types.len() => types[index as usize],
        _ => graph.types.intern(Shape::Bottom),
    }
}
