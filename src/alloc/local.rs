//! Registers for straight-line code, in one walk from the first instruction to the last.
//!
//! A value stays in its register until the register is needed; then the value whose next reader
//! is furthest away goes to memory, which costs the fewest reloads (L. A. Belady, A study of
//! replacement algorithms for a virtual-storage computer, 1966). A value that has a place in
//! memory is not stored again. Where the code itself needs a register, by name or because an
//! instruction overwrites it, its occupant makes room first; a value is put where that will not
//! happen before its end. Seven registers are looked at per operand: the walk is linear.
use crate::alloc::frame::{self, Frame};
use crate::alloc::lives::{self, Claim, Life, Lives, NEVER, defines};
use crate::base::ids::{Id, SideTable};
use crate::ia32::code::{Address, Base, Code, Form, Inst};
use crate::ia32::reg::{CALLEE_SAVED, NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};

pub fn allocate(mut code: Code) -> Code {
    let mut allocator = Allocator::new(lives::lives(&mut code), code.instructions.len());
    for (at, &inst) in code.instructions.iter().enumerate() {
        allocator.instruction(at as u32, inst);
    }
    let instructions = frame::lay_out(&allocator.done, &allocator.frame);
    Code { form: Form::Allocated, instructions, virtuals: 0 }
}

struct Allocator {
    lives: Lives,
    /// What each real register holds before the instruction at hand.
    holders: [Holder; NAMES.len()],
    /// Where each virtual register is.
    places: SideTable<Register, Place>,
    free_slots: Vec<u32>,
    frame: Frame,
    done: Vec<Inst>,
    /// The origin of the instruction at hand.
    origin: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Holder {
    Nothing,
    /// What the code itself put there.
    Fixed(Claim),
    Value(Register),
}

#[derive(Clone, Copy)]
struct Place {
    register: Option<Register>,
    /// A word of memory that holds the same.
    home: Option<Base>,
    /// The next instruction that reads it.
    next: u32,
}

impl Default for Place {
    fn default() -> Place {
        Place { register: None, home: None, next: NEVER }
    }
}

impl Allocator {
    fn new(lives: Lives, length: usize) -> Allocator {
        Allocator {
            lives,
            holders: [Holder::Nothing; NAMES.len()],
            places: SideTable::new(0),
            free_slots: Vec::new(),
            frame: Frame { slots: 0, written: RegisterSet::EMPTY },
            done: Vec::with_capacity(length),
            origin: 0,
        }
    }

    /// Operands into registers, occupants out of the way, ended values out, results in.
    fn instruction(&mut self, at: u32, inst: Inst) {
        self.origin = inst.origin;
        let mut placed = self.load_instead(inst);
        let pinned = self.read_operands(&mut placed);
        self.note_next(at, &inst);
        self.claim(&inst, pinned);
        self.end_reads(at, &inst);
        self.write_result(at, &inst, &mut placed, pinned);
        if placed.op != Op::Mov || placed.operands[0] != placed.operands[1] {
            self.done.push(placed);
        }
        self.end_writes(at, &inst);
    }

    /// A copy of a value that is in memory only is a load: no register is needed on the way.
    fn load_instead(&mut self, inst: Inst) -> Inst {
        let [target, Operand::Register(source), _] = inst.operands else { return inst };
        let place = self.places[source];
        match (inst.op, place.register, place.home) {
            (Op::Mov, None, Some(home)) => {
                Inst::new(Op::Load, &[target, Operand::Address(Address::new(home, 0))], inst.origin)
            }
            _ => inst,
        }
    }

    /// Puts every value the instruction reads into a register, and says which those are.
    fn read_operands(&mut self, inst: &mut Inst) -> RegisterSet {
        let mut pinned = RegisterSet::EMPTY;
        for register in inst.reads().filter_map(|register| self.places[register].register) {
            pinned.insert(register);
        }
        inst.rename(|slot, register| {
            if register.is_real() || defines(slot) {
                return register;
            }
            let place = self.fetch(register, pinned);
            pinned.insert(place);
            place
        });
        pinned
    }

    fn fetch(&mut self, value: Register, pinned: RegisterSet) -> Register {
        if let Some(register) = self.places[value].register {
            return register;
        }
        let home = self.places[value].home.expect("verified: what is read was written");
        let free = self.choose(value, None, pinned);
        let register = free.unwrap_or_else(|| self.make_room(value, pinned, pinned));
        let address = Operand::Address(Address::new(home, 0));
        self.emit(Op::Load, &[Operand::Register(register), address]);
        self.occupy(register, value);
        register
    }

    fn note_next(&mut self, at: u32, inst: &Inst) {
        let next = self.lives.next[at as usize];
        for ((slot, register), next) in inst.named().zip(next) {
            if !register.is_real() && !defines(slot) {
                self.places[register].next = next;
            }
        }
    }

