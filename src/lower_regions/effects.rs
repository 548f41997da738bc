//! Which nodes have effects: they change the state of memory, or may trap.
use crate::arith::{Binary, Traps};
use crate::region::{Graph, NodeId, Op, Operator};

/// Whether memory has another state after the operation.
pub fn has_effect(op: Op) -> bool {
    matches!(op, Op::Use | Op::Call)
}

/// The operation of a node that may trap.
pub fn quotient(graph: &Graph, id: NodeId) -> Option<Binary> {
    let Op::Operator(Operator::Binary(binary)) = graph.op(id) else { return None };
    let divisor = graph.operands(id)[1].node;
    let may_trap = match graph.op(divisor) {
        Op::Number(number) => number == 0 || number == -1,
        _ => true,
    };
    (binary.row().traps != Traps::Never && may_trap).then_some(binary)
}
