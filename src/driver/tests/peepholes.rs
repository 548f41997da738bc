//! Peepholes on whole programs: loads that become values, and operations that stay two.
use crate::arith::Binary;
use crate::parse::{Input, parse};
use crate::peephole::{Engine, Optimized, optimize, rules};
use crate::sea::Op;
use crate::sea::walk::reachable_nodes;
use crate::stage::Artifact;

/// The sea of a program. It is valid and has the results of the sea after parsing.
pub fn optimized(text: &str) -> Optimized {
    let engine = || Engine::new(rules().collect(), false);
    let input = Input {
        text,
        engine: engine(),
        show: Box::new(|_| {}),
        argument: None,
        #[cfg(feature = "ch14")]
        int: crate::arith::INT,
    };
    let parsed = parse(input).unwrap_or_else(|wrong| panic!("{wrong:?}")).graph;
    let sea = optimize(parsed.clone(), engine());
    assert_eq!(sea.verify(), [], "{text}");
    for argument in [0, 1, 7, -5] {
        assert_eq!(sea.eval(argument), parsed.eval(argument), "{text}");
    }
    sea
}

fn count(text: &str, is_counted: impl Fn(Op) -> bool) -> usize {
    let sea = optimized(text);
    reachable_nodes(&sea).into_iter().filter(|&id| is_counted(sea.op(id))).count()
}

/// The number of loads of a program with a loop that counts to `arg`.
fn loads(structs: &str, before: &str, body: &str, after: &str) -> usize {
    let text = format!(
        "struct S {{ {structs} }} S s = new S; {before} \
         int i = 0; while (i < arg) {{ {body} i = i + 1; }} {after}"
    );
    count(&text, |op| matches!(op, Op::Load(_)))
}

#[test]
fn loads_become_values_of_loops() {
    let integer = |body: &str| loads("int x;", "s.x = 3;", body, "return s.x;");
    for body in [
        "s.x = s.x + i;",
        // Only some paths write to the field, and some twice.
        "if (i < 5) s.x = s.x + i;",
        "if (i < 5) s.x = s.x + i; else { s.x = i; s.x = s.x * 3; }",
        "if (i < 5) s.x = s.x + i; if (i == 2) s.x = 7;",
        "if (i < 5) { if (i == 2) s.x = s.x + i; }",
        // An inner loop.
        "int j = 0; while (j < i) { s.x = s.x + j; j = j + 1; }",
        "int j = 0; while (j < i) { if (j == 2) s.x = s.x + j; j = j + 1; } s.x = s.x * 3;",
    ] {
        assert_eq!(integer(body), 0, "{body}");
    }
    // Writes to another new object do not matter.
    let other = "S t = new S; t.x = 5;";
    let body = "if (i < 5) { s.x = s.x - i; t.x = t.x + i; } else { t.x = 7; s.x = i; }";
    assert_eq!(loads("int x;", other, body, "return s.x * t.x;"), 0);
}

#[cfg(feature = "ch13")]
#[test]
fn the_values_of_loops_have_the_types_of_the_fields() {
    assert_eq!(loads("flt x;", "s.x = 0.5;", "if (i < 5) s.x = s.x * 3.0;", "return s.x;"), 0);
    let list = "if (i < 5) s.next = n;";
    assert_eq!(loads("S? next;", "S n = new S;", list, "return s.next;"), 0);
}

#[test]
fn loads_stay_where_another_pointer_may_be_written_to() {
    let other = "S t = s; if (arg == 3) t = new S;";
    for body in
        ["t.x = i;", "if (i < 5) t.x = i; else s.x = i;", "if (i < 5) { s.x = i; t.x = 3; }"]
    {
        assert!(loads("int x;", other, body, "return s.x;") > 0, "{body}");
    }
    // There is no limit to the writes to other fields.
    assert_eq!(loads("int x; int y;", other, "t.y = i; s.x = s.x + i;", "return s.x;"), 0);
}

#[test]
fn a_load_inspects_a_limited_number_of_joins() {
    let writes = |count: usize| {
        let body = |at| format!("if (i == {at}) s.x = i * {at};");
        let body = (0..count).map(body).collect::<String>();
        loads("int x;", "", &body, "return s.x;")
    };
    assert_eq!(writes(5), 0);
    assert!(writes(20) > 0);
}

#[test]
fn divisions_by_two_constants_stay_two() {
    for (one, other, expected) in [
        ("arg / 3", "arg / 5", 2),
        // One divisor, or one that is no constant.
        ("arg / 3", "(arg + 1) / 3", 1),
        ("arg / 3", "arg / d", 1),
    ] {
        let text = format!(
            "int d = arg * arg + 1; int x = {one}; if (arg > 7) x = {other}; return x + d;"
        );
        let divisions = count(&text, |op| op == Op::Binary(Binary::Div));
        assert_eq!(divisions, expected, "{text}");
    }
}
