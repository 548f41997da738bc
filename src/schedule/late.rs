//! Late and best placement: moves every value from its first possible block to a later one.
//!
//! The last possible block is the nearest common dominator of all uses: there the value is computed
//! near its users, and on few paths without them. A Phi uses a value at the end of the predecessor;
//! a load is placed before its memory is overwritten. The blocks from the first to the last one are
//! a path of the dominator tree. The best of them is the last one that is in as few loops as
//! possible. Source: C. Click, "Global Code Motion / Global Value Numbering", PLDI 1995.
use super::anti_dependence::AntiDependences;
use super::early::Placement;
use super::{BlockId, Schedule};
use crate::sea::{NodeId, Op};
use arena::SideTable;

/// Chooses a block on the path from the first to the last one in the dominator tree.
pub type Choice = fn(&Placement, BlockId, BlockId) -> BlockId;

/// Moves every value from its first block to the chosen one.
pub fn place(mut placement: Placement, choose: Choice) -> Placement {
    let mut uses = Uses { latest: SideTable::new(placement.graph.len()) };
    let mut anti_dependences = AntiDependences::new(&placement);
    for block in placement.schedule.blocks.ids() {
        let end = placement.schedule.blocks[block].end;
        uses.note_all(&placement, end, block);
    }
    for &phi in &placement.phis {
        let values = placement.schedule.values(placement.graph, phi);
        for (value, &from) in values.zip(predecessors(&placement.schedule, phi)) {
            uses.note(&placement, value, from);
        }
    }
    for at in (0..placement.order.len()).rev() {
        let id = placement.order[at];
        let first = placement.schedule.block_of[id].expect("every node is placed");
        let last = match placement.graph.op(id) {
            op if op.is_pinned() || op.is_given() => first,
            Op::Load(_) => anti_dependences.last_block(&placement, id, first, uses.latest(id)),
            _ => uses.latest(id),
        };
        let block = choose(&placement, first, last);
        placement.schedule.block_of[id] = Some(block);
        uses.note_all(&placement, id, block);
    }
    placement
}

/// The predecessors from which a Phi takes its values, in the order of its inputs.
fn predecessors(schedule: &Schedule, phi: NodeId) -> &[BlockId] {
    let block = schedule.block_of[phi].expect("every node is placed");
    &schedule.predecessors[block]
}

/// The last possible block, or the one before the outermost loop that the value can be hoisted
/// out of.
pub fn best(placement: &Placement, first: BlockId, last: BlockId) -> BlockId {
    let depth = |block| placement.dominators.depth(block);
    let mut best = last;
    while let Some(header) = placement.schedule.blocks[best].loop_header
        && depth(header) > depth(first)
    {
        best = placement.dominators.immediate_dominator(header);
    }
    best
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

    fn latest(&self, value: NodeId) -> BlockId {
        self.latest[value].expect("the value is used")
    }
}
