//! The nodes of each function.
use crate::sea::walk::forward_inputs;
use crate::sea::{Graph, NodeId, Op};
use crate::types::FunctionId;
use arena::{FxHashMap, FxHashSet, Id};
use picture::Kind;

/// The nodes of a function, or of the program, without constants.
pub struct Body {
    /// Control nodes and values, each after its inputs, but for those of back edges.
    pub nodes: Vec<NodeId>,
    /// Whether it calls itself.
    pub is_recursive: bool,
}

/// The bodies of the program and of all functions.
pub fn bodies(graph: &Graph) -> FxHashMap<Option<FunctionId>, Body> {
    let functions = (0..graph.types.functions.len()).map(FunctionId::from_index);
    let functions = functions.filter(|&it| graph.entry(it).is_some_and(|it| graph.uses(it) > 0));
    let all = functions.map(Some).chain([None]);
    all.map(|function| (function, Body::of(graph, function))).collect()
}

impl Body {
    pub fn of(graph: &Graph, function: Option<FunctionId>) -> Body {
        let entry = match function {
            Some(function) => graph.entry(function).expect("the function has a body"),
            None => graph.start,
        };
        let (mut nodes, mut seen) = (Vec::new(), FxHashSet::default());
        for id in control(graph, entry) {
            add(graph, entry, id, &mut seen, &mut nodes);
        }
        // The values on back edges.
        let mut at = 0;
        while let Some(&id) = nodes.get(at) {
            at += 1;
            graph.inputs(id).for_each(|it| add(graph, entry, it, &mut seen, &mut nodes));
        }
        let mut body = Body { nodes, is_recursive: false };
        let called = body.calls(graph).into_iter();
        body.is_recursive = called.filter_map(|it| graph.callee(it)).any(|it| Some(it) == function);
        body
    }

    /// The calls, in order.
    pub fn calls(&self, graph: &Graph) -> Vec<NodeId> {
        let nodes = self.nodes.iter().copied();
        nodes.filter(|&id| matches!(graph.op(id), Op::Call(_))).collect()
    }

    /// The functions whose addresses it uses.
    pub fn mentioned(&self, graph: &Graph) -> Vec<FunctionId> {
        let inputs = self.nodes.iter().flat_map(|&id| graph.inputs(id));
        let constants = inputs.filter_map(|id| match graph.op(id) {
            Op::Constant(ty) => graph.types.known_function(ty),
            _ => None,
        });
        let mut found: Vec<_> = constants.collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Its Returns and Traps.
    pub fn ends(&self, graph: &Graph) -> Vec<NodeId> {
        self.nodes.iter().copied().filter(|&id| graph.op(id).ends_program()).collect()
    }
}

/// Adds a node of a function after its inputs.
fn add(
    graph: &Graph,
    entry: NodeId,
    root: NodeId,
    seen: &mut FxHashSet<NodeId>,
    nodes: &mut Vec<NodeId>,
) {
    let mut open = vec![(root, 0)];
    while let Some((id, at)) = open.pop() {
        if at == 0 && (!is_own(graph, id, entry) || !seen.insert(id)) {
            continue;
        }
        match forward_inputs(graph, id).nth(at) {
            Some(input) => open.extend([(id, at + 1), (input, 0)]),
            None => nodes.push(id),
        }
    }
}

/// The control nodes that control reaches from an entry.
fn control(graph: &Graph, entry: NodeId) -> Vec<NodeId> {
    let (mut found, mut seen) = (vec![entry], FxHashSet::default());
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        at += 1;
        let next = graph.users(id).filter(|&user| {
            let op = graph.op(user);
            let is_control = op.row().kind == Kind::Control && !matches!(op, Op::Function(_));
            is_control && op != Op::Stop && seen.insert(user)
        });
        found.extend(next);
    }
    found
}

/// Whether a node belongs to a function: constants belong to none.
fn is_own(graph: &Graph, id: NodeId, entry: NodeId) -> bool {
    match graph.op(id) {
        Op::Constant(_) | Op::DeadControl => false,
        Op::Start | Op::Function(_) => id == entry,
        _ => true,
    }
}
