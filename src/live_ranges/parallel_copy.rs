//! Sequentializes a parallel copy, in which all sources are read before any target is written.
//!
//! A copy is ready if no other copy has to read its target. If none is ready, the remaining copies
//! form cycles, such as a swap: one target is saved elsewhere first, and the copy that reads it
//! reads it there. Targets in memory are first, so that registers become free before others are
//! loaded. (B. Boissinot et al., Revisiting Out-of-SSA Translation, 2009, algorithm 1.)
use crate::ia32::code::{Address, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::target::{RegisterClass, RegisterKind};
use arena::{FxHashMap, Id};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    Register(Register),
    Memory(Address),
}

#[derive(Clone, Copy, Debug)]
pub struct Copy {
    pub to: Location,
    pub from: Location,
    pub kind: RegisterKind,
}

/// Emits the copies in sequence. Copies without effect and `busy` registers are preserved. If no
/// register is free as a temporary, `scratch` provides a slot.
pub fn sequentialize(
    copies: &[Copy],
    busy: RegisterSet,
    scratch: &mut dyn FnMut(RegisterKind) -> Address,
    origin: u32,
    emitted: &mut Vec<Instruction>,
) {
    let mut effective = copies.iter().filter(|it| it.to != it.from);
    let Some(&Copy { to, from, kind }) = effective.next() else { return };
    if effective.next().is_none()
        && let Some(op) = operation(to, from, kind)
    {
        return emitted.push(Instruction::new(op, &[to.operand(), from.operand()], origin));
    }
    let mut sequence = Sequence {
        copies: Vec::new(),
        writers: FxHashMap::default(),
        readers: FxHashMap::default(),
        ready: Default::default(),
        busy,
        preserved: busy,
        scratch,
        borrowed: None,
        origin,
        emitted,
    };
    for &copy in copies {
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
    sequence.give_back();
}

struct Sequence<'s> {
    copies: Vec<Copy>,
    /// The pending copy that writes to a location.
    writers: FxHashMap<Location, usize>,
    /// The number of pending copies that read a location.
    readers: FxHashMap<Location, u32>,
    /// Ready copies: those to memory, those to registers.
    ready: [Vec<usize>; 2],
    /// Registers whose values are still needed, and those that are needed after all copies.
    busy: RegisterSet,
    preserved: RegisterSet,
    scratch: &'s mut dyn FnMut(RegisterKind) -> Address,
    /// Where the register is saved through which values are copied.
    borrowed: Option<Location>,
    origin: u32,
    emitted: &'s mut Vec<Instruction>,
}

/// It is saved where no register is free.
const BORROWED: Location = Location::Register(Register::EAX);

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

    /// Emits all ready copies, and those that become ready.
    fn drain(&mut self) {
        while let Some(at) = self.ready.iter_mut().find_map(Vec::pop) {
            let Copy { to, from, .. } = self.copies[at];
            self.writers.remove(&to);
            self.copy(self.copies[at]);
            self.occupy(to);
            let count = self.readers.get_mut(&from).expect("this copy reads it");
            *count -= 1;
            if *count == 0 {
                self.release(from);
                self.writers.get(&from).copied().into_iter().for_each(|it| self.consider(it));
            }
        }
    }

    /// Saves the target of a copy elsewhere, for the copy that reads it.
    fn break_cycle(&mut self, at: usize) {
        let Copy { to: target, kind, .. } = self.copies[at];
        let free = self.free(kind.class).map(Location::Register);
        let saved = free.unwrap_or_else(|| Location::Memory((self.scratch)(kind)));
        self.copy(Copy { to: saved, from: target, kind });
        self.occupy(saved);
        let mut reader = at;
        while self.copies[reader].from != target {
            reader = self.writers[&self.copies[reader].from];
        }
        self.copies[reader].from = saved;
        self.readers.remove(&target);
        self.readers.insert(saved, 1);
        self.consider(at);
    }

    fn occupy(&mut self, location: Location) {
        if let Location::Register(register) = location {
            self.busy.insert(register);
        }
    }

    fn release(&mut self, location: Location) {
        if let Location::Register(register) = location
            && !self.preserved.contains(register)
        {
            self.busy.remove(register);
        }
    }

    fn free(&self, class: RegisterClass) -> Option<Register> {
        let allowed = RegisterSet::allocatable(class);
        let ordered = TEMPORARY.map(Register::from_index).into_iter().chain(allowed.iter());
        let mut free = ordered.filter(|&it| allowed.contains(it) && !self.busy.contains(it));
        free.next()
    }

    /// Emits one copy, word by word through a register if both are in memory.
    fn copy(&mut self, Copy { to, from, kind }: Copy) {
        if let Some(op) = operation(to, from, kind) {
            if [to, from].contains(&BORROWED) {
                self.give_back();
            }
            return self.emit(op, to, from);
        }
        let free = self.free(RegisterClass::General);
        let through = Location::Register(free.unwrap_or_else(|| self.borrow()));
        for offset in (0..kind.bytes).step_by(usize::from(RegisterKind::WORD.bytes)) {
            self.emit(Op::Load, through, from.plus(offset));
            self.emit(Op::Store, to.plus(offset), through);
        }
    }

    /// Saves a register, so that values can be copied through it.
    fn borrow(&mut self) -> Register {
        if self.borrowed.is_none() {
            let saved = Location::Memory((self.scratch)(RegisterKind::WORD));
            self.borrowed = Some(saved);
            self.emit(Op::Store, saved, BORROWED);
        }
        Register::EAX
    }

    /// Restores the register.
    fn give_back(&mut self) {
        if let Some(saved) = self.borrowed.take() {
            self.emit(Op::Load, BORROWED, saved);
        }
    }

    fn emit(&mut self, op: Op, to: Location, from: Location) {
        let operands = [to.operand(), from.operand()];
        self.emitted.push(Instruction::new(op, &operands, self.origin));
    }
}

/// The instruction for one copy. None copies memory to memory.
fn operation(to: Location, from: Location, kind: RegisterKind) -> Option<Op> {
    match (to, from) {
        (Location::Register(_), Location::Register(_)) => Some(kind.copy()),
        (Location::Register(_), Location::Memory(_)) => Some(kind.load()),
        (Location::Memory(_), Location::Register(_)) => Some(kind.store()),
        (Location::Memory(_), Location::Memory(_)) => None,
    }
}

/// Candidates for temporary registers, caller-saved ones first.
const TEMPORARY: [usize; 7] = [1, 2, 0, 3, 6, 7, 5];

impl Location {
    /// The location so many bytes further on in memory.
    fn plus(self, bytes: u8) -> Location {
        match self {
            Location::Register(_) => self,
            Location::Memory(mut address) => {
                address.displacement += i32::from(bytes);
                Location::Memory(address)
            }
        }
    }

    pub fn operand(self) -> Operand {
        match self {
            Location::Register(register) => Operand::Register(register),
            Location::Memory(address) => Operand::Address(address),
        }
    }
}
