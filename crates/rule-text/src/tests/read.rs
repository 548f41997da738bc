//! Errors and their places.
use crate::{Error, ErrorKind, peepholes, rules};

const SUM: &str = "rule a: Add(x, y) => add x, y; cycles 1";

/// Checks the errors of `text`: each as `message @ text at its span`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text, &rules(text, 9).1), expected, "{text}");
}

fn shown(text: &str, errors: &[Error]) -> Vec<String> {
    errors.iter().map(|it| format!("{} @ {}", it.message, &text[it.span.range()])).collect()
}

#[test]
fn syntax_errors() {
    check("rule a Add(x, y) => add", &["unexpected `Add` @ Add"]);
    check("rule a: Add(x, y)", &["unexpected end of the file @ "]);
    check("rule a: Add(x; y) => add", &["unexpected `;` @ ;"]);
    check("rule a: Add(x, y) if => add", &["unexpected `=>` @ =>"]);
    check("rule a: Add(x, y) if imm8 => add", &["unexpected `=>` @ =>"]);
    check("rule a: Add(x, ?) => add", &["unexpected letters @ ?"]);
    check(
        "rule a: Add(x, 99999999999999999999) => add",
        &["unexpected letters @ 99999999999999999999"],
    );
    check(
        "peephole a: Add(x, 0) => x\npeephole b: Mul(x, 1) => x",
        &["this file contains no rules, but peepholes @ peephole"],
    );
    let (_, errors) = rules("rule a Add(x, y) => add", 9);
    assert_eq!((errors[0].kind, errors[0].label.as_str()), (ErrorKind::Syntax, "expected ':'"));
}

#[test]
fn reading_continues_at_the_next_rule() {
    let text = format!("rule b: Add(x; y)\n@v1 rule c => x\n{SUM}");
    let (trees, errors) = rules(&text, 9);
    assert_eq!(shown(&text, &errors), ["unexpected `;` @ ;", "unexpected `=>` @ =>"]);
    assert_eq!(trees.len(), 1);
}

#[test]
fn a_rule_has_one_cost_and_a_name_of_its_own() {
    let sum = "rule a: Add(x, y) => add x, y";
    check(SUM, &[]);
    check(sum, &["rule `a` has no cost @ a"]);
    check(&format!("{SUM}; cycles 1"), &["rule `a` has two costs @ cycles 1"]);
    for cost in ["cycles 1001", "cycles -1"] {
        let expected = format!("a cost is a number from 0 to 1000 @ {cost}");
        check(&format!("{sum}; {cost}"), &[&expected]);
    }
    check(&format!("{SUM} {SUM}"), &["there is already a rule `a` @ a"]);
}

#[test]
fn later_versions_are_skipped() {
    for text in ["", " ", "# nothing", "@v10 rule a: x", "@v99999999999 rule", "@v10"] {
        check(text, &["there is no rule in this file @ "]);
    }
    let text = format!("@v10 rule c: ??? {SUM}\n@v9 {}", SUM.replace(" a:", " b:"));
    let (trees, errors) = rules(&text, 9);
    assert_eq!(errors, []);
    assert_eq!(trees.iter().map(|it| it.name.text.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn a_tag_with_two_numbers_has_a_last_version() {
    let text = format!("@v4-8 {SUM}\n@v9 {}", SUM.replace(" a:", " b:"));
    for (version, name) in [(4, "a"), (8, "a"), (9, "b")] {
        let (trees, errors) = rules(&text, version);
        assert_eq!(errors, []);
        assert_eq!(trees.iter().map(|it| it.name.text.as_str()).collect::<Vec<_>>(), [name]);
    }
}

#[test]
fn patterns_nest_twenty_deep() {
    let rule = |depth: usize| {
        let pattern = format!("{}x{}", "Minus(".repeat(depth), ")".repeat(depth));
        format!("rule a: {pattern} => neg x; cycles 1")
    };
    check(&rule(20), &[]);
    check(&rule(21), &["nested more than 20 deep @ ("]);
    check(&rule(1_000_000), &["nested more than 20 deep @ ("]);
}

#[test]
fn syntax_errors_of_peepholes() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(shown(text, &peepholes(text, 9).1), expected, "{text}");
    };
    check("peephole a: Add(x, 0) => x; decreases weight", &["unexpected end of the file @ "]);
    check(
        "peephole a: Add(x, 0) => x; example \"a\" => \"a\"",
        &["unexpected `example` @ example"],
    );
    check("peephole a: 0 => 0", &["unexpected `0` @ 0"]);
    check("peephole a: Add(x, 0) => \"x\"", &["unexpected `\"x\"` @ \"x\""]);
    check(SUM, &["this file contains no peepholes, but rules @ rule"]);
    let law = "peephole a: Add(x, 0) => x; decreases weight; example \"arg + 0\" => \"arg\"\n";
    check(&law.repeat(2), &["there is already a rule `a` @ a"]);
}
