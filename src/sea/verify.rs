//! The invariants of the sea.
//!
//! - `inputs`: the number of inputs is that of the operation.
//! - `def-use`: an edge is among its user's inputs as often as among its definition's users.
//!
//! @ch02-06 - `acyclic`: there is no cycle.
//! @ch07 - `acyclic`: every cycle contains the back edge of a Loop or a value of a Phi.
//! @ch01-04 - `return`: the end is a Return with a control and a value.
//! @ch05-14 - `return`: the end is a Return, or a Stop of Returns, with a control and a value each.
//! @ch15 - `return`: the end is a Stop of Returns and Traps, with a control and a value each.
//! @ch05 - `phi-arity`: a Phi has a value for each input of its region, unless that is dead, and
//! @ch05   the inputs of control nodes are control nodes.
//! @ch02-13 - `types`: no node's type is more precise than its inputs justify.
//! @ch14 - `types`: no node's type is more precise than its inputs justify, but for integers: an
//! @ch14   equal node that it replaced may have justified more. The evaluator checks their values.
//! @ch10 - `memory`: memory operands are memory, pointers are pointers that are not null.
use super::graph::Graph;
use super::op::{NodeId, Op};
#[cfg(feature = "ch02")]
use super::walk::forward_inputs;
use super::walk::reachable_nodes;
use crate::stage::Violation;
use crate::types::Type;
use arena::SideTable;
use picture::Kind;

/// All violated invariants.
pub fn verify(graph: &Graph) -> Vec<Violation> {
    let order = reachable_nodes(graph);
    let checks = [
        inputs,
        def_use,
        #[cfg(feature = "ch02")]
        acyclic,
        ending,
        #[cfg(feature = "ch05")]
        phi_arity,
        #[cfg(feature = "ch02")]
        types,
        #[cfg(feature = "ch10")]
        memory,
    ];
    checks.into_iter().flat_map(|check| check(graph, &order)).collect()
}

fn inputs(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let fits = |id: &NodeId| {
        let given = graph.inputs(*id).len();
        #[cfg(feature = "ch10")]
        let given = if graph.op(*id) == Op::Return { given.min(2) } else { given };
        graph.op(*id).row().inputs.is_none_or(|count| count == given)
    };
    report("inputs", order.iter().copied().filter(|id| !fits(id)))
}

fn def_use(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let mut found: SideTable<NodeId, usize> = SideTable::new(graph.len());
    for id in graph.ids() {
        graph.inputs(id).for_each(|input| found[input] += 1);
    }
    let wrong = |id: &NodeId| {
        let listed = graph.users(*id).count();
        let real = graph.users(*id).all(|user| graph.inputs(user).any(|input| input == *id));
        listed != found[*id] || listed != graph.uses(*id) || !real
    };
    report("def-use", order.iter().copied().filter(wrong))
}

#[cfg(feature = "ch02")]
fn acyclic(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let wrong = flow::nodes_after_cycles(order, |id| forward_inputs(graph, id));
    report("acyclic", wrong.into_iter())
}

fn ending(graph: &Graph, _: &[NodeId]) -> Vec<Violation> {
    let returns = vec![graph.end];
    #[cfg(feature = "ch05")]
    let returns = match graph.op(graph.end) {
        Op::Stop => graph.inputs(graph.end).collect(),
        _ => returns,
    };
    let kinds = |id| graph.inputs(id).map(|input| graph.op(input).row().kind).collect::<Vec<_>>();
    let fits = |&id: &NodeId| {
        graph.op(id).ends_program() && kinds(id).starts_with(&[Kind::Control, Kind::Data])
    };
    report("return", returns.into_iter().filter(|id| !fits(id)))
}

#[cfg(feature = "ch05")]
fn phi_arity(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let kind = |id| graph.op(id).row().kind;
    let fits = |id: NodeId| match graph.op(id) {
        Op::Phi(_) if graph.op(graph.input(id, 0)) == Op::DeadControl => true,
        Op::Phi(_) => graph.inputs(id).len() == graph.inputs(graph.input(id, 0)).len() + 1,
        Op::If | Op::ControlProjection(_) => kind(graph.input(id, 0)) == Kind::Control,
        Op::Region => graph.inputs(id).all(|it| kind(it) == Kind::Control),
        #[cfg(feature = "ch07")]
        Op::Loop => graph.inputs(id).all(|it| kind(it) == Kind::Control),
        _ => true,
    };
    report("phi-arity", order.iter().copied().filter(|&id| !fits(id)))
}

#[cfg(feature = "ch02")]
fn types(graph: &Graph, order: &[NodeId]) -> Vec<Violation> {
    let mut scratch = graph.clone();
    let is_too_precise = |id: &NodeId| {
        let now = super::infer::infer(&mut scratch, *id);
        #[cfg(feature = "ch14")]
        let now = scratch.types.refined(graph.ty(*id), now);
        scratch.types.meet(now, graph.ty(*id)) != graph.ty(*id)
    };
    report("types", order.iter().copied().filter(is_too_precise))
}

#[cfg(feature = "ch10")]
fn memory(graph: &Graph, _: &[NodeId]) -> Vec<Violation> {
    let ty = |id, at| graph.ty(graph.input(id, at));
    let is_memory = |id, at| [Type::MEMORY, Type::TOP].contains(&ty(id, at));
    let is_object = |id, at| !graph.types.may_be_null(ty(id, at));
    let fits = |id: NodeId| match graph.op(id) {
        Op::New(_) | Op::Cast => graph.op(graph.input(id, 0)).row().kind == Kind::Control,
        Op::Clear(_) | Op::Store(_) => is_memory(id, 1) && is_object(id, 2),
        Op::Load(_) => is_memory(id, 0) && is_object(id, 1),
        #[cfg(feature = "ch15")]
        Op::Length => is_object(id, 0),
        #[cfg(feature = "ch15")]
        Op::Element => is_object(id, 1),
        _ => true,
    };
    report("memory", executed(graph).into_iter().filter(|&id| !fits(id)))
}

/// The nodes that may be executed: those on edges that are not taken are left out.
#[cfg(feature = "ch10")]
fn executed(graph: &Graph) -> Vec<NodeId> {
    let mut seen = SideTable::new(graph.len());
    let (mut executed, mut open) = (Vec::new(), vec![graph.end]);
    while let Some(id) = open.pop() {
        let is_control = graph.op(id).row().kind == Kind::Control;
        let is_dead = is_control && id != graph.end && !graph.is_reachable(id);
        if is_dead || std::mem::replace(&mut seen[id], true) {
            continue;
        }
        executed.push(id);
        match graph.op(id).is_phi() {
            true => open.extend(graph.live_values(id).chain([graph.input(id, 0)])),
            false => open.extend(graph.inputs(id)),
        }
    }
    executed
}

fn report(invariant: &'static str, nodes: impl Iterator<Item = NodeId>) -> Vec<Violation> {
    nodes.map(|id| Violation { invariant, detail: format!("{id:?}") }).collect()
}
