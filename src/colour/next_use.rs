//! The distance from the borders of each block to the next use of each value.
//!
//! It is the minimum over all paths, in instructions. An edge that leaves a loop counts as very
//! long, so values that the loop uses are nearer than all others. (Braun & Hack, section 4.1.)
use crate::allocate::Position;
use crate::allocate::intervals::{Intervals, UseKind};
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use arena::SideTable;

/// The length of an edge that leaves a loop.
pub const LOOP_EXIT_DISTANCE: u32 = 100_000;

/// The distance of a use that does not exist, or is further away than `MAX_HOPS` blocks.
pub const FAR: u32 = u32::MAX;

/// A use is visible from so many blocks before it. Otherwise many values in many blocks would take
/// quadratic space.
const MAX_HOPS: u32 = 64;

/// The data-flow analysis visits all blocks at most so often.
const MAX_ROUNDS: usize = 16;

#[derive(Clone, Copy, PartialEq)]
pub struct NextUse {
    pub value: Register,
    pub distance: u32,
    hops: u32,
}

/// The next uses, by ascending value.
#[derive(Default)]
pub struct NextUses {
    pub entry: SideTable<BlockId, Vec<NextUse>>,
    exit: SideTable<BlockId, Vec<NextUse>>,
}

impl NextUses {
    pub fn new(code: &Code, intervals: &Intervals) -> NextUses {
        let own = code.blocks.ids().map(|block| exposed(code, intervals, block));
        let own = SideTable::of(own.collect());
        let mut uses = NextUses::default();
        for _ in 0..MAX_ROUNDS {
            let mut changed = false;
            for block in code.blocks.ids().rev() {
                let exit = uses.merge(code, intervals, block);
                let length = code.range(block).len() as u32;
                let keeps = |it: &NextUse| is_before(code, intervals, block, it.value);
                let passes = exit.iter().copied().filter(keeps);
                let distance = |it: NextUse| it.distance.saturating_add(length);
                let passes = passes.map(|it| NextUse { distance: distance(it), ..it });
                let entry = nearest(own[block].iter().copied().chain(passes));
                changed |= uses.entry[block] != entry;
                (uses.entry[block], uses.exit[block]) = (entry, exit);
            }
            if !changed {
                break;
            }
        }
        uses
    }

    /// The minimum over all successors.
    fn merge(&self, code: &Code, intervals: &Intervals, block: BlockId) -> Vec<NextUse> {
        let mut all = Vec::<NextUse>::new();
        for next in code.successors(block) {
            let exited = intervals.flow.loops.entered(next, block).count() as u32;
            let length = exited.saturating_mul(LOOP_EXIT_DISTANCE);
            let is_own = |used: &&NextUse| intervals[used.value].block != next;
            let visible = self.entry[next].iter().filter(is_own).filter(|it| it.hops < MAX_HOPS);
            all.extend(visible.map(|it| NextUse {
                distance: it.distance.saturating_add(length),
                hops: it.hops + 1,
                ..*it
            }));
        }
        nearest(all.into_iter())
    }

    /// The distance from a position inside a block to the next use.
    pub fn distance(
        &self,
        intervals: &Intervals,
        block: BlockId,
        at: Position,
        value: Register,
    ) -> u32 {
        let end = intervals.flow.end(block);
        let is_read = |kind| matches!(kind, UseKind::Read | UseKind::Copied);
        let mut uses = intervals[value].uses_from(at).iter().take_while(|it| it.at < end);
        if let Some(used) = uses.find(|it| is_read(it.kind)) {
            return (used.at - at) / 2;
        }
        let later = self.exit[block].binary_search_by_key(&value, |it| it.value);
        later.map_or(FAR, |found| self.exit[block][found].distance.saturating_add((end - at) / 2))
    }
}

/// The values that a block reads before it writes them; parameters are among them.
fn exposed(code: &Code, intervals: &Intervals, block: BlockId) -> Vec<NextUse> {
    let mut uses = Vec::new();
    let range = code.range(block);
    let first = range.start;
    for at in range.clone() {
        let reads = code.instructions[at].reads().filter(|it| !it.is_real());
        uses.extend(reads.map(|value| (value, (at - first) as u32)));
    }
    let passed = code.blocks[block].arguments.iter();
    uses.extend(passed.map(|&value| (value, range.len() as u32 - 1)));
    uses.retain(|&(value, _)| is_before(code, intervals, block, value));
    nearest(uses.into_iter().map(|(value, distance)| NextUse { value, distance, hops: 0 }))
}

/// Whether a value is defined before a block, or is its parameter.
fn is_before(code: &Code, intervals: &Intervals, block: BlockId, value: Register) -> bool {
    intervals[value].block != block || code.blocks[block].parameters.contains(&value)
}

/// The nearest use of each value.
fn nearest(uses: impl Iterator<Item = NextUse>) -> Vec<NextUse> {
    let mut uses = uses.collect::<Vec<_>>();
    uses.sort_by_key(|it| (it.value, it.distance));
    uses.dedup_by_key(|it| it.value);
    uses
}

/// The largest number of values that are live at once in each block.
pub fn pressures(code: &Code, intervals: &Intervals) -> SideTable<BlockId, u32> {
    let mut changes = vec![0_i32; 2 * code.instructions.len() + 3];
    for value in (0..code.register_count()).map(Register::new_virtual) {
        for range in &intervals[value].ranges {
            changes[range.start as usize] += 1;
            changes[range.end as usize] -= 1;
        }
    }
    let mut live = 0;
    let mut pressures = SideTable::new(code.blocks.len());
    for block in code.blocks.ids() {
        let positions = intervals.flow.start(block)..intervals.flow.end(block);
        let counts = positions.map(|at| {
            live += changes[at as usize];
            live
        });
        pressures[block] = counts.max().unwrap_or(0) as u32;
    }
    pressures
}
