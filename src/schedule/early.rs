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
    /// Places all that `id` is made of.
    fn need_inputs(&mut self, id: NodeId) {
        let mut open: Vec<(NodeId, bool)> = Vec::new();
        self.push_values(id, &mut open);
        while let Some((id, inputs_done)) = open.pop() {
            if self.schedule.block_of[id].is_some() {
                continue;
            }
            if self.schedule.meets(self.graph, id) {
                self.schedule.block_of[id] = self.schedule.block_of[self.graph.input(id, 0)];
                self.phis.push(id);
            } else if inputs_done {
                self.schedule.block_of[id] = Some(self.first_block(id));
                self.order.push(id);
            } else {
                open.push((id, true));
                self.push_values(id, &mut open);
            }
        }
    }

    fn push_values(&self, id: NodeId, open: &mut Vec<(NodeId, bool)>) {
        let values = self.schedule.values(self.graph, id).rev();
        let new = values.filter(|&value| self.schedule.block_of[value].is_none());
        open.extend(new.map(|value| (value, false)));
    }

    /// The deepest of the blocks of its inputs.
    fn first_block(&self, id: NodeId) -> BlockId {
        let values = self.schedule.values(self.graph, id);
        let blocks = values.filter_map(|it| self.schedule.block_of[it]);
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
