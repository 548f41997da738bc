//! Each rule of regions fires in a program of the book; and how many instructions the rules save.
//! The other tests are in `src/egraph`.
use crate::cases::region_programs;
use crate::check::Check;
use crate::configuration::Configuration;
use expect_test::expect_file;
use sonc::{Artifact, Halt, Source, Stage, StageObserver, region_rules, this_chapter};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn source(path: &Path) -> Source {
    let name = path.file_name().and_then(|it| it.to_str()).expect("a name").to_string();
    let text = std::fs::read_to_string(path).unwrap_or_else(|it| panic!("{name}: {it}"));
    Source { name, text }
}

#[test]
fn each_fires_in_a_program_of_the_book() {
    let mut fired = BTreeSet::new();
    for path in region_programs() {
        let mut check = Check::default();
        // The program may be one with an error.
        let configuration = Configuration { trace: true, ..Configuration::standard() };
        let _ = configuration.compile(&source(&path), &mut check);
        fired.extend(check.fired);
    }
    let names: Vec<_> = region_rules().map(|it| it.name).collect();
    super::check_names(names.iter().copied());
    let missing: Vec<_> = names.iter().filter(|it| !fired.contains(*it)).collect();
    assert!(missing.is_empty(), "these rules fire in no case: {missing:?}");
}

/// The programs with loops, and their arguments.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("07-while/cases/triangle.smp", &["10"]),
    ("07-while/cases/fibonacci.smp", &["20"]),
    ("07-while/cases/outer_changes.smp", &["7"]),
    ("08-break-continue/cases/primes.smp", &["50"]),
    ("08-break-continue/cases/nested.smp", &["7"]),
    ("26-regions/cases/collatz.rv", &["27"]),
    ("26-regions/cases/digits.rv", &["123456"]),
    ("26-regions/cases/power.rv", &["3", "9"]),
    ("26-regions/cases/invariant.rv", &["1", "2", "3"]),
    ("27-control-flow/cases/collatz.cfg", &["27"]),
    ("27-control-flow/cases/gcd.cfg", &["48", "36"]),
    ("27-control-flow/cases/search.smp", &["900"]),
    ("27-control-flow/cases/states.cfg", &["29"]),
    ("27-control-flow/cases/two_entries.cfg", &["5", "7"]),
    ("27-control-flow/cases/two_exits.cfg", &["9"]),
    ("28-equality-saturation/cases/counted.rv", &["0", "1"]),
    ("28-equality-saturation/cases/dead.rv", &["1", "2"]),
    ("28-equality-saturation/cases/equal.rv", &["2"]),
    ("28-equality-saturation/cases/twice.rv", &["3"]),
];

#[test]
fn the_executed_instructions_are_those_of_the_table() {
    if this_chapter() != 28 {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let all: Vec<String> = region_rules().map(|it| it.name.to_string()).collect();
    let mut table = format!("{:<42}{:>8}{:>8}\n", "executed instructions", "without", "with");
    for (path, arguments) in PROGRAMS {
        let path: PathBuf = root.join(path);
        let [before, after] = [all.clone(), Vec::new()].map(|without| {
            let via_regions = path.extension().is_some_and(|it| it == "smp");
            let standard = Configuration::standard();
            executed(&path, arguments, Configuration { without, via_regions, ..standard })
        });
        let name = path.file_name().and_then(|it| it.to_str()).expect("a name");
        let name = format!("{name} {}", arguments.join(" "));
        table += &format!("{name:<42}{before:>8}{after:>8}\n");
    }
    expect_file![root.join("28-equality-saturation/cases/instructions.txt")].assert_eq(&table);
}

/// Observes nothing.
struct Ignore;

impl StageObserver for Ignore {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }
}

/// The number of instructions that a program executes in the emulator.
fn executed(path: &Path, arguments: &[&str], configuration: Configuration) -> u64 {
    let executable = configuration.compile(&source(path), &mut Ignore);
    let executable = executable.unwrap_or_else(|it| panic!("{}: {it:?}", path.display()));
    let words: Vec<_> = arguments.iter().map(|it| it.to_string()).collect();
    emulate::run(&executable, &words, 1_000_000).instructions
}
