//! An observer that checks every stage.
use sonc::{Artifact, Halt, Stage, StageObserver, Termination};

/// Verifies every stage, and evaluates every stage that can be executed.
#[derive(Default)]
pub struct Check {
    /// Arguments and results, for which the step limit is not reached.
    pub expected: Vec<(i64, String)>,
    /// Arguments for which the program is infinite.
    pub endless: Vec<i64>,
    /// The failed checks.
    pub failures: Vec<String>,
    pub seen: Vec<Stage>,
    /// The rules that fired.
    #[cfg(feature = "ch02")]
    pub fired: Vec<&'static str>,
}

/// A check of a program that has these results for arguments.
impl<N: Into<i64>> FromIterator<(N, String)> for Check {
    fn from_iter<I: IntoIterator<Item = (N, String)>>(results: I) -> Check {
        let expected = results.into_iter().map(|(argument, result)| (argument.into(), result));
        Check { expected: expected.collect(), ..Check::default() }
    }
}

impl StageObserver for Check {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.seen.push(stage);
        let broken = artifact.verify().into_iter();
        let broken = broken.map(|it| format!("{}: {} {}", stage.name(), it.invariant, it.detail));
        self.failures.extend(broken);
        for (argument, expected) in &self.expected {
            let Some(outcome) = artifact.eval(*argument) else { break };
            if result(&outcome.end).as_ref() != Some(expected) {
                let found = format!("{}({argument}) = {:?}", stage.name(), outcome.end);
                self.failures.push(format!("{found}, not {expected}"));
            }
        }
        for &argument in &self.endless {
            let Some(outcome) = artifact.eval(argument) else { break };
            if outcome.end != Termination::OutOfSteps {
                let found = format!("{}({argument}) = {:?}", stage.name(), outcome.end);
                self.failures.push(format!("{found}, but it never ends"));
            }
        }
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn rewrite(&mut self, step: &sonc::Rewrite) {
        self.fired.push(step.rule);
    }
}

/// The result of a program that has one, as the program prints it.
pub fn result(end: &Termination) -> Option<String> {
    match end {
        Termination::Value(value) => Some(value.to_string()),
        #[cfg(feature = "ch10")]
        Termination::Object(text) => Some(text.clone()),
        #[cfg(feature = "ch15")]
        Termination::Trap(message) => Some(message.clone()),
        _ => None,
    }
}
