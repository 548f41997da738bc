//! The programs are valid, and ours are executed as expected.
use super::compilers::COMPILERS;
use super::measure::{execute, programs};
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
fn known_results_are_computed() {
    let known = [("primes", 109), ("perfect", 34), ("calendar", 688)];
    for (name, expected) in known {
        let program = programs().into_iter().find(|it| it.name == name).expect("it is there");
        let executable = COMPILERS[0].executable(&program).expect("sonc is always there");
        let (ends, _) = execute(&executable, &program.arguments());
        assert_eq!(ends, [Termination::Value(expected)], "{name}");
    }
}
