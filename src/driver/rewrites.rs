//! The names and laws of the rules that rewrite graphs.
#[cfg(feature = "ch15")]
use crate::bounds;
#[cfg(feature = "ch28")]
use crate::egraph;
#[cfg(feature = "ch25")]
use crate::firm::fold;
#[cfg(feature = "ch18")]
use crate::inlining;
use crate::peephole;
#[cfg(feature = "ch29")]
use crate::pre_selection;
#[cfg(feature = "ch29")]
use crate::select::sinking;

/// The rules that may be switched off: their names and laws.
pub fn rewrites() -> impl Iterator<Item = (&'static str, &'static str)> {
    let tables: [Vec<_>; _] = [
        peephole::rules().map(|rule| (rule.name, rule.law)).collect(),
        #[cfg(feature = "ch15")]
        vec![(bounds::NAME, bounds::LAW)],
        #[cfg(feature = "ch18")]
        vec![
            (inlining::NAME, inlining::LAW),
            (inlining::TAIL_CALLS, inlining::TAIL_CALLS_LAW),
            (inlining::EFFECTS, inlining::EFFECTS_LAW),
        ],
        #[cfg(feature = "ch29")]
        passes().collect(),
        #[cfg(feature = "ch25")]
        fold::rules().filter(|rule| rule.is_optional()).map(|rule| (rule.name, rule.law)).collect(),
        #[cfg(feature = "ch28")]
        egraph::rules().map(|rule| (rule.name, rule.law)).collect(),
    ];
    tables.into_iter().flatten()
}

/// The passes on Firm before selection, and sinking after it: their names and laws.
#[cfg(feature = "ch29")]
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    pre_selection::passes().chain([(sinking::NAME, sinking::LAW)])
}

/// The reductions of a PBQP: their names and laws.
#[cfg(feature = "ch19")]
pub fn reductions() -> impl Iterator<Item = (&'static str, &'static str)> {
    pbqp::Rule::ALL.into_iter().map(|rule| (rule.name(), rule.law()))
}

/// The rules that fold Firm graphs: their names and laws.
#[cfg(feature = "ch25")]
pub fn folding_rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    fold::rules().map(|rule| (rule.name, rule.law))
}

/// The folding rules that may not be switched off: others leave graphs that only these make valid.
#[cfg(feature = "ch25")]
pub fn needed_folding_rules() -> impl Iterator<Item = &'static str> {
    fold::rules().filter(|rule| !rule.is_optional()).map(|rule| rule.name)
}
