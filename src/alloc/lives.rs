//! What lies ahead of each value: found in one walk from the last instruction to the first.
//!
//! On the way, `mov d,x` and `add d,y` become `mov d,y` and `add d,x` where y ends and x lives
//! on: then d can have y's register and no copy is made.
#[cfg(feature = "ch05")]
use crate::alloc::ahead::Ahead;
#[cfg(feature = "ch05")]
use crate::alloc::beyond;
use crate::ia32::code::{Code, Inst};
use crate::ia32::reg::{NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::Slot;
use arena::{Id, SideTable};

/// The place of an instruction that never comes.
pub const NEVER: u32 = u32::MAX;

/// How many registers an instruction names at most: `lea r,[r+r]`.
pub const NAMED: usize = 3;

pub struct Lives {
    /// For each instruction and each register it names, where the value that the register holds
    /// after it is read next.
    pub next: Vec<[u32; NAMED]>,
    pub lives: SideTable<Register, Life>,
    /// For each real register, from the last to the first, where the code itself needs it.
    pub claims: [Vec<Claim>; NAMES.len()],
    #[cfg(feature = "ch05")]
    pub ahead: Ahead,
}

/// What is known of a virtual register as a whole.
#[derive(Clone, Copy)]
pub struct Life {
    /// Its last reader.
    pub end: u32,
    /// The real registers that will do for all its readers and writers.
    pub allowed: RegisterSet,
    /// The register it is copied to at its end.
    pub wish: Option<Register>,
    /// The value that goes on where it ends.
    #[cfg(feature = "ch05")]
    pub heir: Option<Register>,
}

/// From a writer to the last reader of what it wrote, or the writer alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    pub start: u32,
    pub end: u32,
}

impl Default for Life {
    fn default() -> Life {
        Life {
            end: 0,
            allowed: RegisterSet::ALLOCATABLE,
            wish: None,
            #[cfg(feature = "ch05")]
            heir: None,
        }
    }
}

/// Whether an operand is written without being read.
pub fn defines(slot: Slot) -> bool {
    slot.writes() && !slot.reads()
}

pub fn lives(code: &mut Code) -> Lives {
    let registers = NAMES.len() + code.virtuals as usize;
    let found = Lives {
        next: vec![[NEVER; NAMED]; code.instructions.len()],
        lives: SideTable::new(registers),
        claims: Default::default(),
        #[cfg(feature = "ch05")]
        ahead: Ahead::new(code),
    };
    let mut walk = Walk {
        code,
        found,
        ahead: vec![NEVER; registers],
        #[cfg(feature = "ch05")]
        seen: SideTable::new(registers),
    };
    for at in (0..walk.code.instructions.len()).rev() {
        STEPS.iter().for_each(|step| step(&mut walk, at));
    }
    walk.found
}

/// What happens at each instruction.
const STEPS: &[fn(&mut Walk, usize)] = &[
    #[cfg(feature = "ch05")]
    beyond::look_beyond,
    #[cfg(feature = "ch05")]
    beyond::hand_over,
    |walk, at| walk.swap_operands(at),
    #[cfg(feature = "ch05")]
    beyond::inherit,
    |walk, at| walk.step(at),
    #[cfg(feature = "ch05")]
    beyond::keep,
];

pub struct Walk<'c> {
    pub code: &'c mut Code,
    pub found: Lives,
    /// Where each register's value is read next; for a real register, where it is read last.
    pub ahead: Vec<u32>,
    /// The number, from 1, of the block in which each virtual register was seen last.
    #[cfg(feature = "ch05")]
    pub seen: SideTable<Register, u32>,
}

impl Walk<'_> {
    fn step(&mut self, at: usize) {
        let inst = &self.code.instructions[at].clone();
        self.note_wish(inst);
        for register in inst.writes().filter(|register| register.is_real()) {
            self.claim(at as u32, register);
        }
        for (place, (slot, register)) in inst.named().enumerate() {
            self.found.next[at][place] = self.ahead[register.index()];
            if defines(slot) {
                self.ahead[register.index()] = NEVER;
            }
            self.narrow(slot, register);
        }
        self.note_reads(at as u32, inst);
    }

    /// A value that ends in a copy would like to be where the copy will be.
    fn note_wish(&mut self, inst: &Inst) {
        let Some((target, source)) = copy(inst) else { return };
        if self.ahead[source.index()] == NEVER {
            let wish = if target.is_real() { Some(target) } else { self.found.lives[target].wish };
            let life = &mut self.found.lives[source];
            life.wish = wish.filter(|&wish| wish != source).or(life.wish);
        }
    }

    fn claim(&mut self, start: u32, register: Register) {
        let last = std::mem::replace(&mut self.ahead[register.index()], NEVER);
        let end = if last == NEVER { start } else { last };
        self.found.claims[register.index()].push(Claim { start, end });
    }

    fn narrow(&mut self, slot: Slot, register: Register) {
        let Slot::Register(_, class) = slot else { return };
        let life = &mut self.found.lives[register];
        life.allowed = life.allowed.intersect(RegisterSet::of(class));
    }

    fn note_reads(&mut self, at: u32, inst: &Inst) {
        for register in inst.reads() {
            let ahead = &mut self.ahead[register.index()];
            if !register.is_real() || *ahead == NEVER {
                *ahead = at;
            }
            let life = &mut self.found.lives[register];
            life.end = life.end.max(at);
        }
    }

    /// Looks at an instruction and the one before.
    fn swap_operands(&mut self, at: usize) {
        let Some([copied, inst]) = self.code.instructions[..=at].last_chunk_mut() else { return };
        let (Some((target, kept)), true) = (copy(copied), inst.op.row().commutes) else { return };
        let [Operand::Register(updated), Operand::Register(ending), _] = inst.operands else {
            return;
        };
        let distinct = updated == target && ending != target;
        let ends = |register: Register| self.ahead[register.index()] == NEVER;
        if distinct && !ending.is_real() && ends(ending) && !ends(kept) {
            copied.operands[1] = Operand::Register(ending);
            inst.operands[1] = Operand::Register(kept);
        }
    }
}

/// Target and source of a copy of a virtual register.
pub fn copy(inst: &Inst) -> Option<(Register, Register)> {
    match (inst.op, inst.operands) {
        (Op::Mov, [Operand::Register(target), Operand::Register(source), _])
            if !source.is_real() =>
        {
            Some((target, source))
        }
        _ => None,
    }
}
