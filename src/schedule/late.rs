//! Late placement: moves every value from its first possible block to its best one.
//!
//! The best block is the last one that dominates all uses: the value is computed near its users,
//! and on few paths without them. It is the nearest common dominator of their blocks; a Phi uses a
//! value at the end of the predecessor. A value that is the same in every iteration is computed
//! before the loop, if its inputs are available there. Source: C. Click, "Global Code Motion /
//! Global Value Numbering", PLDI 1995.
use super::early::Placement;
use super::{BlockId, Schedule, is_fixed};
use crate::sea::NodeId;
use arena::SideTable;

/// Moves every value from its early block to its best one.
pub fn place(placement: &mut Placement) {
    let mut uses = Uses { latest: SideTable::new(placement.graph.len()) };
    for block in placement.schedule.blocks.ids() {
        let end = placement.schedule.blocks[block].end;
        uses.note_all(placement, end, block);
    }
    for &phi in &placement.phis {
        let values = placement.schedule.values(placement.graph, phi);
        for (value, &from) in values.zip(predecessors(&placement.schedule, phi)) {
            uses.note(placement, value, from);
        }
    }
    for at in (0..placement.order.len()).rev() {
        let id = placement.order[at];
        let best = uses.best(placement, id);
        placement.schedule.block_of[id] = Some(best);
        uses.note_all(placement, id, best);
    }
}

/// The predecessors from which a Phi takes its values, in the order of its inputs.
fn predecessors(schedule: &Schedule, phi: NodeId) -> &[BlockId] {
    let block = schedule.block_of[phi].expect("every node is placed");
    &schedule.predecessors[block]
}

struct Uses {
    /// For each value, the nearest common dominator of all uses found so far.
    latest: SideTable<NodeId, Option<BlockId>>,
}

impl Uses {
    /// `user`, in `block`, uses its inputs.
    fn note_all(&mut self, placement: &Placement, user: NodeId, block: BlockId) {
        let values = placement.schedule.values(placement.graph, user);
        values.for_each(|value| self.note(placement, value, block));
    }

    fn note(&mut self, placement: &Placement, value: NodeId, block: BlockId) {
        let known = self.latest[value];
        let common = known
            .map_or(block, |known| placement.dominators.nearest_common_dominator(known, block));
        self.latest[value] = Some(common);
    }

    /// The latest block, or the one before the outermost loop that the value can be hoisted out of.
    fn best(&self, placement: &Placement, id: NodeId) -> BlockId {
        let first = placement.schedule.block_of[id].expect("every node is placed");
        if is_fixed(placement.graph.op(id)) {
            return first;
        }
        let mut best = self.latest[id].expect("the value is used");
        let depth = |block| placement.dominators.depth(block);
        while let Some(header) = placement.schedule.blocks[best].loop_header
            && depth(header) > depth(first)
        {
            best = placement.dominators.immediate_dominator(header);
        }
        best
    }
}
