//! Large programs of families: the e-graph stays small, so saturation is fast.
use super::check;
use crate::stage::Artifact;

fn sum(terms: impl Iterator<Item = String>) -> String {
    terms.reduce(|sum, term| format!("(+ {sum} {term})")).expect("there is a term")
}

fn function(inputs: usize, result: &str) -> String {
    format!("(func-{inputs}-inputs-1-outputs {result})")
}

/// The nodes of the e-graph are at most `most`, and no budget but that for the proof of the
/// extraction is exhausted.
fn check_size(text: &str, arguments: &[i64], most: usize) -> String {
    let saturated = check(text, &[arguments]);
    assert!(saturated.nodes <= most, "{} nodes", saturated.nodes);
    assert!(saturated.iterations < 50, "{} iterations", saturated.iterations);
    let limits = saturated.limits.iter().filter(|it| !it.starts_with("optimality"));
    assert_eq!(limits.count(), 0, "{:?}", saturated.limits);
    saturated.graph.print()
}

#[test]
fn sums_are_collected() {
    let same = sum((0..256).map(|_| "get-0".to_string()));
    let text = check_size(&function(1, &same), &[5], 2000);
    assert_eq!(text.trim(), "(func-1-inputs-1-outputs (* get-0 256))");
    let factor = sum((1..=64).map(|at| format!("(* get-0 get-{at})")));
    let text = check_size(&function(65, &factor), &[5], 1000);
    assert_eq!(text.matches('*').count(), 1, "{text}");
}

/// The value of the last variable, if each is the same expression of the one before, X.
fn unrolled(expression: &str, count: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        let last = if at == 0 { "get-0".to_string() } else { format!("?v{at}") };
        text += &format!("(?v{} {} ", at + 1, expression.replace('X', &last));
    }
    text + &function(3, &format!("?v{count}")) + &")".repeat(count)
}

#[test]
fn unrolled_recurrences_have_a_budget() {
    for (expression, count) in [
        ("(- 1 (+ X (* X get-1)))", 20),
        ("(- (+ X get-1) (- X (* get-2 X)))", 13),
        ("(+ (* X (+ X get-1)) (* X get-2))", 20),
        ("(* (+ X (- get-1 X)) (+ X (+ X get-2)))", 20),
    ] {
        let saturated = check(&unrolled(expression, count), &[&[5, 3, 2], &[-1, 7, 1]]);
        let [nodes, iterations] = [saturated.nodes as u64, saturated.iterations];
        assert!(nodes < 5000 && iterations < 30, "{expression}: {nodes} {iterations}");
    }
    let saturated = check(&unrolled("(- 1 (+ X (* X get-1)))", 20), &[&[5, 3, 2]]);
    assert!(saturated.limits.contains(&"forms of sums"), "{:?}", saturated.limits);
}

#[test]
fn calls_are_folded() {
    let calls = sum((0..512).map(|at| format!("(get-0 (call ?h (+ get-0 {at})))")));
    let text = format!("(?h {} {})", function(1, "(+ (* get-0 3) 1)"), function(1, &calls));
    let text = check_size(&text, &[5], 20_000);
    assert_eq!(text.trim(), "(func-1-inputs-1-outputs (+ (* get-0 1536) 392960))");
}

#[test]
fn chains_of_calls_do_not_explode() {
    let mut text = format!("(?f0 {} ", function(1, "(+ get-0 1)"));
    for at in 0..12 {
        let call = |argument: &str| format!("(get-0 (call ?f{at} {argument}))");
        let body = format!("(+ {} (* 2 {}))", call("get-0"), call("(* get-0 3)"));
        text += &format!("(?f{} {} ", at + 1, function(1, &body));
    }
    let text = check_size(&format!("{text} ?f12{}", ")".repeat(13)), &[5], 20_000);
    assert!(!text.contains("call"), "{text}");
}

#[test]
fn a_callee_with_shared_parts_is_copied_once() {
    let mut text = "(?f (?v0 get-0 ".to_string();
    for at in 0..28 {
        text += &format!("(?v{} (* (+ ?v{at} 1) (& ?v{at} get-0)) ", at + 1);
    }
    text += &format!("{}{}", function(1, "?v28"), ")".repeat(29));
    text += &format!(" {})", function(1, "(get-0 (call ?f (+ get-0 5)))"));
    assert!(!check_size(&text, &[5], 1000).contains("call"));
}

#[test]
fn many_invariants_are_hoisted_at_once() {
    let count = 120;
    let terms = (1..=count).map(|at| format!("(* get-{at} (+ get-{at} {at}))"));
    let body = sum(std::iter::once("get-0".to_string()).chain(terms));
    let values = |from: usize| (from..=count).map(|at| format!("get-{at} ")).collect::<String>();
    let result = format!("(get-0 (loop {} {body} {} (> 1000 get-0)))", values(0), values(1));
    let text = check_size(&function(count + 1, &result), &[5, 1, 2], 3000);
    assert!(text.contains("(+ (+ (+ get-0 get-1) get-2) get-3)"), "{text}");
}

#[test]
fn many_equal_variables_are_one() {
    let starts = "get-0 ".repeat(64);
    let next: String = (0..64).map(|at| format!("(+ get-{at} 3) ")).collect();
    let outputs = sum((0..64).map(|at| format!("(get-{at} ?l)")));
    let text = format!("(?l (loop {starts} {next} (> 20 get-0)) {})", function(1, &outputs));
    let text = check_size(&text, &[5], 1000);
    let expected = "(* (get-0 (loop get-0 (+ get-0 3) (> 20 get-0))) 64)";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn deep_programs_are_reduced() {
    let nested = "(get-0 (loop get-0 ".repeat(10_000) + "(+ get-0 1)" + &" 0))".repeat(10_000);
    let text = check_size(&function(1, &nested), &[5], 50_000);
    assert_eq!(text.trim(), "(func-1-inputs-1-outputs (+ get-0 1))");
}

#[test]
fn a_sum_of_many_constants_is_collected() {
    let constants =
        std::iter::once("get-0".to_string()).chain((0..20_000).map(|at| at.to_string()));
    let text = check_size(&function(1, &sum(constants)), &[5], 100_000);
    assert_eq!(text.trim(), "(func-1-inputs-1-outputs (+ get-0 199990000))");
}

#[test]
fn straight_lines_and_trees_are_extracted() {
    let mut text = String::new();
    for at in 0..2048 {
        let last = if at == 0 { "get-0".to_string() } else { format!("?v{at}") };
        text += &format!("(?v{} ({} {last} get-1) ", at + 1, ["+", "*", "&"][at % 3]);
    }
    check_size(&format!("{text} {}{}", function(2, "?v2048"), ")".repeat(2048)), &[5, 3], 10_000);
    let switches = (0..256).fold("get-0".to_string(), |value, at| {
        let cases = format!("(+ get-0 {}) (* get-0 {})", at + 1, at % 7 + 2);
        format!("(get-0 (switch-2-cases-1-outputs (> get-0 {at}) {value} {cases}))")
    });
    check_size(&function(1, &switches), &[5], 5000);
    let nested = (0..32).fold("(+ get-0 1)".to_string(), |value, at| {
        let other = format!("(* get-0 {})", at + 3);
        format!("(get-0 (switch-2-cases-1-outputs (> get-0 {at}) get-0 {value} {other}))")
    });
    check_size(&function(1, &nested), &[5], 1000);
}
