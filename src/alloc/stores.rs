//! Where values from other blocks are stored that have to leave their registers.
//!
//! Each is stored once, in a place that all ways pass to where it is needed in memory, but outside
//! of the loops that it comes into from outside: on the way there it has been in a register, or
//! it would have been stored earlier. Where it is needed in a second place, the store moves up to
//! what both have in common.
use crate::alloc::bank::Bank;
use crate::ia32::Register;
use crate::ia32::code::BlockId;
use arena::SideTable;

pub struct Stores {
    /// The block that stores each value: where it begins, or at the end if it writes the value.
    places: SideTable<Register, Option<BlockId>>,
    stored: Vec<Register>,
}

impl Default for Stores {
    fn default() -> Stores {
        Stores { places: SideTable::new(0), stored: Vec::new() }
    }
}

impl Stores {
    /// All stores, sorted by their blocks.
    pub fn all(&self) -> Vec<(BlockId, Register)> {
        let place = |&value: &Register| self.places[value].map(|block| (block, value));
        let mut all = self.stored.iter().filter_map(place).collect::<Vec<_>>();
        all.sort_unstable();
        all
    }

    pub fn contains(&self, value: Register) -> bool {
        self.places[value].is_some()
    }
}

impl Bank {
    /// What happens to a value that leaves its register in a later block than its own.
    pub fn store_before(&mut self, value: Register) -> bool {
        let block = self.blocks.ahead.flow.block(self.at);
        let comes_in = self.blocks.ahead.written(value) != block;
        if comes_in {
            self.store_above(value, block);
        }
        comes_in
    }

    /// Sees to it that a value is in memory wherever control has passed a block.
    pub fn store_above(&mut self, value: Register, block: BlockId) {
        let planned = self.blocks.stores.places[value];
        if planned.is_none() && self.places[value].home.is_some() {
            return; // it is there from the beginning
        }
        let dominators = &self.blocks.ahead.flow.dominators;
        let place =
            planned.map_or(block, |planned| dominators.nearest_common_dominator(planned, block));
        if planned != Some(place) {
            let place = self.outside_of_loops(value, place);
            self.plan(value, place);
        }
    }

    fn outside_of_loops(&self, value: Register, place: BlockId) -> BlockId {
        let flow = &self.blocks.ahead.flow;
        let entered = flow.loops.between(self.blocks.ahead.written(value), place).last();
        entered.map_or(place, |outermost| flow.above(flow.loops.all[outermost].head))
    }

    fn plan(&mut self, value: Register, place: BlockId) {
        let flow = &self.blocks.ahead.flow;
        let writes = place == self.blocks.ahead.written(value);
        let from = if writes { flow.end(place) - 1 } else { flow.first(place) };
        if self.blocks.stores.places[value].replace(place).is_none() {
            self.blocks.stores.stored.push(value);
            let home = self.open_home(value, from, self.lives[value].end);
            self.places[value].home = Some(home);
        }
        let home = self.places[value].home.expect("what is stored has a home");
        self.frame.homes.widen(home, from, from);
    }
}
