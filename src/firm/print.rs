//! A Firm graph as text: one block after the other, one node a line.
use super::graph::{Graph, NodeId};
use super::op::{Op, Place};
use crate::base::ids::Id;

/// Every block with the nodes that stand in it, as in `n4: Is = Add n2, n3`.
pub fn print(graph: &Graph) -> String {
    let mut text = String::new();
    for block in graph.ids().filter(|&id| graph.op(id).row().place == Place::Block) {
        text += &format!("{}{}:\n", label(graph, block), operands(graph, block, " from "));
        for id in graph.ids().filter(|&id| graph.node(id).block == block && id != block) {
            let mode = graph.node(id).mode.name();
            let operands = operands(graph, id, " ");
            text += &format!("  {}: {mode} = {}{operands}\n", name(id), label(graph, id));
        }
    }
    text
}

/// The name of a node: `n7`.
pub fn name(id: NodeId) -> String {
    format!("n{}", id.index())
}

/// What the node is, with its attribute: `Const 7`.
pub fn label(graph: &Graph, id: NodeId) -> String {
    let op = graph.op(id);
    match op {
        Op::Const(value) => format!("Const {value}"),
        #[cfg(feature = "ch04")]
        Op::Argument(number) => format!("Argument {number}"),
        #[cfg(feature = "ch04")]
        Op::Cmp(relation) => format!("Cmp {}", relation.row().sign),
        _ => op.row().name.to_string(),
    }
}

fn operands(graph: &Graph, id: NodeId, before: &str) -> String {
    let names: Vec<_> = graph.operands(id).iter().map(|&operand| name(operand)).collect();
    if names.is_empty() { String::new() } else { format!("{before}{}", names.join(", ")) }
}
