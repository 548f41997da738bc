//! Random Firm graphs for tests of selection.
use crate::arith::Binary;
#[cfg(feature = "ch04")]
use crate::arith::Relation;
use crate::firm::{Graph, Mode, NodeId, Op};
use crate::random::Random;

/// Numbers that guards of rules require, and edge cases.
const CONSTANTS: [i64; 24] = [
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
    31,
    64,
    127,
    128,
    255,
    -129,
    1000,
    1 << 20,
    i32::MIN as i64,
    i32::MAX as i64,
];

/// A graph of `size` operations and their constants. Operands are mostly recent nodes.
pub fn graph(random: &mut Random, size: usize) -> Graph {
    graph_of(random, size, operations())
}

/// The same, also with operations that not every target has.
#[cfg(feature = "ch29")]
pub fn graph_with_choices(random: &mut Random, size: usize) -> Graph {
    graph_of(random, size, [operations(), vec![Op::Mux; 4]].concat())
}

fn graph_of(random: &mut Random, size: usize, operations: Vec<Op>) -> Graph {
    let mut graph = Graph::new();
    let mut values = vec![constant(&mut graph, random)];
    values.extend(arguments(&mut graph));
    let size = if operations.is_empty() { 0 } else { size };
    for _ in 0..size {
        let op = random.pick(&operations);
        let operands = op.row().operands.iter();
        let operands: Vec<_> = operands.map(|_| operand(&mut graph, random, &values)).collect();
        values.push(graph.add(op, Mode::Is, graph.start_block, &operands));
    }
    let last = values[values.len() - 1];
    let ret = graph.add(Op::Return, Mode::Is, graph.start_block, &[graph.start, last]);
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

/// Every operation that computes an integer from integers. The result of a call is not computed.
fn operations() -> Vec<Op> {
    let computes = |op: &Op| {
        let row = op.row();
        let mut modes = row.operands.iter().chain([&row.value]).map(|mode| mode.of(Mode::Is));
        row.modes.contains(&Mode::Is) && modes.all(|mode| mode == Mode::Is)
    };
    let all = Op::kinds().filter(|op| op.is_selected()).filter(computes);
    let all = all.filter(|op| matches!(op.row().operands.len(), 1 | 2));
    let mut all: Vec<Op> = all.collect();
    all.extend(FREQUENT);
    all
}

/// Relations, and the operators that most rules are for.
const FREQUENT: &[Op] = &[
    #[cfg(feature = "ch04")]
    Op::Cmp(Relation::Less),
    #[cfg(feature = "ch04")]
    Op::Cmp(Relation::GreaterEqual),
    #[cfg(feature = "ch25")]
    Op::Binary(Binary::Add),
    #[cfg(feature = "ch25")]
    Op::Binary(Binary::Add),
    #[cfg(feature = "ch25")]
    Op::Binary(Binary::Sub),
    #[cfg(feature = "ch25")]
    Op::Binary(Binary::Mul),
];
