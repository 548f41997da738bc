//! What is true of a program besides the seven checks of the case.
//!
//! - `operands`, `mode`, `place`, `range`: as for graphs of our own.
//! - `jump`: control leaves a block by one node; Returns lead to the EndBlock, and nothing else.
//! - `ways`: a Cond leads one way if it is true and one if it is false, other jumps lead one way.
//! - `reached`: control comes to every block.
//! - `dominance`: an operand is computed on every way to its user; a Phi's, to the predecessor.
//! - `cycle`: nothing needs itself, unless it comes around through a Phi.
use super::Finding;
use crate::firm::flow::{Flow, blocks};
use crate::firm::graph::{Graph, NodeId};
use crate::firm::mode::Mode;
use crate::firm::op::{Op, Place};
use crate::firm::{verify, verify_flow};
use arena::{ListTable, SideTable};

type Holds = fn(&Graph, NodeId) -> bool;

const NODES: &[(&str, Holds)] = &[
    ("operands", verify::operands),
    ("mode", verify::mode),
    ("place", verify::place),
    ("range", verify::range),
];

/// Each only if all before it have found nothing.
const CHECKS: &[fn(&Graph) -> Vec<Finding>] = &[nodes, jumps, dominance, cycle];

/// What is wrong with a graph that has passed the seven checks.
pub fn verify(graph: &Graph) -> Vec<Finding> {
    let mut checks = CHECKS.iter().map(|check| check(graph));
    checks.find(|findings| !findings.is_empty()).unwrap_or_default()
}

fn finding(check: &'static str, id: NodeId) -> Finding {
    Finding { check, node: Some(id) }
}

fn nodes(graph: &Graph) -> Vec<Finding> {
    let mut findings = Vec::new();
    for id in graph.ids().filter(|&id| graph.op(id) != Op::Bad) {
        let broken = NODES.iter().filter(|(_, holds)| !holds(graph, id));
        findings.extend(broken.map(|&(check, _)| finding(check, id)));
    }
    findings
}

fn jumps(graph: &Graph) -> Vec<Finding> {
    let flow = Flow::new(graph);
    let reached = verify_flow::reached(graph, &flow);
    let taken = verify_flow::taken(graph);
    let leaves = |id: NodeId| match graph.op(id) {
        Op::Start => taken[id] != [0; 3],
        _ => graph.node(id).mode == Mode::X && graph.op(id) != Op::End,
    };
    let mut findings = Vec::new();
    for block in blocks(graph) {
        let is_end = graph.op(block) == Op::EndBlock;
        let wrong = |&jump: &NodeId| (graph.op(jump) == Op::Return) != is_end;
        let wrong = graph.operands(block).iter().copied().filter(wrong);
        findings.extend(wrong.map(|jump| finding("jump", jump)));
        let nodes = flow.nodes(block);
        let count = nodes.iter().filter(|&&id| leaves(id)).count();
        if count != usize::from(!is_end) {
            findings.push(finding("jump", block));
        }
        if !is_end && !reached[block] {
            findings.push(finding("reached", block));
        }
        let jumps = nodes.iter().copied().filter(|&id| leaves(id));
        let astray = jumps.filter(|&id| taken[id] != verify_flow::wanted(graph.op(id)));
        findings.extend(astray.map(|id| finding("ways", id)));
    }
    findings
}

fn dominance(graph: &Graph) -> Vec<Finding> {
    let dominators = verify_flow::dominators(graph, &Flow::new(graph));
    let computes = |id: &NodeId| computes(graph, *id);
    let holds = |id: NodeId| verify_flow::is_dominated(graph, &dominators, id);
    let broken = graph.ids().filter(computes).filter(|&id| !holds(id));
    broken.map(|id| finding("dominance", id)).collect()
}

/// Whether it is there and needs its operands; neither a block nor End do.
fn computes(graph: &Graph, id: NodeId) -> bool {
    let is_not = matches!(graph.op(id), Op::End | Op::Bad);
    !is_not && graph.op(id).row().place != Place::Block
}

/// Takes away, again and again, what needs nothing that is left. Source: A. B. Kahn, "Topological
/// Sorting of Large Networks", Communications of the ACM 5, 1962.
pub fn cycle(graph: &Graph) -> Vec<Finding> {
    let is_behind = |id: NodeId| graph.operands(id).iter().all(|&operand| operand < id);
    let may_wait = |id: NodeId| !computes(graph, id) || graph.op(id) == Op::Phi;
    if graph.ids().all(|id| may_wait(id) || is_behind(id)) {
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
    left.map(|id| finding("cycle", on_cycle(id, &needs, &missing))).into_iter().collect()
}

/// A node that needs itself; `left` is one that needs such a node, or is one.
fn on_cycle<'g>(
    mut left: NodeId,
    needs: &dyn Fn(NodeId) -> &'g [NodeId],
    missing: &SideTable<NodeId, usize>,
) -> NodeId {
    let mut seen: SideTable<NodeId, bool> = SideTable::default();
    while !std::mem::replace(&mut seen[left], true) {
        let next = needs(left).iter().find(|&&operand| missing[operand] > 0);
        left = *next.expect("what is left needs something that is left");
    }
    left
}
