//! The programs of the chapters: their results at every stage, in this chapter and all later ones;
//! and their shape, in their own chapter.
//!
//! `CASE=name cargo test --test cases` runs those whose path contains `name`; `UPDATE_EXPECT=1`
//! rewrites the shapes.
#[path = "support/cases.rs"]
mod cases;
#[path = "support/check.rs"]
mod check;
#[path = "support/configuration.rs"]
mod configuration;
#[cfg(feature = "ch13")]
#[path = "cases/examples.rs"]
mod examples;
#[cfg(feature = "ch29")]
#[path = "cases/language.rs"]
mod language;
#[cfg(feature = "ch26")]
#[path = "support/regions.rs"]
mod regions;
#[path = "support/run.rs"]
mod run;

use cases::Case;
use check::Check;
use configuration::Configuration;
use expect_test::expect_file;
use run::run_everywhere;
use sonc::this_chapter;
use sonc::{Artifact, Halt, Stage, StageObserver};

/// More steps than the small programs of the chapters take.
const STEPS_TO_END: u64 = 100_000;

fn selected_cases() -> Vec<Case> {
    let expected = std::env::var("CASE").unwrap_or_default();
    let mut cases = cases::cases();
    cases.retain(|case| case.path.display().to_string().contains(&expected));
    cases
}

/// All combinations of options that this chapter has.
fn configurations() -> Vec<Configuration> {
    let configurations = [
        vec![Configuration::standard()],
        #[cfg(feature = "ch02")]
        vec![Configuration { optimize: false, ..Configuration::standard() }],
        #[cfg(feature = "ch04")]
        vec![
            greedy(Configuration::standard()),
            greedy(Configuration { optimize: false, ..Configuration::standard() }),
        ],
    ];
    let configurations = configurations.concat();
    #[cfg(feature = "ch02")]
    let configurations = with_sizes(configurations);
    configurations
}

/// The same, and each for the fewest bytes.
#[cfg(feature = "ch02")]
fn with_sizes(mut configurations: Vec<Configuration>) -> Vec<Configuration> {
    for mut configuration in configurations.clone() {
        configuration.selection.objective = sonc::Objective::Size;
        configurations.push(configuration);
    }
    configurations
}

#[cfg(feature = "ch04")]
fn greedy(mut configuration: Configuration) -> Configuration {
    configuration.selection.method = sonc::Method::Greedy;
    configuration
}

