//! The invariants of the sea.
//!
//! - `inputs`: a node has as many inputs as its row says.
//! - `mirror`: an edge stands among its user's inputs exactly as often as among its def's users.
//! - `acyclic`: no node needs itself.
//! - `return`: the end is a Return of a control and a value.
//! - `types`: every node has the type that its inputs give it.
use super::graph::{Graph, NodeId};
use super::op::Op;
use super::walk::postorder;
use crate::base::ids::SideTable;
use crate::base::picture::Kind;
use crate::stage::Violation;

/// Every broken invariant among the nodes that the end needs.
pub fn verify(graph: &Graph) -> Vec<Violation> {
    let order = postorder(graph, graph.end);
    let checks = [
        inputs,
        mirror,
        acyclic,
        ending,
        #[cfg(feature = "ch02")]
        types,
    ];
    checks.into_iter().flat_map(|check| check(graph, &order)).collect()
}

fn inputs(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let fits = |id: &NodeId| {
        graph.op(*id).row().inputs.is_none_or(|wanted| wanted == graph.inputs(*id).len())
    };
    report("inputs", order.iter().copied().filter(|id| !fits(id)))
}

fn mirror(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let mut found: SideTable<NodeId, usize> = SideTable::new(graph.len());
    for id in graph.ids() {
        graph.inputs(id).for_each(|input| found[input] += 1);
    }
    let wrong = |id: &NodeId| {
        let listed = graph.users(*id).count();
        let real = graph.users(*id).all(|user| graph.inputs(user).any(|input| input == *id));
        listed != found[*id] || listed != graph.uses(*id) || !real
    };
    report("mirror", order.iter().copied().filter(wrong))
}

fn acyclic(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let mut done: SideTable<NodeId, bool> = SideTable::new(graph.len());
    let mut wrong = Vec::new();
    for &id in order {
        if !graph.inputs(id).all(|input| done[input]) {
            wrong.push(id);
        }
        done[id] = true;
    }
    report("acyclic", wrong.into_iter())
}

fn ending(graph: &Graph, _: &[NodeId]) -> Vec<Violation> {
    let kinds: Vec<_> = graph.inputs(graph.end).map(|input| graph.op(input).row().kind).collect();
    let fits = graph.op(graph.end) == Op::Return && kinds == [Kind::Control, Kind::Data];
    report("return", (!fits).then_some(graph.end).into_iter())
}

#[cfg(feature = "ch02")]
fn types(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let mut scratch = graph.clone();
    let stale = |id: &NodeId| super::infer::infer(&mut scratch, *id) != graph.ty(*id);
    report("types", order.iter().copied().filter(stale))
}

fn report(invariant: &'static str, nodes: impl Iterator<Item = NodeId>) -> Vec<Violation> {
    nodes.map(|id| Violation { invariant, detail: format!("{id:?}") }).collect()
}
