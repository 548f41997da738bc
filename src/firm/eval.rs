//! Runs a Firm graph: the nodes of a block one after the other.
use super::graph::{Graph, NodeId};
use super::op::Op;
use crate::base::ids::SideTable;
use crate::stage::Outcome;
#[cfg(feature = "ch02")]
use crate::{arith::Binary, arith::Width};

/// What the program does for the argument `arg`.
pub fn eval(graph: &Graph, arg: i64) -> Outcome {
    let mut values: SideTable<NodeId, i64> = SideTable::new(graph.len());
    for id in graph.ids() {
        let operand = |at: usize| values[graph.operands(id)[at]];
        let value: Result<i64, String> = match graph.op(id) {
            Op::StartBlock | Op::EndBlock | Op::End => Ok(0),
            // The argument is there from the start.
            Op::Start => Ok(arg),
            #[cfg(feature = "ch04")]
            Op::Argument(_) => Ok(operand(0)),
            Op::Const(value) => Ok(value),
            #[cfg(feature = "ch02")]
            Op::Binary(binary) => arithmetic(graph, id, binary, [operand(0), operand(1)]),
            #[cfg(feature = "ch04")]
            Op::Cmp(relation) => Ok(i64::from(relation.holds(operand(0), operand(1)))),
            Op::Return => return Outcome::value(operand(1)),
        };
        match value {
            Ok(value) => values[id] = value,
            Err(reason) => return Outcome::fault(super::print::name(id), reason),
        }
    }
    Outcome::fault("the end", "there is no Return")
}

/// Firm's division is undefined where Simple's is not: the lowering must have seen to that.
#[cfg(feature = "ch02")]
fn arithmetic(graph: &Graph, id: NodeId, op: Binary, [a, b]: [i64; 2]) -> Result<i64, String> {
    let width: Width = graph.node(id).mode.width().ok_or("arithmetic on no integer")?;
    if op == Binary::Div && (b == 0 || a == width.min() && b == -1) {
        return Err(format!("division of {a} by {b}"));
    }
    Ok((op.row().meaning)(width, a, b))
}
