//! Early placement: every node goes into the first block that may compute it.
//!
//! A Phi belongs to its Region. Any other value needs its inputs, whose blocks all dominate the
//! place where it is needed; of these the deepest in the tree of dominators is the first block in
//! which all of them are known. Source: C. Click, "Global Code Motion / Global Value Numbering",
//! PLDI 1995.
use super::layout::Layout;
use super::{BlockId, Schedule};
use crate::sea::{Graph, NodeId, Op};
use arena::{Id, SideTable};
use flow::Dominators;
use picture::Kind;

/// Places whatever an If or a Return needs.
pub fn place(graph: &Graph, layout: Layout) -> Placement<'_> {
    let Layout { blocks, predecessors, block_of, dominators } = layout;
    let schedule = Schedule { order: Vec::new(), blocks, predecessors, block_of };
    let mut placing = Placement {
        graph,
        schedule,
        dominators,
        order: Vec::new(),
        phis: Vec::new(),
        updates: Vec::new(),
        open: Vec::new(),
    };
    for block in placing.schedule.blocks.ids() {
        placing.need_values_of(placing.schedule.blocks[block].end, |_| false);
    }
    let mut done = 0;
    loop {
        if let Some(&phi) = placing.phis.get(done) {
            // Updates wait, so that other readers of what is old come first.
            let is_update = |value| graph.inputs(value).any(|input| input == phi);
            placing.need_values_of(phi, is_update);
            done += 1;
        } else if let Some(update) = placing.updates.pop() {
            placing.need(update);
        } else {
            return placing;
        }
    }
}

pub struct Placement<'g> {
    pub graph: &'g Graph,
    pub schedule: Schedule,
    pub dominators: Dominators<BlockId>,
    /// The values that are needed, each behind its inputs.
    pub order: Vec<NodeId>,
    /// The Phis that are needed.
    pub phis: Vec<NodeId>,
    /// What variables become in loops, as far as it is made of what they were.
    updates: Vec<NodeId>,
    /// What is being placed, and whether its inputs have been.
    open: Vec<(NodeId, bool)>,
}

impl Placement<'_> {
    /// Places the values of a node, but for those that are to wait.
    fn need_values_of(&mut self, id: NodeId, waits: impl Fn(NodeId) -> bool) {
        for at in 0..self.graph.inputs(id).len() {
            match self.schedule.value(self.graph, id, at) {
                Some(value) if waits(value) => self.updates.push(value),
                Some(value) => self.need(value),
                None => {}
            }
        }
    }

    /// Places a value and all that it is made of.
    fn need(&mut self, value: NodeId) {
        self.open.push((value, false));
        while let Some((id, inputs_done)) = self.open.pop() {
            if self.schedule.block_of[id].is_some() {
                continue;
            }
            if self.schedule.is_merge(self.graph, id) {
                self.schedule.block_of[id] = self.schedule.block_of[self.graph.input(id, 0)];
                self.phis.push(id);
            } else if inputs_done {
                self.place_old_value_uses(id);
                self.put(id);
            } else {
                self.open.push((id, true));
                self.open_values(id);
            }
        }
    }

    /// The first value is to be placed first, so it is opened last.
    fn open_values(&mut self, id: NodeId) {
        let values = self.schedule.values(self.graph, id).rev();
        let new = values.filter(|&value| self.schedule.block_of[value].is_none());
        self.open.extend(new.map(|value| (value, false)));
    }

    fn put(&mut self, id: NodeId) {
        self.schedule.block_of[id] = Some(self.first_block(id));
        self.order.push(id);
    }

    /// Where `id` is what a variable becomes in a loop, places the others that read the old value
    /// on their way to other variables: then nobody wants it any more, and the new value may take
    /// its place.
    fn place_old_value_uses(&mut self, id: NodeId) {
        let (graph, schedule) = (self.graph, &self.schedule);
        let becomes = |&old: &NodeId| {
            schedule.is_merge(graph, old) && schedule.values(graph, old).any(|value| value == id)
        };
        let olds = schedule.values(graph, id).filter(becomes);
        let readers: Vec<_> = olds.flat_map(|old| graph.users(old)).collect();
        for reader in readers {
            if reader != id && self.is_on_its_way(reader) {
                self.put(reader);
            }
        }
    }

    /// Whether a value that is not placed yet could be, and goes to a Phi that is needed.
    fn is_on_its_way(&self, id: NodeId) -> bool {
        let (graph, schedule) = (self.graph, &self.schedule);
        let is_needed = |phi: NodeId| {
            let known = schedule.block_of[phi].is_some() && schedule.is_merge(graph, phi);
            known && schedule.values(graph, phi).any(|value| value == id)
        };
        let is_value = graph.op(id).row().kind == Kind::Data && !graph.op(id).is_phi();
        is_value
            && schedule.block_of[id].is_none()
            && schedule.values(graph, id).all(|it| schedule.block_of[it].is_some())
            && graph.users(id).any(is_needed)
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
