//! The distance from the borders of each block to the next use of each value.
//!
//! It is the minimum over all paths, in instructions, without back edges. An edge that leaves a
//! loop counts as very long, so values that the loop uses are nearer than all others. An argument
//! is as far as the next use of its parameter. (Braun & Hack, section 4.1.)
use crate::allocate::Position;
use crate::allocate::intervals::{Intervals, UseKind};
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::register::NAMES;
use crate::rules::target::RegisterClass;
use arena::{Id, SideTable};

/// The length of an edge that leaves a loop.
pub const LOOP_EXIT_DISTANCE: u32 = 100_000;

/// The distance of a use that does not exist, or is further away than `MAX_HOPS` blocks.
pub const FAR: u32 = u32::MAX;

/// A use is visible from so many blocks before it. Otherwise many values in many blocks would take
/// quadratic space.
const MAX_HOPS: u32 = 64;

#[derive(Clone, Copy)]
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
        let mut uses = NextUses::default();
        for block in code.blocks.ids().rev() {
            uses.exit[block] = uses.merge(code, intervals, block);
            let length = code.range(block).len() as u32;
            let passes = uses.exit[block]
                .iter()
                .map(|it| NextUse { distance: it.distance.saturating_add(length), ..*it });
            let all = exposed(code, block).chain(passes);
            // A value is not live before its definition; parameters are defined by the edges.
            let is_parameter = |value| intervals.of(value).writes().next().is_none();
            let is_live =
                |it: &NextUse| intervals[it.value].block != block || is_parameter(it.value);
            uses.entry[block] = nearest(all.filter(is_live));
        }
        uses
    }

    /// The minimum over all successors.
    fn merge(&self, code: &Code, intervals: &Intervals, block: BlockId) -> Vec<NextUse> {
        let mut all = Vec::<NextUse>::new();
        for next in code.successors(block).filter(|next| *next > block) {
            let left = intervals.flow.loops.entered(next, block).count() as u32;
            let length = left.saturating_mul(LOOP_EXIT_DISTANCE);
            let entry = &self.entry[next];
            let passed = |parameter| entry.binary_search_by_key(parameter, |it| it.value).ok();
            let pairs = code.blocks[next].parameters.iter().zip(&code.blocks[block].arguments);
            let passed = pairs.filter_map(|(to, &value)| Some((value, entry[passed(to)?])));
            let own = entry.iter().filter(|it| intervals[it.value].block != next);
            let used = own.map(|it| (it.value, *it)).chain(passed);
            all.extend(used.filter(|it| it.1.hops < MAX_HOPS).map(|(value, it)| NextUse {
                value,
                distance: it.distance.saturating_add(length),
                hops: it.hops + 1,
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
        let jump = intervals.flow.last(block);
        let is_read = |kind| matches!(kind, UseKind::Read | UseKind::Copied);
        let mut uses = intervals.of(value).uses_from(at).iter().take_while(|it| it.at < jump);
        if let Some(used) = uses.find(|it| is_read(it.kind)) {
            return (used.at - at) / 2;
        }
        let left = (intervals.flow.end(block) - at) / 2;
        let later = self.exit[block].binary_search_by_key(&value, |it| it.value);
        later.map_or(FAR, |found| self.exit[block][found].distance.saturating_add(left))
    }
}

/// The reads of a block.
fn exposed(code: &Code, block: BlockId) -> impl Iterator<Item = NextUse> {
    let range = code.range(block);
    let reads = range.clone().flat_map(move |at| {
        let distance = (at - range.start) as u32;
        code.instructions[at].reads().map(move |value| (value, distance))
    });
    let reads = reads.filter(|read| !read.0.is_real());
    reads.map(|(value, distance)| NextUse { value, distance, hops: 0 })
}

/// The nearest use of each value.
fn nearest(uses: impl Iterator<Item = NextUse>) -> Vec<NextUse> {
    let mut uses = uses.collect::<Vec<_>>();
    uses.sort_by_key(|it| (it.value, it.distance));
    uses.dedup_by_key(|it| it.value);
    uses
}

/// The numbers of registers that are occupied at once in a block, real ones included.
#[derive(Clone, Copy, Default)]
pub struct Pressure {
    pub at_start: u32,
    pub most: u32,
}

/// The pressures of each class, in the order of `RegisterClass::ALL`.
pub struct Pressures(Vec<SideTable<BlockId, Pressure>>);

impl Pressures {
    pub fn new(code: &Code, intervals: &Intervals) -> Pressures {
        let of = |class: &RegisterClass| pressures(code, intervals, *class);
        Pressures(RegisterClass::ALL.iter().map(of).collect())
    }

    pub fn of(&self, class: RegisterClass) -> &SideTable<BlockId, Pressure> {
        &self.0[class as usize]
    }
}

fn pressures(
    code: &Code,
    intervals: &Intervals,
    class: RegisterClass,
) -> SideTable<BlockId, Pressure> {
    let mut changes = vec![0_i32; 2 * code.instructions.len() + 3];
    let count = NAMES.len() + code.virtual_registers.len();
    let registers = (0..count).map(Register::from_index).filter(|it| *it != Register::ESP);
    let registers = registers.filter(|it| code.kind(*it).is_some_and(|it| it.class == class));
    for range in registers.flat_map(|it| intervals.of(it).ranges) {
        changes[range.start as usize] += 1;
        changes[range.end as usize] -= 1;
    }
    let mut live = 0;
    let mut pressures = SideTable::new(code.blocks.len());
    for block in code.blocks.ids() {
        let positions = intervals.flow.start(block)..intervals.flow.end(block);
        let mut counts = positions.map(|at| {
            live += changes[at as usize];
            live as u32
        });
        let at_start = counts.next().unwrap_or(0);
        pressures[block] = Pressure { at_start, most: counts.fold(at_start, u32::max) };
    }
    pressures
}
