//! The observer of a compilation.
#[cfg(feature = "ch02")]
use crate::files::say;
#[cfg(feature = "ch16")]
use sonc::Source;
use sonc::{Artifact, Halt, Stage, StageObserver};

pub type Observe<'s> = &'s mut dyn FnMut(Stage, &dyn Artifact) -> Result<(), Halt>;

/// Calls a function for each stage; in debug builds, verifies the artifact first.
pub struct Observer<'s> {
    pub observe: Observe<'s>,
    #[cfg(feature = "ch16")]
    pub source: &'s Source,
    #[cfg(feature = "ch16")]
    pub denies_warnings: bool,
}

impl StageObserver for Observer<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let violations = if cfg!(debug_assertions) { artifact.verify() } else { Vec::new() };
        if !violations.is_empty() {
            return Err(Halt::InvariantViolated(stage, violations));
        }
        (self.observe)(stage, artifact)
    }

    #[cfg(feature = "ch16")]
    fn warn(&mut self, warnings: &[sonc::Diagnostic]) -> Result<(), Halt> {
        if self.denies_warnings && !warnings.is_empty() {
            return Err(Halt::Errors(warnings.to_vec()));
        }
        say(&sonc::render(warnings, self.source, host::uses_color()));
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn rewrite(&mut self, step: &sonc::Rewrite) {
        say(&format!("{}: {} → {}\n", step.rule, step.before, step.after));
    }
}
