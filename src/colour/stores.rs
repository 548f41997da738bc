//! Stores of spilled values: after the definition, or where the value leaves its register,
//! whichever is executed less often.
//!
//! Every path from the definition to a reload passes such a place, since a value is in a register
//! from its definition on.
use crate::colour::spiller::{Definition, Eviction, Held, Spiller};
use crate::colour::split_code::{Copy, Part, Source, Step, Target};
use crate::ia32::Register;
use crate::ia32::code::BlockId;
use crate::ia32::register::{NAMES, RegisterSet};
use arena::ListTable;

/// A store before the step with this number.
struct Store {
    value: Register,
    block: BlockId,
    steps: u32,
    name: Register,
}

impl Spiller<'_> {
    /// Inserts the stores. Parameters in memory are stored at the ends of the predecessors.
    pub fn place_stores(&mut self) {
        let is_unstored = |it: &&Eviction| !it.held.is_stored && self.spilled[it.held.value];
        let evicted = self.evictions.iter().filter(is_unstored).map(|it| (it.held.value, *it));
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
                stores.extend(places.map(|&Eviction { held: Held { name, .. }, block, steps }| {
                    Store { value, block, steps, name }
                }));
            }
        }
        stores.sort_by_key(|it| (it.block, it.steps));
        self.insert(&stores);
    }

    /// Inserts the stores between the steps, in their order.
    fn insert(&mut self, stores: &[Store]) {
        let out = &mut self.out;
        let (first, mut end) = (out.copies.len(), out.steps.len());
        out.copies.extend(stores.iter().map(|store| Copy {
            to: Target::Memory(store.value),
            from: Source::Register(store.name),
        }));
        out.steps.resize(end + stores.len(), Step::copies(Part::default(), RegisterSet::EMPTY, 0));
        // From the last one on, so that each step moves once.
        for (number, store) in stores.iter().enumerate().rev() {
            let place = store.steps as usize;
            out.steps.copy_within(place..end, place + number + 1);
            let before = out.steps[out.blocks[store.block].steps.range().start..place].last();
            let at = before.map_or(self.code.range(store.block).start as u32, |it| it.at);
            let copy = Part::new(first + number..first + number + 1);
            out.steps[place + number] = Step::copies(copy, RegisterSet::EMPTY, at);
            end = place;
        }
        let mut earlier = 0;
        for block in self.code.blocks.ids() {
            let own = stores[earlier..].iter().take_while(|it| it.block == block).count();
            let steps = out.blocks[block].steps.range();
            out.blocks[block].steps = Part::new(steps.start + earlier..steps.end + earlier + own);
            earlier += own;
        }
    }

    fn frequency(&self, block: BlockId) -> u64 {
        self.out.frequencies[block]
    }
}
