//! Declared types and tests decide whether a program is valid: not the rules of the peepholes, and
//! not whether code is executed.
use super::*;
use crate::peephole::{Rule, rules};

/// The messages about a program that is parsed with these rules.
fn messages(text: &str, on: Vec<&'static Rule>) -> Vec<String> {
    let read = parse(Input { engine: Engine::new(on, false), ..input(text) });
    // The name of the type of integers depends on the chapter.
    let message = |it: Diagnostic| it.message.replace("IntBot", "int");
    read.map_or_else(|all| all.into_iter().map(message).collect(), |_| Vec::new())
}

/// The messages are these with all rules, without any, and without each one.
fn check(text: &str, expected: &[&str]) {
    let text = format!("struct N {{ int v; int w; }} struct M {{ int x; }} {text}");
    let without = |name: &str| rules().filter(|it| it.name != name).collect();
    let sets = rules().map(|it| without(it.name)).chain([rules().collect(), Vec::new()]);
    for on in sets {
        assert_eq!(messages(&text, on), expected, "{text}");
    }
}

fn accepted(text: &str) {
    check(text, &[]);
}

/// An access to `v` is refused.
fn refused(text: &str) {
    check(text, &["Might be null accessing 'v'"]);
}

/// A test, and whether it is true for an object.
const TESTS: [(&str, bool); 16] = [
    ("q", true),
    ("(q)", true),
    ("!q", false),
    ("!!q", true),
    ("!!!q", false),
    ("q == null", false),
    ("null == q", false),
    ("q != null", true),
    ("null != q", true),
    ("!(q == null)", true),
    ("(q == null) == 0", true),
    ("0 == (q == null)", true),
    ("(q == null) == 1", false),
    ("(q != null) == true", true),
    ("(q == null) != 0", false),
    ("!q == false", true),
];

#[test]
fn each_form_of_a_test_narrows_a_variable() {
    for (test, is_object) in TESTS {
        let check = |text: &str, is_accepted| {
            let text = format!("N? q = null; if (arg) q = new N; {text}").replace("TEST", test);
            if is_accepted { accepted(&text) } else { refused(&text) }
        };
        check("if (TEST) return q.v; return 0;", is_object);
        check("if (TEST) return 0; return q.v;", !is_object);
        check("if (TEST) return 0; else return q.v;", !is_object);
        check("if (TEST) ; else return 0; return q.v;", is_object);
        check("while (TEST) { if (arg) return q.v; q = null; } return 0;", is_object);
        check("while (TEST) q = new N; return q.v;", !is_object);
        check("while (TEST) { if (arg) break; q = new N; } return q.v;", false);
    }
    for other in ["q == q", "(q == null) == 2", "(q == null) < 1", "q == new N", "arg"] {
        refused(&format!("N? q = null; if (arg) q = new N; if ({other}) return q.v; return 0;"));
    }
}

#[test]
fn assignments_set_facts_and_joins_keep_those_of_both_arms() {
    accepted("N? q = new N; return q.v;");
    accepted("N p = new N; N? q = p; N? r = q; N s = r; return s.v + r.v;");
    accepted("N? q = null; if (arg) q = new N; else { q = new N; q.w = 1; } return q.v;");
    accepted("N? q = null; N? r = null; if (arg) r = new N; if (r) q = r; else return 0; q.v = 1;");
    accepted("N? q = new N; if (arg) { q = null; return 0; } return q.v;");
    accepted("N? q = new N; { N? q = null; } return q.v;");
    accepted("N? q = null; if (q) { q.v = arg; return q.v; } return 0;");
    accepted("N? q = null; if (q) { if (q.v = 1) return q.v; q.v = 1; return q.v; } return 0;");
    refused("N? q = null; if (arg) q = new N; return q.v;");
    refused("N? q = null; if (arg == arg) q = new N; return q.v;");
    refused("N? q = new N; if (arg) q = null; else q = new N; return q.v;");
    refused("N? q = new N; N? r = q; r = null; q = r; return q.v;");
    refused("N? q = null; if (arg) { if (!q) return 0; } return q.v;");
    refused("N? q = null; N? r = new N; if (q == r) return q.v; return 0;");
    check("N? q = null; N p = q;", &["Type *N? is not of declared type *N"]);
    check(
        "N p = null; p = new M;",
        &["Type null is not of declared type *N", "Type *M is not of declared type *N"],
    );
}

