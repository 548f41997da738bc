//! How the time for a statement changes from one size of a program to the next, part by part of
//! the way. Linear is a ratio of 1.
#[path = "../tests/support/large.rs"]
mod large;
#[cfg(feature = "ch07")]
#[path = "../tests/support/random.rs"]
mod random;
mod programs;

use host::thread_time;
use programs::{PROGRAMS, Program, compile};
use sonc::{Artifact, Halt, MachineRules, Source, Stage, StageObserver};
use std::time::Duration;

/// The parts of the way, each with its last stage.
const PARTS: &[(&str, Stage)] = &[
    ("front, optimiser", Stage::Sea),
    ("Firm, selection", Stage::Selected),
    ("registers, bytes", Stage::Bytes),
    ("executable", Stage::Elf),
];

fn main() {
    // What `cargo test --benches` wants to know is whether this builds and runs.
    let sizes = if std::env::args().any(|word| word == "--bench") { usize::MAX } else { 2_000 };
    let rules = programs::rules();
    let heads = PARTS.iter().map(|part| format!("{:>24}", part.0)).collect::<String>();
    println!("nanoseconds a statement, and how often that of the size before\n{:47}{heads}", "");
    let mut before: Option<(&Program, Vec<f64>)> = None;
    for program in PROGRAMS.iter().filter(|program| program.statements <= sizes) {
        let times = fastest(program, &rules);
        let smaller = before.filter(|(before, _)| before.kind == program.kind);
        let cells: String = (0..PARTS.len())
            .map(|at| cell(times[at], smaller.as_ref().map(|(_, times)| times[at])))
            .collect();
        println!("{:<47}{cells}", program.to_string());
        before = Some((program, times));
    }
}

fn cell(time: f64, before: Option<f64>) -> String {
    let ratio = before.map_or(String::new(), |before| format!("× {:.2}", time / before));
    format!("{time:>16.0} {ratio:<7}")
}

/// Nanoseconds a statement for each part, the fastest of a few runs.
fn fastest(program: &Program, rules: &MachineRules) -> Vec<f64> {
    let source = Source { name: "bench".into(), text: (program.text)(program.statements) };
    let mut fastest = vec![Duration::MAX; PARTS.len()];
    for _ in 0..5 {
        let mut clock = Clock { last: thread_time(), times: Vec::new() };
        compile(&source, rules, &mut clock);
        let both = fastest.iter().zip(&clock.times);
        fastest = both.map(|(&a, &b)| a.min(b)).collect();
    }
    let statements = program.statements as f64;
    fastest.iter().map(|time| time.as_nanos() as f64 / statements).collect()
}

/// Takes the time at the end of each part.
struct Clock {
    last: Duration,
    times: Vec<Duration>,
}

impl StageObserver for Clock {
    fn stage_done(&mut self, stage: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        if PARTS.iter().any(|part| part.1 == stage) {
            self.times.push(thread_time() - self.last);
            self.last = thread_time();
        }
        Ok(())
    }
}
