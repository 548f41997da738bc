//! Diamonds, one behind the other: each adds 1 to one of two values.
use super::Frame;
use crate::arith::{Binary, Relation};
use crate::firm::graph::{Graph, Way};
use crate::firm::op::Op;

pub struct Diamonds {
    pub count: usize,
    /// Whether the two values are 0 and 1, and not arguments.
    pub constant: bool,
    /// Whether what is compared is what the diamond before has made.
    pub chained: bool,
}

pub fn diamonds(diamonds: &Diamonds) -> Graph {
    let mut frame = Frame::new();
    let one = frame.constant(1);
    let [first, second] = if diamonds.constant {
        [0, 1].map(|value| frame.constant(value))
    } else {
        [1, 2].map(|number| frame.argument(number))
    };
    let mut value = first;
    for number in 0..diamonds.count {
        if number > 0 {
            let jump = frame.add(Op::Jmp, &[]);
            frame.block = frame.graph.add_block(Op::Block, &[jump]);
        }
        let compared = if diamonds.chained { value } else { first };
        let less = frame.add(Op::Cmp(Relation::Less), &[compared, second]);
        let cond = frame.add(Op::Cond, &[less]);
        let [if_true, if_false] = [Way::True, Way::False].map(|way| {
            frame.block = frame.graph.add_block(Op::Block, &[cond]);
            frame.graph.set_way(frame.block, 0, way);
            frame.add(Op::Jmp, &[])
        });
        frame.block = frame.graph.add_block(Op::Block, &[if_false, if_true]);
        let chosen = frame.add(Op::Phi, &[second, value]);
        value = frame.binary(Binary::Add, chosen, one);
    }
    let start = frame.graph.start;
    frame.finish(start, value, false)
}
