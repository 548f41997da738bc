//! Ways to compile, and a watch that checks every stage.
use sonc::{Artifact, End, Halt, MachineRules, Options, Outcome, Preference, Source, Stage, Watch};

/// A way to compile: what a test varies.
#[derive(Clone, Debug)]
pub struct Way {
    #[cfg(feature = "ch02")]
    pub optimize: bool,
    #[cfg(feature = "ch02")]
    pub without: Vec<String>,
    pub preference: Preference,
}

impl Way {
    /// How the command line compiles if it is not told otherwise.
    pub fn usual() -> Way {
        Way {
            #[cfg(feature = "ch02")]
            optimize: true,
            #[cfg(feature = "ch02")]
            without: Vec::new(),
            preference: Preference::default(),
        }
    }

    pub fn options<'o>(&'o self, rules: &'o MachineRules) -> Options<'o> {
        Options {
            #[cfg(feature = "ch02")]
            optimize: self.optimize,
            #[cfg(feature = "ch02")]
            without: &self.without,
            #[cfg(feature = "ch02")]
            trace: true,
            #[cfg(feature = "ch04")]
            argument: None,
            rules,
            preference: self.preference,
        }
    }

    /// Compiles `source` for `watch`.
    pub fn compile(&self, source: &Source, watch: &mut dyn Watch) -> Result<Vec<u8>, Halt> {
        let rules = rules();
        let executable = sonc::compile(source, self.options(&rules), watch)?;
        Ok(executable.bytes)
    }
}

pub fn rules() -> MachineRules {
    sonc::machine_rules(&sonc::built_in_rules()).unwrap_or_else(|complaints| {
        panic!("{}", sonc::render(&complaints, &sonc::built_in_rules(), false))
    })
}

/// Verifies every stage, and evaluates every stage that can be executed.
#[derive(Default)]
pub struct Check {
    /// Arguments, and what the program returns for each.
    pub wanted: Vec<(i32, i64)>,
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
            if !agrees(&outcome, wanted) {
                let found = format!("{}({argument}) = {:?}", stage.name(), outcome.end);
                self.failures.push(format!("{found}, not {wanted}"));
            }
        }
        Ok(())
    }

    #[cfg(feature = "ch02")]
    fn step(&mut self, step: &sonc::Step) {
        self.fired.push(step.rule);
    }
}

/// A program that takes too many steps has said nothing that could be wrong.
fn agrees(outcome: &Outcome, wanted: i64) -> bool {
    outcome.end == End::Value(wanted) || outcome.end == End::OutOfSteps
}
