//! Liveness across blocks: a value that a block reads and does not write is live in all blocks
//! from there back to the one that writes it.
//!
//! One value at a time is followed from its readers to their predecessors (B. Boissinot et al.,
//! Computing Liveness Sets for SSA-Form Programs, 2011). No set is kept for each block.
use crate::allocate::Position;
use crate::allocate::control_flow::ControlFlow;
use crate::allocate::intervals::{BackwardScan, Interval, Intervals, NEVER, Use, UseKind};
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Code};
use arena::{Id, SideTable};
use std::ops::Range;

/// A value that is live in more blocks than this counts as live in all blocks from the first to
/// the last: else many values in many blocks would take quadratic time.
pub const MOST_BLOCKS: usize = 100;

impl BackwardScan {
    /// The jump at the end of a block reads the arguments of the block behind it.
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
    let values = (0..code.virtuals).map(Register::new_virtual);
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
    };
    for value in values {
        search.value = value.index();
        search.extend(&mut of[value]);
        #[cfg(feature = "ch07")]
        add_next_rounds(&mut of[value], &flow);
    }
    Intervals { of, flow }
}

struct Search<'f> {
    flow: &'f ControlFlow,
    /// The number of the value at hand, and for each block that of the last value that was found
    /// to be live at its begin or at its end.
    value: usize,
    live_in: SideTable<BlockId, usize>,
    live_out: SideTable<BlockId, usize>,
}

impl Search<'_> {
    fn extend(&mut self, interval: &mut Interval) {
        let readers = interval.ranges.iter().map(|range| self.flow.block(range.start));
        let mut pending = readers.filter(|&it| it != interval.block).collect::<Vec<_>>();
        if pending.is_empty() {
            return;
        }
        pending.iter().for_each(|&block| self.live_in[block] = self.value);
        let mut left = Vec::new();
        while let Some(block) = pending.pop() {
            for &from in &self.flow.predecessors[block] {
                if std::mem::replace(&mut self.live_out[from], self.value) != self.value {
                    left.push(from);
                    let comes_in = from != interval.block;
                    if comes_in
                        && std::mem::replace(&mut self.live_in[from], self.value) != self.value
                    {
                        pending.push(from);
                    }
                }
            }
            if left.len() > MOST_BLOCKS {
                return self.extend_to_all(interval);
            }
        }
        let whole = |&block: &BlockId| {
            let comes_in = block != interval.block;
            let start = if comes_in { self.flow.start(block) } else { interval.start() };
            start..self.flow.end(block)
        };
        let whole = left.iter().map(whole).collect::<Vec<_>>();
        interval.ranges.extend(whole);
        join(&mut interval.ranges);
    }

    /// One range from the definition to the last reader, or to the end of the loops around it.
    fn extend_to_all(&self, interval: &mut Interval) {
        let end = |range: &Range<Position>| {
            let end = range.end;
            #[cfg(feature = "ch07")]
            let end = {
                let block = self.flow.block(range.start);
                let around = self.flow.loops.between(interval.block, block);
                around.last().map_or(end, |outermost| self.flow.end(outermost.last))
            };
            end
        };
        let end = interval.ranges.iter().map(end).max().unwrap_or_default();
        let whole = interval.start()..end;
        interval.ranges = vec![whole];
    }
}

/// Adds a use at the end of each loop whose next round reads a value that came from outside.
#[cfg(feature = "ch07")]
fn add_next_rounds(interval: &mut Interval, flow: &ControlFlow) {
    let mut ends = Vec::new();
    let mut later = NEVER;
    for used in interval.uses.iter().rev() {
        for around in flow.loops.between(interval.block, flow.block(used.at)) {
            let end = flow.end(around.last) - 1;
            if end >= later {
                break;
            }
            ends.push(Use { at: end, kind: UseKind::NextRound });
        }
        later = used.at;
    }
    if !ends.is_empty() {
        interval.uses.extend(ends);
        interval.uses.sort_by_key(|used| used.at);
    }
}

/// Puts ranges in order, and joins those without a hole between them.
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
