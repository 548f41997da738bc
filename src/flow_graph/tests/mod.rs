//! Tests of the control-flow language.
use super::parse;
use crate::stage::{Artifact, Outcome, Termination};

#[track_caller]
fn check_error(text: &str, message: &str, underlined: &str) {
    let diagnostics = parse(text).expect_err(text);
    let first = &diagnostics[0];
    let found = (first.message.as_str(), &text[first.span.range()]);
    assert_eq!(found, (message, underlined), "{text}");
}

#[test]
fn errors_have_places() {
    check_error("", "the program is empty", "");
    check_error("label a\nlabel a\nreturn", "the label `a` is defined twice", "a");
    check_error("goto b", "there is no label `b`", "b");
    check_error("function -> a\nmov a -> b", "the program ends without a `return`", "mov");
    check_error("function a b\nreturn", "the arguments are after an arrow", "a");
    check_error("return\nfunction -> a\nreturn", "`function` is the first line, once", "function");
    check_error("+ 1 -> x\nreturn x", "a wrong number: 1", "+");
    check_error("+ 1 2 -> 3\nreturn", "a number cannot be assigned", "3");
    check_error("return x", "`x` has no value", "x");
    check_error("plus 1 2 -> x\nreturn x", "`plus` is no operation", "plus");
    check_error("switch 1 a\nlabel a\nreturn", "a wrong number: 2", "switch");
    check_error(
        "label a\nswitch 1 a b\nlabel b\nreturn 1\nlabel c\nreturn",
        "this returns 0 values",
        "return",
    );
    check_error("call f -> x\nreturn x", "a program in this language is one function", "call");
    check_error("-> x", "a line begins with an operation", "x");
}

#[test]
fn the_text_reads_back() {
    let text = "function -> a b\nlabel top\n% a b -> r\nmov b -> a\nmov r -> b\n> b 0 -> c\n\
        switch c end top\nlabel end\nuse a\nreturn a\n";
    let graph = parse(text).expect("a program");
    assert_eq!((graph.print(), graph.verify()), (text.to_string(), vec![]));
    let outcome = Outcome { output: "12\n".to_string(), end: Termination::Value(12) };
    assert_eq!(graph.eval_all(&[48, 36]), Some(outcome));
}
