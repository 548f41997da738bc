//! Small programs and their smallest forms.
use super::{becomes, check};
use crate::stage::Artifact;

#[test]
fn straight_lines_are_computed() {
    becomes("(?a 6 (?b (* ?a 7) (?a 2 (+ ?a (<< ?b 1)))))", &[&[]], "(func-0-inputs-1-outputs 86)");
    let text = "(func-1-inputs-2-outputs (+ (+ get-0 get-0) (+ get-0 (* get-0 5)))
        (+ (* 3 get-0) (* -3 get-0)))";
    becomes(text, &[&[7], &[2_000_000_000]], "(func-1-inputs-2-outputs (* get-0 8) 0)");
    let text = "(func-2-inputs-1-outputs (- (+ get-0 get-1) get-0))";
    becomes(text, &[&[3, 4]], "(func-2-inputs-1-outputs get-1)");
    let text = "(func-1-inputs-1-outputs (+ (+ (+ get-0 1) 2) 3))";
    becomes(text, &[&[3]], "(func-1-inputs-1-outputs (+ get-0 6))");
}

#[test]
fn products_of_sums_are_multiplied_out() {
    for (text, expected) in [
        ("(- (* (+ get-0 1) (+ get-0 1)) (+ (* get-0 get-0) (+ (* get-0 2) 1)))", "0"),
        ("(- (* (+ get-0 3) (- get-0 3)) (* get-0 get-0))", "-9"),
        ("(- (* (+ get-0 get-1) (+ get-1 get-0)) (* (+ get-1 get-0) (+ get-1 get-0)))", "0"),
    ] {
        let text = format!("(func-2-inputs-1-outputs {text})");
        let expected = format!("(func-2-inputs-1-outputs {expected})");
        becomes(&text, &[&[3, 4], &[-1, i64::from(i32::MAX)]], &expected);
    }
    // Not where a trap would be lost.
    let text = "(* (+ (/ 1 get-0) 1) (- get-1 get-1))";
    check(&format!("(func-2-inputs-1-outputs {text})"), &[&[0, 1], &[1, 1]]);
}

#[test]
fn a_law_applies_in_all_ways() {
    // The difference has two forms: the one of the program, and the smaller one.
    let text = "(= (- (- (* get-0 get-1) get-3) (- (* get-0 get-1) get-2)) 0)";
    let text = format!("(func-4-inputs-1-outputs {text})");
    let arguments: [&[i64]; 2] = [&[2, 3, 5, 5], &[2, 3, 5, 6]];
    becomes(&text, &arguments, "(func-4-inputs-1-outputs (= get-2 get-3))");
}

#[test]
fn calls_are_inlined() {
    let text = "(?madd (func-2-inputs-2-outputs 10 (+ (* get-0 get-2) get-1) (> get-0 get-1))
        (?p (call ?madd get-0 get-1) (?q (call ?madd (get-0 ?p) 1)
        (func-2-inputs-1-outputs (get-0 ?q)))))";
    let expected = "(func-2-inputs-1-outputs (+ (* (+ (* get-0 10) get-1) 10) 1))";
    becomes(text, &[&[3, 4], &[-2, 50]], expected);
    // The class of the body contains itself.
    let text = "(?f (func-2-inputs-1-outputs (+ (* get-0 get-1) 0))
        (func-2-inputs-1-outputs (get-0 (call ?f get-1 get-0))))";
    becomes(text, &[&[3, 4]], "(func-2-inputs-1-outputs (* get-1 get-0))");
}

#[test]
fn a_function_that_receives_itself_is_unfolded_a_few_times() {
    let text = "(?sumto (func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (!= get-1 0)
        get-0 get-1 0 (+ get-1 (get-0 (call get-0 get-0 (- get-1 1)))))))
        (func-1-inputs-1-outputs (get-0 (call ?sumto ?sumto get-0))))";
    let saturated = check(text, &[&[0], &[1], &[7], &[100]]);
    assert!(saturated.nodes < 1000, "{} nodes", saturated.nodes);
}

#[test]
fn switches_become_smaller() {
    let text = "(?s (switch-3-cases-3-outputs (& get-0 1) get-1 get-2 get-1 get-3
        (+ get-0 get-2) get-1 (* get-3 0) (* get-2 2) get-1 0 get-3 get-0 5)
        (func-4-inputs-3-outputs (get-0 ?s) (get-1 ?s) (get-2 ?s)))";
    let expected = "(func-4-inputs-3-outputs (+ get-1 get-1) get-2 0)";
    becomes(text, &[&[0, 5, 6, 7], &[1, 5, 6, 7]], expected);
    let text = "(?s (switch-3-cases-2-outputs (= 7 (+ 3 4)) get-0 get-1 get-0 get-1 get-1
        (+ get-0 get-1) 0 0) (func-2-inputs-2-outputs (get-0 ?s) (get-1 ?s)))";
    becomes(text, &[&[5, 6]], "(func-2-inputs-2-outputs get-1 (+ get-0 get-1))");
    let text = "(func-1-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (> get-0 3) get-0
        (+ get-0 1) (+ get-0 2))))";
    becomes(text, &[&[3], &[4]], "(func-1-inputs-1-outputs (+ (+ get-0 (> get-0 3)) 1))");
}

