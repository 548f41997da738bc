//! Runs executables in the emulator and on this machine.
use emulate::{Termination, native::Host};
use std::sync::OnceLock;

/// More steps than any test program takes.
pub const STEPS: u64 = 10_000_000;

/// Runs an executable with all arguments at once: in the emulator, and on this machine if it can
/// and the emulator has reached the end. Returns the errors.
pub fn run_everywhere<N: ToString>(executable: &[u8], expected: &[(N, String)]) -> Vec<String> {
    // Without an argument the program runs once, with 0.
    if expected.is_empty() {
        return Vec::new();
    }
    let words: Vec<String> = expected.iter().map(|(argument, _)| argument.to_string()).collect();
    let lines: String = expected.iter().map(|(_, value)| format!("{value}\n")).collect();
    let run = emulate::run(executable, &words, STEPS);
    let mut outputs = vec![("emulator", run.output + &run.errors)];
    if run.end != Termination::OutOfSteps {
        outputs.extend(run_native(executable, &words).map(|output| ("processor", output)));
    }
    let errors = outputs.into_iter().filter(|(_, output)| *output != lines);
    errors.map(|(place, output)| format!("{place}: {output:?}, not {lines:?}")).collect()
}

/// The output of an executable on this machine; `None` if it does not run IA-32 programs.
fn run_native(executable: &[u8], words: &[String]) -> Option<String> {
    Some(match host()?.run(executable, words) {
        Ok(done) => done.output + &done.errors,
        Err(error) => error.to_string(),
    })
}

/// This machine, if it executes IA-32 programs.
pub fn host() -> Option<Host> {
    static HOST: OnceLock<Option<Host>> = OnceLock::new();
    *HOST.get_or_init(Host::detect)
}
