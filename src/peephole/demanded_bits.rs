//! Demanded bits: an extension is needless if only bits are read that it keeps.
//!
//! The lowest bits of a sum follow from those of its terms, and so do those of differences,
//! products and operations that work bit by bit. An assignment to a variable of a narrow type
//! extends the value, so several extensions in one expression are frequent, and the last one is
//! enough.
//! Source: M. Budiu, M. Sakr, K. Walker, S. C. Goldstein, "BitValue Inference: Detecting and
//! Exploiting Narrow Bitwidth Computations", Euro-Par 2000.
use super::reader::Reader;
use super::{Component, Rule};
use crate::arith::{Binary, Unary, Width};
use crate::sea::{Graph, NodeId, Op};

pub const RULES: &[Rule] = &[Rule {
    name: "demanded-bits",
    law: "(((x << c) >> c) + y) << c → (x + y) << c; likewise for x & m and for other operators",
    example: ("((arg << 24 >> 24) + 1) << 24", "(arg + 1) << 24"),
    root: &|graph, id| {
        let is_root = matches!(graph.op(id), Op::Binary(Binary::Shl | Binary::And));
        is_root && graph.value(graph.input(id, 1)).is_some()
    },
    decreases: Component::Weight,
    apply: &|engine, graph, id| {
        let demanded = demanded(graph, id)?;
        let Found { mut value, path } = find(&mut Reader::new(engine, graph, id), id, demanded)?;
        let (&(_, first), nested) = path.split_last().expect("the root is on the path");
        for &(node, at) in nested {
            let inputs = with_input(graph, node, at, value);
            value = engine.node(graph, graph.op(node), &inputs);
        }
        let inputs = with_input(graph, id, first, value);
        Some(graph.create(graph.op(id), &inputs))
    },
}];

/// Only so many operations below a root are inspected.
const MAX_OPERATIONS: usize = 8;

/// A needless extension.
struct Found {
    /// The operand of the extension.
    value: NodeId,
    /// The nodes above it up to the root, each with the number of the input on the path.
    path: Vec<(NodeId, usize)>,
}

/// The number of the lowest bits that the root follows from, if these are not all bits.
fn demanded(graph: &Graph, id: NodeId) -> Option<Width> {
    let Op::Binary(binary) = graph.op(id) else { return None };
    demanded_by(binary, graph.value(graph.input(id, 1))?, graph.types.int)
}

fn demanded_by(binary: Binary, constant: i64, int: Width) -> Option<Width> {
    let bits = match binary {
        Binary::Shl => int.0 - constant.rem_euclid(i64::from(int.0)) as u32,
        _ => u64::BITS - constant.leading_zeros(),
    };
    (bits < int.0).then_some(Width(bits))
}

/// Searches below the root for an extension that keeps the demanded bits. An operation with other
/// users, which may read more bits, would have to be computed twice.
fn find(reader: &mut Reader, root: NodeId, demanded: Width) -> Option<Found> {
    // The operations, each with the number of the one above it and of the input there.
    let mut open = vec![(root, 0, 0)];
    for number in 0..MAX_OPERATIONS {
        let &(id, ..) = open.get(number)?;
        for at in 0..narrow_inputs(reader.op(id)) {
            let input = reader.input(id, at);
            if let Some(value) = extended(reader, input, demanded) {
                return Some(Found { value, path: path(&open, number, at) });
            }
            if narrow_inputs(reader.op(input)) > 0 && reader.is_only_used_by_root(input) {
                open.push((input, number, at));
            }
        }
    }
    None
}

/// The operations above an input, up to the root.
fn path(open: &[(NodeId, usize, usize)], mut number: usize, mut at: usize) -> Vec<(NodeId, usize)> {
    let mut path = vec![(open[number].0, at)];
    while number > 0 {
        (_, number, at) = open[number];
        path.push((open[number].0, at));
    }
    path
}

/// Of so many inputs of an operation, the first ones, only the lowest bits are read for those of
/// the result.
fn narrow_inputs(op: Op) -> usize {
    match op {
        Op::Binary(
            Binary::Add | Binary::Sub | Binary::Mul | Binary::And | Binary::Or | Binary::Eor,
        ) => 2,
        Op::Binary(Binary::Shl) | Op::Unary(Unary::Minus) => 1,
        _ => 0,
    }
}

/// The operand of an extension that keeps the demanded bits.
fn extended(reader: &mut Reader, id: NodeId, demanded: Width) -> Option<NodeId> {
    let Op::Binary(binary @ (Binary::And | Binary::Shr | Binary::Shrs)) = reader.op(id) else {
        return None;
    };
    let [value, constant] = [0, 1].map(|at| reader.input(id, at));
    let constant = number(reader, constant)?;
    if !keeps(binary, constant, demanded, reader.types().int) {
        return None;
    }
    if binary == Binary::And {
        return Some(value);
    }
    if reader.op(value) != Op::Binary(Binary::Shl) {
        return None;
    }
    let [value, count] = [0, 1].map(|at| reader.input(value, at));
    (number(reader, count) == Some(constant)).then_some(value)
}

/// Whether x & c, or a shift of x to the left by c and back, has the demanded bits of x.
fn keeps(binary: Binary, constant: i64, demanded: Width, int: Width) -> bool {
    match binary {
        Binary::And => demanded.mask() & !constant == 0,
        _ => (0..=i64::from(int.0 - demanded.0)).contains(&constant),
    }
}

fn number(reader: &mut Reader, id: NodeId) -> Option<i64> {
    let ty = reader.ty(id);
    reader.types().value(ty)
}

/// The inputs of a node, one of them another value.
fn with_input(graph: &Graph, id: NodeId, at: usize, value: NodeId) -> Vec<NodeId> {
    let mut inputs: Vec<_> = graph.inputs(id).collect();
    inputs[at] = value;
    inputs
}

#[cfg(test)]
mod tests;
