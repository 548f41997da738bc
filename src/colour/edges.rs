//! The copies at the ends of blocks whose successor is a join.
//!
//! Each value that is in a register at the start of the join is copied there. A parameter in memory
//! is stored.
use crate::colour::spiller::{Eviction, Spiller};
use crate::colour::split_code::{Copy, Source, Target};
use crate::ia32::Register;
use crate::ia32::code::BlockId;

impl Spiller<'_> {
    pub fn connect_blocks(&mut self) {
        for from in self.code.blocks.ids() {
            for to in self.code.successors(from).collect::<Vec<_>>() {
                if self.only_predecessor(to).is_none() {
                    self.held = self.exits[from].clone();
                    self.connect(from, to);
                }
            }
        }
    }

    fn connect(&mut self, from: BlockId, to: BlockId) {
        let mut exit = Vec::with_capacity(self.entries[to].len());
        for held in self.entries[to].clone() {
            let source = self.source(self.argument(from, to, held.value));
            exit.push(Copy::to_register(held.name, source));
        }
        for (at, &parameter) in self.code.blocks[to].parameters.iter().enumerate() {
            if self.spilled.contains(&parameter) && !self.is_in_register(to, parameter) {
                let source = self.stored_source(self.code.blocks[from].arguments[at]);
                exit.push(Copy { to: Target::Memory(parameter), from: source });
            }
        }
        let steps = self.out.blocks[from].steps.len().saturating_sub(1);
        for held in self.held.clone() {
            let entered = self.entries[to].iter().find(|it| it.value == held.value);
            // The values of joins that expect a stored value are stored, too.
            let leaves = entered.map_or_else(|| self.is_live_in(held.value, to), |it| it.is_stored);
            if leaves {
                self.evictions.push(Eviction { held, block: from, steps });
            }
        }
        self.out.blocks[from].exit = exit;
    }

    fn is_in_register(&self, block: BlockId, value: Register) -> bool {
        self.entries[block].iter().any(|it| it.value == value)
    }

    /// The register or the slot of a value that is passed in memory.
    fn stored_source(&mut self, value: Register) -> Source {
        if let Some(held) = self.held(value) {
            return Source::Register(held.name);
        }
        self.spilled.insert(value);
        Source::Memory(value)
    }
}
