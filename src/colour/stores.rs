//! Stores of spilled values: after the definition, or where the value leaves its register,
//! whichever is executed less often.
//!
//! Every path from the definition to a reload passes such a place, since a value is in a register
//! from its definition on.
use crate::colour::spiller::{Eviction, Spiller};
use crate::colour::split_code::{Action, Copy, Source, Step, Target};
use crate::ia32::Register;
use crate::ia32::code::BlockId;
use crate::ia32::register::RegisterSet;
use arena::SideTable;

/// A place for a store.
struct Store {
    value: Register,
    block: BlockId,
    steps: usize,
    name: Register,
}

impl Spiller<'_> {
    /// Inserts the stores. Parameters in memory are stored at the ends of the predecessors.
    pub fn place_stores(&mut self) {
        let mut evicted = SideTable::<Register, Vec<Eviction>>::new(0);
        for &eviction in self.evictions.iter().filter(|it| !it.held.is_stored) {
            evicted[eviction.held.value].push(eviction);
        }
        let mut stores = Vec::new();
        for &value in &self.spilled {
            let needs_store = self.intervals[value].argument.is_none();
            let Some((block, steps, name)) = self.definitions[value].filter(|_| needs_store) else {
                continue;
            };
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
        for stores in stores.chunk_by(|a, b| a.block == b.block) {
            self.insert(stores[0].block, stores);
        }
    }

    /// Inserts the stores of a block between its steps.
    fn insert(&mut self, block: BlockId, stores: &[Store]) {
        let all = &mut self.out.blocks[block].steps;
        let with_stores = Vec::with_capacity(all.len() + stores.len());
        let mut steps = std::mem::replace(all, with_stores).into_iter();
        let mut at = self.code.range(block).start;
        let mut done = 0;
        for &Store { value, steps: before, name, .. } in stores {
            for step in steps.by_ref().take(before - done) {
                at = step.at;
                all.push(step);
            }
            done = before;
            let copy = Copy { to: Target::Memory(value), from: Source::Register(name) };
            let action = Action::Copies(vec![copy], Vec::new());
            all.push(Step { action, fixed: RegisterSet::EMPTY, memory: None, at });
        }
        all.extend(steps);
    }

    fn frequency(&self, block: BlockId) -> u64 {
        self.out.frequencies[block]
    }
}
