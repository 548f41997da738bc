//! The registers and the memory behind them: which holds what, and how one frees another.
use crate::alloc::frame::Frame;
use crate::alloc::lives::{Claim, Life, NEVER};
use crate::base::ids::{Id, SideTable};
use crate::ia32::code::{Address, Base, Inst};
use crate::ia32::reg::{CALLEE_SAVED, NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};

pub struct Bank {
    lives: SideTable<Register, Life>,
    /// What the code will do with each real register, the nearest last.
    claims: [Vec<Claim>; NAMES.len()],
    /// What each real register holds before the instruction at hand.
    holders: [Holder; NAMES.len()],
    /// Where each virtual register is.
    pub places: SideTable<Register, Place>,
    free_slots: Vec<u32>,
    pub frame: Frame,
    pub done: Vec<Inst>,
    /// The origin of the instruction at hand.
    pub origin: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Holder {
    Nothing,
    /// What the code itself put there.
    Fixed(Claim),
    Value(Register),
}

#[derive(Clone, Copy)]
pub struct Place {
    pub register: Option<Register>,
    /// A word of memory that holds the same.
    pub home: Option<Address>,
    /// The next instruction that reads it.
    pub next: u32,
}

impl Default for Place {
    fn default() -> Place {
        Place { register: None, home: None, next: NEVER }
    }
}

impl Bank {
    pub fn new(
        lives: SideTable<Register, Life>,
        claims: [Vec<Claim>; NAMES.len()],
        length: usize,
    ) -> Bank {
        Bank {
            lives,
            claims,
            holders: [Holder::Nothing; NAMES.len()],
            places: SideTable::new(0),
            free_slots: Vec::new(),
            frame: Frame { slots: 0, written: RegisterSet::EMPTY },
            done: Vec::with_capacity(length),
            origin: 0,
        }
    }

    /// A register that holds `value`; `pinned` keep what they hold.
    pub fn fetch(&mut self, value: Register, pinned: RegisterSet) -> Register {
        if let Some(register) = self.places[value].register {
            return register;
        }
        let home = self.places[value].home.expect("verified: what is read was written");
        let free = self.choose(value, None, pinned);
        let register = free.unwrap_or_else(|| self.make_room(value, pinned, pinned));
        self.emit(Op::Load, &[Operand::Register(register), Operand::Address(home)]);
        self.occupy(register, value);
        register
    }

    /// A register for a new value. Operands are read before results are written, so it may be
    /// one of `pinned`; but nothing else may move there.
    pub fn define(
        &mut self,
        value: Register,
        source: Option<Register>,
        pinned: RegisterSet,
    ) -> Register {
        let free = self.choose(value, source, RegisterSet::EMPTY);
        let register = free.unwrap_or_else(|| self.make_room(value, RegisterSet::EMPTY, pinned));
        self.forget_home(value);
        self.occupy(register, value);
        register
    }

    /// Clears a register that the instruction at hand writes by its name.
    pub fn claim(&mut self, register: Register, busy: RegisterSet) {
        let claim = self.claims[register.index()].pop();
        let claim = claim.expect("the walk from the end saw this instruction");
        if let Holder::Value(value) = self.holders[register.index()] {
            self.evict(value, busy);
        }
        self.holders[register.index()] = Holder::Fixed(claim);
        self.frame.written.insert(register);
    }

    /// Ends what began before the instruction `before` and is read last at `at`.
    pub fn end_claim(&mut self, register: Register, at: u32, before: u32) {
        if let Holder::Fixed(claim) = self.holders[register.index()]
            && claim.end == at
            && claim.start < before
        {
            self.holders[register.index()] = Holder::Nothing;
        }
    }

    /// Takes a value out of its register, into another one or to memory. The instruction at hand
    /// may still read it where it was.
    fn evict(&mut self, value: Register, busy: RegisterSet) {
        let place = self.places[value];
        if place.next == NEVER {
            self.leave(value);
        } else if let Some(free) = self.choose(value, None, busy) {
            self.move_to(free, value);
        } else if let Some(other) = self.furthest(self.lives[value].allowed, busy)
            && self.places[other].next > place.next
        {
            let register = self.spill(other);
            self.move_to(register, value);
        } else {
            self.spill(value);
        }
    }

