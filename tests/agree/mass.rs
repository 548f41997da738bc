//! Many programs, fast: hundreds of compiled programs run in one process on this processor.
//!
//! `PROGRAMS=500000 cargo test --release --test agree on_the_processor` tests that many, from the
//! seed `FIRST` on. Every stage is verified, and the tree evaluator is the oracle. The test
//! `without_each_rule` compiles each with one of the rules switched off, in turn, and the test
//! `without_some_rules` with two or three of them.
use super::batch::{Batch, run};
use super::configuration::{self, Configuration};
use super::meaning::{Meaning, meaning};
use super::program::{Program, text};
use super::random::Random;
use super::reduce::reduce;
use super::{ARGUMENTS, generate, programs};
use sonc::{Artifact, Halt, MachineRules, Options, Source, Stage, StageObserver};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of programs in one process.
const PROGRAMS_PER_PROCESS: u64 = 256;

/// The number of sets of rules that are switched off.
const SETS: u64 = 200;

/// A program and the options of its compilation.
#[derive(Clone)]
struct Subject {
    seed: u64,
    program: Program,
    configuration: Configuration,
    /// The argument, if it is known at compile time.
    known: Option<i32>,
}

impl Subject {
    /// Half of the programs are compiled with the default options.
    fn new(seed: u64) -> Subject {
        let mut random = Random(!seed);
        let mut configuration = Configuration::standard();
        let mut known = None;
        match random.below(12) {
            0 => configuration.optimize = false,
            1 | 2 => {
                let rules: Vec<_> = sonc::rewrites().collect();
                configuration.without = vec![random.pick(&rules).0.to_string()];
            }
            3 => configuration.selection.objective = sonc::Objective::Size,
            4 => configuration.selection.method = sonc::Method::Greedy,
            5 => known = Some(*random.pick(&ARGUMENTS)),
            _ => {}
        }
        Subject { seed, program: generate::program(seed), configuration, known }
    }

    /// One rule is switched off; the seed selects it.
    fn without_a_rule(seed: u64) -> Subject {
        let rules: Vec<_> = sonc::rewrites().collect();
        let mut configuration = Configuration::standard();
        configuration.without = vec![rules[seed as usize % rules.len()].0.to_string()];
        Subject { seed, program: generate::program(seed), configuration, known: None }
    }

    /// Two or three rules are switched off: a set of its own for each seed.
    fn without_some_rules(seed: u64) -> Subject {
        let mut random = Random(!seed);
        let rules: Vec<_> = sonc::rewrites().collect();
        let mut configuration = Configuration::standard();
        let count = 2 + random.below(2);
        while configuration.without.len() < count {
            let rule = random.pick(&rules).0.to_string();
            if !configuration.without.contains(&rule) {
                configuration.without.push(rule);
            }
        }
        let program = generate::program(seed);
        // Regions have words only.
        #[cfg(feature = "ch27")]
        if random.once_in(3) {
            let text = text(&program);
            configuration.via_regions = !["struct", "flt"].iter().any(|it| text.contains(it));
        }
        Subject { seed, program, configuration, known: None }
    }

    /// The arguments for which the program ends, with its results.
    fn expected(&self) -> Vec<(i32, Meaning)> {
        let arguments =
            ARGUMENTS.into_iter().filter(|it| self.known.is_none_or(|known| known == *it));
        arguments.filter_map(|it| Some((it, meaning(&self.program, it)?))).collect()
    }

    /// The executable, or the error.
    fn compile(&self, rules: &MachineRules) -> Result<Vec<u8>, String> {
        let source = Source { name: "generated".into(), text: text(&self.program) };
        let argument = self.known.map(i64::from);
        let options = Options { argument, ..self.configuration.options(rules) };
        let compiled =
            catch_unwind(AssertUnwindSafe(|| sonc::compile(&source, options, &mut Verifier)));
        let compiled = compiled.map_err(|_| super::PANIC.to_string())?;
        Ok(compiled.map_err(|halt| format!("{halt:?}"))?.bytes)
    }

    /// The failure of the program, if it runs alone.
    fn failure(&self, rules: &MachineRules) -> Option<String> {
        let expected = self.expected().into_iter().map(|(it, value)| (it, value.to_string()));
        let failure = match self.compile(rules) {
            Ok(executable) => super::run_everywhere(&executable, &expected.collect::<Vec<_>>()),
            Err(what) => vec![what],
        };
        (!failure.is_empty()).then(|| failure.join("\n"))
    }

    /// Fails with the smallest failing program, if this one fails.
    fn check(self, rules: &MachineRules) {
        let with = |program: &Program| Subject { program: program.clone(), ..self.clone() };
        if self.failure(rules).is_some() {
            let fails = |smaller: &Program| with(smaller).failure(rules).is_some();
            let small = with(&reduce(self.program.clone(), fails));
            let Subject { seed, configuration, known, program } = &small;
            let failure = small.failure(rules).unwrap_or_default();
            panic!(
                "seed {seed}, {configuration:?}, argument {known:?}:\n{}\n{failure}",
                text(program)
            );
        }
    }
}

/// Verifies every stage.
struct Verifier;

impl StageObserver for Verifier {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let broken = artifact.verify();
        if broken.is_empty() { Ok(()) } else { Err(Halt::InvariantViolated(stage, broken)) }
    }
}

/// Compiles programs, runs them in one process, and compares.
fn check(subjects: impl Iterator<Item = Subject>, rules: &MachineRules) {
    let mut batch = Batch::default();
    let mut calls = Vec::new();
    for subject in subjects {
        #[cfg(feature = "ch10")]
        if super::objects::returns_objects(&subject.program) {
            // Its results are texts.
            subject.check(rules);
            continue;
        }
        let Ok(executable) = subject.compile(rules) else { return subject.check(rules) };
        let expected = subject.expected();
        let arguments: Vec<_> = expected.iter().map(|it| it.0).collect();
        batch.add(&executable, &arguments);
        calls.push((subject, expected));
    }
    let results = run(&batch);
    let mut results = results.as_deref().unwrap_or_default().iter();
    for (subject, expected) in calls {
        let found = results.by_ref().take(expected.len());
        if !found.copied().map(Meaning::Number).eq(expected.iter().map(|it| it.1.clone())) {
            // A result differs, or one of the programs has faulted: it may be this one.
            subject.check(rules);
        }
    }
}

/// Checks the programs that `subject` makes from seeds.
fn check_many(default: u64, subject: fn(u64) -> Subject) {
    let first = std::env::var("FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let end = first + programs(default);
    let next = AtomicU64::new(first);
    let work = || {
        let rules = configuration::rules();
        loop {
            let start = next.fetch_add(PROGRAMS_PER_PROCESS, Ordering::Relaxed);
            if start >= end {
                return;
            }
            check((start..end.min(start + PROGRAMS_PER_PROCESS)).map(subject), rules);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |it| it.get());
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
}

#[test]
fn many_programs_agree_on_the_processor() {
    check_many(1000, Subject::new);
}

#[test]
fn many_programs_agree_without_each_rule() {
    check_many(200, Subject::without_a_rule);
}

#[test]
fn many_programs_agree_without_some_rules() {
    check_many(SETS, Subject::without_some_rules);
}
