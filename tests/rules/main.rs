//! Every rule, tested by its own row.
#![cfg(feature = "ch02")]
#[path = "../support/cases.rs"]
mod cases;
mod machine;
#[cfg(feature = "ch25")]
mod foldings;
#[cfg(feature = "ch25")]
#[path = "../support/graphs.rs"]
mod graph_cases;
#[cfg(feature = "ch25")]
mod graphs;
#[cfg(feature = "ch19")]
mod code_sizes;
#[cfg(feature = "ch19")]
mod ttc;
#[cfg(feature = "ch19")]
mod reductions;
#[cfg(feature = "ch19")]
#[path = "../support/counts.rs"]
mod counts;
mod peepholes;
#[path = "../support/check.rs"]
mod check;
#[path = "../support/configuration.rs"]
mod configuration;
#[cfg(feature = "ch28")]
mod regions;

use std::collections::BTreeSet;

/// The names are unique, in small letters with dashes, and slashes before alternatives.
fn check_names<'n>(names: impl Iterator<Item = &'n str>) {
    let mut known = BTreeSet::new();
    for name in names {
        let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let word = |word: &str| !word.is_empty() && word.chars().all(letter);
        assert!(name.split(['-', '/']).all(word), "`{name}` is no name for a rule");
        assert!(known.insert(name), "two rules are called `{name}`");
    }
    assert!(!known.is_empty());
}

#[test]
fn machine_rules_have_names() {
    let rules = sonc::machine_rules(&sonc::built_in_rules());
    let rules = rules.unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
    check_names(rules.catalogue().map(|rule| rule.name.as_str()));
}
