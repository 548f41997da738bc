//! Broken invariants.
use crate::ia32::code::Instruction;
use crate::ia32::eval::place;
use crate::ia32::register::Register;
use crate::stage::Violation;

/// The violations that have been found.
#[derive(Default)]
pub struct Report(pub Vec<Violation>);

impl Report {
    pub fn fail(
        &mut self,
        invariant: &'static str,
        at: usize,
        instruction: &Instruction,
        what: &str,
    ) {
        self.fail_anywhere(invariant, format!("{}: {what}", place(at, instruction)));
    }

    pub fn fail_anywhere(&mut self, invariant: &'static str, detail: String) {
        self.0.push(Violation { invariant, detail });
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// An invariant, and what breaks it.
pub type Broken = (&'static str, String);

pub type Kept = Result<(), Broken>;

pub fn registers(instruction: &Instruction) -> impl Iterator<Item = Register> {
    instruction.reads().chain(instruction.writes())
}
