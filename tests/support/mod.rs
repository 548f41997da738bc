//! What several test binaries need: every stage checked, and the executable run for real.
use sonc::{Artifact, End, Halt, MachineRules, Options, Outcome, Preference, Source, Stage, Watch};
use std::sync::atomic::{AtomicUsize, Ordering};

/// More steps than any test program takes.
pub const STEPS: u64 = 10_000_000;

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

/// Runs an executable with all arguments at once: in the emulator, and on this machine if it can.
/// Hands back what is wrong.
pub fn run_everywhere(executable: &[u8], wanted: &[(i32, i64)]) -> Vec<String> {
    let words: Vec<String> = wanted.iter().map(|(argument, _)| argument.to_string()).collect();
    let lines: String = wanted.iter().map(|(_, value)| format!("{value}\n")).collect();
    let run = sonc::emulate(executable, &words, STEPS);
    let mut outputs = vec![("emulator", format!("{}{}", run.outcome.output, run.errors))];
    outputs.extend(run_native(executable, &words).map(|output| ("processor", output)));
    let wrong = outputs.into_iter().filter(|(_, output)| *output != lines);
    wrong.map(|(place, output)| format!("{place}: {output:?}, not {lines:?}")).collect()
}

/// What an executable prints on this machine; nothing if this machine cannot run it.
pub fn run_native(executable: &[u8], words: &[String]) -> Option<String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("sonc-test-{}-{number}", std::process::id()));
    std::fs::write(&path, executable).ok()?;
    let own = std::env::current_exe().ok()?;
    std::fs::set_permissions(&path, std::fs::metadata(own).ok()?.permissions()).ok()?;
    let output = start(&path, words);
    let _ = std::fs::remove_file(&path);
    let output = output?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(text(&output.stdout) + &text(&output.stderr))
}

/// Another thread's child may hold the file open for a moment longer; then it is tried again.
fn start(path: &std::path::Path, words: &[String]) -> Option<std::process::Output> {
    for _ in 0..100 {
        match std::process::Command::new(path).args(words).output() {
            Ok(output) => return Some(output),
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            Err(_) => return None,
        }
    }
    None
}
