//! Everything that can be chosen: languages, options and their values, rules.
use serde_json::{Value, json};
use sonc::{MachineRules, Source, this_chapter};

/// The rules for instruction selection without those of these names.
///
/// A rule begins a line, after its tag, and ends before the next rule, comment or blank line. Lines
/// stay where they are.
pub fn rules_without(names: &[String]) -> Source {
    let rules = sonc::built_in_rules();
    let mut is_out = false;
    let kept = rules.text.lines().map(|line| {
        let name = line.split_once("rule ").and_then(|(_, rest)| rest.split(':').next());
        match name.filter(|_| line.starts_with(['@', 'r'])) {
            Some(name) => is_out = names.iter().any(|it| it == name),
            None if !line.starts_with(char::is_whitespace) => is_out = false,
            None => {}
        }
        if is_out { "\n".to_string() } else { format!("{line}\n") }
    });
    Source { text: kept.collect(), ..rules }
}

/// The catalogue of this compiler, as JSON.
pub fn catalogue(rules: &MachineRules) -> Value {
    let rules = rules.catalogue().map(|it| json!({ "name": it.name, "law": it.text() }));
    let rules: Vec<Value> = rules.collect();
    #[cfg(feature = "ch02")]
    let rewrites = sonc::rewrites().map(|(name, law)| json!({ "name": name, "law": spaced(law) }));
    #[cfg(feature = "ch02")]
    let rewrites: Vec<Value> = rewrites.collect();
    #[cfg(not(feature = "ch02"))]
    let rewrites: Vec<Value> = Vec::new();
    let languages = [
        json!({ "extension": "smp", "name": "Simple" }),
        #[cfg(feature = "ch26")]
        json!({ "extension": "rv", "name": "regions" }),
        #[cfg(feature = "ch27")]
        json!({ "extension": "cfg", "name": "control-flow graph" }),
    ];
    json!({
        "chapter": this_chapter(),
        "languages": languages,
        "options": options(),
        "rewrites": rewrites,
        "rules": rules,
    })
}

/// The options with their values; the first one is the default.
fn options() -> Vec<Value> {
    OPTIONS.iter().map(|(name, title, values)| option(name, title, values)).collect()
}

/// The names, titles and values of the options.
const OPTIONS: &[(&str, &str, &[&str])] = &[
    ("objective", "Cost to minimize", &["speed", "size"]),
    #[cfg(feature = "ch04")]
    ("selector", "Instruction selection", SELECTORS),
    #[cfg(feature = "ch11")]
    ("placement", "Blocks of values", &["best", "early", "late"]),
    #[cfg(feature = "ch20")]
    ("allocator", "Register allocation", &["colour", "scan"]),
    #[cfg(feature = "ch27")]
    ("via", "Through", &["", "regions"]),
];

#[cfg(feature = "ch04")]
const SELECTORS: &[&str] = &[
    "pbqp",
    "greedy",
    #[cfg(feature = "ch19")]
    "heuristic",
];

fn option(name: &str, title: &str, values: &[&str]) -> Value {
    json!({ "name": name, "title": title, "values": values })
}

/// A law of several lines, on one.
#[cfg(feature = "ch02")]
fn spaced(law: &str) -> String {
    law.split_whitespace().collect::<Vec<_>>().join(" ")
}
