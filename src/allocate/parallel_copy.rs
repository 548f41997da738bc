//! Copies that are made at once, as a sequence: all are read before any is written.
//!
//! A copy may be made as soon as no other one has to read its target. If none may, the rest are
//! cycles, such as a swap: one target is copied elsewhere first, and its reader reads it there.
//! Targets in memory come first, so that registers are free again when others are loaded.
//! (B. Boissinot et al., Revisiting Out-of-SSA Translation, 2009, algorithm 1.)
use crate::ia32::code::{Address, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use arena::Id;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    Register(Register),
    Memory(Address),
}

#[derive(Clone, Copy, Debug)]
pub struct Copy {
    pub to: Location,
    pub from: Location,
}

/// The copies one after the other. What is in its place already stays there, as do `busy`
/// registers. Where no register is free for a moment, `scratch` gives a slot.
pub fn sequentialize(
    copies: impl Iterator<Item = Copy>,
    busy: RegisterSet,
    scratch: &mut dyn FnMut() -> Address,
) -> Vec<Instruction> {
    let mut sequence = Sequence {
        copies: Vec::new(),
        writers: BTreeMap::new(),
        readers: BTreeMap::new(),
        ready: Default::default(),
        busy,
        stays: busy,
        scratch,
        done: Vec::new(),
    };
    for copy in copies {
        *sequence.readers.entry(copy.from).or_insert(0) += 1;
        sequence.occupy(copy.from);
        if copy.to != copy.from {
            sequence.writers.insert(copy.to, sequence.copies.len());
            sequence.copies.push(copy);
        }
    }
    (0..sequence.copies.len()).rev().for_each(|at| sequence.consider(at));
    sequence.drain();
    for at in 0..sequence.copies.len() {
        if sequence.writers.get(&sequence.copies[at].to) == Some(&at) {
            sequence.break_cycle(at);
            sequence.drain();
        }
    }
    sequence.done
}

struct Sequence<'s> {
    copies: Vec<Copy>,
    /// The copy that is yet to write to a location.
    writers: BTreeMap<Location, usize>,
    /// How many copies that are not made read a location.
    readers: BTreeMap<Location, u32>,
    /// Copies that may be made: those to memory, those to registers.
    ready: [Vec<usize>; 2],
    /// Registers that hold what is still needed, and those of them that do so to the end.
    busy: RegisterSet,
    stays: RegisterSet,
    scratch: &'s mut dyn FnMut() -> Address,
    done: Vec<Instruction>,
}

impl Sequence<'_> {
    /// The copy is ready if no other one reads its target.
    fn consider(&mut self, at: usize) {
        let to = self.copies[at].to;
        if self.readers.get(&to).is_none_or(|&count| count == 0) {
            let [to_memory, to_registers] = &mut self.ready;
            match to {
                Location::Memory(_) => to_memory.push(at),
                Location::Register(_) => to_registers.push(at),
            }
        }
    }

    /// Makes all copies that are ready, and those that become ready by that.
    fn drain(&mut self) {
        while let Some(at) = self.ready.iter_mut().find_map(Vec::pop) {
            let Copy { to, from } = self.copies[at];
            self.writers.remove(&to);
            self.copy(to, from);
            self.occupy(to);
            let count = self.readers.get_mut(&from).expect("this copy reads it");
            *count -= 1;
            if *count == 0 {
                self.release(from);
                self.writers.get(&from).copied().into_iter().for_each(|it| self.consider(it));
            }
        }
    }

    /// Copies the target of a copy elsewhere, where its one reader finds it.
    fn break_cycle(&mut self, at: usize) {
        let target = self.copies[at].to;
        let free = self.free().map(Location::Register);
        let aside = free.unwrap_or_else(|| Location::Memory((self.scratch)()));
        self.copy(aside, target);
        self.occupy(aside);
        let mut reader = at;
        while self.copies[reader].from != target {
            reader = self.writers[&self.copies[reader].from];
        }
        self.copies[reader].from = aside;
        self.readers.remove(&target);
        self.readers.insert(aside, 1);
        self.consider(at);
    }

    fn occupy(&mut self, location: Location) {
        if let Location::Register(register) = location {
            self.busy.insert(register);
        }
    }

    fn release(&mut self, location: Location) {
        if let Location::Register(register) = location
            && !self.stays.contains(register)
        {
            self.busy.remove(register);
        }
    }

    fn free(&self) -> Option<Register> {
        TEMPORARY.map(Register::from_index).into_iter().find(|&it| !self.busy.contains(it))
    }

    /// One copy. No instruction reads memory and writes it.
    fn copy(&mut self, to: Location, from: Location) {
        match (to, from) {
            (Location::Register(_), Location::Register(_)) => self.emit(Op::Mov, to, from),
            (Location::Register(_), Location::Memory(_)) => self.emit(Op::Load, to, from),
            (Location::Memory(_), Location::Register(_)) => self.emit(Op::Store, to, from),
            (Location::Memory(_), Location::Memory(_)) => {
                let free = self.free().map(Location::Register);
                let through = free.unwrap_or(Location::Register(Register::EAX));
                let aside = free.is_none().then(|| Location::Memory((self.scratch)()));
                aside.into_iter().for_each(|aside| self.emit(Op::Store, aside, through));
                self.emit(Op::Load, through, from);
                self.emit(Op::Store, to, through);
                aside.into_iter().for_each(|aside| self.emit(Op::Load, through, aside));
            }
        }
    }

    fn emit(&mut self, op: Op, to: Location, from: Location) {
        self.done.push(Instruction::new(op, &[to.operand(), from.operand()], 0));
    }
}

/// Registers for a moment: those first that the caller does not need back.
const TEMPORARY: [usize; 7] = [1, 2, 0, 3, 6, 7, 5];

impl Location {
    pub fn operand(self) -> Operand {
        match self {
            Location::Register(register) => Operand::Register(register),
            Location::Memory(address) => Operand::Address(address),
        }
    }
}
