//! Tail calls of the function itself become loops.
//!
//! A call is a tail call if all that follows it is a Return of what it gives: its value, and each
//! memory as the call leaves it. Joins may be between them, as after the arms of an `if`. Such a
//! call of the function itself needs no activation of its own: the parameters take the values of
//! the arguments, and control goes back to the entry. In the sea, that is a Loop after the entry,
//! and a Phi for each parameter and each memory.
//!
//! A function whose only calls of itself are these is not recursive any more, so it can be inlined.
//!
//! Source: G. L. Steele, "Debunking the 'Expensive Procedure Call' Myth", ACM 1977.
use super::body::Body;
use super::copy::{created, field_name, replace_call};
use crate::sea::{Graph, NodeId, Op};
use crate::types::{FunctionId, Type};
use arena::FxHashMap;
use picture::Kind;

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "tail-calls";

pub const LAW: &str = "f(x) at the end of f → a loop, with x as the next value of the parameter";

/// The positions of values among the inputs of a Return.
const VALUE: usize = 1;
const REST: usize = 2;

/// Replaces the tail calls of a function by itself. Returns their number.
pub fn replace_tail_calls(graph: &mut Graph, body: &Body, function: FunctionId) -> usize {
    let mut calls = body.calls(graph);
    calls.retain(|&call| graph.callee(call) == Some(function) && is_tail_call(graph, call));
    if calls.is_empty() {
        return 0;
    }
    let entry = graph.entry(function).expect("the function has a body");
    let outer = graph.set_origin(graph.origin(entry));
    let header = created(graph, Op::Loop, &[entry]);
    let users: Vec<NodeId> = graph.users(entry).filter(|&user| user != header).collect();
    let (given, control): (Vec<_>, Vec<_>) =
        users.into_iter().partition(|&user| graph.op(user).is_given());
    control.into_iter().for_each(|user| use_instead(graph, user, entry, header));
    let phis: Vec<NodeId> = given.iter().map(|&it| loop_phi(graph, function, header, it)).collect();
    let back_edges = calls.iter().map(|&call| back_edge(graph, call, &given));
    let back_edges: Vec<Vec<NodeId>> = back_edges.collect();
    let back_edge = joined(graph, &phis, back_edges);
    for (&node, &value) in [header].iter().chain(&phis).zip(&back_edge) {
        graph.add_input(node, value);
    }
    calls.iter().for_each(|&call| replace_call(graph, call, None));
    graph.set_origin(outer);
    calls.len()
}

/// Whether all that follows a call is a Return of what the call gives.
fn is_tail_call(graph: &Graph, call: NodeId) -> bool {
    let mut control = call;
    // What the call gives and leaves, with the positions among the inputs of a Return.
    let mut given: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
    for user in graph.users(call) {
        match graph.op(user) {
            Op::Projection(0) => control = user,
            Op::Projection(index) => given.entry(user).or_default().push(index as usize + 1),
            Op::Result => given.entry(user).or_default().push(VALUE),
            Op::Rest => given.entry(user).or_default().push(REST),
            _ => return false,
        }
    }
    for (at, memory) in graph.memories(call).into_iter().enumerate() {
        given.entry(memory).or_default().push(REST + at);
    }
    loop {
        let is_control = |user: &NodeId| graph.op(*user).row().kind == Kind::Control;
        let mut next = graph.users(control).filter(is_control);
        let (Some(join), None) = (next.next(), next.next()) else { return false };
        match graph.op(join) {
            Op::Return => {
                let mut returned = graph.inputs(join).enumerate().skip(VALUE);
                return returned
                    .all(|(at, value)| given.get(&value).is_some_and(|it| it.contains(&at)));
            }
            Op::Region => {
                let at = graph.inputs(join).position(|it| it == control).expect("it is an input");
                let phis = graph.users(join).filter(|&user| graph.op(user).is_phi());
                for phi in phis {
                    if let Some(positions) = given.get(&graph.input(phi, at + 1)).cloned() {
                        given.entry(phi).or_default().extend(positions);
                    }
                }
                control = join;
            }
            _ => return false,
        }
    }
}

/// The Phi of a parameter or a memory of a function, without the value of the back edge. It takes
/// the place of the parameter.
fn loop_phi(graph: &mut Graph, function: FunctionId, header: NodeId, given: NodeId) -> NodeId {
    let (name, ty) = match graph.op(given) {
        Op::Parameter(number) => {
            (graph.parameters[&function][number as usize].clone(), graph.ty(given))
        }
        Op::Rest => ("$rest".to_string(), Type::MEMORY),
        Op::Projection(index) => (field_name(graph, index as usize - 2), Type::MEMORY),
        op => unreachable!("an entry has no {op:?}"),
    };
    let label = graph.labels.of(&name);
    let label = graph.labels.of_type(label, ty);
    let users: Vec<NodeId> = graph.users(given).collect();
    let phi = graph.create(Op::Phi(label), &[header, given]);
    graph.set_type(phi, ty);
    users.into_iter().for_each(|user| use_instead(graph, user, given, phi));
    phi
}

/// Changes one use of a node.
fn use_instead(graph: &mut Graph, user: NodeId, old: NodeId, new: NodeId) {
    let at = graph.inputs(user).position(|input| input == old).expect("it uses the node");
    graph.set_input(user, at, new);
}

/// Control before a call, and the values of what the entry gives.
fn back_edge(graph: &Graph, call: NodeId, given: &[NodeId]) -> Vec<NodeId> {
    let arguments: Vec<NodeId> = graph.arguments(call).collect();
    let memories = graph.memories(call);
    let values = given.iter().map(|&it| match graph.op(it) {
        Op::Parameter(number) => arguments[number as usize],
        Op::Projection(index) => memories.get(index as usize - 1).copied().unwrap_or(memories[0]),
        _ => memories[0],
    });
    [graph.input(call, 0)].into_iter().chain(values).collect()
}

/// One back edge in place of several.
fn joined(graph: &mut Graph, phis: &[NodeId], edges: Vec<Vec<NodeId>>) -> Vec<NodeId> {
    let mut edges = edges.into_iter();
    let first = edges.next().expect("there is a tail call");
    edges.fold(first, |one, other| {
        let region = created(graph, Op::Region, &[one[0], other[0]]);
        let values = one.iter().zip(&other).skip(1).zip(phis);
        let values: Vec<_> = values
            .map(|((&left, &right), &phi)| created(graph, graph.op(phi), &[region, left, right]))
            .collect();
        [vec![region], values].concat()
    })
}
