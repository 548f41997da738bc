//! Generated programs: every stage, the emulator and the processor agree with the oracle.
//!
//! `PROGRAMS=10000 cargo test --test agree` tests that many; the seed of a failing program is
//! printed with the smallest program that fails in the same way.
#![cfg(feature = "ch02")]
mod program;
mod meaning;
#[path = "../support/random.rs"]
mod random;
mod generate;
#[cfg(feature = "ch03")]
mod statements;
#[cfg(feature = "ch05")]
mod control;
#[cfg(feature = "ch05")]
mod late;
#[cfg(feature = "ch07")]
mod loops;
#[cfg(feature = "ch10")]
mod objects;
#[cfg(feature = "ch12")]
mod floats;
#[cfg(feature = "ch13")]
mod references;
#[cfg(feature = "ch13")]
mod acceptance;
#[cfg(feature = "ch14")]
mod widths;
#[cfg(feature = "ch15")]
mod arrays;
#[cfg(feature = "ch17")]
mod syntax;
#[cfg(feature = "ch18")]
mod functions;
#[cfg(feature = "ch18")]
mod wide;
mod closed;
#[cfg(feature = "ch19")]
mod ttc;
#[cfg(feature = "ch19")]
mod heuristic;
#[cfg(feature = "ch19")]
#[path = "../support/counts.rs"]
mod counts;
mod reduce;
mod mutate;
mod subsets;
#[path = "../support/check.rs"]
mod check;
#[path = "../support/configuration.rs"]
mod configuration;
#[path = "../support/run.rs"]
mod run;
#[cfg(feature = "ch13")]
#[path = "../support/constructs.rs"]
mod constructs;
#[cfg(feature = "ch13")]
#[path = "../support/templates.rs"]
mod templates;
#[cfg(feature = "ch13")]
mod repetition;
#[cfg(feature = "ch05")]
mod batch;
#[cfg(feature = "ch05")]
mod mass;

#[path = "../../src/effort.rs"]
mod effort;

use check::Check;
use configuration::Configuration;
use effort::programs;
use meaning::meaning;
use program::{Program, text};
use random::Random;
use run::run_everywhere;
use sonc::{Artifact, Halt, Source, Stage, StageObserver, Termination};
use std::panic::{AssertUnwindSafe, catch_unwind};

const ARGUMENTS: [i32; 7] = [0, 1, -1, 7, 10, i32::MIN, i32::MAX];

/// The failures of the compilation of `program`. `patient` also compares the stages where the
/// oracle has no result, which takes long.
fn failures(program: &Program, configuration: &Configuration, patient: bool) -> Vec<String> {
    let meanings = ARGUMENTS.map(|it| (it, meaning(program, it)));
    let ended =
        meanings.iter().filter_map(|(it, meaning)| Some((*it, meaning.as_ref()?.to_string())));
    let check = Check::from_iter(ended);
    let open = meanings.iter().find(|(_, meaning)| patient && meaning.is_none()).map(|it| it.0);
    let mut judge = Judge { check, open, first_end: None };
    let compiled = judge.compile(text(program), configuration);
    judge.check.failures.extend(compiled.err());
    judge.check.failures
}

/// The executable of a valid program. Errors are failures of the check.
#[cfg(feature = "ch15")]
fn compiled(source: &Source, configuration: &Configuration, check: &mut Check) -> Option<Vec<u8>> {
    match configuration.compile(source, check) {
        Ok(executable) => return Some(executable),
        Err(Halt::Errors(diagnostics)) => {
            check.failures.push(sonc::render(&diagnostics, source, false));
        }
        Err(halt) => check.failures.push(format!("{halt:?}")),
    }
    None
}

/// Compares the stages with the oracle; for arguments without a result, with each other.
struct Judge {
    check: Check,
    /// An argument for which the oracle has no result.
    open: Option<i32>,
    /// The end found by the first stage that finds one.
    first_end: Option<Termination>,
}

