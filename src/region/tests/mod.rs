//! Tests of the text language, its checks, and the interpreter.
use super::{Graph, Operator, parse, print};
use crate::arith::Binary;
use crate::stage::{Artifact, Outcome, Termination};

fn eval(graph: &Graph, arguments: &[i64]) -> Outcome {
    graph.eval_all(arguments).expect("it can be executed")
}

fn program(text: &str) -> Graph {
    let graph = parse(text).unwrap_or_else(|it| panic!("{text}: {it:?}"));
    assert_eq!(graph.verify(), [], "{text}");
    graph
}

/// The program prints this, and its text reads back as the same graph.
#[track_caller]
fn check(text: &str, arguments: &[i64], expected: &str) {
    let graph = program(text);
    let printed = print::print(&graph);
    assert!(program(&printed) == graph, "{text}\nis printed as\n{printed}");
    assert_eq!(text_of(&eval(&graph, arguments)), expected, "{text}");
}

/// The lines of `use`, and a last line of the results.
fn text_of(outcome: &Outcome) -> String {
    let results = match &outcome.end {
        Termination::Value(value) => value.to_string(),
        Termination::Object(text) => text.clone(),
        Termination::Values(values) => {
            values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
        }
        Termination::Trap(message) => message.clone(),
        Termination::Fault { reason, .. } => reason.clone(),
        Termination::OutOfSteps => "out of steps".to_string(),
    };
    format!("{}{results}", outcome.output)
}

/// The text has an error with this message, which underlines this part.
#[track_caller]
fn check_error(text: &str, message: &str, underlined: &str) {
    let diagnostics = parse(text).expect_err(text);
    let first = &diagnostics[0];
    let found = (first.message.as_str(), &text[first.span.range()]);
    assert_eq!(found, (message, underlined), "{text}");
}

const MADD: &str = "(?madd (func-2-inputs-2-outputs 10 (+ (* get-0 get-2) get-1) (> get-0 get-1)) \
    (?p (call ?madd get-0 get-1) (?q (call ?madd (get-0 ?p) 1) \
    (func-2-inputs-1-outputs (get-0 ?q)))))";
const SWITCHES: &str = "(?s (switch-3-cases-3-outputs (& get-0 1) get-1 get-2 get-1 get-3 \
    (+ get-0 get-2) get-1 (* get-3 0) (* get-2 2) get-1 0 get-3 get-0 5) \
    (func-4-inputs-3-outputs (get-0 ?s) (get-1 ?s) (get-2 ?s)))";
const INVARIANT: &str = "(func-3-inputs-1-outputs (get-0 (loop get-0 get-1 get-2 \
    (+ get-0 (+ (* get-1 get-2) 1)) get-1 get-2 (> 50 get-0))))";
const TWICE: &str = "(?l (loop get-0 get-0 (+ get-0 3) (+ get-1 3) (> 20 get-1)) \
    (func-1-inputs-2-outputs (get-0 ?l) (+ (get-0 ?l) (get-1 ?l))))";
/// A function handed to itself adds the numbers from 1 to its argument.
const SUM: &str = "(?sum (func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (= get-1 0) \
    get-0 get-1 (+ get-1 (get-0 (call get-0 get-0 (- get-1 1)))) 0))) \
    (func-1-inputs-1-outputs (get-0 (call ?sum ?sum get-0))))";

#[test]
fn programs_of_the_language() {
    check("(?a 6 (?b (* ?a 7) (?a 2 (+ ?a (<< ?b 1)))))", &[], "86");
    check("(?x 21 (+ ?x ?x)) # a comment", &[], "42");
    let linear = "(func-1-inputs-2-outputs (+ (+ get-0 get-0) (+ get-0 (* get-0 5))) \
        (+ (* 3 get-0) (* -3 get-0)))";
    check(linear, &[7], "56 0");
    check(linear, &[2_000_000_000], "-1179869184 0");
    check(MADD, &[3, 4], "341");
    check(MADD, &[-2, 50], "301");
    check(SWITCHES, &[0, 5, 6, 7], "10 6 0");
    check(SWITCHES, &[1, 5, 6, 7], "10 6 0");
    let constant = "(?s (switch-3-cases-2-outputs (= 7 (+ 3 4)) get-0 get-1 get-0 get-1 get-1 \
        (+ get-0 get-1) 0 0) (func-2-inputs-2-outputs (get-0 ?s) (get-1 ?s)))";
    check(constant, &[5, 6], "6 11");
}

