//! Generated programs: every stage, the emulator and the processor agree on what they mean.
//!
//! `PROGRAMS=10000 cargo test --test agree` tries that many; the seed of a failing program is
//! printed with the smallest program that fails the same way.
#![cfg(feature = "ch02")]
mod generate;
mod program;
mod reduce;
#[path = "../support/check.rs"]
mod check;
#[path = "../support/way.rs"]
mod way;
#[path = "../support/run.rs"]
mod run;

use check::Check;
use program::{Program, meaning, text};
use run::run_everywhere;
use sonc::{Halt, Source};
use way::Way;

const ARGUMENTS: [i32; 7] = [0, 1, -1, 7, 10, i32::MIN, i32::MAX];

/// How many programs are tried if nobody says otherwise.
fn programs(usual: u64) -> u64 {
    std::env::var("PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// What is wrong with the way `program` is compiled.
fn failures(program: &Program, way: &Way) -> Vec<String> {
    let source = Source { name: "generated".into(), text: text(program) };
    let wanted: Vec<_> = ARGUMENTS.map(|it| (it, i64::from(meaning(program, it)))).to_vec();
    let mut check = Check { wanted: wanted.clone(), ..Check::default() };
    match way.compile(&source, &mut check) {
        Ok(executable) => check.failures.extend(run_everywhere(&executable, &wanted)),
        Err(Halt::Errors(complaints)) => {
            check.failures.push(sonc::render(&complaints, &source, false));
        }
        Err(halt) => check.failures.push(format!("{halt:?}")),
    }
    check.failures
}

fn check_seeds(seeds: std::ops::Range<u64>, way: &Way) {
    for seed in seeds {
        let program = generate::program(seed);
        if failures(&program, way).is_empty() {
            continue;
        }
        let small = reduce::reduce(program, |smaller| !failures(smaller, way).is_empty());
        let wrong = failures(&small, way).join("\n");
        panic!("seed {seed}, {way:?}:\n{}\n{wrong}", text(&small));
    }
}

#[test]
fn every_stage_means_the_same() {
    check_seeds(0..programs(400), &Way::usual());
}

#[test]
fn so_do_they_without_peepholes() {
    check_seeds(0..programs(400), &Way { optimize: false, ..Way::usual() });
}

#[test]
fn so_do_they_without_any_single_rule() {
    for rule in sonc::peepholes() {
        let without = vec![rule.name.to_string()];
        check_seeds(0..programs(400) / 10, &Way { without, ..Way::usual() });
    }
}

#[test]
fn so_do_they_when_selected_for_size() {
    let mut way = Way::usual();
    way.preference.cost = sonc::Cost::Size;
    check_seeds(0..programs(400) / 2, &way);
}

#[cfg(feature = "ch04")]
#[test]
fn so_do_they_when_selected_greedily() {
    let mut way = Way::usual();
    way.preference.method = sonc::Method::Greedy;
    check_seeds(0..programs(400) / 2, &way);
}
