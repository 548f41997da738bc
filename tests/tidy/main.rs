//! Rules of style that a test can check: imports, sizes, tags, wrappers, texts.
//!
//! docs/style.md gives the reasons. Every message names a file, a line and the rule.
mod crate_boundaries;
mod files;
mod libraries;
mod layers;
mod sizes;
mod tags;
mod texts;

/// Fails with all violations if there are any.
fn report(rule: &str, violations: Vec<String>) {
    assert!(violations.is_empty(), "{rule}:\n{}\n", violations.join("\n"));
}