    /// Clears the real registers that the instruction writes.
    fn claim(&mut self, inst: &Inst, pinned: RegisterSet) {
        let mut busy = pinned;
        for register in inst.writes().filter(|register| register.is_real()) {
            busy.insert(register);
        }
        for register in inst.writes().filter(|register| register.is_real()) {
            let claim = self.lives.claims[register.index()].pop();
            let claim = claim.expect("the walk from the end saw this instruction");
            if let Holder::Value(value) = self.holders[register.index()] {
                self.evict(value, busy);
            }
            self.holders[register.index()] = Holder::Fixed(claim);
            self.frame.written.insert(register);
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
        } else if let Some(other) = self.furthest(self.lives.lives[value].allowed, busy)
            && self.places[other].next > place.next
            && place.home.is_none()
        {
            let register = self.spill(other);
            self.move_to(register, value);
        } else {
            self.spill(value);
        }
    }

    /// Registers whose contents were read for the last time are free for the result.
    fn end_reads(&mut self, at: u32, inst: &Inst) {
        for register in inst.reads() {
            if !register.is_real() {
                if self.places[register].next == NEVER {
                    self.leave(register);
                }
            } else if let Holder::Fixed(claim) = self.holders[register.index()]
                && claim.end == at
                && claim.start < at
            {
                self.holders[register.index()] = Holder::Nothing;
            }
        }
    }

    /// Finds a register for what the instruction defines. What it overwrites has no home now.
    fn write_result(&mut self, at: u32, inst: &Inst, placed: &mut Inst, pinned: RegisterSet) {
        let next = self.lives.next[at as usize];
        for ((slot, value), next) in inst.named().zip(next) {
            if value.is_real() || !slot.writes() {
                continue;
            }
            if defines(slot) {
                let (source, home) = hints(placed);
                let register = self.define(value, source, pinned);
                self.places[value] = Place { register: Some(register), home, next };
                placed.rename(|_, name| if name == value { register } else { name });
            } else {
                self.forget_home(value);
            }
        }
    }

    /// The operands are read before the result is written, so it may have their registers.
    fn define(
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

    /// Values that end here, be it unread, give back what they have.
    fn end_writes(&mut self, at: u32, inst: &Inst) {
        for register in inst.reads().chain(inst.writes()) {
            if !register.is_real() {
                if self.places[register].next == NEVER {
                    self.leave(register);
                    self.forget_home(register);
                }
            } else if let Holder::Fixed(claim) = self.holders[register.index()]
                && claim.end == at
            {
                self.holders[register.index()] = Holder::Nothing;
            }
        }
    }

    /// The free register that suits a value best, if any is free. A copy's source suits it.
    fn choose(
        &self,
        value: Register,
        source: Option<Register>,
        busy: RegisterSet,
    ) -> Option<Register> {
        let life = self.lives.lives[value];
        let free = |register: &Register| {
            self.holders[register.index()] == Holder::Nothing && !busy.contains(*register)
        };
        life.allowed.iter().filter(free).min_by_key(|&register| self.cost(register, life, source))
    }

    /// Best is a register that the code itself will not need before the value's end; second
    /// best one that it needs late.
    fn cost(&self, register: Register, life: Life, source: Option<Register>) -> (u32, u32) {
        let claims = &self.lives.claims[register.index()];
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
        let allowed = self.lives.lives[value].allowed;
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
            let home = Base::Slot(slot);
            self.places[value].home = Some(home);
            let address = Operand::Address(Address::new(home, 0));
            self.emit(Op::Store, &[address, Operand::Register(register)]);
        }
        self.leave(value);
        register
    }

    fn occupy(&mut self, register: Register, value: Register) {
        self.holders[register.index()] = Holder::Value(value);
        self.places[value].register = Some(register);
        self.frame.written.insert(register);
    }

    fn leave(&mut self, value: Register) {
        if let Some(register) = self.places[value].register.take() {
            self.holders[register.index()] = Holder::Nothing;
        }
    }

    fn forget_home(&mut self, value: Register) {
        if let Some(Base::Slot(slot)) = self.places[value].home.take() {
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

/// Where the instruction's result already is: a register, or memory that keeps it.
fn hints(inst: &Inst) -> (Option<Register>, Option<Base>) {
    match (inst.op, inst.operands[1]) {
        (Op::Mov, Operand::Register(source)) => (Some(source), None),
        #[cfg(feature = "ch04")]
        (Op::Load, Operand::Address(address)) if is_argument(address) => (None, Some(address.base)),
        _ => (None, None),
    }
}

/// Nobody overwrites the arguments.
#[cfg(feature = "ch04")]
fn is_argument(address: Address) -> bool {
    matches!(address.base, Base::Argument(_))
        && address.index.is_none()
        && address.displacement == 0
}
