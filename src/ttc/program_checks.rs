//! The invariants of programs, for graphs that pass the seven checks.
//!
//! - `operands`, `mode`, `place`, `range`: as in Firm.
//! - `jump`: a block has one jump; the predecessors of the EndBlock are Returns.
//! - `branch-targets`: a Cond has one target for true and one for false, others have one target.
//! - `reached`: every block is reachable from the start.
//! - `dominance`: the block of an operand dominates that of its user; for a Phi, the predecessor.
//! - `cycle`: every cycle of values has a Phi.
use super::graph;
use super::ttc_checks::CheckFailure;
use crate::firm::{self, ControlFlow, Graph, Mode, NodeId, Op, blocks};
use arena::{ListTable, SideTable};

const NODES: &[(&str, fn(&Graph, NodeId) -> bool)] = &[
    ("operands", firm::operands),
    ("mode", firm::mode),
    ("place", firm::place),
    ("range", firm::range),
];

/// Each check relies on the ones before it.
const CHECKS: &[fn(&Graph) -> Vec<CheckFailure>] = &[nodes, jumps, dominance, cycle];

/// The checks that fail; operands that are part of instructions are checked, too.
pub fn verify(graph: &graph::Graph) -> Vec<CheckFailure> {
    let graph = graph.with_all_operands();
    let mut checks = CHECKS.iter().map(|check| check(&graph));
    checks.find(|failures| !failures.is_empty()).unwrap_or_default()
}

fn failure(check: &'static str, id: NodeId) -> CheckFailure {
    CheckFailure { check, node: Some(id) }
}

fn nodes(graph: &Graph) -> Vec<CheckFailure> {
    let mut failures = Vec::new();
    for id in graph.ids().filter(|&id| graph.op(id) != Op::Bad) {
        let broken = NODES.iter().filter(|(_, holds)| !holds(graph, id));
        failures.extend(broken.map(|&(check, _)| failure(check, id)));
    }
    failures
}

fn jumps(graph: &Graph) -> Vec<CheckFailure> {
    let flow = ControlFlow::new(graph);
    let reached = firm::reached(graph, &flow);
    let edges = firm::outgoing_edges(graph);
    let leaves = |id: NodeId| match graph.op(id) {
        Op::Start => edges[id] != [0; 3],
        _ => graph.value_mode(id) == Mode::X && graph.op(id) != Op::End,
    };
    let mut failures = Vec::new();
    for block in blocks(graph) {
        let is_end = graph.op(block) == Op::EndBlock;
        let wrong = |&jump: &NodeId| (graph.op(jump) == Op::Return) != is_end;
        let wrong = graph.operands(block).iter().copied().filter(wrong);
        failures.extend(wrong.map(|jump| failure("jump", jump)));
        let nodes = flow.nodes(block);
        let count = nodes.iter().filter(|&&id| leaves(id)).count();
        if count != usize::from(!is_end) {
            failures.push(failure("jump", block));
        }
        if !is_end && !reached[block] {
            failures.push(failure("reached", block));
        }
        let jumps = nodes.iter().copied().filter(|&id| leaves(id));
        let wrong = jumps.filter(|&id| !firm::has_targets(graph, &edges, id));
        failures.extend(wrong.map(|id| failure("branch-targets", id)));
    }
    failures
}

fn dominance(graph: &Graph) -> Vec<CheckFailure> {
    let dominators = firm::dominators(graph, &ControlFlow::new(graph).reverse_postorder(graph));
    let computes = |id: &NodeId| computes(graph, *id);
    let holds = |id: NodeId| firm::is_dominated(graph, &dominators, id);
    let broken = graph.ids().filter(computes).filter(|&id| !holds(id));
    broken.map(|id| failure("dominance", id)).collect()
}

/// Whether the node is computed from its operands; blocks and End are not.
fn computes(graph: &Graph, id: NodeId) -> bool {
    let is_not = matches!(graph.op(id), Op::End | Op::Bad);
    !is_not && !graph.op(id).is_block()
}

/// Removes nodes without operands until there are none; the rest has a cycle. Source: A. B. Kahn,
/// "Topological Sorting of Large Networks", Communications of the ACM 5, 1962.
pub fn cycle(graph: &Graph) -> Vec<CheckFailure> {
    let is_after = |id: NodeId| graph.operands(id).iter().all(|&operand| operand < id);
    let is_exempt = |id: NodeId| !computes(graph, id) || graph.op(id) == Op::Phi;
    if graph.ids().all(|id| is_exempt(id) || is_after(id)) {
        return Vec::new(); // As in most graphs.
    }
    let needs = |id: NodeId| match graph.op(id) {
        Op::Phi => &[],
        _ if computes(graph, id) => graph.operands(id),
        _ => &[],
    };
    let pairs = graph.ids().flat_map(|id| needs(id).iter().map(move |&operand| (operand, id)));
    let users = ListTable::group(graph.len(), pairs);
    let mut missing: SideTable<NodeId, usize> = SideTable::new(graph.len());
    graph.ids().for_each(|id| missing[id] = needs(id).len());
    let mut open: Vec<_> = graph.ids().filter(|&id| missing[id] == 0).collect();
    while let Some(id) = open.pop() {
        for &user in &users[id] {
            missing[user] -= 1;
            if missing[user] == 0 {
                open.push(user);
            }
        }
    }
    let left = graph.ids().find(|&id| missing[id] > 0);
    left.map(|id| failure("cycle", on_cycle(id, &needs, &missing))).into_iter().collect()
}

/// A node on a cycle; `left` is one from which operands lead to a cycle.
fn on_cycle<'g>(
    mut left: NodeId,
    needs: &dyn Fn(NodeId) -> &'g [NodeId],
    missing: &SideTable<NodeId, usize>,
) -> NodeId {
    let mut seen: SideTable<NodeId, bool> = SideTable::default();
    while !std::mem::replace(&mut seen[left], true) {
        let next = needs(left).iter().find(|&&operand| missing[operand] > 0);
        left = *next.expect("a remaining node has a remaining operand");
    }
    left
}
