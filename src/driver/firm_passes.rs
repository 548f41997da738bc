//! The passes on Firm graphs between lowering and selection.
use super::Options;
#[cfg(feature = "ch25")]
use crate::firm::fold;
use crate::firm::{
    self, compared_quotients, dead_stores, if_conversion, invariants, operation_into_phi,
    register_promotion,
};
use crate::ranges::choice_of_bits;
use crate::select::options::{Objective, SelectionOptions};
use crate::select::sinking;
#[cfg(feature = "ch25")]
use crate::stage::MAX_STEP_NODES;
use crate::stage::{Artifact, Halt, Rewrite, Stage, StageObserver};

/// Firm after its passes. The lowering may have introduced constants and unreachable branches.
pub fn improved(
    mut firm: firm::Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Result<firm::Program, Halt> {
    firm = apply(&MEMORY_PASSES, firm, options, observer);
    #[cfg(feature = "ch25")]
    {
        let fold = |graph| folded(graph, options, observer);
        firm.functions = firm.functions.into_iter().map(fold).collect();
    }
    firm = apply(&PASSES, firm, options, observer);
    observer.stage_done(Stage::Lowered, &firm)?;
    Ok(firm)
}

#[cfg(feature = "ch25")]
fn folded(firm: firm::Graph, options: Options, observer: &mut dyn StageObserver) -> firm::Graph {
    if !options.optimize {
        return firm;
    }
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

impl Options<'_> {
    /// Whether a pass is switched on.
    fn is_on(&self, name: &str) -> bool {
        self.optimize && self.without.iter().all(|other| other != name)
    }
}

/// A pass that can be switched off.
struct Pass {
    name: &'static str,
    law: &'static str,
    apply: fn(firm::Graph, Options) -> firm::Graph,
}

fn apply(
    passes: &[Pass],
    firm: firm::Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> firm::Program {
    let on = passes.iter().filter(|pass| options.is_on(pass.name));
    on.fold(firm, |firm, pass| pass.observed(firm, options, observer))
}

impl Pass {
    /// The program after the pass, which is a step if it changes the program.
    fn observed(
        &self,
        mut firm: firm::Program,
        options: Options,
        observer: &mut dyn StageObserver,
    ) -> firm::Program {
        let before = options.trace.then(|| (firm.print(), size(&firm)));
        firm.functions = firm.functions.into_iter().map(|it| (self.apply)(it, options)).collect();
        if let Some((text, before)) = before
            && firm.print() != text
        {
            // Passes number all nodes anew, so no picture fits that of the step before.
            let (after, node, origin, picture) = (size(&firm), String::new(), None, None);
            observer.rewrite(&Rewrite { rule: self.name, before, after, node, origin, picture });
        }
        firm
    }
}

/// The numbers of nodes and blocks of a program.
fn size(firm: &firm::Program) -> String {
    let blocks = |graph: &firm::Graph| graph.ids().filter(|&id| graph.op(id).is_block()).count();
    let blocks = firm.functions.iter().map(blocks).sum::<usize>();
    let all = firm.functions.iter().map(|graph| graph.len()).sum::<usize>();
    format!("{} nodes in {blocks} blocks", all - blocks)
}

/// The passes on memory. Others follow that make use of values in place of loads.
const MEMORY_PASSES: [Pass; 2] = [
    Pass {
        name: register_promotion::NAME,
        law: register_promotion::LAW,
        apply: |graph, _| register_promotion::promote(graph),
    },
    Pass {
        name: dead_stores::NAME,
        law: dead_stores::LAW,
        apply: |graph, _| dead_stores::remove(graph),
    },
];

/// The passes on values, in this order.
const PASSES: [Pass; 5] = [
    Pass {
        name: compared_quotients::NAME,
        law: compared_quotients::LAW,
        apply: |graph, _| compared_quotients::replace(graph),
    },
    Pass {
        name: choice_of_bits::NAME,
        law: choice_of_bits::LAW,
        apply: |graph, _| choice_of_bits::replace(graph),
    },
    Pass {
        name: operation_into_phi::NAME,
        law: operation_into_phi::LAW,
        apply: |graph, _| operation_into_phi::move_operations(graph),
    },
    Pass { name: if_conversion::NAME, law: if_conversion::LAW, apply: if_converted },
    Pass {
        name: invariants::NAME,
        law: invariants::LAW,
        apply: |graph, _| invariants::combine(graph),
    },
];

/// The passes on Firm before selection, and sinking after it: their names and laws.
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let passes = MEMORY_PASSES.iter().chain(&PASSES).map(|pass| (pass.name, pass.law));
    passes.chain([(sinking::NAME, sinking::LAW)])
}

/// The options with the choice whether matches sink.
pub fn with_sinking(options: Options) -> Options {
    let without_sinking = !options.is_on(sinking::NAME);
    Options { selection: SelectionOptions { without_sinking, ..options.selection }, ..options }
}

/// The graph with Muxes in place of short branches. A choice without a jump is longer.
fn if_converted(firm: firm::Graph, options: Options) -> firm::Graph {
    match options.selection.objective {
        Objective::Size => firm,
        Objective::Speed => if_conversion::convert(firm, |op| options.rules.cycles(op)),
    }
}
