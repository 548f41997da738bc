//! Brings the nodes of a graph that was read from a file into the order of their execution.
//!
//! Blocks stand in reverse postorder, those that control does not reach behind them, and the
//! EndBlock last. In a block the Phis come first, then every node behind its operands, and the jump
//! at the end. Nodes that do not depend on each other keep their order.
use super::flow::{Flow, blocks};
use super::graph::{Graph, NodeId};
use super::mode::Mode;
use super::op::Op;
use super::renumber::renumber;
use arena::SideTable;

/// The same graph in order; none, if a value needs itself, and not by way of a Phi.
///
/// Every node must stand in a block.
pub fn ordered(graph: &Graph) -> Option<Graph> {
    let flow = Flow::new(graph);
    let mut first = flow.reverse_postorder(graph);
    first.retain(|&block| graph.op(block) != Op::EndBlock);
    let mut placed: SideTable<NodeId, bool> = SideTable::new(graph.len());
    first.iter().for_each(|&block| placed[block] = true);
    let is_end = |block: &NodeId| graph.op(*block) == Op::EndBlock;
    let rest = || blocks(graph).filter(|&block| !placed[block]);
    let all =
        first.iter().copied().chain(rest().filter(|it| !is_end(it))).chain(rest().filter(is_end));
    let mut order = Order { graph, state: SideTable::new(graph.len()), nodes: Vec::new() };
    for block in all {
        order.nodes.push(block);
        let is_phi = |id: NodeId| graph.op(id) == Op::Phi;
        let phis = flow.nodes(block).iter().copied().filter(|&id| is_phi(id));
        phis.for_each(|phi| order.place(phi));
        let is_jump = |id: NodeId| graph.node(id).mode == Mode::X;
        let (mut jumps, mut others) = (Vec::new(), Vec::new());
        for &id in flow.nodes(block).iter().filter(|&&id| !is_phi(id)) {
            if is_jump(id) { jumps.push(id) } else { others.push(id) }
        }
        others.iter().chain(&jumps).try_for_each(|&id| order.visit(id))?;
    }
    Some(renumber(graph, &order.nodes))
}

struct Order<'g> {
    graph: &'g Graph,
    state: SideTable<NodeId, State>,
    nodes: Vec<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Waits,
    /// Its operands are being placed.
    Open,
    Placed,
}

impl Order<'_> {
    fn place(&mut self, id: NodeId) {
        self.state[id] = State::Placed;
        self.nodes.push(id);
    }

    /// Places a node behind its operands in the same block; none, if it is one of them.
    fn visit(&mut self, id: NodeId) -> Option<()> {
        if self.state[id] == State::Placed {
            return Some(());
        }
        self.state[id] = State::Open;
        let mut open = vec![(id, 0)];
        while let Some((id, next)) = open.last_mut() {
            let id = *id;
            let operand = self.graph.operands(id).get(*next).copied();
            *next += 1;
            let Some(operand) = operand else {
                self.place(id);
                open.pop();
                continue;
            };
            // What stands elsewhere has its place before, or is wrong.
            let here = self.graph.node(operand).block == self.graph.node(id).block;
            let inside = self.graph.op(operand).row().place.is_in_block();
            match self.state[operand] {
                State::Waits if here && inside => {
                    self.state[operand] = State::Open;
                    open.push((operand, 0));
                }
                State::Open if here => return None,
                State::Waits | State::Open | State::Placed => {}
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Binary;
    use crate::stage::Artifact;

    #[test]
    fn nodes_stand_behind_their_operands() {
        let mut graph = Graph::new();
        let (block, unknown) = (graph.start_block, graph.start);
        let end = graph.add_later(Op::Return, Mode::X, 2, unknown);
        let sum = graph.add_later(Op::Binary(Binary::Add), Mode::Is, 2, unknown);
        let one = graph.add(Op::Const(1), block, &[]);
        [end, sum].into_iter().for_each(|id| graph.set_block(id, block));
        graph.set_operand(end, 1, sum);
        (0..2).for_each(|at| graph.set_operand(sum, at, one));
        let end_block = graph.add_block(Op::EndBlock, &[end]);
        graph.add(Op::End, end_block, &[]);
        assert!(!graph.verify().is_empty());
        let ordered = ordered(&graph).expect("there is an order");
        assert_eq!(ordered.verify(), []);
        assert_eq!(ordered.eval(0), Some(crate::stage::Outcome::value(2)));
        graph.set_operand(sum, 0, sum);
        assert!(super::ordered(&graph).is_none());
    }
}
