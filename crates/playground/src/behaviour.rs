//! The behaviour of programs in the emulator, as JSON.
use emulate::{Run, Termination};
use serde_json::{Value, json};

/// The behaviour of a program that `has_ended`, or that may be continued.
pub fn behaviour(run: &Run, has_ended: bool) -> Value {
    let functions = run.functions.iter();
    let functions = functions.map(|(name, count)| json!({ "name": name, "instructions": count }));
    json!({
        "output": run.output,
        "errors": run.errors,
        "error": error(run, has_ended),
        "ended": has_ended,
        "instructions": run.instructions,
        "functions": functions.collect::<Vec<Value>>(),
    })
}

/// The reason why a program ended without success.
fn error(run: &Run, has_ended: bool) -> Option<String> {
    match &run.end {
        Termination::Value(0) => None,
        Termination::Value(status) => Some(format!("the program ended with exit status: {status}")),
        Termination::Fault { place, fault } => Some(format!("fault at {place}: {fault}")),
        Termination::OutOfSteps => {
            has_ended.then(|| "stopped: the program writes too much".to_string())
        }
    }
}
