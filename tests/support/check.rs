//! A watch that checks every stage.
use crate::way::{Way, rules};
use sonc::{Artifact, End, Halt, Source, Stage, Watch};

impl Way {
    /// Compiles `source` for `watch`.
    pub fn compile(&self, source: &Source, watch: &mut dyn Watch) -> Result<Vec<u8>, Halt> {
        let rules = rules();
        let executable = sonc::compile(source, self.options(&rules), watch)?;
        Ok(executable.bytes)
    }
}

/// Verifies every stage, and evaluates every stage that can be executed.
#[derive(Default)]
pub struct Check {
    /// Arguments, and what the program returns for each, in fewer steps than a stage may take.
    pub wanted: Vec<(i32, i64)>,
    /// Arguments for which the program never ends.
    pub endless: Vec<i32>,
    /// What is wrong.
    pub failures: Vec<String>,
    pub seen: Vec<Stage>,
    /// The rules that fired.
    #[cfg(feature = "ch02")]
    pub fired: Vec<&'static str>,
}

impl Watch for Check {
    fn see(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.seen.push(stage);
        let broken = artifact.verify().into_iter();
        let broken = broken.map(|it| format!("{}: {} {}", stage.name(), it.invariant, it.detail));
        self.failures.extend(broken);
        for &(argument, wanted) in &self.wanted {
            let Some(outcome) = artifact.eval(i64::from(argument)) else { break };
            if outcome.end != End::Value(wanted) {
                let found = format!("{}({argument}) = {:?}", stage.name(), outcome.end);
                self.failures.push(format!("{found}, not {wanted}"));
            }
        }
        for &argument in &self.endless {
            let Some(outcome) = artifact.eval(i64::from(argument)) else { break };
            if outcome.end != End::OutOfSteps {
                let found = format!("{}({argument}) = {:?}", stage.name(), outcome.end);
                self.failures.push(format!("{found}, but it never ends"));
            }
        }
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn step(&mut self, step: &sonc::Step) {
        self.fired.push(step.rule);
    }
}
