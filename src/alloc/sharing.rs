//! Homes that a value shares with those it takes over from or hands over to.
//!
//! Where both are in memory, to hand over a value then takes no instruction. Values may have one
//! home if no two of them are alive at once: if neither is alive where the other is written. As
//! a value is written on all ways to where it is read, that is enough (Z. Budimlić et al., Fast
//! copy coalescing and live-range identification, 2002).
use crate::alloc::bank::Bank;
use crate::ia32::Register;
use crate::ia32::code::{Address, Base, BlockId, Code};

/// How many values share a home at most: each is compared with all others.
const SHARERS: usize = 16;

/// The values that each home is for.
#[derive(Default)]
pub struct Sharing(Vec<Vec<Register>>);

impl Bank {
    /// A home for a value, from one place in the code to another.
    pub fn open_home(&mut self, value: Register, from: u32, to: u32) -> Address {
        let heir = self.lives[value].wish.filter(|name| !name.is_real());
        let home = heir.and_then(|heir| self.places[heir].home);
        self.share(value, home.as_slice(), from, to)
    }

    /// A parameter may arrive in memory: all blocks that lead to its block store it.
    pub fn open_parameter(&mut self, code: &Code, block: BlockId, number: usize) {
        let parameter = code.blocks[block].parameters[number];
        let flow = &self.blocks.ahead.flow;
        let ways = || flow.entries[block].iter().copied();
        let jumps = ways().map(|way| flow.end(way) - 1);
        let (from, to) = jumps.fold((self.at, self.lives[parameter].end), |(from, to), jump| {
            (from.min(jump), to.max(jump))
        });
        let homes = ways().filter_map(|way| self.places[code.blocks[way].arguments[number]].home);
        let homes = homes.collect::<Vec<_>>();
        self.places[parameter].home = Some(self.share(parameter, &homes, from, to));
    }

    /// The first of some homes in which the value disturbs nobody, or else one of its own.
    fn share(&mut self, value: Register, homes: &[Address], from: u32, to: u32) -> Address {
        let shared = homes.iter().copied().find(|&home| self.may_share(value, home));
        if let Some(home) = shared {
            self.frame.homes.widen(home, from, to);
        }
        let home = shared.unwrap_or_else(|| self.frame.homes.open(from, to));
        let Base::Slot(number) = home.base else { return home };
        let Sharing(sharers) = &mut self.blocks.sharing;
        sharers.resize(sharers.len().max(number as usize + 1), Vec::new());
        sharers[number as usize].push(value);
        home
    }

    fn may_share(&self, value: Register, home: Address) -> bool {
        let Base::Slot(number) = home.base else { return false };
        let Sharing(sharers) = &self.blocks.sharing;
        let sharers = &sharers[number as usize];
        sharers.len() < SHARERS
            && sharers.iter().all(|&other| !self.blocks.ahead.meet(value, other))
    }
}