impl Judge {
    /// Compiles, and runs the executable; returns the reason if there is none. A panic is a
    /// failure, too.
    fn compile(&mut self, text: String, configuration: &Configuration) -> Result<(), String> {
        let source = Source { name: "generated".into(), text };
        let compiled = catch_unwind(AssertUnwindSafe(|| configuration.compile(&source, self)));
        match compiled {
            Ok(Ok(executable)) => {
                let errors = run_everywhere(&executable, &self.check.expected);
                self.check.failures.extend(errors);
                Ok(())
            }
            Ok(Err(Halt::Errors(diagnostics))) => Err(sonc::render(&diagnostics, &source, false)),
            Ok(Err(halt)) => Err(format!("{halt:?}")),
            Err(_) => Err(PANIC.to_string()),
        }
    }
}

const PANIC: &str = "the compiler panics";

impl StageObserver for Judge {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.check.stage_done(stage, artifact)?;
        let argument = self.open.map(i64::from);
        let outcome = argument.and_then(|argument| artifact.eval(argument));
        let Some(end) = outcome.map(|it| it.end).filter(|end| *end != Termination::OutOfSteps)
        else {
            return Ok(());
        };
        let first_end = self.first_end.get_or_insert(end.clone());
        if *first_end != end || matches!(end, Termination::Fault { .. }) {
            let name = stage.name();
            self.check
                .failures
                .push(format!("{name}({argument:?}) = {end:?}, before: {first_end:?}"));
        }
        Ok(())
    }
}

fn check_seeds(seeds: std::ops::Range<u64>, configuration: &Configuration) {
    for seed in seeds {
        let program = generate::program(seed);
        let patient = seed % 16 == 0;
        if failures(&program, configuration, patient).is_empty() {
            continue;
        }
        let fails = |smaller: &Program| !failures(smaller, configuration, patient).is_empty();
        let small = reduce::reduce(program, fails);
        let errors = failures(&small, configuration, patient).join("\n");
        panic!("seed {seed}, {configuration:?}:\n{}\n{errors}", text(&small));
    }
}

#[test]
fn every_stage_agrees() {
    check_seeds(0..programs(400), &Configuration { trace: true, ..Configuration::standard() });
}

#[test]
fn every_stage_agrees_without_peepholes() {
    check_seeds(0..programs(400), &Configuration { optimize: false, ..Configuration::standard() });
}

#[test]
fn every_stage_agrees_without_any_single_rule() {
    for (rule, _) in sonc::rewrites() {
        let without = vec![rule.to_string()];
        check_seeds(0..programs(400) / 10, &Configuration { without, ..Configuration::standard() });
    }
}

#[test]
fn every_stage_agrees_when_selecting_for_size() {
    let mut configuration = Configuration::standard();
    configuration.selection.objective = sonc::Objective::Size;
    check_seeds(0..programs(400) / 2, &configuration);
}

#[cfg(feature = "ch04")]
#[test]
fn every_stage_agrees_with_greedy_selection() {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    check_seeds(0..programs(400) / 2, &configuration);
}

/// A token too many or too few makes a program invalid, or a different one.
#[test]
fn mutated_programs_are_rejected_or_compiled_correctly() {
    for seed in 0..programs(400) {
        let mut random = Random(seed);
        let text = mutate::mutate(&text(&generate::program(seed)), &mut random);
        let open = Some(*random.pick(&ARGUMENTS));
        let mut judge = Judge { check: Check::default(), open, first_end: None };
        let refused = judge.compile(text.clone(), &Configuration::standard());
        let errors = judge.check.failures.join("\n");
        let refused = refused.map_or_else(|report| report, |()| "Error".to_string());
        assert!(
            errors.is_empty() && refused.contains("Error"),
            "{seed}: {text}\n{refused}{errors}"
        );
    }
}

/// Invalid or infinite programs would test little.
#[test]
fn generated_programs_are_valid_and_most_of_them_end() {
    let (mut ended, mut all) = (0, 0);
    for seed in 0..1000 {
        let program = generate::program(seed);
        assert!(closed::is_closed(&program), "{}", text(&program));
        ended += ARGUMENTS.iter().filter(|it| meaning(&program, **it).is_some()).count();
        all += ARGUMENTS.len();
    }
    assert!(ended * 10 > all * 8, "{ended} of {all} end");
}
