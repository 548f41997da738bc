//! Copies that are made at once, as a sequence: all are read before any is written.
//!
//! A copy may be made as soon as nobody needs what its target holds. If none may, the rest are
//! cycles, such as a swap: what one target holds is put aside, and its reader reads it there.
//! Targets in memory come first, so that registers are free again when others are loaded.
use crate::ia32::code::{Address, Base, Inst};
use crate::ia32::reg::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use arena::Id;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Location {
    Register(Register),
    Memory(Address),
}

#[derive(Clone, Copy, Debug)]
pub struct Copy {
    pub to: Location,
    pub from: Location,
}

/// The copies one after the other. Where no register is free for a moment, `spare` is asked for
/// a word of memory.
pub fn sequence(copies: &[Copy], origin: u32, spare: &mut dyn FnMut() -> Address) -> Vec<Inst> {
    let mut sequence = Sequence::new(copies, origin, spare);
    for at in 0..sequence.copies.len() {
        sequence.drain();
        if !sequence.made[at] {
            sequence.put_aside(at);
        }
    }
    sequence.drain();
    sequence.done
}

struct Sequence<'s> {
    copies: Vec<Copy>,
    made: Vec<bool>,
    /// The copy that writes to a place.
    writers: BTreeMap<Location, usize>,
    /// How many copies read a place and are not made yet. What stays in its place is read too.
    readers: BTreeMap<Location, u32>,
    /// What may be made now.
    stores: Vec<usize>,
    loads: Vec<usize>,
    /// Registers that hold what is still needed.
    busy: RegisterSet,
    spare: &'s mut dyn FnMut() -> Address,
    origin: u32,
    done: Vec<Inst>,
}

impl Sequence<'_> {
    fn new<'s>(
        copies: &[Copy],
        origin: u32,
        spare: &'s mut dyn FnMut() -> Address,
    ) -> Sequence<'s> {
        let mut busy = RegisterSet::EMPTY;
        let mut readers = BTreeMap::new();
        for copy in copies {
            copy.from.note(&mut busy);
            *readers.entry(copy.from).or_insert(0) += 1;
        }
        let moving = copies.iter().copied().filter(|copy| copy.to != copy.from);
        let copies = moving.collect::<Vec<_>>();
        let writers = copies.iter().enumerate().map(|(at, copy)| (copy.to, at)).collect();
        let (made, done) = (vec![false; copies.len()], Vec::new());
        let (stores, loads) = (Vec::new(), Vec::new());
        let mut sequence =
            Sequence { copies, made, writers, readers, stores, loads, busy, spare, origin, done };
        (0..sequence.copies.len()).rev().for_each(|at| sequence.consider(at));
        sequence
    }

    /// Makes the copy ready if nobody reads its target.
    fn consider(&mut self, at: usize) {
        let to = self.copies[at].to;
        if self.readers.get(&to).is_some_and(|&count| count > 0) {
            return;
        }
        match to {
            Location::Memory(_) => self.stores.push(at),
            Location::Register(_) => self.loads.push(at),
        }
    }

    /// Makes all copies that are ready, and those that become ready by that.
    fn drain(&mut self) {
        while let Some(at) = self.stores.pop().or_else(|| self.loads.pop()) {
            let Copy { to, from } = self.copies[at];
            self.made[at] = true;
            self.copy(to, from);
            to.note(&mut self.busy);
            let count = self.readers.get_mut(&from).expect("this copy reads it");
            *count -= 1;
            if *count > 0 {
                continue;
            }
            if let Location::Register(register) = from {
                self.busy.remove(register);
            }
            if let Some(&writer) = self.writers.get(&from) {
                self.consider(writer);
            }
        }
    }

    /// Opens the cycle that a copy belongs to.
    fn put_aside(&mut self, at: usize) {
        let held = self.copies[at].to;
        let free = self.free().map(Location::Register);
        let aside = free.unwrap_or_else(|| Location::Memory((self.spare)()));
        self.copy(aside, held);
        aside.note(&mut self.busy);
        let mut reader = at;
        while self.copies[reader].from != held {
            reader = self.writers[&self.copies[reader].from];
        }
        self.copies[reader].from = aside;
        self.readers.remove(&held);
        self.readers.insert(aside, 1);
        self.consider(at);
    }

    fn free(&self) -> Option<Register> {
        TEMPORARY.map(Register::from_index).into_iter().find(|&name| !self.busy.contains(name))
    }

    fn copy(&mut self, to: Location, from: Location) {
        match (to, from) {
            (Location::Register(_), Location::Register(_)) => self.emit(Op::Mov, to, from),
            (Location::Register(_), Location::Memory(_)) => self.emit(Op::Load, to, from),
            (Location::Memory(_), Location::Register(_)) => self.emit(Op::Store, to, from),
            (Location::Memory(_), Location::Memory(_)) => self.through_register(to, from),
        }
    }

    /// No instruction reads memory and writes it.
    fn through_register(&mut self, to: Location, from: Location) {
        if let Some(free) = self.free().map(Location::Register) {
            self.emit(Op::Load, free, from);
            return self.emit(Op::Store, to, free);
        }
        let (borrowed, spare) =
            (Location::Register(Register::EAX), Location::Memory((self.spare)()));
        self.emit(Op::Store, spare, borrowed);
        self.emit(Op::Load, borrowed, from);
        self.emit(Op::Store, to, borrowed);
        self.emit(Op::Load, borrowed, spare);
    }

    fn emit(&mut self, op: Op, to: Location, from: Location) {
        self.done.push(Inst::new(op, &[to.operand(), from.operand()], self.origin));
    }
}