    /// The free register that suits a value best, if any is free. A copy's source suits it.
    fn choose(
        &self,
        value: Register,
        source: Option<Register>,
        busy: RegisterSet,
    ) -> Option<Register> {
        let life = self.lives[value];
        let free = |register: &Register| {
            self.holders[register.index()] == Holder::Nothing && !busy.contains(*register)
        };
        life.allowed.iter().filter(free).min_by_key(|&register| self.cost(register, life, source))
    }

    /// Best is a register that the code itself will not need before the value's end; second
    /// best one that it needs late.
    fn cost(&self, register: Register, life: Life, source: Option<Register>) -> (u32, u32) {
        let claims = &self.claims[register.index()];
        let claimed = claims.last().map_or(NEVER, |claim| claim.start);
        if claimed < life.end {
            return (3, NEVER - claimed);
        }
        let to_save = CALLEE_SAVED.contains(&register) && !self.frame.written.contains(register);
        let fits = if life.wish == Some(register) {
            0
        } else if source == Some(register) {
            1
        } else {
            2
        };
        (fits, PREFERENCE[register.index()] + if to_save { NAMES.len() as u32 } else { 0 })
    }

    /// Frees a register that `value` may have, where all are taken: of `spared` none, and
    /// nothing moves to `busy`.
    fn make_room(&mut self, value: Register, spared: RegisterSet, busy: RegisterSet) -> Register {
        let allowed = self.lives[value].allowed;
        let movable = self.values(allowed, spared).find_map(|(register, occupant)| {
            Some((register, occupant, self.choose(occupant, None, busy)?))
        });
        if let Some((register, occupant, free)) = movable {
            self.move_to(free, occupant);
            return register;
        }
        let furthest = self.furthest(allowed, spared);
        self.spill(furthest.expect("no instruction needs all registers at once"))
    }

    /// Of the values in some registers the one whose next reader is the furthest away.
    fn furthest(&self, among: RegisterSet, spared: RegisterSet) -> Option<Register> {
        let values = self.values(among, spared).map(|(_, value)| value);
        values.max_by_key(|&value| self.places[value].next)
    }

    fn values(
        &self,
        among: RegisterSet,
        spared: RegisterSet,
    ) -> impl Iterator<Item = (Register, Register)> {
        let registers = among.iter().filter(move |&register| !spared.contains(register));
        registers.filter_map(|register| match self.holders[register.index()] {
            Holder::Value(value) => Some((register, value)),
            Holder::Nothing | Holder::Fixed(_) => None,
        })
    }

    fn move_to(&mut self, register: Register, value: Register) {
        let from = self.places[value].register.expect("a value that moves is in a register");
        self.leave(value);
        self.emit(Op::Mov, &[Operand::Register(register), Operand::Register(from)]);
        self.occupy(register, value);
    }

    /// Leaves a value in memory only, and returns the register it was in.
    fn spill(&mut self, value: Register) -> Register {
        let register = self.places[value].register.expect("a value that is spilled is in one");
        if self.places[value].home.is_none() {
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.frame.slots += 1;
                self.frame.slots - 1
            });
            let home = Address::new(Base::Slot(slot), 0);
            self.places[value].home = Some(home);
            self.emit(Op::Store, &[Operand::Address(home), Operand::Register(register)]);
        }
        self.leave(value);
        register
    }

    fn occupy(&mut self, register: Register, value: Register) {
        self.holders[register.index()] = Holder::Value(value);
        self.places[value].register = Some(register);
        self.frame.written.insert(register);
    }

    pub fn leave(&mut self, value: Register) {
        if let Some(register) = self.places[value].register.take() {
            self.holders[register.index()] = Holder::Nothing;
        }
    }

    pub fn forget_home(&mut self, value: Register) {
        let home = self.places[value].home.take();
        if let Some(Address { base: Base::Slot(slot), .. }) = home {
            self.free_slots.push(slot);
        }
    }

    fn emit(&mut self, op: Op, operands: &[Operand]) {
        self.done.push(Inst::new(op, operands, self.origin));
    }
}

/// What registers cost that are equally free: the short-lived ones first, eax last among them
/// because the result ends there; ebp makes addresses longer.
const PREFERENCE: [u32; NAMES.len()] = [2, 0, 1, 5, 7, 6, 3, 4];
