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
use std::cmp::Reverse;

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
        stores.sort_by_key(|it| (it.block, Reverse(it.steps)));
        for Store { value, block, steps, name } in stores {
            let copy = Copy { to: Target::Memory(value), from: Source::Register(name) };
            let all = &mut self.out.blocks[block].steps;
            let before = steps.checked_sub(1).map(|at| all[at].at);
            let at = before.unwrap_or_else(|| self.code.range(block).start);
            let action = Action::Copies(vec![copy], Vec::new());
            all.insert(steps, Step { action, fixed: RegisterSet::EMPTY, memory: None, at });
        }
    }

    fn frequency(&self, block: BlockId) -> u64 {
        self.out.frequencies[block]
    }
}
