//! Late placement: from the first block that may compute a value to the best one.
//!
//! The best is the last: nearest to the users, and only where one of them is sure to come. It is
//! the meeting of all their blocks in the tree of dominators; a Phi uses a value where control
//! comes from. But what a loop need not compute anew each time is computed before the loop, if
//! all that it needs is known there. Source: C. Click, "Global Code Motion / Global Value
//! Numbering", PLDI 1995.
use super::early::Placement;
use super::{BlockId, Schedule};
use crate::sea::{NodeId, Op};
use arena::SideTable;

/// Moves every value that has been placed early to where it is best.
pub fn place(placing: &mut Placement) {
    let mut uses = Uses { latest: SideTable::new(placing.graph.len()) };
    for block in placing.schedule.blocks.ids() {
        let end = placing.schedule.blocks[block].end;
        uses.note_all(placing, end, block);
    }
    for &phi in &placing.phis {
        let values = placing.schedule.values(placing.graph, phi);
        for (value, &from) in values.zip(predecessors(&placing.schedule, phi)) {
            uses.note(placing, value, from);
        }
    }
    for at in (0..placing.order.len()).rev() {
        let id = placing.order[at];
        // What Start yields is there from the start.
        if matches!(placing.graph.op(id), Op::Projection(_)) {
            continue;
        }
        let best = uses.best(placing, id);
        placing.schedule.block_of[id] = Some(best);
        uses.note_all(placing, id, best);
    }
}

/// Where control comes from when the Phi takes its values, in the order of its ways.
fn predecessors(schedule: &Schedule, phi: NodeId) -> &[BlockId] {
    let block = schedule.block_of[phi].expect("it has been placed");
    &schedule.predecessors[block]
}

struct Uses {
    /// For each value, the block that dominates all uses found so far, and nearest.
    latest: SideTable<NodeId, Option<BlockId>>,
}

impl Uses {
    /// `user`, in `block`, uses its inputs.
    fn note_all(&mut self, placing: &Placement, user: NodeId, block: BlockId) {
        let values = placing.schedule.values(placing.graph, user);
        values.for_each(|value| self.note(placing, value, block));
    }

    fn note(&mut self, placing: &Placement, value: NodeId, block: BlockId) {
        let known = self.latest[value];
        let both =
            known.map_or(block, |known| placing.dominators.nearest_common_dominator(known, block));
        self.latest[value] = Some(both);
    }

    /// The latest block, or the one before the outermost loop around it that may be left.
    fn best(&self, placing: &Placement, id: NodeId) -> BlockId {
        let first = placing.schedule.block_of[id].expect("it has been placed");
        // What Start yields is there at the start.
        if let Op::Projection(_) = placing.graph.op(id) {
            return first;
        }
        let mut best = self.latest[id].expect("it is needed");
        let depth = |block| placing.dominators.depth(block);
        while let Some(head) = placing.schedule.blocks[best].loop_head
            && depth(head) > depth(first)
        {
            best = placing.dominators.immediate_dominator(head);
        }
        best
    }
}