#[test]
fn loops_execute_until_their_predicate_is_0() {
    let once = "(?l (loop get-0 10 (+ get-0 get-1) (+ get-1 1) (> 5 get-1)) \
        (func-1-inputs-2-outputs (get-0 ?l) (get-1 ?l)))";
    check(once, &[1], "11 11");
    check(INVARIANT, &[1, 2, 3], "57");
    check(INVARIANT, &[60, 1, 1], "62");
    check(INVARIANT, &[0, -1, 0], "51");
    check(TWICE, &[2], "23 46");
    check(TWICE, &[19], "25 50");
    check(TWICE, &[100], "103 206");
    let endless = program("(func-1-inputs-1-outputs (get-0 (loop get-0 get-0 1)))");
    assert_eq!(eval(&endless, &[1]).end, Termination::OutOfSteps);
}

#[test]
fn a_function_may_be_handed_to_itself() {
    check(SUM, &[10], "55");
    check(SUM, &[10_000], "50005000");
}

#[test]
fn a_switch_takes_the_last_case_for_all_other_numbers() {
    let text = "(func-1-inputs-1-outputs (get-0 (switch-3-cases-1-outputs get-0 10 20 30)))";
    check(text, &[0], "10");
    check(text, &[1], "20");
    check(text, &[2], "30");
    check(text, &[-1], "30");
    check(text, &[77], "30");
}

#[test]
fn uses_write_lines_in_the_order_of_states() {
    let text = "(?s (use get-0 1) (func-1-inputs-2-outputs (use (use ?s 2 3) get-0) 7))";
    check(text, &[5], "5 1\n2 3\n5\n7");
    let repeated = "(func-1-inputs-1-outputs (get-1 (loop get-0 (use) (- get-0 1) \
        (use get-1 get-0) (> get-0 1))))";
    check(repeated, &[3], "3\n2\n1\n0");
    // A program without states loses what it does not need.
    check("(func-1-inputs-1-outputs (?lost (use 1) get-0))", &[4], "4");
}

#[test]
fn undefined_quotients_trap() {
    let text = "(func-2-inputs-2-outputs (use 1) (% get-0 get-1))";
    check(text, &[7, 4], "1\n3");
    for arguments in [[7, 0], [i64::from(i32::MIN), -1]] {
        let Outcome { output, end } = eval(&program(text), &arguments);
        assert_eq!(output, "1\n");
        let reason = crate::arith::TRAP.to_string();
        assert!(matches!(end, Termination::Fault { reason: it, .. } if it == reason));
    }
}

#[test]
fn equal_parts_are_one_node() {
    let twice = program("(func-1-inputs-2-outputs (* get-0 get-0) (+ (* get-0 get-0) 1))");
    let shared = program("(?a (* get-0 get-0) (func-1-inputs-2-outputs ?a (+ ?a 1)))");
    assert!(twice == shared);
    assert_eq!(twice.len(), 4);
    let nested = program("(?a (+ get-0 1) (func-2-inputs-1-outputs (get-0 (loop ?a ?a 0))))");
    let text = "(?1 (+ get-0 1)\n(func-2-inputs-1-outputs (get-0 (loop ?1 ?1 0))))\n";
    assert_eq!(print::print(&nested), text);
}

