//! The control flow of a Firm graph: the nodes of each block, and the targets of jumps.
use super::graph::{EdgeKind, Graph, NodeId};
use super::mode::Mode;
use super::op::Op;
use arena::SideTable;
use flow::{Dominators, reverse_postorder};

pub struct ControlFlow {
    /// The nodes of the first block in their order, those of the second block, and so on.
    nodes: Vec<NodeId>,
    /// The range of each block in `nodes`.
    ranges: SideTable<NodeId, (u32, u32)>,
    /// The targets of each jump: always or if the condition is true, and if it is false.
    targets: SideTable<NodeId, [Option<Target>; 2]>,
    /// The StartBlock and the Start.
    start: [NodeId; 2],
}

/// A block, and the number of the edge by which control enters it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub block: NodeId,
    pub predecessor_index: usize,
}

impl ControlFlow {
    pub fn new(graph: &Graph) -> ControlFlow {
        let mut ranges: SideTable<NodeId, (u32, u32)> = SideTable::new(graph.len());
        let is_inside =
            |id: &NodeId| graph.op(*id).is_in_block() && graph.op(graph.node(*id).block).is_block();
        let blocks: Vec<_> = blocks(graph).collect();
        let inside: Vec<_> = graph.ids().filter(is_inside).collect();
        inside.iter().for_each(|&id| ranges[graph.node(id).block].1 += 1);
        let mut first = 0;
        for &block in &blocks {
            let count = ranges[block].1;
            ranges[block] = (first, first);
            first += count;
        }
        let mut nodes = inside.clone();
        let mut place = |id: NodeId| {
            let (_, end) = &mut ranges[graph.node(id).block];
            nodes[*end as usize] = id;
            *end += 1;
        };
        // Constants are added while later blocks are filled, but are executed before the jump.
        let mut jumps = Vec::new();
        for id in inside {
            if graph.node(id).mode == Mode::X { jumps.push(id) } else { place(id) }
        }
        jumps.into_iter().for_each(place);
        ControlFlow {
            nodes,
            ranges,
            targets: targets(graph, &blocks),
            start: [graph.start_block, graph.start],
        }
    }

    /// No control flow: all blocks are empty, and no jump has a target.
    #[cfg(feature = "ch25")]
    pub fn empty(graph: &Graph) -> ControlFlow {
        ControlFlow {
            nodes: Vec::new(),
            ranges: SideTable::new(0),
            targets: SideTable::new(0),
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
        let (first, end) = self.ranges[block];
        &self.nodes[first as usize..end as usize]
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
            phis.map(move |phi| (phi, graph.operands(phi)[target.predecessor_index]))
        };
        self.target(jump, true).into_iter().flat_map(phis)
    }

    /// The blocks after a block.
    pub fn successors(&self, block: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let targets = self.jump(block).map_or([None; 2], |jump| self.targets[jump]);
        targets.into_iter().flatten().map(|target| target.block)
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

/// All blocks, in order.
pub fn blocks(graph: &Graph) -> impl Iterator<Item = NodeId> {
    graph.ids().filter(|&id| graph.op(id).is_block())
}

fn targets(graph: &Graph, blocks: &[NodeId]) -> SideTable<NodeId, [Option<Target>; 2]> {
    let mut targets: SideTable<NodeId, [Option<Target>; 2]> = SideTable::new(graph.len());
    for &block in blocks.iter().filter(|&&block| graph.op(block) != Op::EndBlock) {
        for (at, &jump) in graph.operands(block).iter().enumerate() {
            let side = match graph.edge_kind(block, at) {
                EdgeKind::Always | EdgeKind::True => 0,
                EdgeKind::False => 1,
            };
            targets[jump][side] = Some(Target { block, predecessor_index: at });
        }
    }
    targets
}

/// The dominator tree of the blocks in `order`: the reachable ones in reverse postorder.
pub fn dominators(graph: &Graph, order: &[NodeId]) -> Dominators<NodeId> {
    let from = |block| graph.operands(block).iter().map(|&jump| graph.node(jump).block);
    Dominators::build(graph.start_block, order.iter().copied().skip(1), from)
}