/// Registers for a moment: those first that the caller does not want back.
const TEMPORARY: [usize; 7] = [1, 2, 0, 3, 6, 7, 5];

impl Location {
    fn operand(self) -> Operand {
        match self {
            Location::Register(register) => Operand::Register(register),
            Location::Memory(address) => Operand::Address(address),
        }
    }

    fn note(self, registers: &mut RegisterSet) {
        if let Location::Register(register) = self {
            registers.insert(register);
        }
    }

    /// Numbers for places that differ: registers, homes, arguments.
    fn number(self) -> (u8, u32) {
        match self {
            Location::Register(register) => (0, register.index() as u32),
            Location::Memory(Address { base: Base::Slot(number), .. }) => (1, number),
            Location::Memory(Address { base: Base::Argument(number), .. }) => (2, number),
            Location::Memory(_) => unreachable!("homes are slots and arguments"),
        }
    }
}

impl Eq for Location {}

impl Ord for Location {
    fn cmp(&self, other: &Location) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for Location {
    fn partial_cmp(&self, other: &Location) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Places of all kinds, by number.
    fn location(number: usize) -> Location {
        match number {
            0..4 => Location::Register(Register::from_index(number)),
            4..7 => Location::Register(Register::from_index(number + 1)),
            7..12 => Location::Memory(Address::new(Base::Slot(number as u32), 0)),
            _ => Location::Memory(Address::new(Base::Argument(0), 0)),
        }
    }

    fn operand(operand: Operand) -> Location {
        match operand {
            Operand::Register(register) => Location::Register(register),
            Operand::Address(address) => Location::Memory(address),
            _ => panic!("copies have no other operands"),
        }
    }

    /// Carries out the copies one by one, and says what each place then holds.
    fn execute(insts: &[Inst]) -> BTreeMap<Location, Location> {
        let mut held = BTreeMap::new();
        for inst in insts {
            let [to, from, _] = inst.operands;
            let (to, from) = (operand(to), operand(from));
            let memory = |location| matches!(location, Location::Memory(_));
            assert!(!memory(to) || !memory(from), "{inst}");
            let value = held.get(&from).copied().unwrap_or(from);
            held.insert(to, value);
        }
        held
    }

    #[track_caller]
    fn check(copies: &[Copy]) -> usize {
        let mut spare = 100;
        let insts = sequence(copies, 0, &mut || {
            spare += 1;
            Address::new(Base::Slot(spare), 0)
        });
        let held = execute(&insts);
        for copy in copies {
            let found = held.get(&copy.to).copied().unwrap_or(copy.to);
            assert_eq!(found, copy.from, "{copies:?} {insts:?}");
        }
        insts.len()
    }

    fn copies(pairs: &[(usize, usize)]) -> Vec<Copy> {
        let copy = |&(to, from)| Copy { to: location(to), from: location(from) };
        pairs.iter().map(copy).collect()
    }

    #[test]
    fn copies_are_made_in_an_order_that_loses_nothing() {
        assert_eq!(check(&copies(&[(0, 0), (1, 1)])), 0);
        assert_eq!(check(&copies(&[(0, 1), (1, 2), (2, 3)])), 3);
        assert_eq!(check(&copies(&[(0, 1), (1, 0)])), 3);
        assert_eq!(check(&copies(&[(0, 1), (1, 0), (2, 1)])), 4);
        assert_eq!(check(&copies(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 3)])), 7);
        assert_eq!(check(&copies(&[(7, 8), (8, 7)])), 4);
    }

    #[test]
    fn where_no_register_is_free_memory_helps() {
        let ring = (0..7).map(|n| (n, (n + 1) % 7)).collect::<Vec<_>>();
        assert_eq!(check(&copies(&ring)), 8);
        let all = (0..7).map(|n| (n, n)).chain([(7, 8)]).collect::<Vec<_>>();
        assert_eq!(check(&copies(&all)), 4);
    }

    #[test]
    fn random_copies_are_made() {
        let mut random = Random::new(7);
        for _ in 0..20_000 {
            let mut targets = (0..12).collect::<Vec<_>>();
            let mut pairs = Vec::new();
            for _ in 0..random.below(12) {
                let to = targets.swap_remove(random.below(targets.len()));
                pairs.push((to, random.below(13)));
            }
            check(&copies(&pairs));
        }
    }
}
