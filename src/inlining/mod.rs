//! Inlining: the body of a function in place of a call.
//!
//! In the sea that changes two edges. The control after the entry of the function becomes the
//! control before the call, and the control after the call becomes that of the Return; parameters
//! become arguments, and the result the returned value. The function itself stays for its other
//! calls, so its nodes are copied.
//!
//! Functions are visited before their callers, so that a body is copied with all that was inlined
//! into it. A call is replaced if the function is small, or if it is the only use of the function.
//! Tail calls of a function by itself become loops first. A function that is recursive after that
//! is never inlined. The program may grow to twice its size and a constant
//! more, so that calls of calls of calls end within it.
//!
//! Functions that nothing refers to are removed.
//!
//! Source: K. D. Cooper, L. Torczon, Engineering a Compiler, 8.7.1.
mod body;
mod copy;
mod effects;
mod tail_calls;

use crate::sea::{Graph, NodeId, Op};
use crate::types::FunctionId;
use arena::{FxHashSet, Id, SideTable};
use body::{Body, bodies};
use copy::inline_call;
pub use effects::{LAW as EFFECTS_LAW, NAME as EFFECTS, pass_by};
use tail_calls::replace_tail_calls;
pub use tail_calls::{LAW as TAIL_CALLS_LAW, NAME as TAIL_CALLS};

/// Its name among the rewrites that can be switched off.
pub const NAME: &str = "inline";

pub const LAW: &str = "f(x) → the body of f, with x as its parameter";

/// The most nodes of a function that is copied to several calls.
const SMALL: usize = 40;

/// The program may grow by so many nodes in any case.
const GROWTH: usize = 2_000;

/// The passes on calls of known functions.
#[derive(Clone, Copy)]
pub struct Passes {
    pub inline: bool,
    /// Whether tail calls become loops.
    pub tail_calls: bool,
}

/// Inlines calls of known functions, and replaces tail calls.
pub fn inline(graph: &mut Graph, passes: Passes) {
    let mut budget = if passes.inline { graph.len() + GROWTH } else { 0 };
    let order = callees_first(graph);
    let mut positions = SideTable::new(graph.types.functions.len());
    order.iter().enumerate().for_each(|(at, &function)| positions[function] = at);
    let mut uses = uses(graph);
    let mut bodies = bodies(graph);
    for caller in order.iter().copied().map(Some).chain([None]) {
        let mut open = bodies[&caller].calls(graph);
        open.reverse();
        while let Some(call) = open.pop() {
            let Some(callee) = graph.callee(call) else { continue };
            let is_before = caller.is_none_or(|caller| positions[callee] < positions[caller]);
            let Some(body) = bodies.get(&Some(callee)) else { continue };
            let is_small = body.nodes.len() <= SMALL || uses[callee] == 1;
            let fits = is_before && is_small && body.nodes.len() <= budget && !body.is_recursive;
            if fits && copy::is_possible(graph, body, call) {
                budget -= body.nodes.len();
                open.extend(inline_call(graph, body, call));
            }
        }
        let mut own = Body::of(graph, caller);
        if let Some(caller) = caller.filter(|_| passes.tail_calls && own.is_recursive) {
            let count = replace_tail_calls(graph, &own, caller);
            uses[caller] = uses[caller].saturating_sub(count);
            own = Body::of(graph, Some(caller));
        }
        bodies.insert(caller, own);
    }
    if passes.inline {
        remove_unused(graph);
    }
}

/// The depths of all nodes, after the passes on calls have changed the inputs of nodes.
pub fn renew_depths(graph: &mut Graph) {
    let used = graph.ids().filter(|&id| graph.uses(id) > 0 || id == graph.end);
    let order = flow::postorder(used, graph.len(), |id, at| inputs_before(graph, id).nth(at));
    for id in order {
        let inputs: Vec<_> = inputs_before(graph, id).collect();
        graph.set_depth_from(id, &inputs);
    }
}

/// The inputs of a node, without those of back edges.
fn inputs_before(graph: &Graph, id: NodeId) -> impl Iterator<Item = NodeId> {
    let count = match graph.op(id) {
        Op::Loop => 1,
        Op::Phi(_) if graph.op(graph.input(id, 0)) == Op::Loop => 2,
        _ => usize::MAX,
    };
    graph.inputs(id).take(count)
}

/// The functions, each after those that it calls, but for recursion.
fn callees_first(graph: &Graph) -> Vec<FunctionId> {
    let bodies = bodies(graph);
    let count = graph.types.functions.len();
    let called: SideTable<FunctionId, Vec<FunctionId>> = SideTable::of(
        (0..count)
            .map(|it| bodies.get(&Some(FunctionId::from_index(it))))
            .map(|body| body.map_or(Vec::new(), |body| body.mentioned(graph)))
            .collect(),
    );
    let all = (0..count).map(FunctionId::from_index);
    flow::postorder(all, count, |function, at| called[function].get(at).copied())
}

/// The number of uses of each function.
fn uses(graph: &Graph) -> SideTable<FunctionId, usize> {
    let mut uses = SideTable::new(graph.types.functions.len());
    for id in graph.ids() {
        if let Op::Constant(ty) = graph.op(id)
            && let Some(function) = graph.types.known_function(ty)
        {
            uses[function] += graph.uses(id);
        }
    }
    uses
}

/// Removes the functions that the program does not refer to.
fn remove_unused(graph: &mut Graph) {
    let bodies = bodies(graph);
    let mut used: SideTable<FunctionId, bool> = SideTable::new(graph.types.functions.len());
    let mut open = vec![None];
    while let Some(function) = open.pop() {
        let Some(body) = bodies.get(&function) else { continue };
        for mentioned in body.mentioned(graph) {
            if !std::mem::replace(&mut used[mentioned], true) {
                open.push(Some(mentioned));
            }
        }
    }
    let is_unused =
        |function: &FunctionId| bodies.contains_key(&Some(*function)) && !used[*function];
    let functions = (0..graph.types.functions.len()).map(FunctionId::from_index);
    let unused: Vec<_> = functions.filter(is_unused).collect();
    let ends = unused.iter().flat_map(|&it| bodies[&Some(it)].ends(graph));
    let ends: FxHashSet<NodeId> = ends.collect();
    if !ends.is_empty() {
        graph.retain_inputs(graph.end, |_, end| !ends.contains(&end));
    }
    // What is in a loop uses itself.
    for function in unused {
        let entry = graph.entry(function).expect("the function has a body");
        if graph.uses(entry) > 0 {
            let dead = copy::created(graph, Op::DeadControl, &[]);
            graph.replace(entry, dead);
        }
    }
}
