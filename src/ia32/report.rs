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
        detail: &str,
    ) {
        self.fail_anywhere(invariant, format!("{}: {detail}", place(at, instruction)));
    }

    pub fn fail_anywhere(&mut self, invariant: &'static str, detail: String) {
        self.0.push(Violation { invariant, detail });
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// An invariant, and its violation.
#[cfg(feature = "ch02")]
pub type BrokenInvariant = (&'static str, String);

#[cfg(feature = "ch02")]
pub type CheckResult = Result<(), BrokenInvariant>;

pub fn registers(instruction: &Instruction) -> impl Iterator<Item = Register> {
    instruction.reads().chain(instruction.writes())
}
