//! The values that are in registers at the start of each block.
//!
//! At a join, values that all predecessors have in registers come first, then those with the
//! nearest next use. At the header of a loop, the values that the loop uses come first; values that
//! are only live through it get the registers that the loop leaves free. (Braun & Hack, section
//! 4.2.)
use crate::allocate::intervals::Intervals;
use crate::colour::next_use::{FAR, LOOP_EXIT_DISTANCE};
use crate::colour::spill::{Held, Spiller};
use crate::ia32::Register;
use crate::ia32::code::BlockId;
use crate::ia32::register::RegisterSet;

impl Spiller<'_> {
    /// Fills the registers for the start of a block.
    pub fn enter(&mut self, block: BlockId) {
        self.held.clear();
        if let Some(only) = self.only_predecessor(block) {
            self.held = self.exits[only].clone();
            return self.held.retain(|it| is_live_in(self.intervals, it.value, block));
        }
        let from = &self.predecessors[block];
        self.out.begin_group();
        let is_header = from.iter().any(|&from| from >= block);
        let chosen = if is_header { self.at_header(block) } else { self.at_join(block) };
        for value in chosen {
            let held = self.hold(value);
            self.out.blocks[block].parameters.push(held.name);
        }
        self.entries[block] = self.held.clone();
        let parameters = &self.code.blocks[block].parameters;
        for &value in parameters {
            match self.held.iter().find(|it| it.value == value) {
                Some(held) => self.definitions[value] = Some((block, 0, held.name)),
                None if self.intervals[value].uses.is_empty() => {}
                None => {
                    self.spilled.insert(value);
                }
            }
        }
    }

    /// The predecessor from which a block takes its registers; none for a join.
    pub fn only_predecessor(&self, block: BlockId) -> Option<BlockId> {
        let [only] = self.predecessors[block][..] else { return None };
        Some(only).filter(|only| *only < block)
    }

    /// The values for a join: those that are in registers most often, then those with the nearest
    /// next use.
    fn at_join(&self, block: BlockId) -> Vec<Register> {
        let from = &self.predecessors[block];
        let mut candidates = self.candidates(block, |value, at| {
            let held = |&&from: &&BlockId| {
                let exit = &self.exits[from];
                let argument = self.argument(from, block, value);
                exit.iter().any(|it| it.value == argument)
            };
            let count = from.iter().filter(held).count();
            let is_near = at < LOOP_EXIT_DISTANCE;
            let all = count == from.len();
            (all || count > 0 && is_near).then_some((!all, at))
        });
        candidates.truncate(self.registers().iter().count());
        candidates
    }

    /// The values for the header of a loop.
    fn at_header(&self, block: BlockId) -> Vec<Register> {
        let count = self.registers().iter().count();
        let mut used = self.candidates(block, |_, at| (at < LOOP_EXIT_DISTANCE).then_some(at));
        let through = self.candidates(block, |value, at| {
            let entered = self.predecessors[block].iter().filter(|&&from| from < block);
            let mut exits = entered.map(|&from| &self.exits[from]);
            let is_held = exits.all(|exit| exit.iter().any(|it| it.value == value));
            ((LOOP_EXIT_DISTANCE..FAR).contains(&at) && is_held).then_some(at)
        });
        let last = self.predecessors[block].iter().max().copied().unwrap_or(block);
        let blocks = self.code.blocks.ids().skip_while(|it| *it < block);
        let pressures = blocks.take_while(|it| *it <= last).map(|it| self.pressures[it] as usize);
        let needed = pressures.max().unwrap_or(0).saturating_sub(through.len());
        let free = count.saturating_sub(needed.max(used.len()));
        used.truncate(count);
        used.extend(through.into_iter().take(free));
        used
    }

    /// The values that are live at the start of a block and have a rank, in its order; the second
    /// argument of `rank` is the distance of the next use.
    fn candidates<K: Ord>(
        &self,
        block: BlockId,
        rank: impl Fn(Register, u32) -> Option<K>,
    ) -> Vec<Register> {
        let uses = &self.next.entry[block];
        let ranked = uses.iter().filter_map(|it| Some((rank(it.value, it.distance)?, it.value)));
        let mut ranked = ranked.collect::<Vec<_>>();
        ranked.sort();
        ranked.into_iter().map(|(_, value)| value).collect()
    }

    /// The value that a predecessor passes for a parameter; any other value is its own.
    pub fn argument(&self, from: BlockId, block: BlockId, value: Register) -> Register {
        let mut parameters = self.code.blocks[block].parameters.iter();
        let at = parameters.position(|&it| it == value);
        at.map_or(value, |at| self.code.blocks[from].arguments[at])
    }

    /// Adds a value with a new live range.
    pub fn hold(&mut self, value: Register) -> Held {
        let name = self.out.new_range(RegisterSet::allocatable(self.intervals[value].kind.class));
        let held = Held { value, name, is_stored: false };
        self.held.push(held);
        held
    }
}

/// Whether a value is live at the start of a block. A long interval may have fewer holes than
/// possible, but a value is not live where its definition does not dominate.
pub fn is_live_in(intervals: &Intervals, value: Register, block: BlockId) -> bool {
    let start = intervals.flow.start(block);
    intervals.flow.dominators.dominates(intervals[value].block, block)
        && intervals[value].covers(start)
}
