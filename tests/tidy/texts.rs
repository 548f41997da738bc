//! Forbidden texts, and the required first line of a file.
use super::files::{File, all, compiler, root, rust};
use super::report;
use bookbinder::scan::Scan;
use bookbinder::tag::allows_unused_imports;
use std::env;

#[test]
fn a_file_begins_with_its_purpose() {
    const OPENINGS: &[&str] = &["//! ", "#![doc = include_str!(\"../README.md\")]"];
    let opens = |file: &File| OPENINGS.iter().any(|it| file.text.starts_with(it));
    let silent = rust().into_iter().filter(|it| !opens(it));
    let violations = silent.map(|it| it.place(0)).collect();
    report("a file begins with `//!` and its purpose, or with its README", violations);
}

#[test]
fn tests_of_modules_have_files_of_their_own() {
    let mut wrong = Vec::new();
    for file in compiler() {
        let scan = file.scan();
        let inline = (0..scan.code.len()).filter(|&at| scan.reads(at, &["mod", "tests", "{"]));
        wrong.extend(inline.map(|at| file.place(scan.line(at))));
    }
    report("the tests of a module are in its `tests.rs` or `tests/`", wrong);
}

#[test]
fn no_code_is_unfinished_or_silenced() {
    let mut violations = Vec::new();
    for file in rust() {
        let scan = file.scan();
        for at in 0..scan.code.len() {
            let is_exported = file.path == EXPORTS && scan.text(at) == "unsafe";
            if let Some(what) = forbidden(&scan, at).filter(|_| !is_exported) {
                violations.push(format!("{}: {what}", file.place(scan.line(at))));
            }
        }
    }
    report("no unfinished code, no silenced lint, no ignored test, no unsafe", violations);
}

/// The functions that a browser calls: their names are unsafe attributes.
const EXPORTS: &str = "crates/playground/src/exports.rs";

/// The forbidden text at this token.
fn forbidden<'a>(scan: &Scan<'a>, at: usize) -> Option<&'a str> {
    const MACROS: &[&str] = &["todo", "dbg", "unimplemented"];
    const SILENCERS: &[&str] = &["allow", "expect"];
    let word = scan.text(at);
    let in_attribute = at > 0 && scan.text(at - 1) == "[";
    let is_macro = MACROS.contains(&word) && scan.text(at + 1) == "!";
    let is_ignore = word == "ignore" && in_attribute;
    if scan.is_word(at) && (word == "unsafe" || is_macro || is_ignore) {
        return Some(word);
    }
    // `tags.rs` checks the one condition under which imports may be unused.
    let conditional = scan.reads(at.saturating_sub(2), &[")", ",", word])
        && at.checked_sub(12).is_none_or(|it| !allows_unused_imports(scan, it));
    let silences =
        SILENCERS.contains(&word) && (in_attribute || conditional) && scan.text(at + 1) == "(";
    let mut lints =
        (at + 2..if silences { scan.matching_bracket[at + 1] } else { 0 }).map(|it| scan.text(it));
    lints.find(|it| *it == "dead_code" || it.starts_with("unused"))
}

#[test]
fn no_text_names_a_folder_of_a_machine() {
    let mut violations = Vec::new();
    for file in all() {
        for (at, line) in file.text.lines().enumerate() {
            if let Some(folder) = machine_folders(&file).iter().find(|it| line.contains(*it)) {
                violations.push(format!("{}: {folder}", file.place(at)));
            }
        }
    }
    report("no file names a folder of one machine", violations);
}

/// Prefixes of paths that exist on one machine only; split so that this file does not contain them.
fn machine_folders(file: &File) -> Vec<String> {
    let mut found = vec![root().display().to_string()];
    let home = env::var("HOME").unwrap_or_default();
    if home.len() > 1 {
        found.push(home + "/");
    }
    found.extend(
        [concat!("/ho", "me/"), concat!("/Us", "ers/"), concat!("\\Us", "ers\\")].map(String::from),
    );
    if file.path.ends_with(".md") {
        found.push(concat!("/t", "mp/").to_string());
    }
    found
}

#[test]
fn silenced_lints_and_unfinished_code_are_found() {
    let check = |text: &str, expected: &[&str]| {
        let scan = Scan::new(text).expect("matched brackets");
        let found: Vec<&str> = (0..scan.code.len()).filter_map(|at| forbidden(&scan, at)).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("#![allow(clippy::x, dead_code)] fn f() { todo!() }", &["dead_code", "todo"]);
    check("#[expect(unused_imports)] use a;", &["unused_imports"]);
    check("#![cfg_attr(not(feature = \"ch28\"), allow(unused_imports))]", &[]);
    check("#![cfg_attr(not(feature = \"a\"), allow(unused_variables))]", &["unused_variables"]);
    check("#[ignore] #[ignore = \"a\"] fn f() {}", &["ignore", "ignore"]);
    check("a.ignore(); it.expect(\"unused\"); \"unsafe\" // dbg!", &[]);
    check("#[allow(clippy::too_many_lines)] fn f() { unsafe {} }", &["unsafe"]);
}
