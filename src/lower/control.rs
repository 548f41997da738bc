//! Control flow: blocks of the schedule become blocks of Firm, and their ends become jumps.
//!
//! Each branch of an If begins a block of its own, so critical edges are split: an edge from a Cond
//! to a block with several predecessors has a block with nothing but a Jmp. Other blocks with
//! nothing but a Jmp are left out.
use super::lowering::Lowering;
use crate::firm::{EdgeKind, Mode};
use crate::schedule::{BlockId, Schedule};
use crate::{firm, schedule, sea};
use arena::{Id, SideTable};

impl Lowering<'_> {
    /// Ends the first block, whose nodes are lowered, and lowers the others.
    pub fn blocks(&mut self) {
        let schedule = self.schedule;
        let is_forwarder = forwarders(self.sea, schedule);
        for block in self.own_blocks.clone().into_iter().filter(|&it| !is_forwarder[it]) {
            self.begin(block, &is_forwarder);
            #[cfg(feature = "ch10")]
            self.begin_memory(block, &is_forwarder);
            if block.index() > 0 {
                self.nodes(schedule.nodes(block));
            }
            self.control.jumps[block] = self.jump(block);
            #[cfg(feature = "ch10")]
            self.end_memory(block);
        }
        self.close_loops();
        #[cfg(feature = "ch10")]
        self.close_memories();
    }

    /// The jump at the end of a block.
    /// @ch18 After a call, control goes on in the same block.
    fn jump(&mut self, block: BlockId) -> Option<firm::NodeId> {
        let end = self.schedule.blocks[block].end;
        #[cfg(feature = "ch18")]
        if let sea::Op::Call(_) = self.sea.op(end) {
            self.control.blocks_of_calls[block] = Some(self.block);
            return None;
        }
        let jump = self.lowered[end];
        Some(jump.unwrap_or_else(|| self.add(firm::Op::Jmp, Mode::X, &[])))
    }

    /// Whether the graph begins with the block.
    pub fn is_entry(&self, block: BlockId) -> bool {
        self.own_blocks.first() == Some(&block)
    }

    /// Begins a block.
    fn begin(&mut self, block: BlockId, is_forwarder: &SideTable<BlockId, bool>) {
        #[cfg(feature = "ch18")]
        if self.continues(block) {
            return;
        }
        if !self.is_entry(block) {
            let sources = predecessors(self.schedule, is_forwarder, block);
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
            sea::Op::ControlProjection(_) if !self.can_branch(self.sea.input(head, 0)) => {}
            sea::Op::ControlProjection(true) => {
                self.firm.set_edge_kind(self.block, 0, EdgeKind::True)
            }
            sea::Op::ControlProjection(false) => {
                self.firm.set_edge_kind(self.block, 0, EdgeKind::False)
            }
            _ => {}
        }
    }

    /// The Cond for an If; none, if control can take only one branch.
    pub fn branch(&mut self, id: sea::NodeId) -> Option<firm::NodeId> {
        if !self.can_branch(id) {
            return None;
        }
        let condition = self.condition(self.sea.input(id, 1));
        Some(self.add(firm::Op::Cond, Mode::X, &[condition]))
    }

    fn can_branch(&self, id: sea::NodeId) -> bool {
        self.sea.branches(id).count() == 2
    }

    /// The Phi for a Phi; if control can take only one edge, the value for this edge.
    pub fn phi(&mut self, id: sea::NodeId, mode: Mode) -> firm::NodeId {
        let (sea, schedule) = (self.sea, self.schedule);
        if !schedule.is_merge(sea, id) {
            let only = schedule.values(sea, id).next().expect("one edge is taken");
            return self.value(only);
        }
        let operand = |it| self.lowered[it].unwrap_or(self.firm.start);
        let operands: Vec<_> = schedule.values(sea, id).map(operand).collect();
        #[cfg(feature = "ch29")]
        let operands = self.with_iterations(id, operands);
        let phi = self.add(firm::Op::Phi, mode, &operands);
        for (at, value) in schedule.values(sea, id).enumerate() {
            if self.lowered[value].is_none() {
                self.control.later_values.push((phi, at, value));
            }
        }
        phi
    }

    /// Adds the operands for back edges.
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

/// The blocks that only forward control to a block without Phis, so that it does not matter there
/// which edge was taken. Loop headers are none of them.
fn forwarders(graph: &sea::Graph, schedule: &Schedule) -> SideTable<BlockId, bool> {
    let mut is_forwarder = SideTable::new(schedule.blocks.len());
    for block in schedule.blocks.ids() {
        let schedule::Block { head, end, .. } = schedule.blocks[block];
        let is_empty = schedule.nodes(block).is_empty();
        if let Some(next) = schedule.block_of[end]
            && graph.op(head) == sea::Op::Region
            && is_empty
        {
            let first = schedule.nodes(next).first().map(|&id| graph.op(id));
            is_forwarder[block] = !matches!(first, Some(sea::Op::Phi(_)));
        }
    }
    is_forwarder
}

/// The predecessors of `block`, with forwarders replaced by their own predecessors.
pub fn predecessors(
    schedule: &Schedule,
    is_forwarder: &SideTable<BlockId, bool>,
    block: BlockId,
) -> Vec<BlockId> {
    let mut sources = Vec::new();
    let mut open: Vec<_> = schedule.predecessors[block].iter().rev().copied().collect();
    while let Some(source) = open.pop() {
        if is_forwarder[source] {
            open.extend(schedule.predecessors[source].iter().rev());
        } else {
            sources.push(source);
        }
    }
    sources
}

/// Infinite loops.
#[cfg(feature = "ch07")]
impl Lowering<'_> {
    /// End keeps the loops from which no path leads to it; it was added last.
    pub fn keep_infinite_loops(&mut self) {
        let end = self.firm.ids().next_back().expect("the graph has an End");
        self.firm.add_operands(end, &self.infinite_loop_headers());
    }

    /// The headers of all loops from which no path leads to the end of the program.
    fn infinite_loop_headers(&self) -> Vec<firm::NodeId> {
        let blocks = &self.schedule.blocks;
        let mut reaches_end: SideTable<BlockId, bool> = SideTable::new(blocks.len());
        let returns = |block: &BlockId| self.sea.op(blocks[*block].end).ends_program();
        let own = self.own_blocks.clone();
        let mut open: Vec<_> = own.iter().copied().filter(returns).collect();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut reaches_end[block], true) {
                open.extend(&self.schedule.predecessors[block]);
            }
        }
        let is_loop = |block: &BlockId| self.sea.op(blocks[*block].head) == sea::Op::Loop;
        let headers = own.into_iter().filter(|block| is_loop(block) && !reaches_end[*block]);
        headers.filter_map(|block| self.control.blocks[block]).collect()
    }
}
