//! The copies at the ends of blocks whose successor is a join.
//!
//! Each value that is in a register at the start of the join is copied there. A parameter in memory
//! is stored.
use crate::colour::spiller::{Eviction, Held, Spiller};
use crate::colour::split_code::{Copy, Part, Source, Target};
use crate::ia32::Register;
use crate::ia32::code::BlockId;

impl Spiller<'_> {
    pub fn connect_blocks(&mut self) {
        let intervals = self.intervals;
        for from in self.code.blocks.ids() {
            for &to in &intervals.flow.successors[from] {
                if self.only_predecessor(to).is_none() {
                    self.restore(self.exits[from]);
                    self.connect(from, to);
                }
            }
        }
    }

    fn connect(&mut self, from: BlockId, to: BlockId) {
        let code = self.code;
        let first = self.out.copies.len();
        for at in self.entries[to].range() {
            let held = self.saved[at];
            let source = self.source(self.argument(from, to, held.value));
            self.out.copies.push(Copy::to_register(held.name, source));
        }
        for (&parameter, &argument) in
            code.blocks[to].parameters.iter().zip(&code.blocks[from].arguments)
        {
            if self.spilled[parameter] && self.entered(to, parameter).is_none() {
                let from = self.stored_source(argument);
                self.out.copies.push(Copy { to: Target::Memory(parameter), from });
            }
        }
        let jump = self.out.blocks[from].steps.range().end - 1;
        for at in 0..self.held.len() {
            let held = self.held[at];
            let entered = self.entered(to, held.value);
            // The values of joins that expect a stored value are stored, too.
            let leaves = entered.map_or_else(|| self.is_live_in(held.value, to), |it| it.is_stored);
            if leaves {
                self.evictions.push(Eviction { held, block: from, steps: jump as u32 });
            }
        }
        self.out.blocks[from].exit = Part::since(first, &self.out.copies);
    }

    /// A value that is in a register at the start of a block.
    fn entered(&self, block: BlockId, value: Register) -> Option<&Held> {
        self.saved[self.entries[block].range()].iter().find(|it| it.value == value)
    }

    /// The register or the slot of a value that is passed in memory.
    fn stored_source(&mut self, value: Register) -> Source {
        if let Some(held) = self.held(value) {
            return Source::Register(held.name);
        }
        self.spilled[value] = true;
        Source::Memory(value)
    }
}
