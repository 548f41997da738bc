//! The invariants of control in Firm, and of values that go from block to block.
//!
//! - `jump`: the last node of a block, and no other, is a jump; only Returns lead to the EndBlock.
//! - `ways`: a Cond leads one way if it is true and one if it is false, a Jmp leads one way.
//! - `critical`: where several ways meet, none of them comes from a Cond.
//! - `reached`: control comes to every block.
//! - `kept`: from every block control may come to the end, or to a block that End keeps.
//! - `phi`: Phis stand first in a block, with one operand for each of its predecessors, of which
//!   there are several.
//! - `dominance`: an operand is computed on every way to its user; a Phi's, to the predecessor.
use super::flow::{Flow, blocks};
use super::graph::{Graph, NodeId, Way};
use super::mode::Mode;
use super::op::{Op, Place};
use super::verify::violation;
use crate::stage::Violation;
use arena::SideTable;
use flow::Dominators;

/// The invariants of control.
pub fn jumps(graph: &Graph) -> Vec<Violation> {
    let flow = Flow::new(graph);
    let mut violations = Vec::new();
    let mut check = |invariant, holds: bool, id| {
        if !holds {
            violations.push(violation(invariant, graph, id));
        }
    };
    let reached = reached(graph, &flow);
    let left = left(graph);
    let taken = taken(graph);
    for block in blocks(graph) {
        check("critical", !is_critical(graph, block), block);
        if graph.op(block) == Op::EndBlock {
            let from = graph.operands(block).iter();
            from.for_each(|&jump| check("jump", graph.op(jump) == Op::Return, jump));
            continue;
        }
        check("reached", reached[block], block);
        check("kept", left[block], block);
        let nodes = flow.nodes(block);
        check("jump", nodes.last().is_some_and(|&id| is_jump(graph, id)), block);
        for (at, &id) in nodes.iter().enumerate() {
            check("jump", at + 1 == nodes.len() || !is_jump(graph, id), id);
            check("ways", !is_jump(graph, id) || taken[id] == wanted(graph.op(id)), id);
        }
    }
    violations
}

/// The invariants of values; those of control must hold.
pub fn values(graph: &Graph) -> Vec<Violation> {
    let flow = Flow::new(graph);
    let dominators = dominators(graph, &flow);
    let mut violations = Vec::new();
    for block in blocks(graph).filter(|&it| graph.op(it) != Op::EndBlock) {
        let mut values = false;
        for &id in flow.nodes(block) {
            let is_phi = graph.op(id) == Op::Phi;
            let count = graph.operands(block).len();
            values |= !is_phi;
            if is_phi && (values || count < 2 || graph.operands(id).len() != count) {
                violations.push(violation("phi", graph, id));
            } else if !is_dominated(graph, &dominators, id) {
                violations.push(violation("dominance", graph, id));
            }
        }
    }
    violations
}

fn is_jump(graph: &Graph, id: NodeId) -> bool {
    graph.node(id).mode == Mode::X
}

fn is_critical(graph: &Graph, block: NodeId) -> bool {
    let predecessors = graph.operands(block);
    predecessors.len() > 1 && predecessors.iter().any(|&jump| graph.op(jump) == Op::Cond)
}

/// How often each jump is taken always, if it is true, and if it is false.
pub fn taken(graph: &Graph) -> SideTable<NodeId, [u32; 3]> {
    let mut taken: SideTable<NodeId, [u32; 3]> = SideTable::new(graph.len());
    for block in blocks(graph) {
        for (at, &jump) in graph.operands(block).iter().enumerate() {
            let way = match graph.way(block, at) {
                Way::Always => 0,
                Way::True => 1,
                Way::False => 2,
            };
            taken[jump][way] += 1;
        }
    }
    taken
}

pub fn wanted(jump: Op) -> [u32; 3] {
    if jump == Op::Cond { [0, 1, 1] } else { [1, 0, 0] }
}

pub fn reached(graph: &Graph, flow: &Flow) -> SideTable<NodeId, bool> {
    let mut reached = SideTable::new(graph.len());
    flow.reverse_postorder(graph).into_iter().for_each(|block| reached[block] = true);
    reached
}

/// The blocks from which control may come to the end, or to what is kept.
pub fn left(graph: &Graph) -> SideTable<NodeId, bool> {
    let mut left: SideTable<NodeId, bool> = SideTable::new(graph.len());
    let mut open: Vec<_> = blocks(graph).filter(|&it| graph.op(it) == Op::EndBlock).collect();
    let ends = graph.ids().filter(|&id| graph.op(id) == Op::End);
    open.extend(ends.flat_map(|end| graph.operands(end)));
    while let Some(id) = open.pop() {
        let block = graph.node(id).block;
        if !std::mem::replace(&mut left[block], true) {
            open.extend(graph.operands(block));
        }
    }
    left
}