#[test]
fn rules_of_switches_read_the_results_as_they_were() {
    // In the first case the argument is 0, so only the results as they were are equal.
    let text = "(get-0 (switch-2-cases-1-outputs get-0 get-0 get-0 get-0))";
    let text = format!("(func-1-inputs-1-outputs {text})");
    becomes(&text, &[&[0], &[1], &[7]], "(func-1-inputs-1-outputs get-0)");
    let text = "(get-0 (switch-2-cases-1-outputs get-0 get-0 (+ get-0 8) get-0))";
    let text = format!("(func-1-inputs-1-outputs {text})");
    let expected = "(func-1-inputs-1-outputs (+ (- get-0 (* (!= get-0 0) 8)) 8))";
    becomes(&text, &[&[0], &[1], &[7]], expected);
    // The predicate becomes a simpler one, and an argument is the one before.
    let cases = "(+ get-0 get-1) (* get-0 get-1)";
    for predicate in ["(!= get-0 0)", "(= get-0 0)"] {
        let text =
            format!("(get-0 (switch-2-cases-1-outputs {predicate} {predicate} get-1 {cases}))");
        let text = format!("(func-2-inputs-1-outputs {text})");
        becomes(&text, &[&[0, 5], &[1, 5], &[7, 5]], "(func-2-inputs-1-outputs get-1)");
    }
}

#[test]
fn the_predicate_is_known_inside_of_a_case() {
    let inner = "(get-0 (switch-2-cases-1-outputs get-0 get-1 (* get-0 3) (* get-0 5)))";
    let text = format!(
        "(func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (> get-0 0) (> get-0 0) get-1
        {inner} (/ {inner} 7))))"
    );
    let saturated = check(&text, &[&[0, 14], &[1, 14]]);
    let switches = saturated.graph.print().matches("switch").count();
    assert_eq!(switches, 1, "{}", saturated.graph.print());
}

#[test]
fn loops_become_smaller() {
    let text = "(?l (loop get-0 10 (+ get-0 get-1) (+ get-1 1) (> 5 get-1))
        (func-1-inputs-2-outputs (get-0 ?l) (get-1 ?l)))";
    becomes(text, &[&[1]], "(func-1-inputs-2-outputs (+ get-0 10) 11)");
    let text = "(func-3-inputs-1-outputs (get-0 (loop get-0 get-1 get-2
        (+ get-0 (+ (* get-1 get-2) 1)) get-1 get-2 (> 50 get-0))))";
    let expected = "(func-3-inputs-1-outputs (get-0 \
        (loop get-0 (+ (* get-1 get-2) 1) (+ get-0 get-1) get-1 (> 50 get-0))))";
    becomes(text, &[&[1, 2, 3], &[60, 1, 1], &[0, -1, 0]], expected);
    let text = "(?l (loop get-0 get-0 (+ get-0 3) (+ get-1 3) (> 20 get-1))
        (func-1-inputs-2-outputs (get-0 ?l) (+ (get-0 ?l) (get-1 ?l))))";
    let expected = "(?1 (get-0 (loop get-0 (+ get-0 3) (> 20 get-0)))\n\
        (func-1-inputs-2-outputs ?1 (+ ?1 ?1)))";
    becomes(text, &[&[2], &[19], &[100]], expected);
}

#[test]
fn loops_of_constant_length_are_executed() {
    let text = "(func-2-inputs-1-outputs (get-0 (loop get-0 get-1 (get-1
        (loop 0 get-0 (+ get-0 1) (+ get-1 get-0) (> 4 get-0))) get-1 (> 100 get-0))))";
    let expected = "(func-2-inputs-1-outputs (get-0 (loop get-0 (+ get-0 10) (> 100 get-0))))";
    becomes(text, &[&[0, 1], &[90, 5], &[500, 0]], expected);
    let text = "(func-1-inputs-1-outputs (get-1 (loop 0 get-0 get-0 (+ get-0 1)
        (+ get-1 get-2) get-2 (> 999 get-0))))";
    becomes(text, &[&[1], &[7]], "(func-1-inputs-1-outputs (* get-0 1001))");
}

#[test]
fn dead_variables_are_removed() {
    let text = "(func-2-inputs-1-outputs (get-0 (loop get-0 get-1 (+ get-0 3) (* get-1 get-0)
        (> 50 get-0))))";
    let expected = "(func-2-inputs-1-outputs (get-0 (loop get-0 (+ get-0 3) (> 50 get-0))))";
    becomes(text, &[&[1, 2]], expected);
}

