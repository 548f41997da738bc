//! The seven checks of the case's verifier.
//!
//! - `start`: there is one StartBlock and one Start, which is in it.
//! - `end`: there is one EndBlock and one End, which is in it.
//! - `block-edges`: no operand is a block.
//! - `containment`: every node but a block is in a block.
//! - `const-placement`: every Const is in the StartBlock.
//! - `phi-arity`: a Phi has an operand for each predecessor of its block, and no other.
//! - `gaps`: there is no operand after a missing one.
//!
//! Each check needs one node and its operands, so several threads can check a graph. Source: the
//! verifier of the case's reference solution, E. Jakumeit, S. Buchwald, "Solving the TTC 2011
//! Compiler Optimization Case with GrGen.NET", EPTCS 74, 2011.
use super::graph::{Graph, SelectedForm};
use crate::firm::{NodeId, Op};
use arena::{Id, map_ranges};
use std::ops::Range;

/// A check that fails, and its node, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckFailure {
    pub check: &'static str,
    pub node: Option<NodeId>,
}

const NODES: &[(&str, fn(&Graph, NodeId) -> bool)] = &[
    ("block-edges", block_edges),
    ("containment", containment),
    ("const-placement", const_placement),
    ("phi-arity", phi_arity),
    ("gaps", gaps),
];

/// The checks that fail.
pub fn verify(graph: &Graph, threads: usize) -> Vec<CheckFailure> {
    let mut failures = start_and_end(graph);
    let parts = map_ranges(threads, graph.firm.len(), |range| check(graph, range));
    failures.extend(parts.into_iter().flatten());
    failures
}

/// The checks that fail at these nodes.
fn check(graph: &Graph, range: Range<usize>) -> Vec<CheckFailure> {
    let mut failures = Vec::new();
    for id in range.map(NodeId::from_index).filter(|&id| graph.firm.op(id) != Op::Bad) {
        let broken = NODES.iter().filter(|(_, holds)| !holds(graph, id));
        failures.extend(broken.map(|&(check, _)| CheckFailure { check, node: Some(id) }));
    }
    failures
}

/// The checks `start` and `end`.
fn start_and_end(Graph { firm, .. }: &Graph) -> Vec<CheckFailure> {
    let mut failures = Vec::new();
    let find = |op: Op| firm.ids().filter(move |&id| firm.op(id) == op);
    for (check, block, inner) in
        [("start", Op::StartBlock, Op::Start), ("end", Op::EndBlock, Op::End)]
    {
        let (mut blocks, mut inners) = (find(block), find(inner));
        let first = (blocks.next(), inners.next());
        let second = blocks.next().or(inners.next());
        match first {
            (Some(block), Some(inner)) if firm.node(inner).block == block => {}
            (block, inner) => failures.push(CheckFailure { check, node: inner.or(block) }),
        }
        failures.extend(second.map(|id| CheckFailure { check, node: Some(id) }));
    }
    failures
}

fn is_block(graph: &Graph, id: NodeId) -> bool {
    graph.firm.op(id).is_block()
}

/// Whether the operands are values or states of memory: not jumps, and not nodes that End keeps.
fn has_values(graph: &Graph, id: NodeId) -> bool {
    graph.firm.op(id) != Op::End && !is_block(graph, id)
}

fn block_edges(graph: &Graph, id: NodeId) -> bool {
    let mut operands = graph.firm.operands(id).iter();
    !has_values(graph, id) || operands.all(|&operand| !is_block(graph, operand))
}

fn containment(graph: &Graph, id: NodeId) -> bool {
    is_block(graph, graph.firm.node(id).block)
}

fn const_placement(graph: &Graph, id: NodeId) -> bool {
    let Op::Const(_) = graph.firm.op(id) else { return true };
    let block = graph.firm.node(id).block;
    let is_placed = graph.firm.op(block) == Op::StartBlock || !is_block(graph, block);
    is_placed || graph.forms[id] != SelectedForm::Source
}

fn phi_arity(graph: &Graph, id: NodeId) -> bool {
    let block = graph.firm.node(id).block;
    if graph.firm.op(id) != Op::Phi || !is_block(graph, block) {
        return true;
    }
    let is_bad = |it: NodeId| graph.firm.op(it) == Op::Bad;
    let is_there = |list: &[NodeId], at: usize| list.get(at).is_some_and(|&it| !is_bad(it));
    let (values, jumps) = (graph.firm.operands(id), graph.firm.operands(block));
    (0..values.len().max(jumps.len())).all(|at| is_there(values, at) == is_there(jumps, at))
}

fn gaps(graph: &Graph, id: NodeId) -> bool {
    let is_bad = |it: NodeId| graph.firm.op(it) == Op::Bad;
    let is_gap = |pair: &[NodeId]| is_bad(pair[0]) && !is_bad(pair[1]);
    !has_values(graph, id) || !graph.firm.operands(id).windows(2).any(is_gap)
}
