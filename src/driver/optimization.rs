//! The optimization of the sea after it was parsed.
#[cfg(feature = "ch15")]
use super::is_on;
use super::{Options, engine};
#[cfg(feature = "ch15")]
use crate::{bounds, schedule};
use crate::{peephole, sea, stage::StageObserver};

/// The sea after all peepholes, to a fixed point.
pub fn optimized(
    sea: sea::Graph,
    options: Options,
    observer: &mut dyn StageObserver,
) -> peephole::Optimized {
    let sea = peephole::optimize(sea, engine(options));
    #[cfg(feature = "ch15")]
    let sea = without_checks(sea, options);
    sea.steps().for_each(|step| observer.rewrite(step));
    sea
}

/// The sea without the bounds checks that always hold.
#[cfg(feature = "ch15")]
fn without_checks(sea: peephole::Optimized, options: Options) -> peephole::Optimized {
    if sea.traps.is_empty() || !options.optimize || !is_on(bounds::NAME, options.without) {
        return sea;
    }
    let holding = bounds::holding_checks(&sea, &schedule::schedule(&sea));
    if holding.is_empty() { sea } else { sea.with_known_tests(&holding) }
}

/// The same sea, with a note of the replaced nodes.
#[cfg(feature = "ch28")]
pub fn optimized_with_replacements(sea: sea::Graph, options: Options) -> peephole::Optimized {
    let mut engine = engine(options);
    engine.note_replacements();
    without_checks(peephole::optimize(sea, engine), options)
}
