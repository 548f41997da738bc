//! Extensions: a value of a narrow type has as many bits as any other, but its upper ones follow
//! from the lower ones.
use super::{Graph, NodeId, Op};
use crate::arith::{Binary, Interval, Width};

/// The operand of an extension, and the numbers that the extension does not change.
pub fn extension(graph: &Graph, id: NodeId) -> Option<(NodeId, Interval)> {
    let constant = |id: NodeId| graph.inputs(id).nth(1).and_then(|it| graph.value(it));
    match (graph.op(id), constant(id)) {
        (Op::Binary(Binary::And), Some(mask)) if mask > 0 && mask & (mask + 1) == 0 => {
            Some((graph.input(id, 0), Interval::new(0, mask)))
        }
        (Op::Binary(Binary::Shrs), Some(count)) => {
            let (int, shifted) = (graph.types.int, graph.input(id, 0));
            let is_extension = (0..i64::from(int.0)).contains(&count)
                && graph.op(shifted) == Op::Binary(Binary::Shl)
                && constant(shifted) == Some(count);
            let kept = || Interval::all(Width(int.0 - count as u32));
            is_extension.then(|| (graph.input(shifted, 0), kept()))
        }
        _ => None,
    }
}
