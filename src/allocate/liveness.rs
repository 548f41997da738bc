//! Liveness across blocks: a value that a block reads and does not write is live on all paths back
//! to its definition.
//!
//! Each value is followed from its uses to their predecessors, one value at a time (B. Boissinot et
//! al., Computing Liveness Sets for SSA-Form Programs, 2011). No set per block is stored.
use crate::allocate::Position;
use crate::allocate::control_flow::ControlFlow;
use crate::allocate::intervals::{BackwardScan, Interval, Intervals, NEVER, Use, UseKind};
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use arena::{Id, SideTable};
use std::ops::Range;

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
pub fn extend(code: &Code, intervals: Intervals) -> Intervals {
    let Intervals { mut of, flow } = intervals;
    let values = (0..code.register_count()).map(Register::new_virtual);
    for value in values.clone() {
        let written = of[value].writes().next();
        of[value].block = written.map_or(BlockId::ENTRY, |at| flow.block(at));
    }
    for block in code.blocks.ids() {
        for &parameter in &code.blocks[block].parameters {
            let (interval, start) = (&mut of[parameter], flow.start(block));
            interval.block = block;
            if (start + 1..NEVER).contains(&interval.start()) {
                interval.ranges.insert(0, start..start);
            }
        }
    }
    let count = code.blocks.len();
    let mut search = Search {
        flow: &flow,
        value: 0,
        live_in: SideTable::new(count),
        live_out: SideTable::new(count),
        pending: Vec::new(),
        exited: Vec::new(),
    };
    for value in values {
        search.value = value.index();
        search.extend(&mut of[value]);
        #[cfg(feature = "ch07")]
        add_next_iterations(&mut of[value], &flow);
    }
    Intervals { of, flow }
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
}

impl Search<'_> {
    fn extend(&mut self, interval: &mut Interval) {
        let use_blocks = interval.ranges.iter().map(|range| self.flow.block(range.start));
        self.pending.clear();
        self.pending.extend(use_blocks.filter(|&it| it != interval.block));
        if self.pending.is_empty() {
            return;
        }
        self.pending.iter().for_each(|&block| self.live_in[block] = self.value);
        self.exited.clear();
        while let Some(block) = self.pending.pop() {
            for &from in &self.flow.predecessors[block] {
                if std::mem::replace(&mut self.live_out[from], self.value) != self.value {
                    self.exited.push(from);
                    let is_live_in = from != interval.block;
                    if is_live_in
                        && std::mem::replace(&mut self.live_in[from], self.value) != self.value
                    {
                        self.pending.push(from);
                    }
                }
            }
            if self.exited.len() > MAX_BLOCKS {
                return self.extend_to_all(interval);
            }
        }
        let (flow, start, own) = (self.flow, interval.start(), interval.block);
        let whole = |&block: &BlockId| {
            let start = if block == own { start } else { flow.start(block) };
            start..flow.end(block)
        };
        interval.ranges.extend(self.exited.iter().map(whole));
        join(&mut interval.ranges);
    }

    /// One range from the definition to the last use, or to the end of the loops around that use.
    fn extend_to_all(&self, interval: &mut Interval) {
        let end = |range: &Range<Position>| {
            let end = range.end;
            #[cfg(feature = "ch07")]
            let end = {
                let block = self.flow.block(range.start);
                let loops = self.flow.loops.entered(interval.block, block);
                loops.last().map_or(end, |outermost| self.flow.end(outermost.last))
            };
            end
        };
        let end = interval.ranges.iter().map(end).max().unwrap_or_default();
        let whole = interval.start()..end;
        interval.ranges = vec![whole];
    }
}

/// Adds a use at the end of each loop whose next iteration reads a value from outside.
#[cfg(feature = "ch07")]
fn add_next_iterations(interval: &mut Interval, flow: &ControlFlow) {
    let mut ends = Vec::new();
    let mut later = NEVER;
    for used in interval.uses.iter().rev() {
        for entered in flow.loops.entered(interval.block, flow.block(used.at)) {
            let end = flow.end(entered.last) - 1;
            if end >= later {
                break;
            }
            ends.push(Use { at: end, kind: UseKind::NextIteration });
        }
        later = used.at;
    }
    if !ends.is_empty() {
        interval.uses.extend(ends);
        interval.uses.sort_by_key(|used| used.at);
    }
}

/// Sorts ranges, and joins those without a hole between them.
fn join(ranges: &mut Vec<Range<Position>>) {
    ranges.sort_unstable_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let joined = next.start <= range.end;
        if joined {
            range.end = range.end.max(next.end);
        }
        joined
    });
}
