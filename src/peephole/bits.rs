//! Bits: operations that change nothing, because of the type of their operand or of the width.
//!
//! Unlike a law of algebra, such a rewrite does not hold for all values at each width.
use super::reader::Reader;
use super::{Component, Rule};
use crate::arith::{Binary, Interval, Relation, Unary};
use crate::floats::FloatOp;
use crate::sea::{Graph, NodeId, Op};

pub const RULES: &[Rule] = &[
    Rule {
        name: "and-redundant",
        law: "x & c → x if every bit that may be 1 in x is 1 in c",
        example: ("(arg & 7) & 15", "arg & 7"),
        root: &|graph, id| graph.op(id) == Op::Binary(Binary::And) && has_constant(graph, id),
        decreases: Component::Weight,
        apply: &|_, graph, id| {
            let [value, mask] = graph.operands(id);
            let mask = graph.value(mask)?;
            let bits = integers(graph, value)?.bits;
            (!bits.zeros & !mask == 0).then_some(value)
        },
    },
    Rule {
        name: "extension-redundant",
        law: "(x << c) >> c → x if x has so many bits that its sign is the highest one",
        example: ("((arg & 7) << 24) >> 24", "arg & 7"),
        root: &|graph, id| graph.op(id) == Op::Binary(Binary::Shrs) && has_constant(graph, id),
        decreases: Component::Weight,
        apply: &|engine, graph, id| {
            let count = graph.value(graph.input(id, 1))?;
            let mut reader = Reader::new(engine, graph, id);
            let shifted = reader.input(id, 0);
            if reader.op(shifted) != Op::Binary(Binary::Shl) {
                return None;
            }
            let [value, other] = [0, 1].map(|at| reader.input(shifted, at));
            let [ty, count_type] = [value, other].map(|it| reader.ty(it));
            let fits = reader.types().value(count_type) == Some(count)
                && (0..i64::from(reader.types().int.0)).contains(&count)
                && reader.types().interval_of(ty).is_some_and(|it| {
                    let int = reader.types().int;
                    let (min, max) = (int.min() >> count, int.max() >> count);
                    min <= it.min && it.max <= max
                });
            fits.then_some(value)
        },
    },
    Rule {
        name: "shift-nothing",
        law: "x << c → x if the width divides c; likewise >> and >>>",
        example: ("arg << 32", "arg"),
        root: &|graph, id| is_shift(graph.op(id)) && has_constant(graph, id),
        decreases: Component::Weight,
        apply: &|_, graph, id| {
            let [value, count] = graph.operands(id);
            (graph.value(count)? % i64::from(graph.types.int.0) == 0).then_some(value)
        },
    },
    Rule {
        name: "rounding-redundant",
        law: "(f32)x → x if 32 bits can hold x",
        example: ("f32 x = arg & 7; return x;", "flt x = arg & 7; return x;"),
        root: &|graph, id| graph.op(id) == Op::Float(FloatOp::Round),
        decreases: Component::Weight,
        apply: &|_, graph, id| {
            let value = graph.input(id, 0);
            graph.types.is_single(graph.ty(value)).then_some(value)
        },
    },
    Rule {
        name: "equal-one",
        law: "b == 1 → b, for a truth value b",
        example: ("(arg < 5) == 1", "arg < 5"),
        // The shape of a node does not tell one relation from another.
        root: &|graph, id| matches!(graph.op(id), Op::Compare(_)) && has_constant(graph, id),
        decreases: Component::Weight,
        apply: &|_, graph, id| {
            let [value, other] = graph.operands(id);
            let is_equality = graph.op(id) == Op::Compare(Relation::Equal);
            let fits = is_equality && graph.value(other)? == 1 && is_truth(graph, value);
            fits.then_some(value)
        },
    },
    Rule {
        name: "not-false",
        law: "!(b == 0) → b and !!b → b, for a truth value b",
        example: ("(arg < 5) != 0", "arg < 5"),
        root: &|graph, id| graph.op(id) == Op::Unary(Unary::Not),
        decreases: Component::Weight,
        apply: &|engine, graph, id| {
            let mut reader = Reader::new(engine, graph, id);
            let test = reader.input(id, 0);
            let is_negation = match reader.op(test) {
                Op::Unary(Unary::Not) => true,
                Op::Compare(Relation::Equal) => {
                    let other = reader.input(test, 1);
                    let ty = reader.ty(other);
                    reader.types().value(ty) == Some(0)
                }
                _ => false,
            };
            let value = is_negation.then(|| reader.input(test, 0))?;
            let ty = reader.ty(value);
            reader.types().interval_of(ty).is_some_and(is_bit).then_some(value)
        },
    },
];

fn is_shift(op: Op) -> bool {
    matches!(op, Op::Binary(Binary::Shl | Binary::Shr | Binary::Shrs))
}

/// Whether the right operand is a constant.
fn has_constant(graph: &Graph, id: NodeId) -> bool {
    graph.inputs(id).nth(1).is_some_and(|it| graph.value(it).is_some())
}

fn integers(graph: &Graph, id: NodeId) -> Option<Interval> {
    graph.types.interval_of(graph.ty(id))
}

fn is_truth(graph: &Graph, id: NodeId) -> bool {
    integers(graph, id).is_some_and(is_bit)
}

fn is_bit(values: Interval) -> bool {
    0 <= values.min && values.max <= 1
}
