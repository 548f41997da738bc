//! Any set of peepholes may be switched off: rewriting still ends, and the result is valid.
//!
//! Debug builds check the termination measure at each rewrite. Only the sea is built, so that many
//! programs can be tested.
use super::configuration::{Configuration, rules};
use super::program::{Program, text};
use super::random::Random;
use super::reduce::reduce;
use super::{PANIC, generate, programs};
use sonc::{Artifact, Halt, MachineRules, Source, Stage, StageObserver};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Verifies the stages of the sea, and stops after them.
#[derive(Default)]
struct Sea {
    broken: Vec<String>,
}

impl StageObserver for Sea {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        let broken = artifact.verify().into_iter();
        self.broken.extend(broken.map(|it| format!("{}: {}", stage.name(), it.invariant)));
        if stage == Stage::Sea { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}

/// The error in the sea of a program, if there is one.
fn fault(program: &Program, configuration: &Configuration, rules: &MachineRules) -> Option<String> {
    let source = Source { name: "generated".into(), text: text(program) };
    let mut sea = Sea::default();
    let options = configuration.options(rules);
    let halted = catch_unwind(AssertUnwindSafe(|| sonc::compile(&source, options, &mut sea)));
    match halted {
        Ok(Err(Halt::Stopped(_))) => sea.broken.first().cloned(),
        Ok(_) => Some("it is refused".to_string()),
        Err(_) => Some(PANIC.to_string()),
    }
}

fn check(seed: u64, configuration: &Configuration, rules: &MachineRules) {
    let program = generate::program(seed);
    if fault(&program, configuration, rules).is_some() {
        let small = reduce(program, |smaller| fault(smaller, configuration, rules).is_some());
        let fault = fault(&small, configuration, rules);
        panic!("seed {seed}, without {:?}:\n{}\n{fault:?}", configuration.without, text(&small));
    }
}

#[test]
fn rewriting_ends_without_any_single_rule() {
    let rules = rules();
    let names = sonc::peepholes().map(|rule| vec![rule.name.to_string()]);
    for without in names.chain([Vec::new()]) {
        let configuration = Configuration { without, ..Configuration::standard() };
        (0..programs(400)).for_each(|seed| check(seed, &configuration, rules));
    }
}

#[test]
fn rewriting_ends_with_any_set_of_rules() {
    let rules = rules();
    for seed in 0..programs(400) * 4 {
        let mut random = Random(seed);
        let often = 2 + random.below(6);
        let off = sonc::peepholes().filter(|_| random.once_in(often));
        let configuration = Configuration {
            without: off.map(|rule| rule.name.to_string()).collect(),
            ..Configuration::standard()
        };
        check(seed, &configuration, rules);
    }
}
