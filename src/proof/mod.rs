//! Proofs that need many rooms: rules, selection, registers and bytes together. Tests only.
#[cfg(feature = "ch19")]
mod composable;
#[cfg(feature = "ch07")]
mod control;
#[cfg(feature = "ch02")]
mod dags;
#[cfg(feature = "ch02")]
mod fuzz;
#[cfg(feature = "ch19")]
mod meaning;
mod random;
#[cfg(feature = "ch04")]
mod refused;
mod rows;
#[cfg(feature = "ch02")]
mod selection;
#[cfg(feature = "ch10")]
mod sharing;

use crate::base::span::Source;
use crate::driver::{built_in_rules, machine_rules};
use crate::rules::RuleSet;

/// The rules of a text that is known to be right.
fn rules_of(text: String) -> RuleSet {
    let source = Source { name: "rules".into(), text };
    machine_rules(&source).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

fn built_in() -> RuleSet {
    rules_of(built_in_rules().text)
}
