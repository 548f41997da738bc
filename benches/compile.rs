//! How fast programs are compiled, in statements a second.
//!
//! A row goes from the text to the end of one stage, so it holds the rows above it: the front and
//! the optimiser; Firm and selection; allocation and encoding; the whole way.
use divan::Bencher;
use divan::counter::ItemsCount;
use sonc::{Artifact, Halt, MachineRules, Options, Preference, Source, Stage, Watch};

fn main() {
    divan::main();
}

#[divan::bench(args = ROWS, sample_count = 20)]
fn compile(bencher: Bencher, row: &Row) {
    let rules = sonc::machine_rules(&sonc::built_in_rules());
    let rules = rules.unwrap_or_else(|_| panic!("the built-in rules are right"));
    let source = Source { name: "bench".into(), text: program(row.statements, row.variables) };
    let counter = ItemsCount::new(row.statements);
    bencher.counter(counter).bench_local(|| compile_until(row.last, &source, &rules));
}

/// A program of so many statements, compiled up to a stage.
#[derive(Debug)]
struct Row {
    last: Stage,
    statements: usize,
    variables: usize,
}

const fn row(last: Stage, statements: usize, variables: usize) -> Row {
    Row { last, statements, variables }
}

const ROWS: &[Row] = &[
    row(Stage::Sea, 2_000, 5),
    row(Stage::Selected, 2_000, 5),
    row(Stage::Bytes, 2_000, 5),
    row(Stage::Elf, 2_000, 5),
    row(Stage::Sea, 20_000, 5),
    row(Stage::Selected, 20_000, 5),
    row(Stage::Bytes, 20_000, 5),
    row(Stage::Elf, 20_000, 5),
    row(Stage::Sea, 20_000, 2_000),
    row(Stage::Selected, 20_000, 2_000),
    row(Stage::Bytes, 20_000, 2_000),
    row(Stage::Elf, 20_000, 2_000),
];

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Row { last, statements, variables } = self;
        // Rows are sorted by name: the number puts the stages in order.
        let at = Stage::ALL.iter().position(|stage| stage == last).unwrap_or_default();
        let name = last.name();
        write!(f, "{statements:>5} statements, {variables:>4} variables, to {at} {name}")
    }
}

/// Stops behind a stage.
struct Until(Stage);

impl Watch for Until {
    fn see(&mut self, stage: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        if stage == self.0 { Err(Halt::Stopped(stage)) } else { Ok(()) }
    }
}

fn compile_until(last: Stage, source: &Source, rules: &MachineRules) {
    let options = Options {
        optimize: true,
        without: &[],
        trace: false,
        argument: None,
        rules,
        preference: Preference::default(),
    };
    match sonc::compile(source, options, &mut Until(last)) {
        Err(Halt::Stopped(stage)) if stage == last => {}
        Ok(_) | Err(_) => panic!("the program is right, and stops where it is told to"),
    }
}

/// Each statement makes a variable of two others; all of them are part of the result.
fn program(statements: usize, variables: usize) -> String {
    let declared = (0..variables).map(|at| format!("int v{at} = arg + {at};\n"));
    let assigned = (0..statements).map(|at| {
        let [to, left, right] = [at, at * 7 + 1, at * 3 + 2].map(|it| it % variables);
        format!("v{to} = v{left} * {} + v{right};\n", at % 97 + 3)
    });
    let sum: Vec<String> = (0..variables).map(|at| format!("v{at}")).collect();
    let text: String = declared.chain(assigned).collect();
    format!("{text}return {};\n", sum.join(" + "))
}
