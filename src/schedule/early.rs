//! Early placement: every node goes into the first block that may compute it.
//!
//! A Phi belongs to its Region. Any other value needs its inputs, whose blocks all dominate the
//! place where it is needed; of these the deepest in the tree of dominators is the first block in
//! which all of them are known. Source: C. Click, "Global Code Motion / Global Value Numbering",
//! PLDI 1995.
use super::layout::Layout;
use super::{BlockId, Schedule};
use crate::base::dominators::Dominators;
use crate::base::ids::{Id, SideTable};
use crate::base::picture::Kind;
use crate::sea::{Graph, NodeId, Op};

/// Places whatever an If or a Return needs.
pub fn place(graph: &Graph, layout: Layout) -> Placing<'_> {
    let Layout { blocks, block_of, dominators } = layout;
    let schedule = Schedule { order: Vec::new(), blocks, block_of };
    let mut placing = Placing { graph, schedule, dominators, order: Vec::new(), phis: Vec::new() };
    for block in placing.schedule.blocks.ids() {
        placing.need_inputs(placing.schedule.blocks[block].end);
    }
    let mut done = 0;
    while let Some(&phi) = placing.phis.get(done) {
        placing.need_inputs(phi);
        done += 1;
    }
    placing
}

pub struct Placing<'g> {
    pub graph: &'g Graph,
    pub schedule: Schedule,
    pub dominators: Dominators<BlockId>,
    /// The values that are needed, each behind its inputs.
    pub order: Vec<NodeId>,
    /// The Phis that are needed.
    pub phis: Vec<NodeId>,
}

impl Placing<'_> {
    /// The values that a node is made of.
    pub fn inputs(&self, id: NodeId) -> Vec<NodeId> {
        match self.graph.op(id) {
            Op::Phi(_) => self.schedule.arriving(self.graph, id).collect(),
            _ => self.graph.inputs(id).filter(|&it| self.is_value(it)).collect(),
        }
    }

    fn is_value(&self, id: NodeId) -> bool {
        self.graph.op(id).row().kind == Kind::Data
    }

    /// Whether it is the meeting of values: what it is made of comes later.
    pub fn meets(&self, id: NodeId) -> bool {
        matches!(self.graph.op(id), Op::Phi(_)) && self.schedule.is_head(self.graph.input(id, 0))
    }

    /// Places all that `id` is made of.
    fn need_inputs(&mut self, id: NodeId) {
        let mut open: Vec<(NodeId, bool)> = Vec::new();
        let unplaced = |placing: &Self, id: NodeId| {
            let inputs = placing.inputs(id).into_iter().rev();
            inputs.map(|it| (it, false)).collect::<Vec<_>>()
        };
        open.extend(unplaced(self, id));
        while let Some((id, inputs_done)) = open.pop() {
            if self.schedule.block_of[id].is_some() {
                continue;
            }
            if self.meets(id) {
                self.schedule.block_of[id] = self.schedule.block_of[self.graph.input(id, 0)];
                self.phis.push(id);
            } else if inputs_done {
                self.schedule.block_of[id] = Some(self.first_block(id));
                self.order.push(id);
            } else {
                open.push((id, true));
                open.extend(unplaced(self, id));
            }
        }
    }

    /// The deepest of the blocks of its inputs.
    fn first_block(&self, id: NodeId) -> BlockId {
        let blocks = self.inputs(id).into_iter().filter_map(|it| self.schedule.block_of[it]);
        let deepest = blocks.max_by_key(|&block| self.dominators.depth(block));
        deepest.unwrap_or(Id::from_index(0))
    }

    /// Puts the nodes in order: in each block its Phis, its values, and its end.
    pub fn finish(mut self) -> Schedule {
        self.phis.sort_unstable();
        let block_of = &self.schedule.block_of;
        let ends = self.schedule.blocks.ids().map(|block| self.schedule.blocks[block].end);
        let ends = ends.filter(|&end| matches!(self.graph.op(end), Op::Return | Op::If));
        let nodes: Vec<_> = self.phis.iter().chain(&self.order).copied().chain(ends).collect();
        let block = |id: NodeId| block_of[id].expect("it has been placed");
        let mut places: SideTable<BlockId, u32> = SideTable::new(self.schedule.blocks.len());
        nodes.iter().for_each(|&id| places[block(id)] += 1);
        let mut first = 0;
        for id in self.schedule.blocks.ids() {
            let count = std::mem::replace(&mut places[id], first);
            let block = &mut self.schedule.blocks[id];
            (block.first, block.last) = (first, first + count);
            first += count;
        }
        let mut order = nodes.clone();
        for id in nodes {
            let place = &mut places[block(id)];
            order[*place as usize] = id;
            *place += 1;
        }
        Schedule { order, ..self.schedule }
    }
}
