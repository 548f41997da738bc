//! Stores of spilled values: after the definition, or where the value leaves its register,
//! whichever is executed less often.
//!
//! Every path from the definition to a reload passes such a place, since a value is in a register
//! from its definition on.
use crate::colour::spiller::{Definition, Eviction, Spiller};
use crate::colour::split_code::{Copy, Part, Source, Step, Target};
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

    /// Inserts the stores between the steps. From the last block on, each step moves once.
    fn insert(&mut self, stores: &[Store]) {
        let first = self.out.copies.len();
        self.out.copies.extend(stores.iter().map(|store| Copy {
            to: Target::Memory(store.value),
            from: Source::Register(store.name),
        }));
        let out = &mut self.out;
        let (mut left, mut end) = (stores.len(), out.steps.len());
        let Some(&any) = out.steps.first() else { return };
        out.steps.resize(end + left, any);
        for block in self.code.blocks.ids().rev() {
            let start = out.blocks[block].steps.range().start;
            let new_end = end + left;
            while let Some(store) = stores[..left].last().filter(|it| it.block == block) {
                let steps = store.steps as usize;
                out.steps.copy_within(steps..end, steps + left);
                (left, end) = (left - 1, steps);
                let copies = Part::new(first + left..first + left + 1);
                let before = out.steps[start..end].last().map(|it| it.at);
                let at = before.unwrap_or(self.code.range(block).start as u32);
                out.steps[end + left] = Step::copies(copies, RegisterSet::EMPTY, at);
            }
            out.steps.copy_within(start..end, start + left);
            out.blocks[block].steps = Part::new(start + left..new_end);
            end = start;
        }
    }

    fn frequency(&self, block: BlockId) -> u64 {
        self.out.frequencies[block]
    }
}
