//! Stores of spilled values: after the definition, or where the value leaves its register,
//! whichever is executed less often.
//!
//! Every path from the definition to a reload passes such a place, since a value is in a register
//! from its definition on.
use crate::colour::spiller::{Definition, Eviction, Spiller};
use crate::colour::split_code::{Copy, Part, Source, Target};
use crate::ia32::Register;
use crate::ia32::code::BlockId;
use crate::ia32::register::{NAMES, RegisterSet};
use arena::ListTable;

/// A place for a store, before the step with this number.
struct Store {
    value: Register,
    block: BlockId,
    steps: u32,
    name: Register,
}

impl Spiller<'_> {
    /// Inserts the stores. Parameters in memory are stored at the ends of the predecessors.
    pub fn place_stores(&mut self) {
        let unstored = self.evictions.iter().filter(|it| !it.held.is_stored);
        let evicted = unstored.map(|it| (it.held.value, *it));
        let count = NAMES.len() + self.code.virtual_registers.len();
        let evicted = ListTable::<Register, Eviction>::group(count, evicted);
        let mut stores = Vec::new();
        for value in self.spilled.ids().filter(|it| self.spilled[*it]) {
            let needs_store = self.intervals[value].argument.is_none();
            let Some(definition) = self.definitions[value].filter(|_| needs_store) else {
                continue;
            };
            let Definition { block, steps, name } = definition;
            let costs = evicted[value].iter().map(|it| self.frequency(it.block));
            if self.frequency(block) <= costs.sum() {
                stores.push(Store { value, block, steps, name });
            } else {
                let places = evicted[value].iter();
                stores.extend(places.map(|&Eviction { held, block, steps }| Store {
                    value,
                    block,
                    steps,
                    name: held.name,
                }));
            }
        }
        stores.sort_by_key(|it| (it.block, it.steps));
        self.insert(&stores);
    }

    /// Inserts the stores between the steps.
    fn insert(&mut self, stores: &[Store]) {
        if stores.is_empty() {
            return;
        }
        let with_stores = Vec::with_capacity(self.out.steps.len() + stores.len());
        let old = std::mem::replace(&mut self.out.steps, with_stores);
        let mut stores = stores.iter().peekable();
        for block in self.code.blocks.ids() {
            let first = self.out.steps.len();
            let mut at = self.code.range(block).start;
            let mut steps = self.out.blocks[block].steps.range();
            while let Some(store) = stores.next_if(|it| it.block == block) {
                let before = steps.start..store.steps as usize;
                steps.start = before.end;
                self.out.steps.extend_from_slice(&old[before]);
                at = self.out.steps[first..].last().map_or(at, |it| it.at as usize);
                let copy = self.out.copies.len();
                let from = Source::Register(store.name);
                self.out.copies.push(Copy { to: Target::Memory(store.value), from });
                self.out.end_copies(copy, RegisterSet::EMPTY, at);
            }
            self.out.steps.extend_from_slice(&old[steps]);
            self.out.blocks[block].steps = Part::since(first, &self.out.steps);
        }
    }

    fn frequency(&self, block: BlockId) -> u64 {
        self.out.frequencies[block]
    }
}
