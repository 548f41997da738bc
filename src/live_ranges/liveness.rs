//! Liveness across blocks: a value that a block reads and does not write is live on all paths back
//! to its definition.
//!
//! Each value is followed from its uses to their predecessors, one value at a time (B. Boissinot et
//! al., Computing Liveness Sets for SSA-Form Programs, 2011). No set per block is stored.
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use crate::ia32::register::NAMES;
use crate::live_ranges::Position;
use crate::live_ranges::control_flow::ControlFlow;
use crate::live_ranges::intervals::{BackwardScan, Intervals, LiveRange, NEVER, Use, UseKind};
use arena::{Id, ListTable, SideTable};
use std::borrow::Cow;

/// A value that is live in more blocks than this counts as live in all blocks from the first to the
/// last. Otherwise many values in many blocks would take quadratic time.
pub const MAX_BLOCKS: usize = 100;

impl BackwardScan {
    /// The jump at the end of a block reads the arguments of its successor.
    pub fn arguments(&mut self, code: &Code, at: Position, begin: Position) {
        let block = self.blocks.pop().expect("a range for each block");
        for &argument in &code.blocks[block].arguments {
            self.read(argument, Use { at, kind: UseKind::Copied }, begin);
        }
    }
}

/// Extends the intervals within blocks to all blocks in which the values are live.
pub fn extend(code: &Code, mut intervals: Intervals) -> Intervals {
    let count = NAMES.len() + code.virtual_registers.len();
    for value in (NAMES.len()..count).map(Register::from_index) {
        let written = intervals.of(value).writes().next();
        intervals[value].block = written.map_or(BlockId::ENTRY, |at| intervals.flow.block(at));
    }
    let mut parameters = SideTable::<Register, bool>::new(count);
    for block in code.blocks.ids() {
        for &parameter in &code.blocks[block].parameters {
            intervals[parameter].block = block;
            parameters[parameter] = true;
        }
    }
    let flow = &intervals.flow;
    let mut search = Search {
        flow,
        value: 0,
        own: BlockId::ENTRY,
        live_in: SideTable::new(code.blocks.len()),
        live_out: SideTable::new(code.blocks.len()),
        pending: Vec::new(),
        exited: Vec::new(),
        ranges: Vec::new(),
    };
    let [range_count, use_count] = intervals.sizes();
    let mut all_ranges = ListTable::with_capacity(count, 2 * range_count);
    let mut all_uses = ListTable::with_capacity(count, use_count + use_count / 8);
    for value in (0..count).map(Register::from_index) {
        let interval = intervals.of(value);
        let (ranges, uses) = (interval.ranges(), interval.uses());
        let block = intervals[value].block;
        let is_in_one_block = ranges.len() == 1 && flow.block(ranges[0].start) == block;
        if value.is_real() || is_in_one_block {
            all_ranges.push(ranges.iter().copied());
            all_uses.push(uses.iter().copied());
            continue;
        }
        search.value = value.index();
        search.ranges.clear();
        let start = flow.start(block);
        if parameters[value] && ranges.first().is_some_and(|first| start < first.start) {
            search.ranges.push(LiveRange { start, end: start });
        }
        search.ranges.extend_from_slice(ranges);
        search.own = block;
        search.extend();
        all_ranges.push(search.ranges.iter().copied());
        #[cfg(feature = "ch07")]
        let uses = &with_next_iterations(uses, block, flow)[..];
        all_uses.push(uses.iter().copied());
    }
    all_ranges.shrink_to_fit();
    all_uses.shrink_to_fit();
    intervals.with(all_ranges, all_uses)
}

struct Search<'f> {
    flow: &'f ControlFlow,
    /// The number of the current value, and for each block the number of the last value that was
    /// found to be live at its start or at its end.
    value: usize,
    live_in: SideTable<BlockId, usize>,
    live_out: SideTable<BlockId, usize>,
    /// Of the current value: the blocks whose predecessors have not been visited, and the blocks at
    /// whose end it is live.
    pending: Vec<BlockId>,
    exited: Vec<BlockId>,
    /// The block of its definition, and its ranges.
    own: BlockId,
    ranges: Vec<LiveRange>,
}

impl Search<'_> {
    /// Extends the ranges of the current value.
    fn extend(&mut self) {
        let own = self.own;
        let use_blocks = self.ranges.iter().map(|range| self.flow.block(range.start));
        self.pending.clear();
        self.pending.extend(use_blocks.filter(|&it| it != own));
        if self.pending.is_empty() {
            return;
        }
        self.pending.iter().for_each(|&block| self.live_in[block] = self.value);
        self.exited.clear();
        while let Some(block) = self.pending.pop() {
            for &from in &self.flow.predecessors[block] {
                if std::mem::replace(&mut self.live_out[from], self.value) != self.value {
                    self.exited.push(from);
                    let is_live_in = from != own;
                    if is_live_in
                        && std::mem::replace(&mut self.live_in[from], self.value) != self.value
                    {
                        self.pending.push(from);
                    }
                }
            }
            if self.exited.len() > MAX_BLOCKS {
                return self.extend_to_all();
            }
        }
        let (flow, first) = (self.flow, self.ranges[0].start);
        let whole = |&block: &BlockId| {
            let start = if block == own { first } else { flow.start(block) };
            LiveRange { start, end: flow.end(block) }
        };
        self.ranges.extend(self.exited.iter().map(whole));
        join(&mut self.ranges);
    }

    /// One range from the definition to the last use, or to the end of the loops around that use.
    fn extend_to_all(&mut self) {
        let end = |range: &LiveRange| {
            let end = range.end;
            #[cfg(feature = "ch07")]
            let end = {
                let block = self.flow.block(range.start);
                let loops = self.flow.loops.entered(self.own, block);
                loops.last().map_or(end, |outermost| self.flow.end(outermost.last))
            };
            end
        };
        let end = self.ranges.iter().map(end).max().unwrap_or_default();
        self.ranges.truncate(1);
        self.ranges[0].end = end;
    }
}

/// Adds a use at the end of each loop whose next iteration reads a value from outside.
#[cfg(feature = "ch07")]
fn with_next_iterations<'u>(uses: &'u [Use], own: BlockId, flow: &ControlFlow) -> Cow<'u, [Use]> {
    let mut all = Cow::Borrowed(uses);
    let mut later = NEVER;
    for used in uses.iter().rev() {
        for entered in flow.loops.entered(own, flow.block(used.at)) {
            let end = flow.end(entered.last) - 1;
            if end >= later {
                break;
            }
            all.to_mut().push(Use { at: end, kind: UseKind::NextIteration });
        }
        later = used.at;
    }
    if let Cow::Owned(all) = &mut all {
        all.sort_by_key(|used| used.at);
    }
    all
}

/// Sorts ranges, and joins those without a hole between them.
fn join(ranges: &mut Vec<LiveRange>) {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let joined = next.start <= range.end;
        if joined {
            range.end = range.end.max(next.end);
        }
        joined
    });
}
