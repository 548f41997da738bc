//! A module imports only earlier modules, in the order of the `mod` lines of src/lib.rs.
use super::files::{File, compiler};
use super::report;
use bookbinder::scan::Scan;

#[test]
fn a_module_imports_only_earlier_modules() {
    let modules = modules();
    let position = |module: &str| modules.iter().position(|it| it == module);
    let mut violations = Vec::new();
    for file in compiler() {
        let Some(importer) = module_of(&file.path) else { continue };
        let Some(layer) = position(importer) else { continue };
        let scan = file.scan();
        for (at, used) in used_modules(&file.path, &scan) {
            if position(used).is_some_and(|it| it > layer) {
                let place = file.place(scan.line(at));
                violations.push(format!("{place}: {importer} is before {used} and may not use it"));
            }
        }
    }
    report("a module may import only modules before it in src/lib.rs", violations);
}

#[test]
fn the_facade_is_narrow() {
    let Some(file) = File::read("src/lib.rs") else { return };
    let scan = file.scan();
    let lines = (0..scan.code.len()).filter(|&at| scan.reads(at, &["pub", "use"]));
    let lines: Vec<String> = lines.map(|at| file.place(scan.line(at))).collect();
    let violations = if lines.len() > 10 { lines } else { Vec::new() };
    report("src/lib.rs has at most 10 `pub use`", violations);
}

/// The modules in reading order.
fn modules() -> Vec<String> {
    let lib = File::read("src/lib.rs").expect("the crate has a library");
    let scan = lib.scan();
    let modules = (0..scan.code.len()).filter(|&at| scan.text(at) == "mod");
    modules.map(|at| scan.text(at + 1).to_string()).collect()
}

/// `sea` for `src/sea/op.rs` and for `src/sea.rs`; `None` for the roots of the crates.
fn module_of(path: &str) -> Option<&str> {
    let module = path.strip_prefix("src/")?.split(['/', '.']).next()?;
    (!["lib", "main"].contains(&module)).then_some(module)
}

/// The first names after `crate::` and after a `super::` that refers to the root of the crate.
fn used_modules<'a>(path: &str, scan: &Scan<'a>) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for at in 0..scan.code.len() {
        let after = match scan.text(at) {
            "crate" => Some(at + 1),
            "super" if scan.text(at.wrapping_sub(1)) != ":" => after_supers(path, scan, at),
            _ => None,
        };
        let Some(after) = after.filter(|&it| scan.reads(it, &[":", ":"])) else { continue };
        let first = after + 2;
        if scan.text(first) != "{" {
            found.push((first, scan.text(first)));
            continue;
        }
        let group = first + 1..scan.matching_bracket[first];
        let starts = group.filter(|&it| scan.parent[it] == Some(first));
        let names = starts.filter(|&it| matches!(scan.text(it - 1), "{" | ","));
        found.extend(names.map(|it| (it, scan.text(it))));
    }
    found
}

/// The token after `super::super`, if it refers to the root of the crate.
fn after_supers(path: &str, scan: &Scan, at: usize) -> Option<usize> {
    let mut last = at;
    let mut supers = 1;
    while scan.reads(last + 1, &[":", ":", "super"]) {
        last += 3;
        supers += 1;
    }
    (supers >= depth(path) + inline_modules(scan, at)).then_some(last + 1)
}

/// The module depth of the file: 1 for a top-level module.
fn depth(path: &str) -> usize {
    let module = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    module.split('/').count()
}

/// The number of `mod name { … }` of the file around a token.
fn inline_modules(scan: &Scan, at: usize) -> usize {
    let around = std::iter::successors(scan.parent[at], |&it| scan.parent[it]);
    around.filter(|&it| it >= 2 && scan.text(it - 2) == "mod").count()
}

#[test]
fn imports_are_found_in_all_kinds_of_paths() {
    let check = |path: &str, text: &str, expected: &[&str]| {
        let scan = Scan::new(text).expect("matched brackets");
        let found: Vec<&str> = used_modules(path, &scan).into_iter().map(|it| it.1).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("src/a.rs", "use crate::b::C; use crate::{d::{E, F}, g};", &["b", "d", "g"]);
    check("src/a.rs", "fn f() { crate::b::c(); pub(crate) fn g() {} }", &["b"]);
    check("src/a/mod.rs", "use super::b; mod tests { use super::*; use super::super::c; }", {
        &["b", "c"]
    });
    check("src/a/b.rs", "use super::c; use super::super::d;", &["d"]);
    check("src/a.rs", "\"crate::b\" // crate::c", &[]);
}
