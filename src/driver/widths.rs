//! The widths of the values of a program, for measurements.
use super::optimization::optimized;
use super::{Options, engine, lowered};
use crate::diagnostics::Diagnostic;
use crate::stage::StageObserver;
use crate::{legalize, parse, schedule};
use source::Source;

/// The number of values of 64 bits in a program that need one word only, and that of all values of
/// 64 bits.
///
/// # Errors
/// Errors in the program.
pub fn single_values(
    source: &Source,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<[usize; 2], Vec<Diagnostic>> {
    let parsed = parse::parse(parse::Input {
        text: &source.text,
        engine: engine(options),
        show: Box::new(|_| ()),
        argument: options.argument,
        int: options.int,
    })?;
    let sea = optimized(parsed.graph, options, observer).frozen();
    Ok(legalize::single_values(&lowered(&sea, &schedule::schedule(&sea))))
}
