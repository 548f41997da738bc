//! The files of a room import each other in one direction. A room's `mod.rs` may hand on names.
use super::files::{File, compiler};
use super::report;
use bookbinder::scan::Scan;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn files_of_a_room_import_in_one_direction() {
    let files: Vec<File> = compiler().into_iter().filter(|it| !it.is_test()).collect();
    let modules: BTreeMap<Vec<String>, &str> =
        files.iter().map(|it| (module(&it.path), it.path.as_str())).collect();
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &files {
        let own = imports.entry(&file.path).or_default();
        for path in paths(&file.scan(), &module(&file.path)) {
            let prefixes = (1..=path.len()).rev();
            let found = prefixes.filter_map(|it| modules.get(&path[..it])).next();
            own.extend(found.filter(|it| **it != file.path && !it.ends_with("/mod.rs")));
        }
    }
    let is_room = |path: &&&str| path.matches('/').count() > 1;
    let cycles = imports.keys().filter(is_room).filter(|it| reaches(&imports, it, it));
    report("files of a room import in one direction", cycles.map(|it| format!("{it}:1")).collect());
}

/// `["sea", "op"]` for `src/sea/op.rs`.
fn module(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(String::from).collect()
}

/// Whether imports lead from one file to the other, not counting those of a `mod.rs`.
fn reaches(imports: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    let room = |path: &str| path.split('/').nth(1).map(String::from);
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(file) = open.pop() {
        for &next in imports.get(file).into_iter().flatten() {
            if next == to {
                return true;
            }
            if room(next) == room(from) && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

/// The paths behind `crate` and `super`, from the root of the crate.
fn paths(scan: &Scan, module: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for at in 0..scan.code.len() {
        let begins = matches!(scan.text(at), "crate" | "super");
        if !begins || scan.text(at.wrapping_sub(1)) == ":" {
            continue;
        }
        let mut path = if scan.text(at) == "crate" { Vec::new() } else { module.to_vec() };
        let mut next = at;
        while scan.text(next) == "super" {
            path.pop();
            if !scan.reads(next + 1, &[":", ":"]) {
                break;
            }
            next += 3;
        }
        if scan.text(at) == "crate" {
            next += 3;
        }
        collect(scan, next, path, &mut found);
    }
    found
}

/// The paths that begin at a token: a name and what follows it, or a group of them.
fn collect(scan: &Scan, at: usize, mut path: Vec<String>, found: &mut Vec<Vec<String>>) {
    if scan.text(at) == "{" {
        let starts = (at + 1..scan.matching_bracket[at]).filter(|&it| scan.parent[it] == Some(at));
        let starts = starts.filter(|&it| matches!(scan.text(it - 1), "{" | ","));
        starts.for_each(|start| collect(scan, start, path.clone(), found));
        return;
    }
    path.push(scan.text(at).to_string());
    match scan.reads(at + 1, &[":", ":"]) {
        true => collect(scan, at + 3, path, found),
        false => found.push(path),
    }
}

#[test]
fn paths_are_read_from_imports_of_all_kinds() {
    let check = |path: &str, text: &str, expected: &[&str]| {
        let scan = Scan::new(text).expect("matched brackets");
        let found = paths(&scan, &module(path));
        let found: Vec<String> = found.iter().map(|it| it.join("::")).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("src/a/b.rs", "use super::c::D; use crate::{e, f::{g, h::I}};", {
        &["a::c::D", "e", "f::g", "f::h::I"]
    });
    check("src/a/mod.rs", "use super::b; fn f() { crate::a::c::d(); }", &["b", "a::c::d"]);
    check("src/a/b/c.rs", "use super::super::d;", &["a::d"]);
}
