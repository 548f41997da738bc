//! Generated programs where an `int` has two words. The sea as it is written is the oracle: every
//! other stage, the emulator and the processor agree with it.
use super::check::{Check, result};
use super::configuration::{Configuration, rules};
use super::run::run_everywhere;
use super::{arrays, effort::programs, functions, generate, program};
use sonc::{Artifact, Halt, Source, Stage, StageObserver, Width};
use std::panic::{AssertUnwindSafe, catch_unwind};

const NAME: &str = "generated";

/// Numbers near the bounds of words and of pairs. Loops may take a number of iterations for the
/// later ones that no test waits for.
const ARGUMENTS: [i64; 12] = [
    0,
    1,
    -1,
    7,
    -(1 << 31) - 1,
    -5 << 33,
    i64::MIN,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    0x0123_4567_89ab_cdef,
    i64::MAX,
];

/// The results of the sea as it is written.
struct Oracle {
    results: Vec<(i64, String)>,
}

impl StageObserver for Oracle {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        if stage != Stage::Parsed {
            return Ok(());
        }
        for argument in ARGUMENTS {
            let outcome = artifact.eval(argument).expect("the sea can be evaluated");
            let Some(result) = result(&outcome.end) else { break };
            self.results.push((argument, result));
        }
        Err(Halt::Stopped(stage))
    }
}

/// The results of a program, unless it is refused.
fn results(source: &Source) -> Option<Vec<(i64, String)>> {
    let mut oracle = Oracle { results: Vec::new() };
    let written = Configuration { optimize: false, int: Width(64), ..Configuration::standard() };
    match sonc::compile(source, written.options(rules()), &mut oracle) {
        Err(Halt::Stopped(_)) => Some(oracle.results),
        _ => None,
    }
}

/// The failures of a program.
fn failures(text: &str, configuration: &Configuration) -> Vec<String> {
    let source = Source { name: NAME.into(), text: text.into() };
    let Some(results) = results(&source) else { return Vec::new() };
    let mut check = Check::from_iter(results.iter().cloned());
    let compiled = || sonc::compile(&source, configuration.options(rules()), &mut check);
    match catch_unwind(AssertUnwindSafe(compiled)) {
        Ok(Ok(executable)) => {
            for (argument, result) in results {
                let is_trap = result.split_once(": ").is_some();
                let result = if is_trap { format!("{NAME}:{result}") } else { result };
                let errors = run_everywhere(&executable.bytes, &[(argument, result)]);
                check.failures.extend(errors);
            }
        }
        Ok(Err(halt)) => check.failures.push(format!("{halt:?}")),
        Err(_) => check.failures.push("panic".to_string()),
    }
    check.failures
}

/// The program without the lines that the failure does not need.
fn smallest(text: &str, configuration: &Configuration) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= lines.len() {
            let fewer = [&lines[..at], &lines[at + size..]].concat();
            if failures(&fewer.join("\n"), configuration).is_empty() {
                at += 1;
            } else {
                lines = fewer;
            }
        }
        size /= 2;
    }
    lines.join("\n")
}

/// The program with types that exist only here in place of others.
fn with_wide_types(text: &str, seed: u64) -> String {
    match seed % 3 {
        0 => text.to_string(),
        1 => text.replace("i32 ", "u32 ").replace("i32[", "u32[").replace("i16 ", "i64 "),
        _ => text.replace("int ", "u32 ").replace("i8 ", "i32 ").replace("u16[", "i64["),
    }
}

/// Checks generated programs; most of them are accepted.
fn check_programs(generate: impl Fn(u64) -> String, count: u64, configuration: &Configuration) {
    let configuration = Configuration { int: Width(64), ..configuration.clone() };
    let mut accepted = 0;
    for seed in 0..count {
        for text in [generate(seed), with_wide_types(&generate(seed), seed)] {
            let found = failures(&text, &configuration);
            if !found.is_empty() {
                let small = smallest(&text, &configuration);
                let errors = failures(&small, &configuration).join("\n");
                panic!("seed {seed}, {configuration:?}:\n{small}\n{errors}");
            }
            let source = Source { name: NAME.into(), text };
            accepted += usize::from(results(&source).is_some());
        }
    }
    assert!(accepted as u64 > count, "{accepted} of {} are accepted", 2 * count);
}

fn without_peepholes() -> Configuration {
    Configuration { optimize: false, ..Configuration::standard() }
}

fn with_a_scan() -> Configuration {
    let mut configuration = Configuration::standard();
    configuration.selection.method = sonc::Method::Greedy;
    configuration.selection.objective = sonc::Objective::Size;
    #[cfg(feature = "ch20")]
    let configuration = Configuration { registers: sonc::RegisterAllocator::Scan, ..configuration };
    configuration
}

fn configurations() -> [Configuration; 3] {
    [Configuration::standard(), without_peepholes(), with_a_scan()]
}

#[test]
fn wide_integers_agree() {
    let generate = |seed| program::text(&generate::program(seed));
    configurations().iter().for_each(|it| check_programs(generate, programs(30), it));
}

#[test]
fn wide_integers_agree_in_arrays() {
    let generate = |seed| arrays::text(&arrays::generate::program(seed)).0;
    configurations().iter().for_each(|it| check_programs(generate, programs(30), it));
}

#[test]
fn wide_integers_agree_in_functions() {
    let generate = |seed| functions::program_text(&functions::generate::program(seed));
    configurations().iter().for_each(|it| check_programs(generate, programs(30), it));
}
