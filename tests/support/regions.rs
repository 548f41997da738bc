//! The programs of regions and of control-flow graphs, with the expected results in their first
//! lines: every stage that can be executed yields them.
//!
//! ```text
//! # 3 4 -> 341              for the arguments 3 and 4 the result is 341
//! # 5 -> 5 1 | 2 3 | 7 0    it writes two lines, and has two results
//! # 7 0 -> trap             it traps
//! # 7 -> never              it never ends
//! # last: firm              the compilation ends after this stage
//! # error: no operation     the program is rejected, and the message contains this
//! ```
use crate::configuration::Configuration;
use crate::run::run_everywhere;
use sonc::{Artifact, Halt, Outcome, Source, Stage, StageObserver, Termination, this_chapter};
use std::path::{Path, PathBuf};

struct RegionCase {
    path: PathBuf,
    source: Source,
    results: Vec<(Vec<i64>, String)>,
    errors: Vec<String>,
    last: Option<String>,
}

/// The cases of this chapter and of earlier ones, sorted by name.
fn cases() -> Vec<RegionCase> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let chapters = files(&root).into_iter().filter(|it| is_in_this_chapter(it));
    let found = chapters.flat_map(|chapter| files(&chapter.join("cases")));
    let is_case = |it: &PathBuf| it.extension().is_some_and(|it| it == "rv" || it == "cfg");
    let cases: Vec<_> = found.filter(is_case).map(|path| case(&path)).collect();
    assert!(!cases.is_empty(), "there are no cases");
    cases
}

fn is_in_this_chapter(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    name.get(..2).and_then(|it| it.parse().ok()).is_some_and(|it: u32| it <= this_chapter())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn case(path: &Path) -> RegionCase {
    let shown = path.display();
    let text = std::fs::read_to_string(path).unwrap_or_else(|it| panic!("{shown}: {it}"));
    let (mut results, mut errors, mut last) = (Vec::new(), Vec::new(), None);
    for line in text.lines() {
        let Some(expectation) = line.strip_prefix("# ") else { break };
        if let Some(error) = expectation.strip_prefix("error: ") {
            errors.push(error.to_string());
        } else if let Some(stage) = expectation.strip_prefix("last: ") {
            last = Some(stage.to_string());
        } else if let Some((arguments, result)) = expectation.split_once("-> ") {
            let arguments = arguments.split_whitespace();
            let arguments = arguments.map(|it| it.parse().expect("an argument"));
            results.push((arguments.collect(), result.to_string()));
        }
    }
    assert!(results.len() + errors.len() > 0, "{shown} has neither a result nor an error");
    let name = path.file_name().and_then(|it| it.to_str()).expect("a name").to_string();
    RegionCase { path: path.to_path_buf(), source: Source { name, text }, results, errors, last }
}

/// Evaluates every stage.
struct Check<'c> {
    case: &'c RegionCase,
    failures: Vec<String>,
    last: Option<Stage>,
}

impl StageObserver for Check<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.last = Some(stage);
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
        Termination::Fault { .. } => "trap".to_string(),
        Termination::OutOfSteps => return "never".to_string(),
    };
    outcome.output.lines().chain([end.as_str()]).collect::<Vec<_>>().join(" | ")
}

/// The failures of a case. Machine code runs for those arguments for which it has a value.
fn failures(case: &RegionCase) -> Vec<String> {
    let mut check = Check { case, failures: Vec::new(), last: None };
    let end = Configuration::standard().compile(&case.source, &mut check);
    let Check { mut failures, last, .. } = check;
    match (end, &case.last) {
        (Ok(executable), None) => {
            let value = |(arguments, result): &(Vec<i64>, String)| {
                Some((*arguments.first()? as i32, result.parse().ok()?))
            };
            let values: Vec<_> = case.results.iter().filter_map(value).collect();
            failures.extend(run_everywhere(&executable, &values));
        }
        (Err(Halt::Errors(_)), Some(expected)) => {
            let last = last.map(Stage::name);
            if last != Some(expected) {
                failures.push(format!("ends after {last:?}, not after {expected}"));
            }
        }
        (end, _) => failures.push(format!("{end:?}")),
    }
    failures
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
        let mut check = Check { case, failures: Vec::new(), last: None };
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
