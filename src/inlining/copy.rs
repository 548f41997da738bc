//! The copy of a body in place of a call.
use super::body::Body;
use crate::sea::walk::forward_inputs;
use crate::sea::{Graph, NodeId, Op, infer};
use crate::types::Type;
use arena::FxHashMap;

/// The state after a body: control, the value, the rest, and the memories of fields.
type Exit = Vec<NodeId>;

/// Whether the memories of a call are those that the function takes. A function that was parsed
/// when there were fewer fields leaves the others alone, if it calls nothing itself.
pub fn is_possible(graph: &Graph, body: &Body, call: NodeId) -> bool {
    let known = graph.memories(call).len();
    let returns = body.nodes.iter().filter(|&&id| graph.op(id) == Op::Return);
    let mut counts = returns.map(|&id| graph.inputs(id).len() - 2);
    let has_calls = !body.calls(graph).is_empty();
    counts.all(|count| count == known || count < known && !has_calls)
}

/// Replaces a call by the body of its function. Returns the calls in the copy, the last one first.
pub fn inline_call(graph: &mut Graph, body: &Body, call: NodeId) -> Vec<NodeId> {
    let outer = graph.set_origin(graph.origin(call));
    let mut copies = given(graph, body, call);
    let (mut calls, mut exits) = (Vec::new(), Vec::new());
    for &id in &body.nodes {
        if copies.contains_key(&id) {
            continue;
        }
        let inputs: Vec<_> = if graph.op(id) == Op::Return {
            let exit: Exit = graph.inputs(id).map(|it| copied(&copies, it)).collect();
            exits.push(exit);
            continue;
        } else {
            forward_inputs(graph, id).map(|it| copied(&copies, it)).collect()
        };
        graph.set_origin(graph.origin(id));
        let copy = graph.create(graph.op(id), &inputs);
        graph.set_type(copy, graph.ty(id));
        copies.insert(id, copy);
        match graph.op(id) {
            Op::Call(_) => calls.push(copy),
            op if op.ends_program() => graph.add_input(graph.end, copy),
            _ => {}
        }
    }
    for &id in &body.nodes {
        let inputs: Vec<_> = graph.inputs(id).skip(forward_inputs(graph, id).count()).collect();
        let copy = copied(&copies, id);
        for input in inputs {
            graph.add_input(copy, copied(&copies, input));
        }
    }
    graph.set_origin(graph.origin(call));
    let exits = exits.into_iter().filter(|it| graph.op(it[0]) != Op::DeadControl).collect();
    let exit = joined(graph, call, exits);
    replace_call(graph, call, exit);
    graph.set_origin(outer);
    calls.reverse();
    calls
}

/// The node in the copy that takes the place of a node.
fn copied(copies: &FxHashMap<NodeId, NodeId>, id: NodeId) -> NodeId {
    copies.get(&id).copied().unwrap_or(id)
}

/// The values of the entry, the parameters and the memories.
fn given(graph: &Graph, body: &Body, call: NodeId) -> FxHashMap<NodeId, NodeId> {
    let arguments: Vec<_> = graph.arguments(call).collect();
    let memories = graph.memories(call);
    let mut copies = FxHashMap::default();
    for &id in &body.nodes {
        let is_given = graph.op(id).is_given() && {
            let from = graph.input(id, 0);
            matches!(graph.op(from), Op::Function(_))
        };
        let value = match graph.op(id) {
            Op::Function(_) => graph.input(call, 0),
            Op::Parameter(number) if is_given => arguments[number as usize],
            Op::Rest if is_given => memories[0],
            Op::Projection(index) if is_given => {
                memories.get(index as usize - 1).copied().unwrap_or(memories[0])
            }
            _ => continue,
        };
        copies.insert(id, value);
    }
    copies
}

/// The state after all Returns.
fn joined(graph: &mut Graph, call: NodeId, exits: Vec<Exit>) -> Option<Exit> {
    let mut exits = exits.into_iter();
    let first = exits.next()?;
    Some(exits.fold(first, |one, other| {
        let region = created(graph, Op::Region, &[one[0], other[0]]);
        let mut joined = vec![region];
        for (at, (&left, &right)) in one.iter().zip(&other).enumerate().skip(1) {
            joined.push(if left == right {
                left
            } else {
                phi(graph, call, at, [region, left, right])
            });
        }
        joined
    }))
}

/// The Phi of two values, or of two memories.
fn phi(graph: &mut Graph, call: NodeId, at: usize, inputs: [NodeId; 3]) -> NodeId {
    let Op::Call(signature) = graph.op(call) else { unreachable!("a call is inlined") };
    let (name, ty) = match at {
        1 => ("result".to_string(), graph.types.functions.get(signature).result),
        2 => ("$rest".to_string(), Type::MEMORY),
        _ => (field_name(graph, at - 3), Type::MEMORY),
    };
    let label = graph.labels.of(&name);
    let label = graph.labels.of_type(label, ty);
    created(graph, Op::Phi(label), &inputs)
}

pub fn field_name(graph: &Graph, number: usize) -> String {
    let field = graph.types.structs.all_fields().nth(number).expect("it is a field");
    graph.types.structs.field_name(field).to_string()
}

/// Replaces all that a call gives. A function that never returns leaves dead control.
pub fn replace_call(graph: &mut Graph, call: NodeId, exit: Option<Exit>) {
    let memories = graph.memories(call);
    let users: Vec<_> = graph.users(call).collect();
    for user in users {
        let given = match (&exit, graph.op(user)) {
            (None, Op::Projection(0)) => created(graph, Op::DeadControl, &[]),
            (None, _) => created(graph, Op::Constant(Type::TOP), &[]),
            (Some(exit), Op::Projection(0)) => exit[0],
            (Some(exit), Op::Result) => exit[1],
            (Some(exit), Op::Rest) => exit[2],
            (Some(exit), Op::Projection(index)) => memory_after(graph, exit, &memories, index),
            (_, op) => unreachable!("{op:?} uses a call"),
        };
        graph.replace(user, given);
    }
    if graph.uses(call) == 0 {
        graph.kill(call);
    }
}

/// The memory of a field after a body. A field that was declared after the function has that
/// before the call; one that was declared after the call has that of the rest.
fn memory_after(graph: &mut Graph, exit: &Exit, memories: &[NodeId], index: u32) -> NodeId {
    let at = index as usize - 1;
    match exit.get(at + 2).or(memories.get(at)) {
        Some(&known) => known,
        None if graph.op(exit[2]) == Op::Rest => {
            let given = graph.input(exit[2], 0);
            created(graph, Op::Projection(index), &[given])
        }
        None => exit[2],
    }
}

/// A new node with its type.
pub fn created(graph: &mut Graph, op: Op, inputs: &[NodeId]) -> NodeId {
    let node = graph.create(op, inputs);
    let ty = infer(graph, node);
    graph.set_type(node, ty);
    node
}
