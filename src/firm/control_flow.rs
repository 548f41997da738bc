//! The control flow of a Firm graph: the nodes of each block, and the targets of jumps.
use super::graph::{EdgeKind, Graph, Node, NodeId};
use super::mode::Mode;
use super::op::Op;
use crate::arith::Relation;
use crate::frequency::{Terminator, frequencies};
use arena::{ListTable, SideTable, SparseTable};
use flow::{Dominators, reverse_postorder};

pub struct ControlFlow {
    /// The nodes of each block, in order.
    nodes: ListTable<NodeId, NodeId>,
    /// The targets of each jump: always or if the condition is true, and if it is false.
    targets: SparseTable<NodeId, [Option<Target>; 2]>,
    /// The StartBlock and the Start.
    start: [NodeId; 2],
}

/// A block, and the number of the edge by which control enters it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub block: NodeId,
    pub predecessor_index: u32,
}

impl ControlFlow {
    pub fn new(graph: &Graph) -> ControlFlow {
        // Constants are added while later blocks are filled, but are executed before the jump.
        let (mut nodes, mut jumps) = (Vec::with_capacity(graph.len()), Vec::new());
        for id in graph.ids() {
            let Node { op, block, .. } = graph.node(id);
            if op.is_in_block() && graph.op(block).is_block() {
                let is_jump = graph.value_mode(id) == Mode::X;
                if is_jump { &mut jumps } else { &mut nodes }.push((block, id));
            }
        }
        nodes.append(&mut jumps);
        ControlFlow {
            nodes: ListTable::group(graph.len(), nodes.iter().copied()),
            targets: targets(graph),
            start: [graph.start_block, graph.start],
        }
    }

    /// No control flow: all blocks are empty, and no jump has a target.
    #[cfg(feature = "ch25")]
    pub fn empty(graph: &Graph) -> ControlFlow {
        ControlFlow {
            nodes: ListTable::group(graph.len(), std::iter::empty()),
            targets: SparseTable::new(0),
            start: [graph.start_block, graph.start],
        }
    }

    /// The jump at the end of a block: its last node, or in a file the Start.
    pub fn jump(&self, block: NodeId) -> Option<NodeId> {
        let [start_block, start] = self.start;
        let starts = block == start_block && self.target(start, true).is_some();
        if starts { Some(start) } else { self.nodes(block).last().copied() }
    }

    /// The nodes of a block, in order; the jump is the last.
    pub fn nodes(&self, block: NodeId) -> &[NodeId] {
        &self.nodes[block]
    }

    /// The target of a jump if its condition is true or false; without a condition, if it is true.
    pub fn target(&self, jump: NodeId, condition: bool) -> Option<Target> {
        self.targets[jump][usize::from(!condition)]
    }

    /// The Phis of the block that a Jmp leads to, each with its operand for this edge.
    pub fn phis_of_target(
        &self,
        graph: &Graph,
        jump: NodeId,
    ) -> impl Iterator<Item = (NodeId, NodeId)> {
        let phis = move |target: Target| {
            let nodes = self.nodes(target.block).iter().copied();
            let phis = nodes.take_while(|&id| matches!(graph.op(id), Op::Phi));
            phis.map(move |phi| (phi, graph.operands(phi)[target.predecessor_index as usize]))
        };
        self.target(jump, true).into_iter().flat_map(phis)
    }

    /// The blocks after a block.
    pub fn successors(&self, block: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let targets = self.jump(block).map_or([None; 2], |jump| self.targets[jump]);
        targets.into_iter().flatten().map(|target| target.block)
    }

    /// The estimated number of executions of each block.
    #[cfg(feature = "ch07")]
    pub fn frequencies(&self, graph: &Graph) -> SideTable<NodeId, u64> {
        let block = |block| (self.terminator(graph, block), graph.depth(block));
        frequencies(&self.reverse_postorder(graph), block)
    }

    /// The terminator of a block. A condition that is no comparison is compared with 0.
    #[cfg(feature = "ch07")]
    fn terminator(&self, graph: &Graph, block: NodeId) -> Terminator<NodeId> {
        let jump = self.jump(block);
        let target = |condition| self.target(jump?, condition).map(|target| target.block);
        match (target(true), target(false)) {
            #[cfg(feature = "ch15")]
            (None, None) if jump.is_some_and(|it| is_unreachable(graph, it)) => {
                Terminator::NoReturn
            }
            (None, None) => Terminator::Return,
            (Some(only), None) | (None, Some(only)) => Terminator::Goto(only),
            (Some(yes), Some(no)) => {
                let condition = jump.and_then(|jump| graph.operands(jump).first());
                let relation = condition.and_then(|&it| graph.op(it).relation(false));
                Terminator::Branch(relation.unwrap_or(Relation::NotEqual), yes, no)
            }
        }
    }

    /// The reachable blocks; each is after all its predecessors, back edges excepted.
    pub fn reverse_postorder(&self, graph: &Graph) -> Vec<NodeId> {
        let next = |block, visited| {
            let targets = &self.targets[self.jump(block)?];
            targets.iter().rev().flatten().nth(visited).map(|target| target.block)
        };
        reverse_postorder(graph.start_block, graph.len(), next)
    }
}

/// Whether a node is a Return after a call of a function that does not return.
#[cfg(feature = "ch15")]
pub fn is_unreachable(graph: &Graph, id: NodeId) -> bool {
    let is_call = |id: &NodeId| graph.op(*id) == Op::Call(0);
    graph.op(id) == Op::Return && graph.operands(id).first().is_some_and(is_call)
}

/// All blocks, in order.
pub fn blocks(graph: &Graph) -> impl Iterator<Item = NodeId> {
    graph.ids().filter(|&id| graph.op(id).is_block())
}

fn targets(graph: &Graph) -> SparseTable<NodeId, [Option<Target>; 2]> {
    let mut targets: SparseTable<NodeId, [Option<Target>; 2]> = SparseTable::new(graph.len());
    for block in blocks(graph).filter(|&block| graph.op(block) != Op::EndBlock) {
        for (at, &jump) in graph.operands(block).iter().enumerate() {
            let side = match graph.edge_kind(block, at) {
                EdgeKind::Always | EdgeKind::True => 0,
                EdgeKind::False => 1,
            };
            targets[jump][side] = Some(Target { block, predecessor_index: at as u32 });
        }
    }
    targets
}

/// The dominator tree of the blocks in `order`: the reachable ones in reverse postorder.
pub fn dominators(graph: &Graph, order: &[NodeId]) -> Dominators<NodeId> {
    let from = |block| graph.operands(block).iter().map(|&jump| graph.node(jump).block);
    Dominators::build(graph.start_block, order.iter().copied().skip(1), from)
}

/// The dominator tree of all blocks but the EndBlock. None if control enters a loop at several
/// blocks.
#[cfg(feature = "ch14")]
pub fn reducible_dominators(graph: &Graph, flow: &ControlFlow) -> Option<Dominators<NodeId>> {
    // No path may lead to the end of the function.
    let order = blocks(graph).filter(|&block| graph.op(block) != Op::EndBlock);
    let order = order.collect::<Vec<_>>();
    let dominators = dominators(graph, &order);
    let violations = dominators.order_violations(order.into_iter(), |block| flow.successors(block));
    violations.is_empty().then_some(dominators)
}
