//! Further invariants of compiled programs: Phis have several operands, and End keeps infinite
//! loops. The lowering guarantees both, and folding must restore them after it removes edges.
use super::rewriter::Rewriter;
use super::rule::{Phase, RootKind, Rule};
use crate::firm::control_flow::{ControlFlow, blocks};
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::Op;
use crate::firm::verify_flow;
use arena::SideTable;

pub const RULES: &[Rule] = &[Rule {
    name: "phi-one",
    law: "a Phi with one operand → the operand",
    root: RootKind::Phi,
    phase: Phase::Program,
    matches: |graph, id| only_operand(graph, id).is_some(),
    apply: |graph, id| {
        if let Some(value) = only_operand(graph, id) {
            graph.replace_by_value(id, value);
        }
    },
}];

fn only_operand(graph: &Rewriter, id: NodeId) -> Option<NodeId> {
    let mut left = graph.operands(id).iter().copied().filter(|&it| !graph.is_bad(it));
    left.next().filter(|&only| only != id && left.next().is_none())
}

/// Adds the headers of all loops without an exit to the operands of End.
pub fn keep_infinite_loops(graph: &mut Graph) {
    let leaves = verify_flow::reaches_end(graph);
    if blocks(graph).all(|block| leaves[block]) {
        return;
    }
    let order = ControlFlow::new(graph).reverse_postorder(graph);
    let mut positions: SideTable<NodeId, usize> = SideTable::new(graph.len());
    order.iter().enumerate().for_each(|(at, &block)| positions[block] = at);
    let is_header = |block: NodeId| {
        let mut before = graph.operands(block).iter().map(|&jump| graph.node(jump).block);
        before.any(|source| positions[source] >= positions[block])
    };
    let headers = order.iter().copied().filter(|&block| !leaves[block] && is_header(block));
    let headers: Vec<_> = headers.collect();
    let end = graph.ids().rfind(|&id| graph.op(id) == Op::End).expect("a program has an End");
    if !headers.is_empty() {
        graph.add_operands(end, &headers);
    }
}
