//! How control flows through a Firm graph: which nodes stand in a block, and where jumps lead.
use super::graph::{Graph, NodeId, Way};
use super::mode::Mode;
use super::op::{Op, Place};
use arena::{Id, SideTable};
use flow::reverse_postorder;

pub struct Flow {
    /// The nodes that stand in a block, block after block, in each in their order.
    nodes: Vec<NodeId>,
    /// Where in `nodes` each block begins, and where it ends.
    ranges: SideTable<NodeId, (usize, usize)>,
    /// Where each jump leads: always or if it is true, and if it is false.
    targets: SideTable<NodeId, [Option<Target>; 2]>,
    /// The block where the program begins, and the node.
    start: [NodeId; 2],
}

/// A block, and the number of the way on which control comes to it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub block: NodeId,
    pub at: usize,
}

impl Flow {
    pub fn new(graph: &Graph) -> Flow {
        let mut ranges: SideTable<NodeId, (usize, usize)> = SideTable::new(graph.len());
        let is_block = |id: NodeId| graph.op(id).row().place == Place::Block;
        let has_place = |id: NodeId| graph.op(id).row().place.is_in_block();
        let stands = |id: &NodeId| has_place(*id) && is_block(graph.node(*id).block);
        graph.ids().filter(stands).for_each(|id| ranges[graph.node(id).block].1 += 1);
        let mut first = 0;
        for block in blocks(graph) {
            let count = ranges[block].1;
            ranges[block] = (first, first);
            first += count;
        }
        let mut nodes = vec![NodeId::from_index(0); first];
        // Constants are made while later blocks are filled, and stand before the jump nevertheless.
        let is_jump = |id: &NodeId| graph.node(*id).mode == Mode::X;
        let jumps = graph.ids().filter(is_jump);
        for id in graph.ids().filter(|id| !is_jump(id)).chain(jumps).filter(stands) {
            let (_, end) = &mut ranges[graph.node(id).block];
            nodes[*end] = id;
            *end += 1;
        }
        Flow { nodes, ranges, targets: targets(graph), start: [graph.start_block, graph.start] }
    }

    /// No flow at all: no block holds anything, and no jump leads anywhere.
    #[cfg(feature = "ch25")]
    pub fn none(graph: &Graph) -> Flow {
        Flow {
            nodes: Vec::new(),
            ranges: SideTable::new(0),
            targets: SideTable::new(0),
            start: [graph.start_block, graph.start],
        }
    }

    /// How control leaves a block: by its last node, or as the program begins.
    pub fn jump(&self, block: NodeId) -> Option<NodeId> {
        let [start_block, start] = self.start;
        let starts = block == start_block && self.target(start, true).is_some();
        if starts { Some(start) } else { self.nodes(block).last().copied() }
    }

    /// The nodes that stand in a block, in order.
    pub fn nodes(&self, block: NodeId) -> &[NodeId] {
        let (first, end) = self.ranges[block];
        &self.nodes[first..end]
    }

    /// Where a jump leads if it is true, or not conditional.
    pub fn target(&self, jump: NodeId, truth: bool) -> Option<Target> {
        self.targets[jump][usize::from(!truth)]
    }

    /// The Phis of the block that a Jmp leads to, each with what it selects on this way.
    pub fn phis_behind(
        &self,
        graph: &Graph,
        jump: NodeId,
    ) -> impl Iterator<Item = (NodeId, NodeId)> {
        let phis = move |target: Target| {
            let nodes = self.nodes(target.block).iter().copied();
            let phis = nodes.take_while(|&id| graph.op(id) == Op::Phi);
            phis.map(move |phi| (phi, graph.operands(phi)[target.at]))
        };
        self.target(jump, true).into_iter().flat_map(phis)
    }

    /// All blocks that a block leads to.
    pub fn successors(&self, block: NodeId) -> impl DoubleEndedIterator<Item = NodeId> {
        let targets = self.jump(block).map(|jump| self.targets[jump]);
        targets.into_iter().flatten().flatten().map(|target| target.block)
    }

    /// The blocks that control reaches, each behind all that lead to it from before.
    pub fn reverse_postorder(&self, graph: &Graph) -> Vec<NodeId> {
        let next = |block, visited| self.successors(block).rev().nth(visited);
        reverse_postorder(graph.start_block, graph.len(), next)
    }
}

/// Every block, in order.
pub fn blocks(graph: &Graph) -> impl Iterator<Item = NodeId> {
    graph.ids().filter(|&id| graph.op(id).row().place == Place::Block)
}

fn targets(graph: &Graph) -> SideTable<NodeId, [Option<Target>; 2]> {
    let mut targets: SideTable<NodeId, [Option<Target>; 2]> = SideTable::new(graph.len());
    for block in blocks(graph).filter(|&block| graph.op(block) != Op::EndBlock) {
        for (at, &jump) in graph.operands(block).iter().enumerate() {
            let side = match graph.way(block, at) {
                Way::Always | Way::True => 0,
                Way::False => 1,
            };
            targets[jump][side] = Some(Target { block, at });
        }
    }
    targets
}
