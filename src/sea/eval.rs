//! Runs the sea as it stands: every node that the end needs is computed once, inputs first.
use super::graph::{Graph, NodeId};
use super::op::Op;
use super::walk::postorder;
use crate::arith::{INT, Width};
use crate::base::ids::SideTable;
use crate::stage::Outcome;

/// What the program does for the argument `arg`.
pub fn eval(graph: &Graph, arg: i64) -> Outcome {
    eval_at(graph, INT, arg)
}

/// The same, if integers had another width.
pub fn eval_at(graph: &Graph, width: Width, arg: i64) -> Outcome {
    let mut values: SideTable<NodeId, i64> = SideTable::new(graph.len());
    for id in postorder(graph, graph.end) {
        let input = |at| values[graph.input(id, at)];
        values[id] = match graph.op(id) {
            // The argument is there from the start.
            Op::Start => arg,
            Op::Return => input(1),
            Op::Constant(ty) => {
                width.wrap(graph.types.value(ty).expect("a constant is one integer"))
            }
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => (binary.row().meaning)(width, input(0), input(1)),
            #[cfg(feature = "ch02")]
            Op::Unary(unary) => (unary.row().meaning)(width, input(0)),
            #[cfg(feature = "ch03")]
            Op::Scope => 0,
            #[cfg(feature = "ch04")]
            Op::Projection(_) => input(0),
            #[cfg(feature = "ch04")]
            Op::Compare(relation) => i64::from(relation.holds(input(0), input(1))),
            #[cfg(feature = "ch05")]
            Op::Stop | Op::Dead | Op::If | Op::Branch(_) | Op::Region | Op::Phi(_) => 0,
            #[cfg(feature = "ch07")]
            Op::Loop => 0,
        };
    }
    Outcome::value(values[graph.end])
}
