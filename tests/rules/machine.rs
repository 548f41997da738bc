//! Machine rules: each is optimal for some program of the book, or completes the rule set.
use crate::cases::cases;
#[cfg(feature = "ch26")]
use crate::cases::region_programs;
use crate::configuration::{Configuration, rules};
use sonc::{Artifact, Halt, MachineRules, Objective, Source, Stage, StageObserver};
use std::collections::BTreeSet;
#[cfg(feature = "ch26")]
use std::path::Path;

/// The numbers of the selected rules.
#[derive(Default)]
struct Selected(BTreeSet<usize>);

impl StageObserver for Selected {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage < Stage::Selected {
            return Ok(());
        }
        let marks = artifact.print();
        let marks = marks.split(',').filter_map(|it| it.lines().next()?.strip_prefix(MARK));
        self.0.extend(marks.filter_map(|it| usize::from_str_radix(it, 16).ok()));
        Err(Halt::Stopped(stage))
    }
}

/// The prefix of a rule's number in its code.
const MARK: &str = "0x7e57";

/// The built-in rules, each with one more instruction that contains its number. Costs and selection
/// stay the same.
fn marked() -> MachineRules {
    let rules = rules();
    let mark = |(number, text): (usize, String)| {
        let (pattern, steps) = text.split_once(" => ").expect("every rule becomes something");
        let mark = i64::from_str_radix(&format!("7e57{number:03x}"), 16).expect("a number");
        format!("{pattern} => mov mark, {mark}; {steps}\n")
    };
    let text = rules.catalogue().map(|rule| rule.text()).enumerate().map(mark).collect();
    let source = Source { name: "marked".into(), text };
    sonc::machine_rules(&source).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// One option that a configuration may change.
type Variation = fn(&mut Configuration);

const VARIATIONS: &[Variation] = &[
    |configuration| configuration.selection.objective = Objective::Size,
    |configuration| configuration.optimize = false,
    #[cfg(feature = "ch04")]
    |configuration| configuration.selection.method = sonc::Method::Greedy,
];

/// All combinations of options.
fn configurations() -> Vec<Configuration> {
    let mut configurations = vec![Configuration::standard()];
    for variation in VARIATIONS {
        let mut more = configurations.clone();
        more.iter_mut().for_each(variation);
        configurations.extend(more);
    }
    configurations
}

/// Another reason for a rule or an alternative of a form: whether the other rules are incomplete
/// without those that it is a part of.
type Reason = fn(&MachineRules, &str) -> bool;

const REASONS: &[Reason] = &[
    #[cfg(feature = "ch14")]
    |_, name| FOR_PAIRS.contains(&name),
    #[cfg(feature = "ch19")]
    makes_composable,
];

/// The rules for integers of two words. Legalization makes their patterns from operations on
/// 64 bits, which programs do not have yet. The tests of the pipeline select and execute them; the
/// exceptions are `imul-high`, and the two for functions as values, which belong to regions.
#[cfg(feature = "ch14")]
const FOR_PAIRS: &[&str] = &[
    "add-pair",
    "add-pair-low",
    "sub-pair",
    "sub-pair-low",
    "add-carry",
    "add-carry-low",
    "sub-borrow",
    "sub-borrow-low",
    "mul-high",
    "mul-both",
    "imul-high",
    "imul-both",
    "shld",
    "shrd",
    "shld-count",
    "shrd-count",
    "condition/pair",
    "condition/pair-not",
    "call",
    "call-value",
    "function-address",
];

#[cfg(feature = "ch19")]
fn makes_composable(rules: &MachineRules, name: &str) -> bool {
    completes(sonc::TargetMachine::Ia32, rules, name)
}

/// The names of the written rule and of the alternatives that a rule consists of.
#[cfg(feature = "ch04")]
fn parts(rule: &sonc::MachineRule) -> Vec<&str> {
    rule.written().collect()
}

/// Before chapter 4 there are no forms.
#[cfg(not(feature = "ch04"))]
fn parts(rule: &sonc::MachineRule) -> Vec<&str> {
    vec![rule.name.as_str()]
}

/// Whether the other rules of a machine lack a pattern.
#[cfg(feature = "ch19")]
pub fn completes(machine: sonc::TargetMachine, rules: &MachineRules, name: &str) -> bool {
    let others = rules.catalogue().filter(|rule| !parts(rule).contains(&name));
    let text = others.map(|rule| format!("{}\n", rule.text())).collect();
    let others = Source { name: "others".into(), text };
    // Nothing is missing if the completed text is the same; an error is a pattern without a rule.
    let completed = sonc::complete_rules(&others, machine);
    !completed.is_ok_and(|completed| completed == others.text)
}

#[cfg(feature = "ch26")]
fn source(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).expect("it can be read");
    Source { name: path.display().to_string(), text }
}

/// Whether some case selects a rule in some configuration with each written rule and each
/// alternative of a form. Every chapter tests its own cases and
/// earlier ones, so a rule is useful in its own chapter at the latest.
#[test]
fn each_is_selected_for_a_program_of_the_book() {
    let (rules, marked) = (rules(), marked());
    #[cfg(feature = "ch19")]
    assert!(!makes_composable(rules, "no rule"), "all rules together are composable");
    let mut useful = BTreeSet::new();
    let programs = cases().into_iter().map(|case| case.source);
    #[cfg(feature = "ch26")]
    let programs = programs.chain(region_programs().into_iter().map(|path| source(&path)));
    for program in programs {
        for configuration in configurations() {
            let mut chosen = Selected::default();
            // The case may be one of an error.
            let _ = sonc::compile(&program, configuration.options(&marked), &mut chosen);
            useful.extend(chosen.0);
        }
    }
    let selected = rules.catalogue().enumerate().filter(|(at, _)| useful.contains(at));
    let selected: BTreeSet<_> = selected.flat_map(|(_, rule)| parts(rule)).collect();
    let all: BTreeSet<_> = rules.catalogue().flat_map(parts).collect();
    let useless = all.difference(&selected);
    let useless = useless.filter(|name| !REASONS.iter().any(|reason| reason(rules, name)));
    let useless: Vec<_> = useless.collect();
    assert!(useless.is_empty(), "chosen in no case: {useless:?}");
}
