//! The programs of regions and of control-flow graphs, with the expected results in their first
//! lines: every stage that can be executed yields them.
//!
//! ```text
//! # 3 4 -> 341              for the arguments 3 and 4 the result is 341
//! # 5 -> 5 1 | 2 3 | 7 0    it writes two lines, and has two results
//! # 7 0 -> trap             it traps
//! # 7 -> never              it never ends
//! # error: no operation     the program is rejected, and the message contains this
//! ```
use crate::cases::region_programs;
use crate::configuration::Configuration;
use crate::run::{STEPS, host};
use sonc::{Artifact, Halt, Outcome, Source, Stage, StageObserver, Termination};
use std::path::{Path, PathBuf};

struct RegionCase {
    path: PathBuf,
    source: Source,
    results: Vec<(Vec<i64>, String)>,
    errors: Vec<String>,
}

/// The cases of this chapter and of earlier ones, sorted by name.
fn cases() -> Vec<RegionCase> {
    let cases: Vec<_> = region_programs().iter().map(|path| case(path)).collect();
    assert!(!cases.is_empty(), "there are no cases");
    cases
}

fn case(path: &Path) -> RegionCase {
    let shown = path.display();
    let text = std::fs::read_to_string(path).unwrap_or_else(|it| panic!("{shown}: {it}"));
    let (mut results, mut errors) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let Some(expectation) = line.strip_prefix("# ") else { break };
        if let Some(error) = expectation.strip_prefix("error: ") {
            errors.push(error.to_string());
        } else if let Some((arguments, result)) = expectation.split_once("-> ") {
            let arguments = arguments.split_whitespace();
            let arguments = arguments.map(|it| it.parse().expect("an argument"));
            results.push((arguments.collect(), result.to_string()));
        }
    }
    assert!(results.len() + errors.len() > 0, "{shown} has neither a result nor an error");
    let name = path.file_name().and_then(|it| it.to_str()).expect("a name").to_string();
    RegionCase { path: path.to_path_buf(), source: Source { name, text }, results, errors }
}

/// Evaluates every stage.
struct Check<'c> {
    case: &'c RegionCase,
    failures: Vec<String>,
}

impl StageObserver for Check<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let violations = artifact.verify().into_iter();
        self.failures.extend(violations.map(|it| format!("{}: {it:?}", stage.name())));
        for (arguments, expected) in &self.case.results {
            let Some(outcome) = artifact.eval_all(arguments) else { break };
            let found = text(&outcome);
            if found != *expected {
                let stage = stage.name();
                self.failures.push(format!("{stage} {arguments:?} -> {found}, not {expected}"));
            }
        }
        Ok(())
    }
}

/// The lines of an outcome, and then its results.
fn text(outcome: &Outcome) -> String {
    let words = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let end = match &outcome.end {
        Termination::Value(value) => value.to_string(),
        Termination::Values(values) => words(values),
        Termination::Trap(message) => message.clone(),
        Termination::Fault { .. } => "trap".to_string(),
        Termination::Object(text) => text.clone(),
        Termination::OutOfSteps => return "never".to_string(),
    };
    outcome.output.lines().chain([end.as_str()]).collect::<Vec<_>>().join(" | ")
}

/// The failures of a case, those of its executable included.
fn failures(case: &RegionCase) -> Vec<String> {
    let mut check = Check { case, failures: Vec::new() };
    let end = Configuration::standard().compile(&case.source, &mut check);
    let Check { mut failures, .. } = check;
    match end {
        Ok(executable) => {
            let results = case.results.iter();
            failures.extend(results.filter_map(|it| wrong_run(&executable, &it.0, &it.1)));
        }
        Err(halt) => failures.push(format!("{halt:?}")),
    }
    failures
}

/// The error of a run in the emulator, or on this machine if it ends there.
fn wrong_run(executable: &[u8], arguments: &[i64], expected: &str) -> Option<String> {
    let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
    let run = emulate::run(executable, &words, STEPS);
    let found = match run.end {
        emulate::Termination::OutOfSteps => "never".to_string(),
        emulate::Termination::Value(0) => lines(&run.output, None),
        emulate::Termination::Value(_) => lines(&run.output, Some("trap")),
        other => format!("{other:?}"),
    };
    if found != expected {
        return Some(format!("emulator {arguments:?} -> {found}, not {expected}"));
    }
    let host = host().filter(|_| expected != "never")?;
    let native = host.run(executable, &words).map(|done| done.output);
    let is_same = native.as_ref().is_ok_and(|it| *it == run.output);
    (!is_same).then(|| format!("processor {arguments:?}: {native:?}, not {expected}"))
}

fn lines(output: &str, end: Option<&str>) -> String {
    output.lines().chain(end).collect::<Vec<_>>().join(" | ")
}

#[test]
fn every_stage_of_regions_yields_the_expected_results() {
    let mut errors = Vec::new();
    for case in cases().iter().filter(|case| case.errors.is_empty()) {
        let failures = failures(case);
        errors.extend(failures.iter().map(|it| format!("{}: {it}", case.path.display())));
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

#[test]
fn every_invalid_program_of_regions_is_rejected_with_the_expected_error() {
    for case in cases().iter().filter(|case| !case.errors.is_empty()) {
        let path = case.path.display();
        let mut check = Check { case, failures: Vec::new() };
        let Err(Halt::Errors(diagnostics)) =
            Configuration::standard().compile(&case.source, &mut check)
        else {
            panic!("{path} is compiled");
        };
        let report = sonc::render(&diagnostics, &case.source, false);
        for error in &case.errors {
            let stated = report.lines().any(|line| line.contains("Error:") && line.contains(error));
            assert!(stated, "{path} should be refused with `{error}`:\n{report}");
        }
    }
}
