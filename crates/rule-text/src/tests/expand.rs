//! Forms and the rules that they stand for.
use crate::{rules, rules_and_forms};

/// The rules that `text` stands for.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let (trees, errors) = rules(text, 9);
    assert_eq!(errors, [], "{text}");
    let printed: Vec<_> = trees.iter().map(|it| it.to_string()).collect();
    assert_eq!(printed, expected);
    // What is printed needs no forms.
    let (again, errors) = rules(&printed.join("\n"), 9);
    assert_eq!(errors, []);
    assert_eq!(again.iter().map(|it| it.to_string()).collect::<Vec<_>>(), expected);
}

/// The errors of `text`: each as `message @ text at its span`.
#[track_caller]
fn check_errors(text: &str, expected: &[&str]) {
    let (_, errors) = rules(text, 9);
    let shown = errors.iter().map(|it| format!("{} @ {}", it.message, &text[it.span.range()]));
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
}

const ADDRESS: &str = "form address: p => [p]\n\
                       form address/offset: Add(p, Const c) => [p + c]\n";

#[test]
fn a_rule_stands_for_one_rule_for_each_alternative() {
    let add = "rule add: Add(x, operand y) => add x, y; cycles 1";
    let operand = "form operand: x => x\nform operand/constant: Const c => c\n";
    check(
        &format!("{operand}{add}"),
        &[
            "rule add: Add(x, y) => add x, y; cycles 1",
            "rule add/constant: Add(x, Const y) => add x, y; cycles 1",
        ],
    );
}

#[test]
fn forms_may_be_inside_forms_and_add_cycles() {
    let operand = "form operand: x => x\n\
                   form operand/load: Load(m, address a) => a; cycles 3\n";
    check(
        &format!("{operand}{ADDRESS}rule add: Add(x, operand y) => add x, y; cycles 1"),
        &[
            "rule add: Add(x, y) => add x, y; cycles 1",
            "rule add/load: Add(x, Load(m, p)) => add x, [p]; cycles 4",
            "rule add/load/offset: Add(x, Load(m, Add(p, Const c))) => add x, [p + c]; cycles 4",
        ],
    );
}

#[test]
fn one_name_is_one_alternative() {
    check(
        &format!("{ADDRESS}rule u: Store(n, address a, Load(m, address a)) => nop a; cycles 5"),
        &[
            "rule u: Store(n, p, Load(m, p)) => nop [p]; cycles 5",
            "rule u/offset: Store(n, Add(p, Const c), Load(m, Add(p, Const c))) \
             => nop [p + c]; cycles 5",
        ],
    );
}

#[test]
fn names_do_not_collide() {
    check(
        &format!(
            "{ADDRESS}rule r: Store(n, address a, Add(p, address c)) => mov a, p, c; cycles 1"
        ),
        &[
            "rule r: Store(n, p2, Add(p, p3)) => mov [p2], p, [p3]; cycles 1",
            "rule r/offset: Store(n, p2, Add(p, Add(p3, Const c2))) \
             => mov [p2], p, [p3 + c2]; cycles 1",
            "rule r/offset-2: Store(n, Add(p2, Const c2), Add(p, p3)) \
             => mov [p2 + c2], p, [p3]; cycles 1",
            "rule r/offset/offset: Store(n, Add(p2, Const c2), Add(p, Add(p3, Const c3))) \
             => mov [p2 + c2], p, [p3 + c3]; cycles 1",
        ],
    );
}

#[test]
fn instructions_of_forms_come_first() {
    let forms = "form count: y in ecx => ecx\n\
                 form bits: x => x\n\
                 form bits/low: And(x, count y) if low(x) => x after and x, y; clobbers ecx\n\
                 form condition: Cmp.r(x, bits y) => r after cmp x, y; cycles 1\n\
                 form condition/not: Not(x) => ne after test t, x\n";
    check(
        &format!("{forms}rule br: Cond(condition r) if p(x) => j.r true; cycles 1"),
        &[
            "rule br: Cond(Cmp.r(x2, y)) if p(x) => cmp x2, y; j.r true; cycles 2",
            "rule br/low: Cond(Cmp.r(x2, And(y, y2 in ecx))) if p(x) and low(y) \
             => and y, ecx; cmp x2, y; j.r true; clobbers ecx; cycles 2",
            "rule br/not: Cond(Not(x2)) if p(x) => test t, x2; j.ne true; cycles 1",
        ],
    );
}

#[test]
fn alternatives_have_versions() {
    let text = "form a: x => x @v10 form a/b: ??? @v3 form a/c: Const c => c\n\
                rule r: Minus(a y) => neg y; cycles 1";
    check(
        text,
        &["rule r: Minus(y) => neg y; cycles 1", "rule r/c: Minus(Const y) => neg y; cycles 1"],
    );
}

#[test]
fn forms_print_as_they_are_written() {
    let text = "form f/a: Cmp.r(x in eax, 3) if z == 0 and p(x) => r after cmp x, 3; cdq; \
                clobbers edx; cycles 2";
    let (_, forms, errors) = rules_and_forms(text, 9);
    assert_eq!((errors, forms[0].to_string()), (Vec::new(), text.to_string()));
}

#[test]
fn errors_of_forms() {
    let rule = "rule r: Minus(a y) => neg y; cycles 1";
    check_errors(
        &format!("form a: a x => x {rule}"),
        &["form `a` contains itself, or too many forms @ a"],
    );
    check_errors(
        &format!("form a: b x => x form b: a x => x {rule}"),
        &["form `a` contains itself, or too many forms @ a"],
    );
    check_errors(
        &format!("form a: x => x form a: y => y {rule}"),
        &["there is already a form `a` @ a"],
    );
    check_errors(
        &format!("form a: x => x; out eax {rule}"),
        &["form `a` has no result in a register @ eax"],
    );
    check_errors(
        &format!("form a: x => x; cycles -1 {rule}"),
        &["a cost is a number from 0 to 1000 @ cycles -1"],
    );
    check_errors(
        "form a: p => [p] rule r: Minus(a y) if odd(y) => neg y; cycles 1",
        &["`y` is `[p]` here, and no name @ y"],
    );
    check_errors("form a: x => x rule r: a y => neg y; cycles 1", &["`y` is no pattern @ x"]);
    check_errors(
        &format!("form a: x => x; cycles 1000 {rule}"),
        &["a cost is a number from 0 to 1000 @ r"],
    );
}

#[test]
fn the_number_of_rules_is_limited() {
    let forms = "form a: x => x form a/b: Minus(x) => x ";
    let sum = (0..12).fold("x".to_string(), |sum, at| format!("Add({sum}, a y{at})"));
    let (trees, errors) = rules(&format!("{forms} rule r: {sum} => add; cycles 1"), 9);
    assert_eq!((trees.len(), errors.len()), (0, 1));
    // Each form contains the one before it twice.
    let deep = (1..40).map(|at| format!("form f{at}: Add(f{} x, f{} y) => x ", at - 1, at - 1));
    let text = format!(
        "form f0: x => x {} rule r: Minus(f39 x) => neg x; cycles 1",
        deep.collect::<String>()
    );
    let (_, errors) = rules(&text, 9);
    assert!(!errors.is_empty());
}
