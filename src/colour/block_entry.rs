//! The values that are in registers at the start of each block.
//!
//! At a join, values that all predecessors have in registers come first, then those with the
//! nearest next use. At the header of a loop, the values that the loop uses most often come first,
//! and no more of them than stay in their registers where the pressure in the loop is highest.
//! (Braun & Hack, section 4.2.)
use crate::colour::memory_operand::value_in_memory;
use crate::colour::next_use::{FAR, LOOP_EXIT_DISTANCE};
use crate::colour::read_modify_write::updates;
use crate::colour::single_assignment::updated;
use crate::colour::spiller::{Held, Spiller};
use crate::colour::split_code::Part;
use crate::ia32::Register;
use crate::ia32::code::BlockId;
use crate::live_ranges::intervals::{Use, UseKind};
use crate::target::RegisterClass;
use arena::Id;
use std::cmp::Reverse;

/// An operand in memory costs a fraction of a load: 1 divided by this number.
const FOLDED: u64 = 4;

/// The same for a value that is updated in memory and read there.
const COMPARED: u64 = 2;

/// A web of more values is not followed to its end, so that it takes constant time.
const LONGEST_WEB: usize = 8;

impl Spiller<'_> {
    /// Fills the registers for the start of a block.
    pub fn enter(&mut self, block: BlockId) {
        self.block = block;
        self.held.clear();
        self.end_loops();
        if let Some(only) = self.only_predecessor(block) {
            self.restore(self.exits[only]);
            // Their definitions dominate the predecessor, so also this block.
            let (intervals, start) = (self.intervals, self.intervals.flow.start(block));
            return self.held.retain(|it| intervals.of(it.value).covers(start));
        }
        self.out.begin_group();
        let is_header = self.predecessors[block].iter().any(|&from| from >= block);
        let chosen = if is_header { self.at_header(block) } else { self.at_join(block) };
        let first = self.out.ranges.len();
        for value in chosen {
            let is_stored = self.is_stored_before(block, value);
            self.hold(value, self.intervals.flow.start(block)).is_stored = is_stored;
        }
        self.out.blocks[block].parameters = Part::since(first, &self.out.ranges);
        self.entries[block] = self.save();
        self.begin_loop();
        for &value in &self.code.blocks[block].parameters {
            if self.is_held(value) {
                self.note_definition(value);
            } else if !self.intervals.of(value).uses().is_empty() {
                self.spilled[value] = true;
            }
        }
    }

    /// The predecessor from which a block takes its registers; none for a join.
    pub fn only_predecessor(&self, block: BlockId) -> Option<BlockId> {
        let [only] = self.predecessors[block][..] else { return None };
        Some(only).filter(|only| *only < block)
    }

    /// The predecessors before a block.
    fn forward(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        self.predecessors[block].iter().copied().filter(move |from| *from < block)
    }

    /// The values in registers at the end of a block.
    fn held_after(&self, block: BlockId) -> &[Held] {
        &self.saved[self.exits[block].range()]
    }

    /// Whether a predecessor ends with a value in a register, or with the argument for it.
    fn is_held_after(&self, from: BlockId, block: BlockId, value: Register) -> bool {
        let argument = self.argument(from, block, value);
        self.held_after(from).iter().any(|it| it.value == argument)
    }

    /// Whether a value is stored on all paths to a block.
    fn is_stored_before(&self, block: BlockId, value: Register) -> bool {
        let is_parameter = self.intervals[value].block == block;
        let held = |from: BlockId| self.held_after(from).iter().find(|it| it.value == value);
        let mut stored = self.forward(block).map(|from| held(from).is_none_or(|it| it.is_stored));
        !is_parameter && self.computed[value].is_none() && stored.all(|it| it)
    }

    /// The values for a join: those that are in registers most often, then those with the nearest
    /// next use. A parameter without a near use stays in memory if an argument is there.
    fn at_join(&self, block: BlockId) -> Vec<Register> {
        let candidates = self.candidates(block);
        let mut ranked = Vec::with_capacity(candidates.len());
        for (value, distance) in candidates {
            let is_held = |from: &BlockId| self.is_held_after(*from, block, value);
            let all = self.forward(block).all(|from| is_held(&from));
            if distance >= LOOP_EXIT_DISTANCE && self.is_passed_in_memory(block, value) {
                continue;
            }
            let is_often = || {
                let held = self.forward(block).filter(is_held);
                let held: u64 = held.map(|from| self.out.frequencies[from]).sum();
                2 * held >= self.out.frequencies[block]
            };
            if all || distance < LOOP_EXIT_DISTANCE && is_often() {
                ranked.push((!all, distance, value));
            }
        }
        ranked.sort_unstable();
        let ranked = ranked.into_iter().map(|it| it.2);
        self.first_of_each_class(ranked, |class| self.available(class).len())
    }

    /// Whether a value is a parameter for which an argument is in memory.
    fn is_passed_in_memory(&self, block: BlockId, value: Register) -> bool {
        self.intervals[value].block == block
            && self.forward(block).any(|from| {
                let argument = self.argument(from, block, value);
                let held = self.held_after(from).iter().find(|it| it.value == argument);
                held.is_none_or(|it| it.is_stored) && self.computed[argument].is_none()
            })
    }

    /// As many values of each class as it has registers for them.
    fn first_of_each_class(
        &self,
        ranked: impl Iterator<Item = Register>,
        registers: impl Fn(RegisterClass) -> usize,
    ) -> Vec<Register> {
        let mut free = RegisterClass::ALL.map(registers);
        let mut has_room = |value: &Register| {
            let left = &mut free[self.class(*value) as usize];
            let has_room = *left > 0;
            *left = left.saturating_sub(1);
            has_room
        };
        ranked.filter(|value| has_room(value)).collect()
    }

    /// The values for the header of a loop.
    fn at_header(&self, block: BlockId) -> Vec<Register> {
        let candidates = self.candidates(block);
        let mut ranked = Vec::with_capacity(candidates.len());
        for (value, distance) in candidates {
            let saved = self.loads_in_loop(block, value);
            let mut forward = self.forward(block);
            if saved > 0 || forward.all(|from| self.is_held_after(from, block, value)) {
                ranked.push((Reverse(saved), distance, value));
            }
        }
        ranked.sort_unstable();
        let read = ranked.iter().filter(|it| it.0.0 > 0).map(|it| self.class(it.2));
        let registers = |class| {
            let read = read.clone().filter(|it| *it == class).count();
            self.free_in_loop(block, class, read)
        };
        self.first_of_each_class(ranked.iter().map(|it| it.2), registers)
    }

    /// The number of registers for values that are live at the header of a loop: one value less
    /// where others in the loop need the register. The loop reads `read` of the values; if not all
    /// of these fit, one register is left to reload the rest.
    fn free_in_loop(&self, header: BlockId, class: RegisterClass, read: usize) -> usize {
        let registers = self.available(class).len();
        let pressures = self.pressures.of(class);
        let blocks = (header.index()..=self.last(header).index()).map(BlockId::from_index);
        let is_frequent =
            |it: &BlockId| 2 * self.out.frequencies[*it] >= self.out.frequencies[header];
        let most = blocks.filter(is_frequent).map(|it| pressures[it].most as usize);
        let most = most.max().unwrap_or(0);
        let others = most.saturating_sub(pressures[header].at_start as usize);
        let others = if read > registers { others.max(1) } else { others };
        if most <= registers { registers } else { registers.saturating_sub(others) }
    }

    /// The last block of the loop with this header.
    fn last(&self, header: BlockId) -> BlockId {
        self.predecessors[header].iter().copied().fold(header, BlockId::max)
    }

    /// The estimated number of loads and stores that a register for a value saves in a loop.
    fn loads_in_loop(&self, header: BlockId, value: Register) -> u64 {
        if let Some(cost) = self.updates_in_loop(header, value) {
            return cost;
        }
        let block = |it: &Use| self.intervals.flow.block(it.at);
        let loads = self.uses_in_loop(header, value).chunk_by(|a, b| block(a) == block(b));
        let loads = loads.map(|uses| {
            let block = block(&uses[0]);
            let (cost, last) = (self.out.frequencies[block], self.intervals.flow.last(block));
            let is_back = self.intervals.flow.successors[block].contains(&header);
            let reads = uses.iter().filter(|it| is_read(it) && !(is_back && it.at == last));
            let costs =
                reads.map(|it| cost / if self.can_be_folded(it, value) { FOLDED } else { 1 });
            costs.max().unwrap_or(0)
        });
        let back = self.predecessors[header].iter().filter(|from| **from >= header);
        let stores = back.filter(|from| self.argument(**from, header, value) != value);
        let stores = stores.map(|from| self.out.frequencies[*from]).sum::<u64>();
        loads.sum::<u64>() + stores
    }

    /// The same for a value that the loop only updates, compares and passes on, all in memory; none
    /// if it has another use. The values that it becomes in the loop are its *web*; other arguments
    /// for the joins of the web are stored where they are passed.
    fn updates_in_loop(&self, header: BlockId, value: Register) -> Option<u64> {
        let (mut web, mut next, mut cost) = (vec![value], 0, 0);
        while let Some(&value) = web.get(next) {
            next += 1;
            // An instruction that updates the value is a part of its definition.
            let is_definition =
                |it: &Use| updated(&self.code.instructions[it.at as usize / 2]) == Some(value);
            let uses = self.uses_in_loop(header, value).iter();
            for used in uses.filter(|it| is_read(it) && !is_definition(it)) {
                let block = self.intervals.flow.block(used.at);
                if self.can_be_folded(used, value) {
                    cost += self.out.frequencies[block] / COMPARED;
                    continue;
                }
                let passed = self.passed(used, block, value);
                cost += if passed.is_some() { 0 } else { self.out.frequencies[block] / FOLDED };
                let result = passed.or_else(|| self.update(used, value))?;
                if !web.contains(&result) {
                    web.push(result);
                }
            }
            if web.len() > LONGEST_WEB {
                return None;
            }
        }
        let start = |it: &Register| self.intervals[*it].block;
        let joins = web.iter().filter(|it| start(it) >= header && self.places[**it].is_some());
        let stores = joins.map(|it| {
            let from = self.predecessors[start(it)].iter().filter(|from| **from >= header);
            let stored = from.filter(|from| !web.contains(&self.argument(**from, start(it), *it)));
            stored.map(|from| self.out.frequencies[*from]).sum::<u64>()
        });
        Some(cost + stores.sum::<u64>())
    }

    fn uses_in_loop(&self, header: BlockId, value: Register) -> &[Use] {
        let end = self.intervals.flow.end(self.last(header));
        let uses = self.intervals.of(value).uses_from(self.intervals.flow.start(header));
        &uses[..uses.partition_point(|it| it.at < end)]
    }

    /// The parameter for which a use passes a value at the end of a block.
    fn passed(&self, used: &Use, block: BlockId, value: Register) -> Option<Register> {
        if used.at != self.intervals.flow.last(block) {
            return None;
        }
        let place = self.code.blocks[block].arguments.iter().position(|it| *it == value)?;
        let to = *self.intervals.flow.successors[block].first()?;
        Some(self.code.blocks[to].parameters[place])
    }

    /// The result, if a use may be an update in memory.
    fn update(&self, used: &Use, value: Register) -> Option<Register> {
        let at = used.at as usize / 2;
        [at, at.saturating_sub(1)].into_iter().find_map(|at| {
            let mut updates = updates(&self.code.instructions[at..]);
            updates.find(|it| it.value == value && self.ends(at, it)).map(|it| it.result)
        })
    }

    /// Whether the value may stay in memory for a use.
    fn can_be_folded(&self, used: &Use, value: Register) -> bool {
        let instruction = &self.code.instructions[used.at as usize / 2];
        value_in_memory(instruction) == Some(value)
    }

    /// The values that are live at the start of a join and used later, with the distance.
    fn candidates(&self, block: BlockId) -> Vec<(Register, u32)> {
        let uses = self.next.at_start(block).iter().map(|it| (it.value, it.distance));
        let exits = self.forward(block).flat_map(|from| self.held_after(from)).map(|it| it.value);
        let unused = exits.filter(|it| uses.clone().all(|used| used.0 != *it));
        let live = unused.filter(|it| self.is_live_in(*it, block));
        let passed = self.code.blocks[block].parameters.iter().copied();
        let used = |it: &Register| !self.intervals.of(*it).uses().is_empty();
        let all = uses.clone().chain(live.chain(passed.filter(used)).map(|it| (it, FAR)));
        let start = self.intervals.flow.start(block);
        let near = all.map(|(value, at)| (value, at.min(self.expected_distance(start, value))));
        let mut candidates = near.collect::<Vec<_>>();
        candidates.sort_unstable();
        candidates.dedup_by_key(|it| it.0);
        candidates
    }
}

fn is_read(used: &Use) -> bool {
    matches!(used.kind, UseKind::Read | UseKind::Copied)
}