#[test]
fn errors_have_places() {
    check_error("", "the program is empty", "");
    check_error("(+ 1 2", "this `(` is never closed", "(");
    check_error("(+ 1 2))", "this `)` closes nothing", ")");
    check_error("1 2", "the program is one expression, but here is a second one", "2");
    check_error("((+) 1)", "a list begins with an operation, not with a list", "(");
    check_error("()", "an empty list", "()");
    check_error("(+ 1 x)", "`x` is no value", "x");
    check_error("(+ 1 99999999999)", "`99999999999` does not fit into 32 bits", "99999999999");
    check_error("(plus 1 2)", "`plus` is no operation", "plus");
    check_error("(+ 1)", "a wrong number of operands: 1", "(+ 1)");
    check_error("(loop 1 2)", "a wrong number of operands: 2", "(loop 1 2)");
    check_error("(?x 1 (+ ?x ?y))", "`?y` has no value", "?y");
    check_error("(+ (?x 1 ?x) ?x)", "`?x` has no value", "?x");
    check_error("(?x 1)", "a let has a value and a body, but this one has 1 parts", "(?x 1)");
    check_error("(get-99999 1)", "`99999` is no count", "get-99999");
    check_error("(switch-2-cases-1-outputs 5 1 2)", "the switch has no case 5", "5");
    check_error(
        "(switch-2-cases-1-outputs 0 1)",
        "a wrong number of operands: 2",
        "(switch-2-cases-1-outputs 0 1)",
    );
}

#[test]
fn arguments_and_outputs_are_those_of_their_scope() {
    check_error("get-0", "`get-0` is not in its scope", "get-0");
    check_error("(func-1-inputs-1-outputs get-1)", "`get-1` is not in its scope", "get-1");
    check_error("(func-0-inputs-1-outputs get-255)", "`get-255` is not in its scope", "get-255");
    let in_loop = "(func-2-inputs-1-outputs (get-0 (loop get-1 get-1 0)))";
    check_error(in_loop, "`get-1` is not in its scope", "get-1");
    check_error("(get-2 (loop 1 2 3 4 0))", "there is no output 2", "(get-2 (loop 1 2 3 4 0))");
    check_error("(get-0 5)", "this has no numbered outputs", "5");
    let tuple = "(+ 1 (loop 1 1 0))";
    check_error(tuple, "the outputs of a loop are no value", "(loop 1 1 0)");
}

#[test]
fn values_have_types() {
    let function = "(func-1-inputs-1-outputs get-0)";
    check_error(
        &format!("(+ 1 {function})"),
        "expected an integer, found a function of 1 arguments and 1 results",
        function,
    );
    check_error(
        "(get-0 (call 5 1))",
        "expected a function of 1 arguments and at least 1 results, found an integer",
        "5",
    );
    check_error(
        &format!("(get-0 (call {function} 1 2))"),
        "expected a function of 2 arguments and at least 1 results, \
         found a function of 1 arguments and 1 results",
        function,
    );
    check_error(
        &format!("(get-1 (call {function} 1))"),
        "expected a function of 1 arguments and at least 2 results, \
         found a function of 1 arguments and 1 results",
        function,
    );
    check_error("(+ (use 1) 1)", "expected an integer, found a state", "(use 1)");
    check_error("(get-0 (loop 1 (use) 0))", "expected an integer, found a state", "(use)");
    let result = "(get-0 (loop ?f get-0 0))";
    let text = format!("(?f {function} (func-0-inputs-1-outputs {result}))");
    check_error(&text, "a function cannot be printed", result);
}

#[test]
fn programs_may_be_deep_and_long() {
    let sum = |count| "(+ get-0 ".repeat(count) + "1" + &")".repeat(count);
    let text = format!("(func-1-inputs-1-outputs {})", sum(100_000));
    check(&text, &[2], "200001");
    let nested = "(get-0 (loop get-0 ".repeat(10_000) + "(+ get-0 1)" + &" 0))".repeat(10_000);
    check(&format!("(func-1-inputs-1-outputs {nested})"), &[5], "6");
}

#[test]
fn lets_that_explode_are_reported() {
    // Each level is used in two scopes of the next one.
    let mut text = "(?0 (+ get-0 1) ".to_string();
    for level in 0..30 {
        let of =
            format!("(get-0 (switch-2-cases-1-outputs get-0 ?{level} ?{level} (+ ?{level} 1)))");
        text += &format!("(?{} {of} ", level + 1);
    }
    text += &("(func-1-inputs-1-outputs ?30)".to_string() + &")".repeat(31));
    let diagnostics = parse(&text).expect_err("it is too large");
    assert!(diagnostics[0].message.starts_with("the program has more than"));
}

#[test]
fn every_binary_operator_has_a_word() {
    for op in (0..Binary::COUNT).map(Binary::at) {
        let operator = Operator::Binary(op);
        assert!(Operator::all().any(|row| row.operator == operator), "{op:?} has no word");
    }
}