#[test]
fn a_fact_survives_a_loop_if_it_holds_at_the_entry_and_at_every_back_edge() {
    const Q: &str = "N? q = new N; N? r = null; if (arg) r = q;";
    let accepted = |text: &str| accepted(&format!("{Q} {text}"));
    let refused = |text: &str| refused(&format!("{Q} {text}"));
    accepted("while (arg) arg = q.v; return q.v;");
    accepted("while (arg) { q.v = 1; q = new N; arg = arg - 1; } return q.v;");
    accepted("while (arg) { if (arg == 3) { q = new N; continue; } q.v = 1; } return q.v;");
    accepted("while (arg) { while (arg) { q.v = 1; if (arg) break; q = new N; } q.w = 2; }");
    accepted("while (arg) { q = null; if (arg) q = new N; if (!q) continue; q.v = 1; }");
    accepted("while (arg) { q.v = 1; q = null; return 0; }");
    accepted("while (arg) { q.v = 1; if (arg) { q = null; break; } }");
    accepted("while (1) { if (r) break; if (arg) r = new N; } return r.v;");
    accepted("while (true) { if (!r) { r = new N; continue; } return r.v; }");
    accepted("while (r) { r.v = 1; r = null; }");
    accepted("while (!r) while (!r) r = new N; return r.v;");
    refused("while (arg) { q.v = 1; q = null; }");
    refused("while (arg) { q.v = 1; if (arg) { q = null; continue; } q = new N; }");
    refused("while (arg) { q.w = 1; if (arg) { q = null; break; } q = new N; } return q.v;");
    refused("while (arg) { while (arg) { q.v = 1; if (arg) break; } q = r; }");
    refused("while (arg) { N? s = q; while (arg) { s = q; s.v = 1; } q = null; }");
    refused("while (arg) { if (r) break; r = null; } return r.v;");
    refused("while (r) arg = 1; return r.v;");
    refused("while (arg) { while (r) r = null; q = new N; } return r.v;");
}

/// Each statement is checked as if it were executed.
#[test]
fn dead_code_is_checked_as_live_code_is() {
    const Q: &str = "N? q = null;";
    let accepted = |text: &str| accepted(&format!("{Q} {text}"));
    let refused = |text: &str| refused(&format!("{Q} {text}"));
    refused("return 0; q.v = 1;");
    refused("if (0) q.v = 1; return 1;");
    refused("while (false) q.v = 1; return 1;");
    refused("if (0) { while (0) q = new N; q.v = 1; } return 1;");
    refused("if (q) { q = null; if (0) q.v = 1; } return 1;");
    refused("return 0; if (arg) q = new N; q.v = 1;");
    accepted("return 0; if (arg) q = new N; else return 1; q.v = 1;");
    accepted("return 1; if (q) q.v = 2; while (!q) q = new N; q.v = 3;");
    accepted("if (0) return 0; else return 1; if (!q) return 2; return q.v;");
    accepted("if (1) q = new N; return q.v;");
    accepted("if (q) { if (null) q = null; q.v = 1; }");
    check(
        "M? b = null; N? a = null; if (0) { a.v = 1; return a.x; } return 0;",
        &["Might be null accessing 'v'", "Accessing unknown field 'x' from '*N?'"],
    );
    check(
        "if (0) return new N; return 1;",
        &["Type int is not of the type *N of an earlier return"],
    );
    check(
        "N p = new N; if (0) p = new M; if (0) int x = p;",
        &[
            "Type *M is not of declared type *N",
            "Cannot define a new name on one arm of an if",
            "Type *N is not of declared type int",
        ],
    );
}

#[cfg(feature = "ch12")]
#[test]
fn floats_have_their_declared_type_in_dead_code_too() {
    const FLOAT: &str = "flt x; int i; if (0) { while (0) x = 1;";
    let check = |text: &str, errors: &[&str]| check(&format!("{FLOAT} {text}"), errors);
    check("int i = x; } return 1;", &["Type flt is not of declared type int"]);
    check("return x - x; } return 1.5;", &[]);
    check("return !x + (x == x); } return 1;", &[]);
    check("return x; } return 1;", &["Type int is not of the type flt of an earlier return"]);
    check("x = i; while (x) x = -x; return i; } return 1;", &[]);
    check("i = -x; } return 1;", &["Type flt is not of declared type int"]);
    check("return 1; x = new N; } return 1;", &["Type *N is not of declared type flt"]);
}

/// A field may change between a test and an access, through any name of its object.
#[cfg(feature = "ch13")]
#[test]
fn facts_are_about_variables_not_about_fields() {
    const A: &str = "struct A { A? n; A? o; int v; flt f; } A p = new A; A? q = new A;";
    let check = |text: &str, errors: &[&str]| check(&format!("{A} {text}"), errors);
    let v = "Might be null accessing 'v'";
    let [n, o] = ["n", "o"].map(|it| format!("Might be null accessing '{it}'"));
    check("p.n = p; return p.n.n.v;", &[&n, v]);
    check("p.n = q; q.n = p; return p.n.v;", &[v]);
    check("p.o = q; q.o = null; return p.o.v;", &[v]);
    check("if (p.o) return p.o.v; return 0;", &[v]);
    check("A? r = p.n; if (r) return r.v; return 0;", &[]);
    check("A? r = p.o; while (r) { r.v = 1; r = r.o; }", &[]);
    check("A? r = p.o; while (!r) r = p.n; return r.o.v;", &[v]);
    check("return (p.n = q).n.o.v;", &[&o, v]);
    check("return 0; while (0) q = new A; p.n = q; p.n.v = 1;", &[v]);
    check("p.f = 1; p.f = p.v; p.v = p.f;", &["Cannot store FltBot into field int v"]);
}
