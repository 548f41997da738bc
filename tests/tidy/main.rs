//! The rules of the house that a test can hold: who imports whom, sizes, tags, doors, texts.
//!
//! docs/style.md gives the reasons. Every complaint names a file, a line and the rule.
mod crate_boundaries;
mod files;
mod libraries;
mod layers;
mod sizes;
mod tags;
mod texts;

/// Fails with every complaint if there is one.
fn report(rule: &str, wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{rule}:\n{}\n", wrong.join("\n"));
}
