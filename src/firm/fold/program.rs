//! What programs of the compiler need besides: Phis have a choice, and End keeps what never ends.
//!
//! The case has neither, and its numbers of nodes say so. But the lowering promises both, and
//! where ways that are never taken go, folding has to keep the promise.
use super::rewriter::Rewriter;
use super::{On, Part, Rule};
use crate::firm::flow::Flow;
use crate::firm::graph::{Graph, NodeId};
use crate::firm::op::Op;
use crate::firm::verify_flow;
use arena::SideTable;

pub const RULES: &[Rule] = &[Rule {
    name: "phi-one",
    law: "a Phi with one operand → the operand",
    on: On::Phi,
    part: Part::Program,
    fits: |graph, id| only_operand(graph, id).is_some(),
    apply: |graph, id| {
        if let Some(value) = only_operand(graph, id) {
            graph.become_value(id, value);
        }
    },
}];

fn only_operand(graph: &Rewriter, id: NodeId) -> Option<NodeId> {
    let mut left = graph.operands(id).iter().copied().filter(|&it| !graph.is_bad(it));
    left.next().filter(|&only| only != id && left.next().is_none())
}

/// Has End keep the heads of all loops that have lost their last way out.
pub fn keep_endless(graph: &mut Graph) {
    let ends = verify_flow::left(graph);
    let order = Flow::new(graph).reverse_postorder(graph);
    let mut places: SideTable<NodeId, usize> = SideTable::new(graph.len());
    order.iter().enumerate().for_each(|(place, &block)| places[block] = place);
    let comes_around = |block: NodeId| {
        let mut sources = graph.operands(block).iter().map(|&jump| graph.node(jump).block);
        sources.any(|source| places[source] >= places[block])
    };
    let heads = order.iter().copied().filter(|&block| !ends[block] && comes_around(block));
    let heads: Vec<_> = heads.collect();
    let end = graph.ids().rfind(|&id| graph.op(id) == Op::End).expect("a program has an End");
    if !heads.is_empty() {
        graph.add_operands(end, &heads);
    }
}
