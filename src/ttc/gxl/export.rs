//! Brings a compiled program into the form of the case's graphs.
use crate::firm::{AllowedBlock, ControlFlow, Graph, Op};

/// The same program with only pinned nodes in its StartBlock. Compiled programs compute in the
/// StartBlock; in the case, the Start jumps to the first block that computes.
pub fn export(mut graph: Graph) -> Graph {
    let (start_block, start) = (graph.start_block, graph.start);
    if ControlFlow::new(&graph).target(start, true).is_some() {
        return graph;
    }
    let block = graph.add_block(Op::Block, &[start]);
    let moves = |graph: &Graph, id| {
        graph.node(id).block == start_block && graph.op(id).row().block == AllowedBlock::Any
    };
    for id in graph.ids().filter(|&id| moves(&graph, id)).collect::<Vec<_>>() {
        graph.set_block(id, block);
    }
    graph
}
