//! How the time of each stage grows with structured repetition: templates of one to five statements
//! are compiled with N, 2 N and 4 N repetitions. The stages that take more than 2.4 times as long
//! for twice as many are listed, with the growth of their output: a stage whose output becomes four
//! times as large cannot take less.
//!
//! Each statement is measured alone in each arrangement, then some random templates; `TEMPLATES` is
//! their number, and `REPETITIONS` that of 4 N.
#[path = "programs/compiling.rs"]
mod compiling;
#[path = "../tests/support/random.rs"]
mod random;
#[path = "../tests/support/constructs.rs"]
mod constructs;
#[path = "../tests/support/templates.rs"]
mod templates;

use compiling::{compile, rules};
use host::thread_time;
use sonc::{Artifact, Halt, MachineRules, Source, Stage, StageObserver};
use std::time::Duration;
use templates::Template;

/// The largest growth of a stage that is not listed.
const GROWTH: f64 = 2.4;

/// Shorter times are not compared: the first use of new memory takes a large part of them.
const SHORTEST: Duration = Duration::from_millis(25);

/// A stage that seems to grow is measured again, so often, and its shortest time counts.
const RUNS: usize = 6;

fn main() {
    // What `cargo test --benches` wants to know is whether this builds and runs.
    let benched = std::env::args().any(|word| word == "--bench");
    let [templates, repetitions] = if benched { [500, 8_000] } else { [20, 40] };
    let random = 0..number("TEMPLATES", templates) as u64;
    let repetitions = number("REPETITIONS", repetitions);
    let (mut measured, mut listed, mut larger) = (0, 0, 0);
    println!("milliseconds at N, 2 N and 4 N repetitions");
    let rules = rules();
    for template in constructs::singles().chain(random.map(constructs::random)) {
        let grown = grown(&template, repetitions, &rules);
        measured += 1;
        listed += grown.len();
        for Grown { stage, times, output } in grown {
            let [one, two, four] = times.map(|it| it.as_secs_f64() * 1e3);
            let growth = four / two;
            larger += usize::from(output * GROWTH / 2.0 >= growth);
            let numbers = format!("{one:>8.1} {two:>8.1} {four:>8.1}  × {growth:.2}");
            println!("{:<10}{numbers}  output × {output:.2}  {template}", stage.name());
        }
    }
    println!("{listed} stages of {measured} templates grow more than {GROWTH} times");
    println!("in {larger} of them, as their output does");
}

/// The number in a variable of the environment.
fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

/// A stage that grows too much.
struct Grown {
    stage: Stage,
    /// At N, 2 N and 4 N.
    times: [Duration; 3],
    /// The growth of its output from 2 N to 4 N.
    output: f64,
}

/// The stages that grow too much.
fn grown(template: &Template, repetitions: usize, rules: &MachineRules) -> Vec<Grown> {
    let most = repetitions / template.statements.len();
    let mut times = [2, 1].map(|part| times(template, most / part, rules));
    for _ in 1..RUNS {
        if !(0..times[0].len()).any(|at| grows(times[0][at].1, times[1][at].1)) {
            return Vec::new();
        }
        for (part, times) in [2, 1].into_iter().zip(&mut times) {
            let again = self::times(template, most / part, rules);
            times.iter_mut().zip(again).for_each(|(it, again)| it.1 = it.1.min(again.1));
        }
    }
    let quarter = self::times(template, most / 4, rules);
    let [half, whole] = times;
    let [fewer, more] = [2, 1].map(|part| sizes(template, most / part, rules));
    let all = quarter.into_iter().zip(half).zip(whole).zip(fewer.into_iter().zip(more));
    let all = all.map(|(((one, two), four), (fewer, more))| Grown {
        stage: four.0,
        times: [one.1, two.1, four.1],
        output: more as f64 / fewer as f64,
    });
    all.filter(|Grown { times: [_, two, four], .. }| grows(*two, *four)).collect()
}

/// The bytes of the text of each stage.
fn sizes(template: &Template, count: usize, rules: &MachineRules) -> Vec<usize> {
    let source = Source { name: "template".into(), text: template.text(count) };
    let mut sizes = Sizes(Vec::new());
    compile(&source, rules, &mut sizes);
    sizes.0
}

struct Sizes(Vec<usize>);

impl StageObserver for Sizes {
    fn stage_done(&mut self, _: Stage, artifact: &dyn Artifact) -> Result<(), Halt> {
        self.0.push(artifact.listing().len());
        Ok(())
    }
}

fn grows(two: Duration, four: Duration) -> bool {
    four >= SHORTEST && four.as_secs_f64() > GROWTH * two.as_secs_f64()
}

/// The time of each stage.
fn times(template: &Template, count: usize, rules: &MachineRules) -> Vec<(Stage, Duration)> {
    let source = Source { name: "template".into(), text: template.text(count) };
    let mut clock = Clock { last: thread_time(), times: Vec::new() };
    compile(&source, rules, &mut clock);
    clock.times
}

/// Takes the time at the end of each stage.
struct Clock {
    last: Duration,
    times: Vec<(Stage, Duration)>,
}

impl StageObserver for Clock {
    fn stage_done(&mut self, stage: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        self.times.push((stage, thread_time() - self.last));
        self.last = thread_time();
        Ok(())
    }
}
