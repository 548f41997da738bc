//! The verifier of the case "Compiler Optimization" (TTC 2011): seven checks, and what else
//! makes a graph a program.
//!
//! - `start`: there is one StartBlock and one Start, which stands in it.
//! - `end`: there is one EndBlock and one End, which stands in it.
//! - `block-edges`: no operand is a block.
//! - `containment`: every node but a block stands in a block.
//! - `const-placement`: every Const stands in the StartBlock.
//! - `phi-arity`: a Phi has an operand for each predecessor of its block, and no other.
//! - `gaps`: there is no operand behind a missing one.
//!
//! Each asks about one node and what it leads to, so that parts of a graph can be checked
//! side by side. Source: the verifier of the case's reference solution, E. Jakumeit, S. Buchwald,
//! "Solving the TTC 2011 Compiler Optimization Case with GrGen.NET", EPTCS 74, 2011.
mod strict;

pub use strict::cycle;

use super::graph::{Form, Graph, NodeId};
use super::op::{Op, Place};
use arena::{Id, map_ranges};
use std::ops::Range;

/// A check that fails, and at which node; at none, if that is what is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finding {
    pub check: &'static str,
    pub node: Option<NodeId>,
}

/// How strictly a graph is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strictness {
    /// The seven checks.
    #[default]
    Case,
    /// If these find nothing, everything else that is true of a program.
    Program,
}

type Holds = fn(&Graph, NodeId) -> bool;

const NODES: &[(&str, Holds)] = &[
    ("block-edges", block_edges),
    ("containment", containment),
    ("const-placement", const_placement),
    ("phi-arity", phi_arity),
    ("gaps", gaps),
];

/// Everything that is wrong with a graph; so many threads look for it.
pub fn verify(graph: &Graph, strictness: Strictness, threads: usize) -> Vec<Finding> {
    let mut findings = ends(graph);
    let parts = map_ranges(threads, graph.len(), |range| check(graph, range));
    findings.extend(parts.into_iter().flatten());
    if findings.is_empty() && strictness == Strictness::Program {
        findings = strict::verify(graph);
    }
    findings
}

/// What is wrong at these nodes.
pub fn check(graph: &Graph, range: Range<usize>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for id in range.map(NodeId::from_index).filter(|&id| graph.op(id) != Op::Bad) {
        let broken = NODES.iter().filter(|(_, holds)| !holds(graph, id));
        findings.extend(broken.map(|&(check, _)| Finding { check, node: Some(id) }));
    }
    findings
}

/// Whether the graph has its beginning and its end.
fn ends(graph: &Graph) -> Vec<Finding> {
    let mut findings = Vec::new();
    let find = |op: Op| graph.ids().filter(move |&id| graph.op(id) == op);
    for (check, block, inner) in
        [("start", Op::StartBlock, Op::Start), ("end", Op::EndBlock, Op::End)]
    {
        let (mut blocks, mut inners) = (find(block), find(inner));
        let first = (blocks.next(), inners.next());
        let second = blocks.next().or(inners.next());
        match first {
            (Some(block), Some(inner)) if graph.node(inner).block == block => {}
            (block, inner) => findings.push(Finding { check, node: inner.or(block) }),
        }
        findings.extend(second.map(|id| Finding { check, node: Some(id) }));
    }
    findings
}

fn is_block(graph: &Graph, id: NodeId) -> bool {
    graph.op(id).row().place == Place::Block
}

/// Whether the operands are what the node computes with; not the jumps that lead to a block, and
/// not what End keeps.
fn has_values(graph: &Graph, id: NodeId) -> bool {
    graph.op(id) != Op::End && !is_block(graph, id)
}

fn block_edges(graph: &Graph, id: NodeId) -> bool {
    !has_values(graph, id) || graph.operands(id).iter().all(|&operand| !is_block(graph, operand))
}

fn containment(graph: &Graph, id: NodeId) -> bool {
    is_block(graph, graph.node(id).block)
}

fn const_placement(graph: &Graph, id: NodeId) -> bool {
    let Op::Const(_) = graph.op(id) else { return true };
    let block = graph.node(id).block;
    graph.form(id) != Form::Source || graph.op(block) == Op::StartBlock || !is_block(graph, block)
}

fn phi_arity(graph: &Graph, id: NodeId) -> bool {
    let block = graph.node(id).block;
    if graph.op(id) != Op::Phi || !is_block(graph, block) {
        return true;
    }
    let is_there =
        |list: &[NodeId], at: usize| list.get(at).is_some_and(|&it| graph.op(it) != Op::Bad);
    let (values, ways) = (graph.operands(id), graph.operands(block));
    (0..values.len().max(ways.len())).all(|at| is_there(values, at) == is_there(ways, at))
}

fn gaps(graph: &Graph, id: NodeId) -> bool {
    let is_gap = |pair: &[NodeId]| graph.op(pair[0]) == Op::Bad && graph.op(pair[1]) != Op::Bad;
    !has_values(graph, id) || !graph.operands(id).windows(2).any(is_gap)
}
