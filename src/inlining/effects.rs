//! Memory effects: the fields that a function may write, in itself or in the functions that it
//! calls. A call passes by the memories of all other fields, so a loop with a call keeps what it
//! loads from them.
//!
//! The sets are a fixed point over the graph of calls. A call of an unknown function may write to
//! every field. Source: K. D. Cooper, K. Kennedy, "Interprocedural Side-Effect Analysis in Linear
//! Time", PLDI 1988.
use super::body::{Body, bodies};
use crate::sea::{Graph, NodeId, Op};
use crate::types::FunctionId;
use arena::{FxHashMap, FxHashSet, Id};

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "call-effects";

pub const LAW: &str = "the memory of a field after f() → that before, if f does not write to it";

/// The fields that a function may write, by their numbers; None for all.
type Writes = Option<FxHashSet<u32>>;

/// Calls pass by the memories that their functions do not write.
pub fn pass_by(graph: &mut Graph) {
    let bodies = bodies(graph);
    let calls: Vec<_> = bodies.values().flat_map(|body| body.calls(graph)).collect();
    if calls.is_empty() {
        return;
    }
    let writes = all_writes(graph, &bodies);
    for call in calls {
        let Some(Some(written)) = graph.callee(call).and_then(|it| writes.get(&it)) else {
            continue;
        };
        let memories = graph.memories(call);
        let users: Vec<NodeId> = graph.users(call).collect();
        for user in users {
            if let Op::Projection(index @ 2..) = graph.op(user)
                && !written.contains(&(index - 2))
                && let Some(&before) = memories.get(index as usize - 1)
            {
                graph.replace(user, before);
            }
        }
    }
}

/// The fields that each function may write.
fn all_writes(
    graph: &Graph,
    bodies: &FxHashMap<Option<FunctionId>, Body>,
) -> FxHashMap<FunctionId, Writes> {
    let mut writes: FxHashMap<FunctionId, Writes> = FxHashMap::default();
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (function, body) in bodies {
        let Some(function) = *function else { continue };
        writes.insert(function, own_writes(graph, body));
        for call in body.calls(graph) {
            if let Some(callee) = graph.callee(call) {
                callers.entry(callee).or_default().push(function);
            }
        }
    }
    let mut open: Vec<_> = writes.keys().copied().collect();
    open.sort_unstable();
    while let Some(callee) = open.pop() {
        let written = writes[&callee].clone();
        for caller in callers.get(&callee).into_iter().flatten() {
            let of_caller = writes.get_mut(caller).expect("it has a body");
            if add(of_caller, &written) {
                open.push(*caller);
            }
        }
    }
    writes
}

/// The fields that a function writes itself.
fn own_writes(graph: &Graph, body: &Body) -> Writes {
    let mut written = FxHashSet::default();
    for &id in &body.nodes {
        match graph.op(id) {
            Op::Store(field) | Op::Clear(field) => _ = written.insert(field.index() as u32),
            Op::Call(_) if graph.callee(id).is_none() => return None,
            _ => {}
        }
    }
    Some(written)
}

/// Adds the fields that are written; returns whether there are more of them now.
fn add(all: &mut Writes, more: &Writes) -> bool {
    match (all.as_mut(), more) {
        (None, _) => false,
        (Some(_), None) => {
            *all = None;
            true
        }
        (Some(written), Some(more)) => {
            let count = written.len();
            written.extend(more);
            written.len() > count
        }
    }
}
