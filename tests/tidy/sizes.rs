//! Limits of sizes: what fits on a page is read; what does not is skimmed.
use super::files::{all, rust};
use super::report;
use bookbinder::scan::Scan;

const COLUMNS: usize = 100;
const FILE: usize = 500;
const FUNCTION: usize = 60;

#[test]
fn lines_fit_the_page() {
    let mut violations = Vec::new();
    for file in all().iter().filter(|it| it.path.ends_with(".rs") || it.path.ends_with(".rules")) {
        for (at, line) in file.text.lines().enumerate() {
            let columns = line.chars().count();
            if columns > COLUMNS {
                violations.push(format!("{}: {columns} columns", file.place(at)));
            }
        }
    }
    report(&format!("a line has at most {COLUMNS} columns"), violations);
}

#[test]
fn files_stay_short() {
    let lengths = rust().into_iter().map(|it| (it.text.lines().count(), it.path));
    let long = lengths.filter(|(lines, _)| *lines > FILE);
    let violations = long.map(|(lines, path)| format!("{path}:1: {lines} lines")).collect();
    report(&format!("a file has at most {FILE} lines"), violations);
}

#[test]
fn functions_stay_short() {
    let mut violations = Vec::new();
    for file in rust() {
        let scan = file.scan();
        for function in functions(&scan) {
            let lines = function.last_line - function.first_line + 1;
            if lines > FUNCTION && !is_single_item(&scan, function.body) {
                let place = file.place(function.first_line);
                violations.push(format!("{place}: `{}` has {lines} lines", function.name));
            }
        }
    }
    report(
        &format!("a function has at most {FUNCTION} lines unless it is one match or one table"),
        violations,
    );
}

pub struct Function<'a> {
    pub name: &'a str,
    pub first_line: usize,
    pub last_line: usize,
    /// The token of the brace that opens its body.
    pub body: usize,
}

/// The functions with a body, those inside others included.
pub fn functions<'a>(scan: &Scan<'a>) -> Vec<Function<'a>> {
    let named = |at: &usize| scan.text(*at) == "fn" && scan.is_word(at + 1);
    (0..scan.code.len()).filter(named).filter_map(|at| function(scan, at)).collect()
}

fn function<'a>(scan: &Scan<'a>, keyword: usize) -> Option<Function<'a>> {
    let mut body = keyword;
    while scan.text(body) != "{" {
        if matches!(scan.text(body), ";" | "") {
            return None;
        }
        body = scan.matching_bracket[body] + 1;
    }
    let last_line = scan.line(scan.matching_bracket[body]);
    Some(Function { name: scan.text(keyword + 1), first_line: scan.line(keyword), last_line, body })
}

/// Whether a body is just one `match` or one list; `Ok(())` may follow a match.
fn is_single_item(scan: &Scan, body: usize) -> bool {
    let first = body + 1;
    let close = scan.matching_bracket[body];
    if scan.text(first) == "match" {
        let after = scan.matching_bracket[first_brace(scan, first)] + 1;
        return after == close || scan.reads(after, &["Ok", "(", "(", ")", ")", "}"]);
    }
    let start = scan.matching_bracket[close - 1];
    scan.text(start) == "[" && (first..start).all(|at| matches!(scan.text(at), "&" | "vec" | "!"))
}

fn first_brace(scan: &Scan, start: usize) -> usize {
    let mut at = start;
    while scan.text(at) != "{" {
        at = scan.matching_bracket[at] + 1;
    }
    at
}

#[test]
fn a_single_match_is_recognized() {
    let check = |text: &str, expected: bool| {
        let scan = Scan::new(text).expect("matched brackets");
        assert_eq!(is_single_item(&scan, functions(&scan)[0].body), expected, "{text}");
    };
    check("fn f() -> u8 { match g(|it| { it }) { _ => { 1 } } }", true);
    check("fn f() -> u8 { match a { _ => 1 } match b { _ => 1 } }", false);
    check("fn f() -> u8 { let a = b; match a { _ => 1 } }", false);
    check("fn f() -> A { match a { _ => b? } Ok(()) }", true);
    check("fn f() -> A { match a { _ => b? } Ok(c()) }", false);
    check("fn f() -> Vec<u8> { vec![1, 2] }", true);
    check("fn f() -> u8 { a[1] }", false);
}
