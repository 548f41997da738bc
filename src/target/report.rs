//! Violated invariants of the code of any machine.
use crate::stage::Violation;
use std::fmt::Display;

/// The violations that have been found.
#[derive(Default)]
pub struct Report(pub Vec<Violation>);

impl Report {
    /// Adds a violation at an instruction or a block, with its reason.
    pub fn fail(&mut self, invariant: &'static str, place: impl Display, reason: impl Display) {
        self.fail_anywhere(invariant, format!("{place}: {reason}"));
    }

    pub fn fail_anywhere(&mut self, invariant: &'static str, detail: String) {
        self.0.push(Violation { invariant, detail });
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }
}
