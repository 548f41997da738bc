//! The passes on Firm graphs between lowering and selection.
use super::Options;
use crate::firm;
#[cfg(feature = "ch25")]
use crate::firm::fold;
use crate::select::options::Objective;
#[cfg(feature = "ch25")]
use crate::stage::{Halt, MAX_STEP_NODES, Rewrite, Stage, StageObserver};

/// Firm after folding: the lowering may have introduced constants and unreachable branches.
#[cfg(feature = "ch25")]
pub fn folded(
    mut firm: firm::Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<firm::Program, Halt> {
    if options.optimize {
        let functions = firm.functions.into_iter();
        firm.functions = functions.map(|it| fold_watched(it, options, observer)).collect();
    }
    observer.stage_done(Stage::Lowered, &firm)?;
    Ok(firm)
}

#[cfg(feature = "ch25")]
fn fold_watched(
    firm: firm::Graph,
    options: Options,
    observer: &mut dyn StageObserver,
) -> firm::Graph {
    let mut observe = |step: &Rewrite, graph: &firm::Graph| {
        let is_small = graph.len() <= MAX_STEP_NODES;
        let picture = is_small.then(|| firm::picture_of_step(graph));
        observer.rewrite(&Rewrite { picture, ..step.clone() });
    };
    let observe: Option<&mut fold::Observer> =
        if options.trace { Some(&mut observe) } else { None };
    let (without, usual) = (options.without, fold::Options::default());
    fold::fold(firm, fold::Options { program: true, without, observe, ..usual }).0
}

/// Firm with Muxes in place of short branches, if the machine has instructions for them.
#[cfg(feature = "ch20")]
pub fn if_converted(mut firm: firm::Program, options: Options) -> firm::Program {
    if options.optimize && options.selection.objective == Objective::Speed {
        let convert = |graph| firm::convert(graph, |op| options.rules.cycles(op));
        firm.functions = firm.functions.into_iter().map(convert).collect();
    }
    firm
}
