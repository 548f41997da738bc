//! The results of programs, as texts. The command line and the playground contain this file.
use sonc::Termination;

/// The values of a program; the reason if it has none.
pub fn values(end: &Termination) -> Result<String, String> {
    match end {
        Termination::Value(value) => Ok(value.to_string()),
        #[cfg(feature = "ch10")]
        Termination::Object(text) => Ok(text.clone()),
        #[cfg(feature = "ch14")]
        Termination::Values(values) => {
            Ok(values.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
        }
        #[cfg(feature = "ch15")]
        Termination::Trap(message) => Err(message.clone()),
        Termination::Fault { place, reason } => Err(format!("fault at {place}: {reason}")),
        Termination::OutOfSteps => Err("the program takes too many steps".to_string()),
    }
}