#[test]
fn every_stage_yields_the_expected_results() {
    let mut errors = Vec::new();
    for case in selected_cases().iter().filter(|case| case.errors.is_empty()) {
        for configuration in configurations() {
            let configuration = with_int(configuration, case.int);
            let failures = failures(case, &configuration);
            errors.extend(failures.iter().map(|it| format!("{}: {it}", case.path.display())));
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

/// The configuration for an `int` of this width.
fn with_int(configuration: Configuration, _width: u32) -> Configuration {
    #[cfg(feature = "ch14")]
    let configuration = Configuration { int: sonc::Width(_width), ..configuration };
    configuration
}

/// All stages agree with the first one where an `int` has two words.
#[cfg(feature = "ch14")]
#[test]
fn all_stages_agree_where_an_int_has_two_words() {
    let mut errors = Vec::new();
    for case in selected_cases().iter_mut().filter(|case| case.errors.is_empty()) {
        let standard = with_int(Configuration::standard(), 64);
        let mut first = First { case, results: Vec::new() };
        let written = Configuration { optimize: false, ..standard.clone() };
        assert!(written.compile(&first.case.source, &mut first).is_err());
        case.results = std::mem::take(&mut first.results);
        case.endless.clear();
        for configuration in [standard, written] {
            let failures = failures(case, &configuration);
            errors.extend(failures.iter().map(|it| format!("{}: {it}", case.path.display())));
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

/// Evaluates the program as it is written, for the arguments of a case.
#[cfg(feature = "ch14")]
struct First<'c> {
    case: &'c Case,
    results: Vec<(i64, String)>,
}

#[cfg(feature = "ch14")]
impl StageObserver for First<'_> {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage != Stage::Parsed {
            return Ok(());
        }
        for &(argument, _) in &self.case.results {
            let outcome = artifact.eval(argument).expect("the sea can be evaluated");
            if let Some(result) = check::result(&outcome.end) {
                self.results.push((argument, result));
            }
        }
        Err(Halt::Stopped(stage))
    }
}

/// Simple's programs as regions, and back: the results stay. Regions have no memory, which begins
/// in chapter 10.
#[cfg(feature = "ch27")]
#[test]
fn every_program_yields_the_expected_results_via_regions() {
    let mut errors = Vec::new();
    let is_narrow = |case: &&Case| case.errors.is_empty() && case.int == 32;
    for case in selected_cases().iter().filter(is_narrow) {
        for optimize in [true, false] {
            let configuration =
                Configuration { optimize, via_regions: true, ..Configuration::standard() };
            let failures = failures(case, &configuration);
            let is_unsupported = |it: &String| it.contains("this has no form as regions: ");
            if case.chapter >= 10 && failures.first().is_some_and(is_unsupported) {
                continue;
            }
            let path = case.path.display();
            errors.extend(failures.iter().map(|it| format!("{path}: {it}")));
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

fn failures(case: &Case, configuration: &Configuration) -> Vec<String> {
    let mut check = Check::from_iter(case.results.clone());
    // Detecting an infinite program takes long, so only one configuration does it.
    #[cfg(feature = "ch07")]
    if configuration.selection == sonc::SelectionOptions::default() {
        check.endless.clone_from(&case.endless);
    }
    match configuration.compile(&case.source, &mut check) {
        Ok(executable) => {
            check.failures.extend(run(&executable, case));
            check.failures.extend(case.endless.iter().filter_map(|&it| ends(&executable, it)));
        }
        Err(halt) => check.failures.push(refusal(&halt, case)),
    }
    #[cfg(feature = "ch26")]
    check.seen.retain(|it| !is_detour(it));
    if check.failures.is_empty() && !check.seen.iter().eq(stages()) {
        check.failures.push(format!("only {:?} were seen", check.seen));
    }
    check.failures
}

#[test]
fn names_of_stages_are_in_order() {
    assert!(Stage::NAMES.iter().all(|(stage, name)| stage.name() == *name));
    assert!(Stage::NAMES.is_sorted());
}

/// The stages of a program of Simple; those of regions are seen if it goes through them.
fn stages() -> impl Iterator<Item = &'static Stage> {
    let stages = Stage::NAMES.iter().map(|(stage, _)| stage);
    #[cfg(feature = "ch26")]
    let stages = stages.filter(|it| !is_detour(it));
    stages
}

#[cfg(feature = "ch26")]
fn is_detour(stage: &Stage) -> bool {
    matches!(stage.name(), "region" | "flow" | "egraph" | "saturated")
}

/// The errors of an executable. A message ends the program, so it is the only result of its run.
fn run(executable: &[u8], case: &Case) -> Vec<String> {
    let (messages, values): (Vec<_>, Vec<_>) =
        case.results.iter().cloned().partition(|(_, result)| is_message(result));
    let mut errors = run_everywhere(executable, &values);
    for (argument, message) in messages {
        let message = format!("{}:{message}", case.source.name);
        errors.extend(run_everywhere(executable, &[(argument, message)]));
    }
    errors
}

/// Whether a result is a message with a place, as in `3:9: index 2 out of bounds for length 2`.
fn is_message(result: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let place = result.split_once(": ").map_or("", |(place, _)| place);
    place.split_once(':').is_some_and(|(line, column)| is_number(line) && is_number(column))
}

/// The error if an executable ends that should be infinite.
fn ends(executable: &[u8], argument: i64) -> Option<String> {
    let run = emulate::run(executable, &[argument.to_string()], STEPS_TO_END);
    let ended = run.end != emulate::Termination::OutOfSteps;
    ended.then(|| format!("emulator({argument}): {:?}, but it never ends", run.end))
}

fn refusal(halt: &Halt, case: &Case) -> String {
    match halt {
        Halt::Errors(diagnostics) => sonc::render(diagnostics, &case.source, false),
        Halt::InvariantViolated(..) | Halt::Stopped(_) => format!("{halt:?}"),
    }
}

#[test]
fn every_invalid_program_is_rejected_with_the_expected_error() {
    selected_cases().iter().filter(|case| !case.errors.is_empty()).for_each(check_errors);
}

/// Asserts that the report of a program has each error of its head.
fn check_errors(case: &Case) {
    let path = case.path.display();
    let configuration = with_int(Configuration::standard(), case.int);
    let Err(halt) = configuration.compile(&case.source, &mut Check::default()) else {
        panic!("{path} is compiled");
    };
    let report = refusal(&halt, case);
    for error in &case.errors {
        let stated = report.lines().any(|line| line.contains("Error:") && line.contains(error));
        assert!(stated, "{path} should be refused with `{error}`:\n{report}");
    }
}

#[test]
fn every_shape_is_as_expected() {
    for case in selected_cases().iter().filter(|case| case.chapter == this_chapter()) {
        if case.shows.is_empty() {
            continue;
        }
        let shapes: Vec<_> = case.shows.iter().map(|show| shape(case, show)).collect();
        expect_file![case.path.with_extension("want")].assert_eq(&shapes.concat());
    }
}

/// One section of a `.want` file: the output of a stage.
fn shape(case: &Case, show: &str) -> String {
    let mut words = show.split(' ');
    let name = words.next().unwrap_or_default();
    let stage = Stage::NAMES.iter().map(|(stage, _)| stage).find(|stage| stage.name() == name);
    let path = case.path.display();
    let stage = *stage.unwrap_or_else(|| panic!("{path}: there is no stage `{name}`"));
    let configuration = with_int(Configuration::standard(), case.int);
    #[cfg(feature = "ch02")]
    let configuration = words.fold(configuration, with_option);
    let mut printed = Print { stage, text: String::new() };
    configuration
        .compile(&case.source, &mut printed)
        .unwrap_or_else(|halt| panic!("{path}: {halt:?}"));
    format!("== {show}\n{}\n", printed.text.trim_end())
}

/// The configuration with an option of a `show` line.
#[cfg(feature = "ch02")]
fn with_option(mut configuration: Configuration, word: &str) -> Configuration {
    match word {
        "--no-opt" => configuration.optimize = false,
        #[cfg(feature = "ch04")]
        "--greedy" => configuration = greedy(configuration),
        "--size" => configuration.selection.objective = sonc::Objective::Size,
        other => panic!("`{other}` is no option"),
    }
    configuration
}

struct Print {
    stage: Stage,
    text: String,
}

impl StageObserver for Print {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage == self.stage {
            self.text = artifact.print();
        }
        Ok(())
    }
}
