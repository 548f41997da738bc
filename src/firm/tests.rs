//! The invariants of graphs with several blocks, and the order of nodes.
#[cfg(feature = "ch10")]
pub mod heap_programs;

use super::{EdgeKind, Graph, Mode, NodeId, Op};
use crate::arith::Relation;
use crate::stage::Artifact;
#[cfg(feature = "ch25")]
use crate::{arith::Binary, firm::sort_all, stage::Outcome};

/// A branch on whether the argument is 0, a block for each case, and a join that returns a Phi of
/// 1 and 2.
struct Diamond {
    graph: Graph,
    cond: NodeId,
    blocks: [NodeId; 3],
    jumps: [NodeId; 2],
    phi: NodeId,
    ret: NodeId,
}

fn diamond() -> Diamond {
    let mut graph = Graph::new();
    let (start_block, start) = (graph.start_block, graph.start);
    let argument = graph.add(Op::Argument(0), Mode::Is, start_block, &[start]);
    let [zero, one, two] = [0, 1, 2].map(|it| graph.add(Op::Const(it), Mode::Is, start_block, &[]));
    let truth = graph.add(Op::Cmp(Relation::Equal), Mode::Is, start_block, &[argument, zero]);
    let cond = graph.add(Op::Cond, Mode::X, start_block, &[truth]);
    let [first, second] = [cond; 2].map(|cond| graph.add_block(Op::Block, &[cond]));
    graph.set_edge_kind(first, 0, EdgeKind::True);
    graph.set_edge_kind(second, 0, EdgeKind::False);
    let jumps = [first, second].map(|block| graph.add(Op::Jmp, Mode::X, block, &[]));
    let third = graph.add_block(Op::Block, &jumps);
    let phi = graph.add(Op::Phi, Mode::Is, third, &[one, two]);
    let ret = graph.add(Op::Return, Mode::Is, third, &[start, phi]);
    Diamond { graph, cond, blocks: [first, second, third], jumps, phi, ret }
}

#[track_caller]
fn check(mut graph: Graph, returns: &[NodeId], expected: &[&str]) {
    let block = graph.add_block(Op::EndBlock, returns);
    graph.add(Op::End, Mode::X, block, &[]);
    let mut broken = graph.verify();
    broken.dedup_by_key(|it| it.invariant);
    let broken: Vec<_> = broken.iter().map(|it| it.invariant).collect();
    assert_eq!(broken, expected);
}

#[test]
fn a_diamond_is_sound() {
    let Diamond { graph, ret, .. } = diamond();
    check(graph, &[ret], &[]);
}

#[test]
fn edges_fit_their_jumps() {
    let Diamond { mut graph, blocks, ret, .. } = diamond();
    graph.set_edge_kind(blocks[1], 0, EdgeKind::True);
    check(graph, &[ret], &["branch-targets", "reached"]);
    let Diamond { mut graph, jumps, blocks, ret, .. } = diamond();
    graph.set_operand(blocks[2], 1, jumps[0]);
    check(graph, &[ret], &["branch-targets", "keep-alive", "branch-targets"]);
    let Diamond { mut graph, cond, blocks, ret, .. } = diamond();
    graph.set_operand(blocks[2], 1, cond);
    check(
        graph,
        &[ret],
        &["branch-targets", "reached", "keep-alive", "branch-targets", "critical-edge"],
    );
}

#[test]
fn unreachable_blocks_and_missing_ends_are_found() {
    let Diamond { mut graph, ret, .. } = diamond();
    let alone = graph.add_block(Op::Block, &[]);
    graph.add(Op::Jmp, Mode::X, alone, &[]);
    check(graph, &[ret], &["reached", "keep-alive", "branch-targets"]);
    let Diamond { graph, .. } = diamond();
    check(graph, &[], &["keep-alive", "branch-targets"]);
    let Diamond { graph, jumps, ret, .. } = diamond();
    check(graph, &[jumps[0], ret], &["branch-targets", "jump"]);
}

#[test]
fn phis_are_first_and_have_an_operand_for_each_predecessor() {
    let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
    let one = graph.operands(phi)[0];
    graph.add(Op::Phi, Mode::Is, blocks[2], &[one, one]);
    check(graph, &[ret], &[]);
    let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
    graph.add(Op::Phi, Mode::Is, blocks[2], &[phi]);
    check(graph, &[ret], &["phi"]);
    let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
    let one = graph.operands(phi)[0];
    graph.add(Op::Phi, Mode::Is, blocks[0], &[one]);
    check(graph, &[ret], &["phi"]);
    let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
    let one = graph.operands(phi)[0];
    graph.add(Op::Cmp(Relation::Less), Mode::Is, blocks[2], &[one, one]);
    graph.add(Op::Phi, Mode::Is, blocks[2], &[one, one]);
    check(graph, &[ret], &["phi"]);
}

#[test]
fn operands_dominate_their_users() {
    let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
    let truth =
        graph.add(Op::Cmp(Relation::Less), Mode::Is, blocks[0], &[graph.operands(phi)[0]; 2]);
    graph.set_operand(phi, 0, truth);
    check(graph.clone(), &[ret], &[]);
    graph.set_operand(phi, 1, truth);
    check(graph, &[ret], &["dominance"]);
}

#[cfg(feature = "ch25")]
#[test]
fn sorted_nodes_are_after_their_operands() {
    let mut graph = Graph::new();
    let (block, unknown) = (graph.start_block, graph.start);
    let end = graph.add_later(Op::Return, Mode::Is, 2, unknown);
    let sum = graph.add_later(Op::Binary(Binary::Add), Mode::Is, 2, unknown);
    let one = graph.add(Op::Const(1), Mode::Is, block, &[]);
    [end, sum].into_iter().for_each(|id| graph.set_block(id, block));
    graph.set_operand(end, 1, sum);
    (0..2).for_each(|at| graph.set_operand(sum, at, one));
    let end_block = graph.add_block(Op::EndBlock, &[end]);
    graph.add(Op::End, Mode::X, end_block, &[]);
    assert!(!graph.verify().is_empty());
    let (sorted, _) = sort_all(&graph).expect("there is an order");
    assert_eq!(sorted.verify(), []);
    assert_eq!(sorted.eval(0), Some(Outcome::value(2)));
    graph.set_operand(sum, 0, sum);
    assert!(sort_all(&graph).is_none());
}

#[test]
fn kinds_are_numbered_in_their_order() {
    assert!(Op::kinds().enumerate().all(|(at, op)| op.kind() == at));
}
