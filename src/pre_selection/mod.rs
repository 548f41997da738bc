//! Passes on Firm before instruction selection: constant folding.
//! @ch29 Register promotion and dead stores before it; after it, compared quotients and digits,
//! @ch29 tests of divisibility, exact quotients, choices by bits, operations on Phis,
//! @ch29 if-conversion, invariant terms.
#[cfg(feature = "ch29")]
mod choice_of_bits;
#[cfg(feature = "ch29")]
mod compared_digits;
#[cfg(feature = "ch29")]
mod compared_quotients;
#[cfg(feature = "ch29")]
mod dead_stores;
#[cfg(feature = "ch29")]
mod divisibility_tests;
#[cfg(feature = "ch29")]
mod exact_quotients;
#[cfg(feature = "ch29")]
pub mod if_conversion;
#[cfg(feature = "ch29")]
mod invariants;
#[cfg(feature = "ch29")]
mod operation_into_phi;
#[cfg(feature = "ch29")]
mod patterns;
#[cfg(feature = "ch29")]
mod recurrences;
#[cfg(feature = "ch29")]
mod register_promotion;
#[cfg(feature = "ch29")]
#[cfg(test)]
pub mod tests;

use crate::firm::fold;
use crate::firm::{Graph, Mode, Op, Program};
#[cfg(feature = "ch29")]
use crate::stage::Artifact;
use crate::stage::{MAX_STEP_NODES, Rewrite, StageObserver};
use source::Span;
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// The passes that are switched off.
    pub without: &'o [String],
    /// Whether the observer receives every rewrite.
    pub trace: bool,
    /// The latency of an operation on values in registers, if the machine has an instruction for it
    /// and the time of the program counts.
    #[cfg(feature = "ch29")]
    pub cycles: &'o dyn Fn(Op, Mode) -> Option<u32>,
}

/// Improves a program. The lowering may have introduced constants and unreachable branches.
pub fn improve(
    mut program: Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Program {
    #[cfg(feature = "ch29")]
    {
        program = apply(&MEMORY_PASSES, program, options, observer);
    }
    let fold = |graph| folded(graph, options, observer);
    program.functions = program.functions.into_iter().map(fold).collect();
    #[cfg(feature = "ch29")]
    let program = apply(&PASSES, program, options, observer);
    program
}

fn folded(graph: Graph, options: Options, observer: &mut dyn StageObserver) -> Graph {
    let mut observe = |step: &Rewrite, graph: &Graph| {
        let is_small = graph.len() <= MAX_STEP_NODES;
        let picture = is_small.then(|| crate::firm::picture_of_step(graph));
        observer.rewrite(&Rewrite { picture, ..step.clone() });
    };
    let observe: Option<&mut fold::Observer> =
        if options.trace { Some(&mut observe) } else { None };
    let (without, usual) = (options.without, fold::Options::default());
    fold::fold(graph, fold::Options { program: true, without, observe, ..usual }).0
}

/// A pass that can be switched off.
#[cfg(feature = "ch29")]
struct Pass {
    name: &'static str,
    law: &'static str,
    apply: fn(Graph, Options) -> Graph,
}

#[cfg(feature = "ch29")]
fn apply(
    passes: &[Pass],
    program: Program,
    options: Options,
    observer: &mut dyn StageObserver,
) -> Program {
    let on = passes.iter().filter(|pass| options.without.iter().all(|name| name != pass.name));
    on.fold(program, |program, pass| pass.observed(program, options, observer))
}

#[cfg(feature = "ch29")]
impl Pass {
    /// The program after the pass, which is a step if it changes the program.
    fn observed(
        &self,
        mut program: Program,
        options: Options,
        observer: &mut dyn StageObserver,
    ) -> Program {
        let before = options.trace.then(|| (program.print(), size(&program), places(&program)));
        let pass = |graph| (self.apply)(graph, options);
        program.functions = program.functions.into_iter().map(pass).collect();
        if let Some((text, before, places_before)) = before
            && program.print() != text
        {
            // Passes number all nodes anew, so no picture fits that of the step before.
            let (after, node, picture) = (size(&program), String::new(), None);
            let origin = changed_place(&places_before, &places(&program));
            observer.rewrite(&Rewrite { rule: self.name, before, after, node, origin, picture });
        }
        program
    }
}

/// The places in the source text, each with the operations that were made for it, and how many
/// there are of each.
#[cfg(feature = "ch29")]
type Places = BTreeMap<(Span, String), usize>;

#[cfg(feature = "ch29")]
fn places(program: &Program) -> Places {
    let mut places = Places::new();
    for graph in &program.functions {
        for id in graph.ids() {
            let Some(origin) = graph.origin(id) else { continue };
            let operands: Vec<Op> = graph.operands(id).iter().map(|&it| graph.op(it)).collect();
            let text = format!("{:?} {operands:?}", graph.op(id));
            *places.entry((origin, text)).or_default() += 1;
        }
    }
    places
}

/// The first place with new operations, or else the first one that has lost some.
#[cfg(feature = "ch29")]
fn changed_place(before: &Places, after: &Places) -> Option<Span> {
    let more = |a: &Places, b: &Places| {
        let count = |key| b.get(key).copied().unwrap_or_default();
        a.iter().find(|(key, number)| **number > count(key)).map(|(key, _)| key.0)
    };
    more(after, before).or_else(|| more(before, after))
}

/// The numbers of nodes and blocks of a program.
#[cfg(feature = "ch29")]
fn size(program: &Program) -> String {
    let blocks = |graph: &Graph| graph.ids().filter(|&id| graph.op(id).is_block()).count();
    let blocks = program.functions.iter().map(blocks).sum::<usize>();
    let all = program.functions.iter().map(|graph| graph.len()).sum::<usize>();
    format!("{} nodes in {blocks} blocks", all - blocks)
}

/// The passes on memory. Others follow that make use of values in place of loads.
#[cfg(feature = "ch29")]
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
#[cfg(feature = "ch29")]
const PASSES: [Pass; 8] = [
    Pass {
        name: compared_quotients::NAME,
        law: compared_quotients::LAW,
        apply: |graph, _| compared_quotients::replace(graph),
    },
    Pass {
        name: compared_digits::NAME,
        law: compared_digits::LAW,
        apply: |graph, _| compared_digits::replace(graph),
    },
    Pass {
        name: divisibility_tests::NAME,
        law: divisibility_tests::LAW,
        apply: |graph, _| divisibility_tests::replace(graph),
    },
    Pass {
        name: exact_quotients::NAME,
        law: exact_quotients::LAW,
        apply: |graph, _| exact_quotients::replace(graph),
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
    Pass {
        name: if_conversion::NAME,
        law: if_conversion::LAW,
        apply: |graph, options| if_conversion::convert(graph, options.cycles),
    },
    Pass {
        name: invariants::NAME,
        law: invariants::LAW,
        apply: |graph, options| invariants::combine(graph, options.cycles),
    },
];

/// The passes that can be switched off: their names and laws.
#[cfg(feature = "ch29")]
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    MEMORY_PASSES.iter().chain(&PASSES).map(|pass| (pass.name, pass.law))
}
