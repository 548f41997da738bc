//! Tests of the pipeline: rules, selection, register allocation and encoding together.
#[cfg(feature = "ch26")]
mod calls;
#[cfg(feature = "ch26")]
mod pairs;
#[cfg(feature = "ch27")]
mod flow_graphs;
#[cfg(feature = "ch27")]
mod mutated_texts;
#[cfg(feature = "ch27")]
mod random_regions;
#[cfg(feature = "ch26")]
mod regions;
#[cfg(feature = "ch10")]
mod heap;
#[cfg(feature = "ch25")]
mod memory;
#[cfg(feature = "ch25")]
mod operators;
#[cfg(feature = "ch25")]
mod ttc_graphs;
#[cfg(feature = "ch11")]
mod congruent_phis;
#[cfg(feature = "ch11")]
mod peepholes;
#[cfg(feature = "ch19")]
mod composable;
#[cfg(feature = "ch19")]
mod composable_memory;
#[cfg(feature = "ch07")]
mod random_programs;
#[cfg(feature = "ch02")]
mod random_graphs;
#[cfg(feature = "ch19")]
mod fuzz;
#[cfg(feature = "ch29")]
mod if_conversion;
#[cfg(feature = "ch29")]
mod sinking;
#[cfg(feature = "ch19")]
mod validation;
#[cfg(feature = "ch19")]
mod diagnostics;
#[cfg(feature = "ch25")]
mod select_in_place;
mod rule_semantics;
#[cfg(feature = "ch02")]
mod selection;
#[cfg(feature = "ch10")]
mod dag_patterns;
#[cfg(feature = "ch19")]
mod tr;
#[cfg(feature = "ch04")]
mod soundness;

use crate::diagnostics::Diagnostic;
use crate::driver::{built_in_rules, machine_rules};
use crate::firm::Graph;
use crate::ia32::Code;
use crate::linear_scan::allocate;
use crate::rules::RuleSet;
use crate::select::options::SelectionOptions;
use crate::select::{self, Selection};
use crate::stage::{Artifact, Outcome};
use source::Source;

/// The rules of a correct text.
fn rules_of(text: String) -> RuleSet {
    let source = Source { name: "rules".into(), text };
    machine_rules(&source).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn built_in() -> RuleSet {
    rules_of(built_in_rules().text)
}

/// The built-in rules of every target.
fn all_built_in() -> Vec<RuleSet> {
    BUILT_IN.iter().map(|built_in| built_in()).collect()
}

const BUILT_IN: &[fn() -> RuleSet] = &[
    built_in,
    #[cfg(feature = "ch19")]
    tr::built_in,
];

/// Covers a graph; matches sink, as in the pipeline.
#[cfg(feature = "ch02")]
fn select<'g>(
    graph: &'g Graph,
    rules: &'g RuleSet,
    options: SelectionOptions,
) -> Result<Selection<'g>, Vec<Diagnostic>> {
    let selection = select::select(graph, rules, options);
    #[cfg(feature = "ch29")]
    let selection = selection.map(Selection::sunk);
    selection
}

/// The code of a cover, for IA-32.
fn emit(selection: &Selection) -> Code {
    let mut code = Code::new("simple");
    #[cfg(feature = "ch14")]
    {
        code.signature = selection.program.graph.signature;
    }
    select::emit(selection, &mut code);
    code
}

/// The outcome of a graph; its symbols have addresses.
fn outcome(graph: &Graph, argument: i64) -> Option<Outcome> {
    #[cfg(feature = "ch25")]
    let graph = &ttc_graphs::with_symbols(graph);
    graph.eval(argument)
}

/// The executable stages of a cover, from its code on.
fn executable(selection: &Selection) -> Vec<Box<dyn Artifact>> {
    let name = selection.rules.target.name;
    let of = EXECUTABLE.iter().find(|(target, _)| *target == name);
    (of.expect("every target has code").1)(selection)
}

type Executable = fn(&Selection) -> Vec<Box<dyn Artifact>>;

const EXECUTABLE: &[(&str, Executable)] = &[
    ("ia32", |selection| {
        let selected = emit(selection);
        vec![Box::new(selected.clone()), Box::new(allocate(selected))]
    }),
    #[cfg(feature = "ch19")]
    ("tr", |selection| vec![Box::new(tr::emit(selection))]),
];
