//! The distance from the borders of each block to the next use of each value.
//!
//! It is the minimum over all paths, in instructions, without back edges. An edge that leaves a
//! loop counts as very long, so values that the loop uses are nearer than all others. An argument
//! is as far as the next use of its parameter. (Braun & Hack, section 4.1.)
use crate::colour::split_code::Part;
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::register::NAMES;
use crate::live_ranges::Position;
use crate::live_ranges::intervals::{Intervals, UseKind};
use crate::target::RegisterClass;
use arena::{Id, ListTable, SideTable};

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

/// The next uses from the start of each block.
#[derive(Default)]
pub struct NextUses {
    all: Vec<NextUse>,
    parts: SideTable<BlockId, Part>,
    /// The number of the next use of each value that was added last.
    last: SideTable<Register, u32>,
    /// The block that was entered last, the next uses from its end, and the distance of the nearest
    /// one of each value.
    entered: Option<BlockId>,
    after: Vec<NextUse>,
    distances: SideTable<Register, u32>,
}

impl NextUses {
    pub fn new(code: &Code, intervals: &Intervals) -> NextUses {
        let count = NAMES.len() + code.virtual_registers.len();
        let mut uses = NextUses {
            parts: SideTable::new(code.blocks.len()),
            all: Vec::with_capacity(code.instructions.len()),
            last: SideTable::new(count),
            distances: SideTable::of(vec![FAR; count]),
            ..NextUses::default()
        };
        let first_uses = first_uses(code, intervals);
        let mut after = Vec::new();
        for block in code.blocks.ids().rev() {
            let (first, range) = (uses.all.len(), code.range(block));
            first_uses[block].iter().for_each(|&it| uses.add(first, it));
            uses.find_after(code, intervals, block, &mut after);
            // A value is not live before its definition; parameters are defined by the edges.
            let is_live = |value: Register| {
                intervals[value].block != block || intervals.of(value).writes().next().is_none()
            };
            for it in after.iter().filter(|it| is_live(it.value)) {
                let distance = it.distance.saturating_add(range.len() as u32);
                uses.add(first, NextUse { distance, ..*it });
            }
            uses.parts[block] = Part::since(first, &uses.all);
        }
        uses
    }

    /// Adds a use to those from `first` on, which have the nearest one of each value.
    fn add(&mut self, first: usize, used: NextUse) {
        let last = &mut self.last[used.value];
        match self.all[first..].get_mut((*last as usize).wrapping_sub(first)) {
            Some(known) if known.value == used.value => {
                if used.distance < known.distance {
                    *known = used;
                }
            }
            _ => {
                *last = self.all.len() as u32;
                self.all.push(used);
            }
        }
    }

    /// The next uses from the start of a block.
    pub fn at_start(&self, block: BlockId) -> &[NextUse] {
        &self.all[self.parts[block].range()]
    }

    /// The next use of a parameter from the start of its block. No block before it uses it.
    fn of_parameter(&self, block: BlockId, parameter: Register) -> Option<NextUse> {
        let last = self.last[parameter] as usize;
        let found = self.parts[block].range().contains(&last).then(|| self.all[last]);
        found.filter(|it| it.value == parameter)
    }

    /// Finds the next uses from the end of a block, for each successor.
    fn find_after(
        &self,
        code: &Code,
        intervals: &Intervals,
        block: BlockId,
        after: &mut Vec<NextUse>,
    ) {
        after.clear();
        let successors = intervals.flow.successors[block].iter().copied();
        for next in successors.filter(|next| *next > block) {
            let left = intervals.flow.loops.entered(next, block).count() as u32;
            let length = left.saturating_mul(LOOP_EXIT_DISTANCE);
            let own = self.at_start(next).iter().copied();
            let own = own.filter(|it| intervals[it.value].block != next);
            let pairs = code.blocks[next].parameters.iter().zip(&code.blocks[block].arguments);
            let passed = pairs.filter_map(|(&to, &value)| {
                Some(NextUse { value, ..self.of_parameter(next, to)? })
            });
            own.chain(passed).filter(|it| it.hops < MAX_HOPS).for_each(|it| {
                let distance = it.distance.saturating_add(length);
                after.push(NextUse { distance, hops: it.hops + 1, ..it });
            });
        }
    }

    /// Prepares for questions about a block. Most blocks raise none.
    pub fn enter(&mut self, code: &Code, intervals: &Intervals, block: BlockId) {
        if self.entered.replace(block) == Some(block) {
            return;
        }
        let mut after = std::mem::take(&mut self.after);
        after.iter().for_each(|it| self.distances[it.value] = FAR);
        self.find_after(code, intervals, block, &mut after);
        for it in &after {
            let distance = &mut self.distances[it.value];
            *distance = it.distance.min(*distance);
        }
        self.after = after;
    }

    /// The distance from a position inside the current block to the next use.
    pub fn distance(
        &self,
        intervals: &Intervals,
        block: BlockId,
        at: Position,
        value: Register,
    ) -> u32 {
        let jump = intervals.flow.last(block);
        let mut uses = intervals.of(value).uses_from(at).iter().take_while(|it| it.at < jump);
        if let Some(used) = uses.find(|it| is_read(it.kind)) {
            return (used.at - at) / 2;
        }
        self.distances[value].saturating_add((intervals.flow.end(block) - at) / 2)
    }
}

/// The first use of each value in each block at whose start it is live.
fn first_uses(code: &Code, intervals: &Intervals) -> ListTable<BlockId, NextUse> {
    let flow = &intervals.flow;
    let mut first_uses = Vec::with_capacity(code.instructions.len());
    for value in (0..code.register_count()).map(Register::new_virtual) {
        let uses = intervals.of(value).uses();
        let is_defined = uses.iter().any(|it| it.kind == UseKind::Write);
        let mut last = Some(intervals[value].block).filter(|_| is_defined);
        for used in uses.iter().filter(|it| is_read(it.kind)) {
            let block = flow.block(used.at);
            // A jump reads arguments, which are as far as the next uses of their parameters.
            if last != Some(block) && used.at < flow.last(block) {
                let distance = (used.at - flow.start(block)) / 2;
                first_uses.push((block, NextUse { value, distance, hops: 0 }));
                last = Some(block);
            }
        }
    }
    ListTable::group(code.blocks.len(), first_uses.iter().copied())
}

fn is_read(kind: UseKind) -> bool {
    matches!(kind, UseKind::Read | UseKind::Copied)
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
    let count = NAMES.len() + code.virtual_registers.len();
    let registers = (0..count).map(Register::from_index).filter(|it| *it != Register::ESP);
    let registers = registers.filter(|it| code.kind(*it).is_some_and(|it| it.class == class));
    let mut ranges = registers.flat_map(|it| intervals.of(it).ranges()).peekable();
    if ranges.peek().is_none() {
        return SideTable::new(0);
    }
    let mut changes = vec![0_i32; 2 * code.instructions.len() + 3];
    for range in ranges {
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
