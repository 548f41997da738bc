//! How fast programs are compiled, in statements a second.
//!
//! A row goes from the text to the end of one stage, so it holds the rows above it: the front and
//! the optimiser; Firm and selection; allocation and encoding; the whole way.
#[path = "../tests/support/large.rs"]
mod large;
#[cfg(feature = "ch07")]
#[path = "../tests/support/random.rs"]
mod random;
mod programs;

use divan::Bencher;
use divan::counter::ItemsCount;
use programs::{PROGRAMS, Program, compile};
use sonc::{Artifact, Halt, Source, Stage, StageObserver};

fn main() {
    divan::main();
}

#[divan::bench(args = PROGRAMS, sample_count = 10)]
fn to_the_sea(bencher: Bencher, program: &Program) {
    measure(bencher, program, Stage::Sea);
}

#[divan::bench(args = PROGRAMS, sample_count = 10)]
fn to_selected_code(bencher: Bencher, program: &Program) {
    measure(bencher, program, Stage::Selected);
}

#[divan::bench(args = PROGRAMS, sample_count = 10)]
fn to_bytes(bencher: Bencher, program: &Program) {
    measure(bencher, program, Stage::Bytes);
}

#[divan::bench(args = PROGRAMS, sample_count = 10)]
fn to_the_executable(bencher: Bencher, program: &Program) {
    measure(bencher, program, Stage::Elf);
}

fn measure(bencher: Bencher, program: &Program, last: Stage) {
    let source = Source { name: "bench".into(), text: (program.text)(program.statements) };
    let rules = programs::rules();
    let counter = ItemsCount::new(program.statements);
    bencher.counter(counter).bench_local(|| compile(&source, &rules, &mut Until(last)));
}

/// Stops behind a stage.
struct Until(Stage);

impl StageObserver for Until {
    fn stage_done(&mut self, stage: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        if stage == self.0 { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}