pub fn dominators(graph: &Graph, flow: &Flow) -> Dominators<NodeId> {
    let order = flow.reverse_postorder(graph);
    let from = |block| graph.operands(block).iter().map(|&jump| graph.node(jump).block);
    Dominators::build(graph.start_block, order.into_iter().skip(1), from)
}

/// Whether all operands have been computed when the node wants them.
pub fn is_dominated(graph: &Graph, dominators: &Dominators<NodeId>, id: NodeId) -> bool {
    let block = graph.node(id).block;
    let wanted_in = |at: usize| match graph.op(id) {
        Op::Phi => graph.node(graph.operands(block)[at]).block,
        _ => block,
    };
    let is_value = |operand: NodeId| graph.op(operand).row().place != Place::Block;
    let mut operands = graph.operands(id).iter().enumerate();
    operands.all(|(at, &operand)| {
        is_value(operand) && dominators.dominates(graph.node(operand).block, wanted_in(at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Relation;
    use crate::stage::Artifact;

    /// A question whether the argument is 0, two blocks behind it, and a third where they meet
    /// and a Phi of 1 and 2 is returned.
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
        let argument = graph.add(Op::Argument(0), start_block, &[start]);
        let [zero, one, two] = [0, 1, 2].map(|it| graph.add(Op::Const(it), start_block, &[]));
        let truth = graph.add(Op::Cmp(Relation::Equal), start_block, &[argument, zero]);
        let cond = graph.add(Op::Cond, start_block, &[truth]);
        let (first, second) =
            (graph.add_block(Op::Block, &[cond]), { graph.add_block(Op::Block, &[cond]) });
        graph.set_way(first, 0, Way::True);
        graph.set_way(second, 0, Way::False);
        let jumps = [first, second].map(|block| graph.add(Op::Jmp, block, &[]));
        let third = graph.add_block(Op::Block, &jumps);
        let phi = graph.add(Op::Phi, third, &[one, two]);
        let ret = graph.add(Op::Return, third, &[start, phi]);
        Diamond { graph, cond, blocks: [first, second, third], jumps, phi, ret }
    }

    #[track_caller]
    fn check(mut graph: Graph, returns: &[NodeId], expected: &[&str]) {
        let block = graph.add_block(Op::EndBlock, returns);
        graph.add(Op::End, block, &[]);
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
    fn ways_come_from_jumps_that_go_there() {
        let Diamond { mut graph, blocks, ret, .. } = diamond();
        graph.set_way(blocks[1], 0, Way::True);
        check(graph, &[ret], &["ways", "reached"]);
        let Diamond { mut graph, jumps, blocks, ret, .. } = diamond();
        graph.set_operand(blocks[2], 1, jumps[0]);
        check(graph, &[ret], &["ways", "kept", "ways"]);
        let Diamond { mut graph, cond, blocks, ret, .. } = diamond();
        graph.set_operand(blocks[2], 1, cond);
        check(graph, &[ret], &["ways", "reached", "kept", "ways", "critical"]);
    }

    #[test]
    fn what_is_not_reached_and_what_does_not_end_are_seen() {
        let Diamond { mut graph, ret, .. } = diamond();
        let alone = graph.add_block(Op::Block, &[]);
        graph.add(Op::Jmp, alone, &[]);
        check(graph, &[ret], &["reached", "kept", "ways"]);
        let Diamond { graph, .. } = diamond();
        check(graph, &[], &["kept", "ways"]);
        let Diamond { graph, jumps, ret, .. } = diamond();
        check(graph, &[jumps[0], ret], &["ways", "jump"]);
    }

    #[test]
    fn phis_have_their_place_and_their_operands() {
        let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
        let one = graph.operands(phi)[0];
        graph.add(Op::Phi, blocks[2], &[one, one]);
        check(graph, &[ret], &[]);
        let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
        graph.add(Op::Phi, blocks[2], &[phi]);
        check(graph, &[ret], &["phi"]);
        let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
        let one = graph.operands(phi)[0];
        graph.add(Op::Phi, blocks[0], &[one]);
        check(graph, &[ret], &["phi"]);
        let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
        let one = graph.operands(phi)[0];
        graph.add(Op::Cmp(Relation::Less), blocks[2], &[one, one]);
        graph.add(Op::Phi, blocks[2], &[one, one]);
        check(graph, &[ret], &["phi"]);
    }

    #[test]
    fn operands_are_computed_on_every_way() {
        let Diamond { mut graph, blocks, phi, ret, .. } = diamond();
        let truth = graph.add(Op::Cmp(Relation::Less), blocks[0], &[graph.operands(phi)[0]; 2]);
        graph.set_operand(phi, 0, truth);
        check(graph.clone(), &[ret], &[]);
        graph.set_operand(phi, 1, truth);
        check(graph, &[ret], &["dominance"]);
    }
}
