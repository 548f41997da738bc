//! What is certain wherever control has come to: which real registers hold something, what the
//! flags tell, where the stack ends and what the caller has lent.
//!
//! An instruction turns a state into the next one, or breaks an invariant.
use crate::ia32::code::{Form, Inst};
use crate::ia32::inst::Op;
use crate::ia32::reg::{NAMES, Register};
#[cfg(feature = "ch02")]
use crate::ia32::stack::Stack;
#[cfg(feature = "ch04")]
use crate::ia32::{Operand, inst};
#[cfg(feature = "ch04")]
use crate::rules::target::Flags;
use arena::Id;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    form: Form,
    /// The real registers that may be read.
    written: [bool; NAMES.len()],
    #[cfg(feature = "ch02")]
    pub stack: Stack,
    #[cfg(feature = "ch04")]
    flags: Told,
}

/// What the flags tell; each tells what those above it do.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Told {
    Nothing,
    /// Whether a number is zero.
    Zero,
    /// How two numbers compare.
    Order,
}

/// An invariant, and what breaks it.
pub type Broken = (&'static str, String);

pub type Kept = Result<(), Broken>;

impl State {
    /// Nothing was written but, in allocated code, the stack's end.
    pub fn entry(form: Form) -> State {
        let mut written = [false; NAMES.len()];
        written[Register::ESP.index()] = form == Form::Allocated;
        State {
            form,
            written,
            #[cfg(feature = "ch02")]
            stack: Stack::entry(),
            #[cfg(feature = "ch04")]
            flags: Told::Nothing,
        }
    }

    /// What holds behind an instruction.
    pub fn step(&mut self, inst: &Inst) -> Kept {
        let phases = match self.form {
            Form::Selected => SELECTED,
            Form::Allocated => ALLOCATED,
        };
        phases.iter().try_for_each(|phase| phase(self, inst))
    }

    /// What is certain where two ways meet.
    #[cfg(feature = "ch05")]
    pub fn meet(self, other: State) -> State {
        let both = |at: usize| self.written[at] && other.written[at];
        State {
            form: self.form,
            written: std::array::from_fn(both),
            stack: self.stack.meet(other.stack),
            flags: self.flags.min(other.flags),
        }
    }
}

type Phase = fn(&mut State, &Inst) -> Kept;

/// What happens at an instruction, in order.
const SELECTED: &[Phase] = &[
    State::read_registers,
    #[cfg(feature = "ch04")]
    State::pass_flags,
    State::write_registers,
];

const ALLOCATED: &[Phase] = &[
    State::read_registers,
    #[cfg(feature = "ch04")]
    State::pass_flags,
    State::write_registers,
    #[cfg(feature = "ch02")]
    State::use_stack,
];

/// What reads a register only to save it.
const SAVES: &[Op] = &[
    #[cfg(feature = "ch02")]
    Op::Push,
];

impl State {
    fn read_registers(&mut self, inst: &Inst) -> Kept {
        let unwritten = |register: &Register| register.is_real() && !self.written[register.index()];
        match inst.reads().find(unwritten) {
            Some(register) if !SAVES.contains(&inst.op) => {
                Err(("written-before-read", format!("{register} was never written")))
            }
            _ => Ok(()),
        }
    }

    fn write_registers(&mut self, inst: &Inst) -> Kept {
        for register in inst.writes().filter(|register| register.is_real()) {
            self.written[register.index()] = true;
        }
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn use_stack(&mut self, inst: &Inst) -> Kept {
        self.stack.step(inst, &mut self.written)
    }

    #[cfg(feature = "ch04")]
    fn pass_flags(&mut self, inst: &Inst) -> Kept {
        match inst.flags() {
            Flags::Untouched => {}
            Flags::Undefined => self.flags = Told::Nothing,
            Flags::Zero => self.flags = Told::Zero,
            Flags::Result | Flags::Compared => self.flags = Told::Order,
            Flags::Read if wanted(inst) <= self.flags => {}
            Flags::Read => return Err(("flags-fresh", "the flags do not tell that".into())),
        }
        Ok(())
    }
}

#[cfg(feature = "ch04")]
fn wanted(inst: &Inst) -> Told {
    match inst.operands[0] {
        Operand::Condition(relation) if inst::tells_zero(relation) => Told::Zero,
        _ => Told::Order,
    }
}
