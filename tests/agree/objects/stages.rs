//! Programs with objects: the stages before machine code agree with the oracle, with all rules,
//! with none, without each one, and without random sets of them.
//!
//! `PROGRAMS=50000 cargo test --test agree objects` tests that many.
use super::super::check::Check;
use super::super::closed::is_closed;
use super::super::configuration::{Configuration, rules};
use super::super::generate::with_objects;
use super::super::meaning::meaning;
use super::super::program::{Program, text};
use super::super::random::Random;
use super::super::reduce::reduce;
use super::super::{ARGUMENTS, PANIC, programs};
use sonc::{Artifact, Halt, MachineRules, Source, Stage, StageObserver};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks the stages up to the blocks.
struct Front(Check);

impl StageObserver for Front {
    fn stage_done(&mut self, stage: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.0.stage_done(stage, artifact)?;
        if stage == Stage::Blocks { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}

fn failures(program: &Program, configuration: &Configuration, rules: &MachineRules) -> Vec<String> {
    let source = Source { name: "generated".into(), text: text(program) };
    let ended = ARGUMENTS.iter().filter_map(|&it| Some((it, meaning(program, it)?.to_string())));
    let mut front = Front(Check::from_iter(ended));
    let options = configuration.options(rules);
    let halted = catch_unwind(AssertUnwindSafe(|| sonc::compile(&source, options, &mut front)));
    match halted {
        Ok(Err(Halt::Stopped(_))) => {}
        Ok(Err(Halt::Errors(errors))) => {
            front.0.failures.push(sonc::render(&errors, &source, false));
        }
        Ok(other) => front.0.failures.push(format!("{:?}", other.map(|_| ()))),
        Err(_) => front.0.failures.push(PANIC.to_string()),
    }
    front.0.failures
}

fn check(seed: u64, configuration: &Configuration, rules: &MachineRules) {
    let program = with_objects(seed);
    if !failures(&program, configuration, rules).is_empty() {
        let small = reduce(program, |it| !failures(it, configuration, rules).is_empty());
        let errors = failures(&small, configuration, rules).join("\n");
        panic!("seed {seed}, {configuration:?}:\n{}\n{errors}", text(&small));
    }
}

/// The seeds to test, from `FIRST` on.
fn seeds(default: u64) -> std::ops::Range<u64> {
    let first = std::env::var("FIRST").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    first..first + programs(default)
}

#[test]
fn objects_have_the_same_values_at_every_stage() {
    let (rules, standard) = (rules(), Configuration::standard());
    seeds(1000).for_each(|seed| check(seed, &standard, rules));
}

/// Seeds whose loads were not visited again: when a dominator changes, a pointer may be available
/// before a loop.
#[test]
fn loads_are_visited_again() {
    let (rules, standard) = (rules(), Configuration::standard());
    [14118].into_iter().for_each(|seed| check(seed, &standard, rules));
}

#[test]
fn objects_have_the_same_values_without_peepholes() {
    let configuration = Configuration { optimize: false, ..Configuration::standard() };
    let rules = rules();
    seeds(500).for_each(|seed| check(seed, &configuration, rules));
}

#[cfg(feature = "ch11")]
#[test]
fn objects_have_the_same_values_when_all_nodes_are_placed_early_or_late() {
    let rules = rules();
    let methods = [sonc::PlacementMethod::Early, sonc::PlacementMethod::Late];
    for (placement, optimize) in methods.into_iter().flat_map(|it| [(it, true), (it, false)]) {
        let configuration = Configuration { placement, optimize, ..Configuration::standard() };
        seeds(500).for_each(|seed| check(seed, &configuration, rules));
    }
}

#[test]
fn objects_have_the_same_values_without_any_set_of_peepholes() {
    let rules = rules();
    let names: Vec<_> = sonc::peepholes().map(|rule| rule.name).collect();
    for seed in seeds(1000) {
        let mut random = Random(seed);
        let without = match random.below(3) {
            0 => vec![random.pick(&names).to_string()],
            _ => {
                let often = 2 + random.below(6);
                let off = names.iter().filter(|_| random.once_in(often));
                off.map(|it| it.to_string()).collect()
            }
        };
        let configuration = Configuration { without, ..Configuration::standard() };
        check(seed, &configuration, rules);
    }
}

/// Invalid or infinite programs would test little.
#[test]
fn programs_with_objects_are_valid_and_most_of_them_end() {
    let (mut ended, mut all) = (0, 0);
    for seed in 0..1000 {
        let program = with_objects(seed);
        assert!(is_closed(&program), "{}", text(&program));
        ended += ARGUMENTS.iter().filter(|it| meaning(&program, **it).is_some()).count();
        all += ARGUMENTS.len();
    }
    assert!(ended * 10 > all * 8, "{ended} of {all} end");
}
