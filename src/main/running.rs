//! Runs of executables, and their outcomes.
use crate::files::{Failure, Outcome, print, say};
use crate::results;

/// Runs an executable on this machine if possible, and if `emulate` is not set. Otherwise the
/// emulator runs it, for at most `limit` instructions, and returns how many instructions of each
/// function were executed.
pub fn run(
    executable: &[u8],
    arguments: &[i64],
    emulate: bool,
    limit: u64,
) -> Result<Vec<(String, u64)>, Failure> {
    let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
    if !emulate && let Some(end) = host::run(executable, &words) {
        return match end? {
            host::End::Success => Ok(Vec::new()),
            host::End::Closed => Err(Failure::Closed),
            host::End::Failure(status) => {
                let verb = if status.code().is_some() { "ended with" } else { "was ended by" };
                Err(Failure::Message(format!("the program {verb} {status}")))
            }
        };
    }
    let run = emulate::run(executable, &words, limit);
    let functions = run.functions.clone();
    print_run(run, limit).map(|()| functions)
}

/// Prints the output of a program in the emulator, or its values if it wrote nothing.
pub fn print_run(run: emulate::Run, limit: u64) -> Outcome {
    say(&run.errors);
    if run.end == emulate::Termination::OutOfSteps {
        print(&run.output)?;
        let message = format!("the program takes more than {limit} instructions");
        return Err(Failure::Message(format!("{message}; `--limit` allows more")));
    }
    #[cfg(feature = "ch10")]
    if let emulate::Termination::Value(status @ 1..) = run.end {
        print(&run.output)?;
        return Err(Failure::Message(format!("the program ended with exit status: {status}")));
    }
    let outcome = sonc::Outcome { output: run.output, end: run.end.into() };
    print_outcome(&outcome)
}

/// Prints the output of a program, or its values if it wrote nothing.
pub fn print_outcome(outcome: &sonc::Outcome) -> Outcome {
    print(&outcome.output)?;
    let values = results::values(&outcome.end).map_err(Failure::Message)?;
    let is_written = matches!(outcome.end, sonc::Termination::Value(_));
    if is_written && !outcome.output.is_empty() {
        return Ok(());
    }
    print(&format!("{values}\n"))
}
