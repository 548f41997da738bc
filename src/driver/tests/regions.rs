//! Programs of regions: all stages agree, the processor included.
use super::built_in;
use super::calls::{Check, Ignore, options, printed, without_place};
use crate::driver::compile;
use crate::region;
use crate::select::options::Method;
use crate::stage::{Artifact, Termination};
use emulate::native::Host;
use source::Source;

/// Compiles the program, and compares the outcomes of all stages with that of its regions.
#[track_caller]
fn check(text: &str, runs: &[&[i64]]) -> Vec<Termination> {
    let rules = built_in();
    let regions = region::parse(text).expect("a program");
    let source = Source { name: "test.rv".into(), text: text.into() };
    let run = |arguments: &&[i64]| {
        let expected = without_place(regions.eval_all(arguments).expect("it can be executed"));
        let mut check = Check { arguments, expected: &expected, text };
        let compiled = compile(&source, options(&rules, Method::Pbqp), &mut check);
        let executable = compiled.unwrap_or_else(|halt| panic!("{halt:?}"));
        if let Some(host) = Host::detect() {
            let words: Vec<_> = arguments.iter().map(i64::to_string).collect();
            let run = host.run(&executable.bytes, &words).expect("the host runs executables");
            assert_eq!((run.output, run.errors), printed(&expected), "{text}");
        }
        expected.end
    };
    runs.iter().map(run).collect()
}

#[test]
fn several_arguments_and_results() {
    let swapped = "(func-2-inputs-3-outputs get-1 (- get-0 get-1) get-0)";
    let runs: &[&[i64]] = &[&[1, 2], &[-5], &[], &[7, i64::from(i32::MIN), 9]];
    assert_eq!(check(swapped, runs)[1], Termination::Values(vec![0, -5, -5]));
    check("(* 6 7)", &[&[], &[3]]);
    check("(func-1-inputs-1-outputs (% get-0 10))", &[&[77], &[-77]]);
}

#[test]
fn functions_with_constant_inputs_and_several_results() {
    let text = "(?f (func-2-inputs-2-outputs 10 (+ (* get-0 get-2) get-1) (> get-0 get-1)) \
        (?p (call ?f get-0 get-1) (?q (call ?f (get-0 ?p) 1) \
        (func-2-inputs-3-outputs (get-0 ?q) (get-1 ?q) (get-1 ?p)))))";
    check(text, &[&[3, 4], &[4, 3], &[]]);
}

const SUM: &str = "(?sum (func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (= get-1 0) \
    get-0 get-1 (+ get-1 (get-0 (call get-0 get-0 (- get-1 1)))) 0))) \
    (func-1-inputs-1-outputs (get-0 (call ?sum ?sum get-0))))";

#[test]
fn a_function_may_call_itself_through_a_value() {
    assert_eq!(check(SUM, &[&[100], &[0]])[0], Termination::Value(5050));
}

#[test]
fn a_recursion_too_deep_ends_with_a_message() {
    let (rules, source) = (built_in(), Source { name: "test.rv".into(), text: SUM.into() });
    let compiled = compile(&source, options(&rules, Method::Pbqp), &mut Ignore);
    let executable = compiled.unwrap_or_else(|halt| panic!("{halt:?}"));
    let words = ["1000000".to_string()];
    let emulated = emulate::run(&executable.bytes, &words, 1 << 26);
    assert_eq!(emulated.errors, "sonc: the stack of calls is full\n");
    assert_eq!(emulated.end, emulate::Termination::Value(1));
    if let Some(host) = Host::detect() {
        let native = host.run(&executable.bytes, &words).expect("the host runs executables");
        assert_eq!((native.errors, native.status), (emulated.errors, Some(1)));
    }
}

#[test]
fn uses_are_lines_and_traps_are_messages() {
    let text = "(?s (use get-0 1) (func-2-inputs-3-outputs (use (use ?s 2 3) get-0) (/ get-0 \
        get-1) (use)))";
    let ends = check(text, &[&[5, 2], &[5, 0], &[i64::from(i32::MIN), -1]]);
    assert_eq!(ends[0], Termination::Value(2));
    assert!(ends[1..].iter().all(|end| matches!(end, Termination::Fault { .. })));
    let repeated = "(func-1-inputs-1-outputs (get-1 (loop get-0 (use) (- get-0 1) \
        (use get-1 (% 12 get-0)) (> get-0 -1))))";
    check(repeated, &[&[3], &[-5]]);
}
