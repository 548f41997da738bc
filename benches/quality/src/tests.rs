//! The programs are valid, and ours are executed as expected.
use super::compilers::COMPILERS;
use super::measure::{Program, execute, programs};
use super::savings;
use emulate::Termination;

#[test]
fn every_program_ends_with_a_value() {
    for program in programs() {
        let executable = COMPILERS[0].executable(&program).expect("sonc is always there");
        let arguments: Vec<i32> = program.arguments().iter().map(|it| it % 30).collect();
        let (ends, _) = execute(&executable, &arguments);
        let values = ends.iter().all(|end| matches!(end, Termination::Value(_)));
        assert!(values, "{}: {ends:?}", program.name);
    }
}

#[test]
fn a_large_argument_is_the_only_one() {
    let enlarged: Vec<_> = programs().iter().filter_map(Program::enlarged).collect();
    let sieve = enlarged.iter().find(|it| it.name == "arrays sieve 10000000").expect("it is there");
    assert_eq!(sieve.arguments(), [10_000_000]);
    assert!(enlarged.iter().all(|it| it.arguments().len() == 1));
}

#[test]
fn known_results_are_computed() {
    let known = [("primes", 109), ("perfect", 34), ("calendar", 688)];
    for (name, expected) in known {
        let program = programs().into_iter().find(|it| it.name == name).expect("it is there");
        let executable = COMPILERS[0].executable(&program).expect("sonc is always there");
        let (ends, _) = execute(&executable, &program.arguments());
        assert_eq!(ends, [Termination::Value(expected)], "{name}");
    }
}

/// The results without each rewrite are compared, too.
#[test]
fn savings_are_those_of_rewrites_that_a_program_needs() {
    let mut chosen = programs();
    chosen.retain(|it| ["sums", "objects bounce"].contains(&it.name.as_str()));
    let table = savings::table(&chosen);
    for name in ["all rewrites", "value-numbering", "like-terms", "load-store"] {
        let row = table.lines().find(|line| line.contains(name)).unwrap_or_default();
        assert!(row.contains('+') && !row.contains(" -"), "{name}:\n{table}");
    }
}
