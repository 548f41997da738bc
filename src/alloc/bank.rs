//! The registers and the memory behind them: which holds what, and how one frees another.
#[cfg(feature = "ch05")]
use crate::alloc::blocks::Blocks;
use crate::alloc::frame::Frame;
use crate::alloc::homes::Homes;
use crate::alloc::lives::{Claim, Life, Lives, NEVER};
use crate::ia32::code::{Address, Inst};
use crate::ia32::reg::{CALLEE_SAVED, NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use arena::{Id, SideTable};

pub struct Bank {
    pub lives: SideTable<Register, Life>,
    /// What the code will do with each real register, the nearest last.
    claims: [Vec<Claim>; NAMES.len()],
    /// What each real register holds before the instruction at hand.
    pub holders: [Holder; NAMES.len()],
    /// Where each virtual register is.
    pub places: SideTable<Register, Place>,
    pub frame: Frame,
    pub done: Vec<Inst>,
    /// The instruction at hand, and its origin.
    pub at: u32,
    pub origin: u32,
    #[cfg(feature = "ch05")]
    pub blocks: Blocks,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Holder {
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
    pub fn new(lives: Lives, length: usize) -> Bank {
        Bank {
            lives: lives.lives,
            claims: lives.claims,
            holders: [Holder::Nothing; NAMES.len()],
            places: SideTable::new(0),
            frame: Frame { homes: Homes::default(), written: RegisterSet::EMPTY },
            done: Vec::with_capacity(length),
            at: 0,
            origin: 0,
            #[cfg(feature = "ch05")]
            blocks: Blocks::new(lives.ahead),
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
        let free = |register: &Register| {
            self.holders[register.index()] == Holder::Nothing && !busy.contains(*register)
        };
        let allowed = self.lives[value].allowed.iter().filter(free);
        allowed.min_by_key(|&register| self.cost(register, value, source))
    }

    /// Best is a register that the code itself will not need before the value's end; second
    /// best one that it needs late.
    pub fn cost(
        &self,
        register: Register,
        value: Register,
        source: Option<Register>,
    ) -> (usize, u32) {
        if let Some(claimed) = self.claimed(register, value) {
            return (REASONS.len() + 1, NEVER - claimed);
        }
        let to_save = CALLEE_SAVED.contains(&register) && !self.frame.written.contains(register);
        let fits = REASONS.iter().position(|fits| fits(self, register, value, source));
        let fits = fits.unwrap_or(REASONS.len());
        (fits, PREFERENCE[register.index()] + if to_save { NAMES.len() as u32 } else { 0 })
    }

    /// Where the code itself needs a register, from the last place to the first.
    #[cfg(feature = "ch07")]
    pub fn claims(&self, register: Register) -> impl Iterator<Item = Claim> {
        self.claims[register.index()].iter().copied()
    }

    /// Where the code itself needs a register that would hold a value there.
    pub fn claimed(&self, register: Register, value: Register) -> Option<u32> {
        let claims = self.claims[register.index()].iter().rev().map(|claim| claim.start);
        claims.take(LOOKED_AT).find(|&start| HOLDS[HOLDS.len() - 1](self, value, start))
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
        let stored = STORES.iter().any(|store| store(self, value));
        debug_assert!(stored, "the last way is always open");
        self.leave(value);
        register
    }

    /// Stores a value where it has to leave its register.
    fn store(&mut self, value: Register) -> bool {
        let Place { register: Some(register), home: None, .. } = self.places[value] else {
            return true;
        };
        let home = HOMES[HOMES.len() - 1](self, value, self.at, self.lives[value].end);
        self.places[value].home = Some(home);
        self.emit(Op::Store, &[Operand::Address(home), Operand::Register(register)]);
        true
    }

    pub fn occupy(&mut self, register: Register, value: Register) {
        self.holders[register.index()] = Holder::Value(value);
        self.places[value].register = Some(register);
        self.frame.written.insert(register);
    }

    pub fn leave(&mut self, value: Register) {
        if let Some(register) = self.places[value].register.take() {
            self.holders[register.index()] = Holder::Nothing;
        }
    }

    fn emit(&mut self, op: Op, operands: &[Operand]) {
        self.done.push(Inst::new(op, operands, self.origin));
    }
}

/// What registers cost that are equally free: the short-lived ones first, eax last among them
/// because the result ends there; ebp makes addresses longer.
const PREFERENCE: [u32; NAMES.len()] = [2, 0, 1, 5, 7, 6, 3, 4];

/// How many of the places where the code itself needs a register are looked at.
const LOOKED_AT: usize = 8;

/// Why a register suits a value, the best reason first.
const REASONS: &[fn(&Bank, Register, Register, Option<Register>) -> bool] = &[
    |bank, register, value, _| bank.lives[value].wish == Some(register),
    #[cfg(feature = "ch05")]
    goes_on_there,
    |_, register, _, source| source == Some(register),
];

#[cfg(feature = "ch05")]
fn goes_on_there(bank: &Bank, register: Register, value: Register, _: Option<Register>) -> bool {
    bank.expected(value) == Some(register)
}

/// Whether a register that holds a value is still needed for it at a later place; the last of
/// these knows.
const HOLDS: &[fn(&Bank, Register, u32) -> bool] = &[
    |bank, value, at| at < bank.lives[value].end,
    #[cfg(feature = "ch05")]
    Bank::is_alive,
];

/// A home for a value, from one place in the code to another; the last way is the best.
const HOMES: &[fn(&mut Bank, Register, u32, u32) -> Address] = &[
    |bank, _, from, to| bank.frame.homes.open(from, to),
    #[cfg(feature = "ch05")]
    Bank::open_home,
];

/// How a value gets to memory: the first way that is open is taken.
const STORES: &[fn(&mut Bank, Register) -> bool] = &[
    #[cfg(feature = "ch05")]
    Bank::store_before,
    Bank::store,
];
