//! Generated programs: every stage, the emulator and the processor agree on what they mean.
//!
//! `PROGRAMS=10000 cargo test --test agree` tries that many; the seed of a failing program is
//! printed with the smallest program that fails the same way.
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
mod closed;
#[cfg(feature = "ch19")]
mod ttc;
#[cfg(feature = "ch19")]
mod guesses;
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
#[cfg(feature = "ch05")]
mod batch;
#[cfg(feature = "ch05")]
mod mass;

use check::Check;
use configuration::Configuration;
use meaning::meaning;
use program::{Program, text};
use random::Random;
use run::run_everywhere;
use sonc::{Artifact, Halt, Source, Stage, StageObserver, Termination};
use std::panic::{AssertUnwindSafe, catch_unwind};

const ARGUMENTS: [i32; 7] = [0, 1, -1, 7, 10, i32::MIN, i32::MAX];

/// How many programs are tried if nobody says otherwise.
fn programs(usual: u64) -> u64 {
    std::env::var("PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// What is wrong with the way `program` is compiled. Whether the stages agree where the oracle
/// has no opinion takes long to find out.
fn failures(program: &Program, configuration: &Configuration, patient: bool) -> Vec<String> {
    let meanings = ARGUMENTS.map(|it| (it, meaning(program, it)));
    let ended = meanings.iter().filter_map(|(it, meaning)| Some((*it, i64::from((*meaning)?))));
    let check = Check { wanted: ended.collect(), ..Check::default() };
    let open = meanings.iter().find(|(_, meaning)| patient && meaning.is_none()).map(|it| it.0);
    let mut judge = Judge { check, open, said: None };
    let compiled = judge.compile(text(program), configuration);
    judge.check.failures.extend(compiled.err());
    judge.check.failures
}

/// Checks what is wanted; and where the oracle has no opinion, that the stages that have one
/// have the same.
struct Judge {
    check: Check,
    /// An argument for which nobody knows whether the program ends.
    open: Option<i32>,
    /// What the first stage said that found an end.
    said: Option<Termination>,
}

impl Judge {
    /// Compiles, and runs what comes of it. Where that ends early, hands back why. A compiler
    /// that panics is wrong, too.
    fn compile(&mut self, text: String, configuration: &Configuration) -> Result<(), String> {
        let source = Source { name: "generated".into(), text };
        let compiled = catch_unwind(AssertUnwindSafe(|| configuration.compile(&source, self)));
        match compiled {
            Ok(Ok(executable)) => {
                let wrong = run_everywhere(&executable, &self.check.wanted);
                self.check.failures.extend(wrong);
                Ok(())
            }
            Ok(Err(Halt::Errors(complaints))) => Err(sonc::render(&complaints, &source, false)),
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
        let said = self.said.get_or_insert(end.clone());
        if *said != end || matches!(end, Termination::Fault { .. }) {
            let name = stage.name();
            self.check.failures.push(format!("{name}({argument:?}) = {end:?}, before: {said:?}"));
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
        let wrong = failures(&small, configuration, patient).join("\n");
        panic!("seed {seed}, {configuration:?}:\n{}\n{wrong}", text(&small));
    }
}

#[test]
fn every_stage_means_the_same() {
    check_seeds(0..programs(400), &Configuration::usual());
}

#[test]
fn so_do_they_without_peepholes() {
    check_seeds(0..programs(400), &Configuration { optimize: false, ..Configuration::usual() });
}

#[test]
fn so_do_they_without_any_single_rule() {
    for (rule, _) in sonc::rewrites() {
        let without = vec![rule.to_string()];
        check_seeds(0..programs(400) / 10, &Configuration { without, ..Configuration::usual() });
    }
}

#[test]
fn so_do_they_when_selected_for_size() {
    let mut configuration = Configuration::usual();
    configuration.selection.objective = sonc::Objective::Size;
    check_seeds(0..programs(400) / 2, &configuration);
}

#[cfg(feature = "ch04")]
#[test]
fn so_do_they_when_selected_greedily() {
    let mut configuration = Configuration::usual();
    configuration.selection.method = sonc::Method::Greedy;
    check_seeds(0..programs(400) / 2, &configuration);
}

/// A word too many or too few makes a program wrong, or another one.
#[test]
fn spoiled_programs_are_refused_or_mean_one_thing() {
    for seed in 0..programs(400) {
        let mut random = Random(seed);
        let text = mutate::mutate(&text(&generate::program(seed)), &mut random);
        let open = Some(*random.pick(&ARGUMENTS));
        let mut judge = Judge { check: Check::default(), open, said: None };
        let refused = judge.compile(text.clone(), &Configuration::usual());
        let wrong = judge.check.failures.join("\n");
        let refused = refused.map_or_else(|report| report, |()| "Error".to_string());
        assert!(wrong.is_empty() && refused.contains("Error"), "{seed}: {text}\n{refused}{wrong}");
    }
}

/// Programs that are no programs, or that never end, would test little.
#[test]
fn generated_programs_are_sound_and_most_of_them_end() {
    let (mut ended, mut all) = (0, 0);
    for seed in 0..1000 {
        let program = generate::program(seed);
        assert!(closed::is_closed(&program), "{}", text(&program));
        ended += ARGUMENTS.iter().filter(|it| meaning(&program, **it).is_some()).count();
        all += ARGUMENTS.len();
    }
    assert!(ended * 10 > all * 8, "{ended} of {all} end");
}
