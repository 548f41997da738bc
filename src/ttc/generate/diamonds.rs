//! Diamonds in a row; each adds 1 to one of two values.
use super::graph_builder::GraphBuilder;
use crate::arith::{Binary, Relation};
use crate::firm::{EdgeKind, Mode, Op};
use crate::ttc::Graph;

pub struct Diamonds {
    pub count: usize,
    /// Whether the two values are 0 and 1, and not arguments.
    pub constant: bool,
    /// Whether the result of the diamond before is compared.
    pub chained: bool,
}

pub fn diamonds(diamonds: &Diamonds) -> Graph {
    let mut builder = GraphBuilder::without_block();
    let one = builder.constant(1);
    let [first, second] = if diamonds.constant {
        [0, 1].map(|value| builder.constant(value))
    } else {
        [1, 2].map(|number| builder.argument(number))
    };
    let mut value = first;
    builder.open(&[builder.graph.start]);
    for number in 0..diamonds.count {
        if number > 0 {
            let jump = builder.add(Op::Jmp, Mode::X, &[]);
            builder.open(&[jump]);
        }
        let compared = if diamonds.chained { value } else { first };
        let less = builder.add(Op::Cmp(Relation::Less), Mode::Is, &[compared, second]);
        let cond = builder.add(Op::Cond, Mode::X, &[less]);
        let [if_true, if_false] = [EdgeKind::True, EdgeKind::False].map(|kind| {
            builder.open(&[cond]);
            builder.graph.set_edge_kind(builder.block, 0, kind);
            builder.add(Op::Jmp, Mode::X, &[])
        });
        builder.open(&[if_false, if_true]);
        let chosen = builder.add(Op::Phi, Mode::Is, &[second, value]);
        value = builder.binary(Binary::Add, chosen, one);
    }
    let start = builder.graph.start;
    builder.finish(start, value, false)
}