#[test]
fn a_computation_that_may_trap_remains() {
    for text in [
        "(func-1-inputs-1-outputs (* 0 (/ 1 get-0)))",
        "(func-1-inputs-1-outputs (/ 0 get-0))",
        "(func-1-inputs-1-outputs (- (/ 1 get-0) (/ 1 get-0)))",
        "(func-1-inputs-1-outputs (get-0 (loop get-0 get-0 get-0 (/ 1 get-1) 0)))",
        "(func-1-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (/ 1 get-0) 4 4)))",
        "(func-1-inputs-1-outputs (get-0 (switch-2-cases-2-outputs 0 get-0 7 (/ 1 get-0) 0 0)))",
        "(func-1-inputs-1-outputs (get-0 (switch-2-cases-1-outputs 0 (/ 1 get-0) 3 4)))",
    ] {
        check(text, &[&[0], &[1]]);
    }
    let text = "(func-2-inputs-1-outputs (/ (/ get-0 65536) 65536))";
    check(text, &[&[i64::from(i32::MIN), 0], &[5, 0]]);
    check("(func-1-inputs-1-outputs (% (% -5 4) get-0))", &[&[3], &[0]]);
}

#[test]
fn an_output_keeps_the_traps_of_others_that_another_scope_needs() {
    for tuple in [
        ["(call (func-1-inputs-2-outputs get-0 (/ 1 get-0)) get-0)", "0", "1"],
        ["(loop get-0 get-0 (/ 1 get-0) get-1 0)", "1", "0"],
        ["(loop get-0 get-0 (/ 1 get-0) get-1 (> 5 get-1))", "1", "0"],
        ["(switch-1-cases-2-outputs 0 get-0 get-0 (/ 1 get-0))", "0", "1"],
        ["(switch-2-cases-2-outputs get-0 get-0 3 (/ 1 get-0) 3 get-0)", "0", "1"],
    ] {
        let [tuple, outside, inside] = tuple;
        let text = format!(
            "(func-2-inputs-2-outputs (get-{outside} {tuple}) (get-0 (switch-2-cases-1-outputs \
             get-1 get-0 0 (get-{inside} {tuple}))))"
        );
        check(&text, &[&[0, 0], &[0, 1], &[1, 0], &[7, 1]]);
    }
}

#[test]
fn coefficients_are_numbers_of_the_language() {
    let text = "(func-2-inputs-1-outputs (- (* get-0 -2147483648) (* get-1 -2147483648)))";
    let saturated = check(text, &[&[1, 0], &[1, 1], &[-1, 2]]);
    let text = saturated.graph.print();
    assert!(!text.contains(" 2147483648"), "{text}");
}

#[test]
fn lines_keep_their_order() {
    let text = "(func-1-inputs-2-outputs (get-0 (loop (use 0) get-0 (use get-0 get-1)
        (- get-1 1) (> get-1 1))) 5)";
    check(text, &[&[3], &[0]]);
    let text = "(func-1-inputs-2-outputs (get-0 (switch-2-cases-1-outputs get-0 (use get-0)
        get-0 (use get-0 7))) get-0)";
    check(text, &[&[0], &[1]]);
}

#[test]
fn programs_that_break_other_optimizers_are_kept() {
    // The arguments are not used in the order of their numbers.
    check(
        "(func-2-inputs-1-outputs (get-1 (loop get-1 get-0 get-0 (+ get-1 get-0) (> 9 get-1))))",
        &[&[1, 2], &[5, 0]],
    );
    // A class that is the program, and one that is equal to its argument.
    becomes("(func-1-inputs-1-outputs (+ get-0 0))", &[&[7]], "(func-1-inputs-1-outputs get-0)");
    // A function that becomes equal to its user.
    let text = "(?f (func-1-inputs-1-outputs (+ get-0 1)) (?g (func-2-inputs-1-outputs
        (get-0 (call get-1 get-0))) (func-1-inputs-1-outputs (get-0 (call ?g get-0 ?f)))))";
    becomes(text, &[&[4]], "(func-1-inputs-1-outputs (+ get-0 1))");
    let text = "(?m (func-2-inputs-1-outputs (% get-0 get-1))
        (func-1-inputs-1-outputs (get-0 (call ?m (+ -5 (* get-0 0)) 4))))";
    becomes(text, &[&[9]], "(func-1-inputs-1-outputs -1)");
    for text in ["(/ -2147483648 -1)", "(/ get-0 0)", "(% 7 0)", "(% -2147483648 get-0)"] {
        check(&format!("(func-1-inputs-1-outputs {text})"), &[&[-1], &[3]]);
    }
}
