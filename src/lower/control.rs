//! Control: blocks of the schedule become blocks of Firm, and their ends become jumps.
//!
//! Every way out of an If begins a block of its own, so an edge from a Cond to a block where
//! other ways arrive too has a block with nothing but a Jmp on it: it is split. Other blocks with
//! nothing but a Jmp are left out.
use super::Lowering;
use crate::firm::Way;
use crate::schedule::{BlockId, Schedule};
use crate::{firm, schedule, sea};
use arena::{Id, SideTable};

/// What has become of blocks so far, and what is still to be done.
pub struct Control {
    /// The jump at the end of each block.
    jumps: SideTable<BlockId, Option<firm::NodeId>>,
    /// The block of Firm that each block has become.
    blocks: SideTable<BlockId, Option<firm::NodeId>>,
    /// Predecessors that did not exist yet when their block was begun.
    later_jumps: Vec<(firm::NodeId, usize, BlockId)>,
    /// Operands of Phis that did not exist yet.
    later_values: Vec<(firm::NodeId, usize, sea::NodeId)>,
}

impl Control {
    pub fn new(schedule: &Schedule) -> Control {
        let count = schedule.blocks.len();
        let (jumps, blocks) = (SideTable::new(count), SideTable::new(count));
        Control { jumps, blocks, later_jumps: Vec::new(), later_values: Vec::new() }
    }
}

impl Lowering<'_> {
    pub fn blocks(&mut self) {
        let schedule = self.schedule;
        let left_out = left_out(self.sea, schedule);
        for block in schedule.blocks.ids().filter(|&it| !left_out[it]) {
            self.begin(block, &left_out);
            self.nodes(schedule.nodes(block));
            let jump = self.lowered[schedule.blocks[block].end];
            let jump = jump.unwrap_or_else(|| self.add(firm::Op::Jmp, &[]));
            self.control.jumps[block] = Some(jump);
        }
        self.close_loops();
    }

    /// Begins a block behind the jumps that lead to it.
    fn begin(&mut self, block: BlockId, left_out: &SideTable<BlockId, bool>) {
        if block.index() > 0 {
            let sources = sources(self.schedule, left_out, block);
            let jump = |source: &BlockId| self.control.jumps[*source];
            let jumps = sources.iter().map(|it| jump(it).unwrap_or(self.firm.start));
            self.block = self.firm.add_block(firm::Op::Block, &jumps.collect::<Vec<_>>());
            let late = sources.iter().enumerate().filter(|(_, it)| jump(it).is_none());
            let late: Vec<_> = late.map(|(at, &source)| (self.block, at, source)).collect();
            self.control.later_jumps.extend(late);
        }
        self.control.blocks[block] = Some(self.block);
        let schedule::Block { head, depth, .. } = self.schedule.blocks[block];
        self.firm.set_depth(self.block, depth);
        match self.sea.op(head) {
            sea::Op::ControlProjection(_) if !self.goes_two_ways(self.sea.input(head, 0)) => {}
            sea::Op::ControlProjection(true) => self.firm.set_way(self.block, 0, Way::True),
            sea::Op::ControlProjection(false) => self.firm.set_way(self.block, 0, Way::False),
            _ => {}
        }
    }

    /// The Cond that an If becomes; none, if control takes one of its ways only.
    pub fn branch(&mut self, id: sea::NodeId) -> Option<firm::NodeId> {
        if !self.goes_two_ways(id) {
            return None;
        }
        let truth = self.truth(self.sea.input(id, 1));
        Some(self.add(firm::Op::Cond, &[truth]))
    }

    fn goes_two_ways(&self, id: sea::NodeId) -> bool {
        self.sea.branches(id).count() == 2
    }

    /// The Phi that a Phi becomes; where control comes one way only, its value on this way.
    pub fn phi(&mut self, id: sea::NodeId) -> firm::NodeId {
        let values: Vec<_> = self.schedule.values(self.sea, id).collect();
        if !self.schedule.is_merge(self.sea, id) {
            return self.value(values[0]);
        }
        let known: Vec<_> = values.iter().map(|&it| self.lowered[it]).collect();
        let operands = known.iter().map(|it| it.unwrap_or(self.firm.start));
        let phi = self.add(firm::Op::Phi, &operands.collect::<Vec<_>>());
        for (at, &value) in values.iter().enumerate() {
            if known[at].is_none() {
                self.control.later_values.push((phi, at, value));
            }
        }
        phi
    }

    /// Supplies what leads from the end of a loop to its beginning.
    fn close_loops(&mut self) {
        for (block, at, source) in std::mem::take(&mut self.control.later_jumps) {
            let jump = self.control.jumps[source].expect("every block ends with a jump");
            self.firm.set_operand(block, at, jump);
        }
        for (phi, at, value) in std::mem::take(&mut self.control.later_values) {
            self.firm.set_operand(phi, at, self.value(value));
        }
    }
}

/// Which blocks do nothing but join ways that meet others right behind. As no value is chosen
/// behind, it does not matter there which of the ways was taken. What a loop begins with stays.
fn left_out(graph: &sea::Graph, schedule: &Schedule) -> SideTable<BlockId, bool> {
    let mut left_out = SideTable::new(schedule.blocks.len());
    for block in schedule.blocks.ids() {
        let schedule::Block { head, end, .. } = schedule.blocks[block];
        let is_empty = schedule.nodes(block).is_empty();
        if let Some(next) = schedule.block_of[end]
            && graph.op(head) == sea::Op::Region
            && is_empty
        {
            let chosen = schedule.nodes(next).first().map(|&id| graph.op(id));
            left_out[block] = !matches!(chosen, Some(sea::Op::Phi(_)));
        }
    }
    left_out
}

/// The blocks that lead to `block`, directly or through blocks that are left out.
fn sources(
    schedule: &Schedule,
    left_out: &SideTable<BlockId, bool>,
    block: BlockId,
) -> Vec<BlockId> {
    let mut sources = Vec::new();
    let mut open: Vec<_> = schedule.predecessors[block].iter().rev().copied().collect();
    while let Some(source) = open.pop() {
        if left_out[source] {
            open.extend(schedule.predecessors[source].iter().rev());
        } else {
            sources.push(source);
        }
    }
    sources
}

/// Loops without an end.
#[cfg(feature = "ch07")]
impl Lowering<'_> {
    /// The heads of all loops from which no way leads to a Return.
    pub fn endless(&self) -> Vec<firm::NodeId> {
        let blocks = &self.schedule.blocks;
        let mut ending: SideTable<BlockId, bool> = SideTable::new(blocks.len());
        let returns = |block: &BlockId| self.sea.op(blocks[*block].end) == sea::Op::Return;
        let mut open: Vec<_> = blocks.ids().filter(returns).collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut ending[block], true) {
                open.extend(&self.schedule.predecessors[block]);
            }
        }
        let is_loop = |block: &BlockId| self.sea.op(blocks[*block].head) == sea::Op::Loop;
        let endless = blocks.ids().filter(|block| is_loop(block) && !ending[*block]);
        endless.filter_map(|block| self.control.blocks[block]).collect()
    }
}
