//! The graphs of the chapters: no pass changes their results, and each folding rule applies to one
//! of them.
use crate::graph_cases::{graph_cases, sound_graphs};
use sonc::{FirmFile, FoldOptions, Method, Source, TargetMachine};
use std::collections::BTreeSet;

/// The passes over a graph, with their names.
const PASSES: &[(&str, fn(&mut FirmFile))] = &[
    ("as it is", |_| {}),
    ("folded", |file| fold(file, FoldOptions::default())),
    ("folded as in the paper", |file| {
        fold(file, FoldOptions { paper_order: true, ..FoldOptions::default() });
    }),
    ("folded as a program", |file| {
        fold(file, FoldOptions { program: true, ..FoldOptions::default() });
    }),
    ("selected", |file| select(file, Method::Pbqp)),
    ("selected greedily", |file| select(file, Method::Greedy)),
    ("folded and selected", |file| {
        fold(file, FoldOptions::default());
        select(file, Method::Pbqp);
    }),
];

fn fold(file: &mut FirmFile, options: FoldOptions) {
    file.fold(options).unwrap_or_else(|it| panic!("{} depends on itself", it.node));
}

fn select(file: &mut FirmFile, method: Method) {
    let rules = crate::ttc::rules();
    file.select(&rules, method, 1).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"));
}

/// Whether another set of rules selects different instructions for a graph of the book, or fails.
pub fn needs_rule(name: &str) -> bool {
    let mut source: Source = TargetMachine::Tr.built_in_rules();
    let is_other = |line: &&str| !line.contains(&format!("rule {name}:"));
    source.text = source.text.lines().filter(is_other).collect::<Vec<_>>().join("\n");
    let Ok(others) = TargetMachine::Tr.rules(&source) else { return true };
    sound_graphs().zip(sound_graphs()).any(|((_, mut file), (_, mut usual))| {
        select(&mut usual, Method::Pbqp);
        let refused = file.select(&others, Method::Pbqp, 1).is_err();
        refused || file.artifact().print() != usual.artifact().print()
    })
}

/// The chapter solves the printed problem.
#[test]
fn the_problem_of_the_records_is_in_the_book() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/chapters/25-graph-rewriting/");
    let read = |name: &str| {
        std::fs::read_to_string(format!("{folder}{name}")).unwrap_or_else(|it| panic!("{it}"))
    };
    let rules =
        Source { name: "displacement.rules".into(), text: read("rules/displacement.rules") };
    let rules = TargetMachine::Tr.rules(&rules).unwrap_or_else(|errors| panic!("{errors:?}"));
    let graph = FirmFile::read(&mut read("cases/records.gxl").as_bytes());
    let graph = graph.unwrap_or_else(|fault| panic!("{}", fault.diagnostic.message));
    let problem = graph.selection_problem(&rules);
    let problem = problem.unwrap_or_else(|fault| panic!("{}", fault.diagnostic.message));
    assert_eq!(problem, read("cases/records.pbqp"));
}

#[test]
fn every_pass_keeps_the_results_of_every_graph() {
    let mut errors = Vec::new();
    for &(name, work) in PASSES {
        for (case, mut file) in sound_graphs() {
            work(&mut file);
            case.check(&file, name, &mut errors);
            let mut text = Vec::new();
            file.write(&mut text).expect("memory takes everything");
            let again = FirmFile::read(&mut &text[..]);
            let again = again.unwrap_or_else(|fault| panic!("{}", fault.diagnostic.message));
            case.check(&again, &format!("{name}, written and read"), &mut errors);
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

#[test]
fn every_invalid_graph_is_rejected_with_the_expected_error() {
    for case in graph_cases().iter().filter(|case| !case.errors.is_empty()) {
        let path = case.path.display();
        let Err(report) = case.read() else { panic!("{path} is sound") };
        for error in &case.errors {
            assert!(report.contains(error), "{path} should be refused with `{error}`:\n{report}");
        }
    }
}

#[test]
fn each_folding_rule_applies_to_a_graph_of_the_book() {
    let mut fired = BTreeSet::new();
    for (_, mut file) in sound_graphs() {
        let options = FoldOptions { program: true, ..FoldOptions::default() };
        let Ok(folded) = file.fold(options) else { panic!("it is sound") };
        fired.extend(folded.counts.iter().filter(|it| it.1 > 0).map(|it| it.0));
    }
    let useless = sonc::folding_rules().map(|it| it.0).filter(|name| !fired.contains(name));
    let useless: Vec<_> = useless.collect();
    assert!(useless.is_empty(), "applied to no graph: {useless:?}");
}

#[test]
fn folding_is_idempotent() {
    for (case, mut file) in sound_graphs() {
        fold(&mut file, FoldOptions::default());
        let Ok(again) = file.fold(FoldOptions::default()) else { panic!("it is sound") };
        assert_eq!(again.rewrites(), 0, "{}", case.path.display());
    }
}
