//! The optimization of the sea after it was parsed.
//! @ch28 The saturation of regions.
#[cfg(feature = "ch15")]
use super::is_on;
#[cfg(feature = "ch28")]
use super::verify;
use super::{Options, engine};
#[cfg(feature = "ch18")]
use crate::inlining;
#[cfg(feature = "ch15")]
use crate::{bounds, schedule};
#[cfg(feature = "ch28")]
use crate::{egraph, region, stage::Halt, stage::Stage};
use crate::{peephole, sea, stage::StageObserver};

/// The sea after all peepholes, to a fixed point.
pub fn optimized(
    sea: sea::Graph,
    options: Options,
    observer: &mut dyn StageObserver,
) -> peephole::Optimized {
    #[cfg(feature = "ch18")]
    let sea = with_known_calls(sea, options);
    let sea = peephole::optimize(sea, engine(options));
    #[cfg(feature = "ch15")]
    let sea = without_checks(sea, options);
    sea.steps().for_each(|step| observer.rewrite(step));
    sea
}

/// The sea after the passes on calls.
#[cfg(feature = "ch18")]
fn with_known_calls(mut sea: sea::Graph, options: Options) -> sea::Graph {
    if !options.optimize || sea.types.functions.len() == 0 {
        return sea;
    }
    let [inline, tail_calls] =
        [inlining::NAME, inlining::TAIL_CALLS].map(|name| is_on(name, options.without));
    inlining::inline(&mut sea, inlining::Passes { inline, tail_calls });
    if is_on(inlining::EFFECTS, options.without) {
        inlining::pass_by(&mut sea);
    }
    inlining::renew_depths(&mut sea);
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

/// The same sea, with a note of the replaced nodes. Calls are not inlined, so that the bodies of
/// functions stay.
#[cfg(feature = "ch28")]
pub fn optimized_with_replacements(sea: sea::Graph, options: Options) -> peephole::Optimized {
    let mut engine = engine(options);
    engine.note_replacements();
    without_checks(peephole::optimize(sea, engine), options)
}

/// The regions after equality saturation.
#[cfg(feature = "ch28")]
pub fn saturated(
    regions: &region::Graph,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<region::Graph, Halt> {
    if !options.optimize {
        return Ok(regions.clone());
    }
    let saturated = egraph::saturate(regions, options.without, options.trace);
    saturated.steps.iter().for_each(|step| observer.rewrite(step));
    verify(Stage::EGraph, &saturated.classes)?;
    observer.stage_done(Stage::EGraph, &saturated.classes)?;
    verify(Stage::Saturated, &saturated)?;
    observer.stage_done(Stage::Saturated, &saturated)?;
    Ok(saturated.graph)
}
