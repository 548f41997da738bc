//! Random Firm graphs for tests of selection.
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::random::Random;

/// Numbers that guards of rules require, and edge cases.
const CONSTANTS: [i64; 22] = [
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    -2,
    -7,
    -8,
    10,
    64,
    127,
    128,
    -129,
    1000,
    1 << 20,
    i32::MIN as i64,
    i32::MAX as i64,
];

/// A graph of `size` operations and their constants. Operands are mostly recent nodes.
pub fn graph(random: &mut Random, size: usize) -> Graph {
    let mut graph = Graph::new();
    let mut values = vec![constant(&mut graph, random)];
    values.extend(arguments(&mut graph));
    let operations = operations();
    let size = if operations.is_empty() { 0 } else { size };
    for _ in 0..size {
        let op = random.pick(&operations);
        let operands = [operand(&mut graph, random, &values), operand(&mut graph, random, &values)];
        values.push(graph.add(op, Mode::Is, graph.start_block, &operands));
    }
    let last = values[values.len() - 1];
    let ret = graph.add(Op::Return, Mode::X, graph.start_block, &[graph.start, last]);
    let block = graph.add_block(Op::EndBlock, &[ret]);
    graph.add(Op::End, Mode::X, block, &[]);
    graph
}

fn operand(graph: &mut Graph, random: &mut Random, values: &[NodeId]) -> NodeId {
    match random.below(8) {
        0..3 => constant(graph, random),
        3..6 => values[values.len() - 1],
        _ => random.pick(values),
    }
}

fn constant(graph: &mut Graph, random: &mut Random) -> NodeId {
    graph.add(Op::Const(random.pick(&CONSTANTS)), Mode::Is, graph.start_block, &[])
}

fn arguments(graph: &mut Graph) -> Vec<NodeId> {
    let takes = |op: &Op| op.row().name == "Argument";
    let kinds = Op::kinds().filter(takes);
    kinds.map(|op| graph.add(op, Mode::Is, graph.start_block, &[graph.start])).collect()
}

/// Every operation on two integers that programs of the language have.
fn operations() -> Vec<Op> {
    let two = |op: &Op| op.row().operands == [Mode::Is; 2];
    let all = Op::kinds().filter(two);
    #[cfg(feature = "ch25")]
    let all = all.filter(|op| !crate::rules::is_file_only(*op));
    let mut all: Vec<Op> = all.collect();
    all.extend(RELATIONS);
    all
}

const RELATIONS: &[Op] = &[
    #[cfg(feature = "ch04")]
    Op::Cmp(Relation::Less),
    #[cfg(feature = "ch04")]
    Op::Cmp(Relation::GreaterEqual),
];
