//! One door per crate: a file, or a few, that know it, so that it can be read about in one place
//! and replaced there.
use super::files::{File, rust};
use super::libraries;
use super::report;
use bookbinder::scan::Scan;

/// A crate and where it may be named.
struct Door {
    name: &'static str,
    /// Beginnings of paths.
    files: &'static [&'static str],
    /// Beginnings of the paths of files whose `mod tests` may name it as well.
    tests_of: &'static [&'static str],
}

const DOORS: &[Door] = &[
    Door { name: "ariadne", files: &["src/report.rs"], tests_of: &[] },
    Door { name: "bookbinder", files: &["tests/book/", "tests/tidy/", OURS], tests_of: &[] },
    Door { name: "chumsky", files: &["src/rules/parser.rs"], tests_of: &[] },
    Door { name: "clap", files: &["src/main.rs", "src/main/"], tests_of: &[] },
    Door { name: "divan", files: &["benches/"], tests_of: &[] },
    Door { name: "dot_writer", files: &["crates/picture/src/dot.rs"], tests_of: &[] },
    Door { name: "egg", files: &["src/egraph/"], tests_of: &[] },
    Door { name: "expect_test", files: &["tests/"], tests_of: &[] },
    Door {
        name: "iced_x86",
        files: &["crates/emulate/", "src/ia32/listing.rs"],
        tests_of: &["src/ia32/", "src/start_stub/"],
    },
    Door { name: "logos", files: &["src/parse/token.rs", "src/rules/lexer.rs"], tests_of: &[] },
    Door { name: "nix", files: &["crates/host/src/linux.rs"], tests_of: &[] },
    Door { name: "object", files: &[], tests_of: &["crates/elf/"] },
    Door { name: "quick_xml", files: &["src/firm/gxl/events.rs"], tests_of: &[] },
    Door { name: "rustc_hash", files: &["crates/arena/src/lib.rs"], tests_of: &[] },
    Door { name: "signal_hook", files: &["crates/host/src/linux.rs"], tests_of: &[] },
    Door { name: "similar", files: &[OURS], tests_of: &[] },
];

const OURS: &str = "chapters/bookbinder/";

#[test]
fn a_crate_has_one_door() {
    let mut wrong = Vec::new();
    for file in rust() {
        let scan = file.scan();
        for door in DOORS.iter().filter(|it| !starts_with_any(&file.path, it.files)) {
            if file.is_test() && starts_with_any(&file.path, door.tests_of) {
                continue;
            }
            let uses = (0..scan.code.len()).filter(|&at| names_crate(&scan, at, door.name));
            wrong.extend(uses.map(|at| {
                let place = file.place(scan.line(at));
                format!("{place}: {} belongs to {}", door.name, door.files.join(", "))
            }));
        }
    }
    report("a crate is named only at its door", wrong);
}

#[test]
fn every_dependency_has_a_door() {
    let names = libraries::names().into_iter();
    let folders = names.map(|it| format!("crates/{it}/"));
    let mut wrong = Vec::new();
    for folder in folders.chain([String::new()]) {
        let manifest = File::read(&format!("{folder}Cargo.toml")).expect("a manifest");
        wrong.extend(strangers(&manifest));
    }
    report("a dependency has a row in crate_boundaries.rs or is a library of ours", wrong);
}

/// The dependencies without a door.
fn strangers(manifest: &File) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut listed = false;
    for (at, line) in manifest.text.lines().enumerate() {
        if line.starts_with('[') {
            listed = line.trim_matches(['[', ']']).ends_with("dependencies");
        } else if let Some((name, _)) = line.split_once('=').filter(|_| listed) {
            let name = name.trim().replace('-', "_");
            let known = DOORS.iter().any(|it| it.name == name);
            let is_entry = name.starts_with(char::is_alphabetic);
            // Our own libraries are for every room.
            let is_ours = line.contains("package = \"sonc-");
            if is_entry && !known && !is_ours {
                wrong.push(format!("{}: {name}", manifest.place(at)));
            }
        }
    }
    wrong
}

fn starts_with_any(path: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|it| path.starts_with(it))
}

/// Whether `name` stands here as a crate: `name::…` or `use name`.
fn names_crate(scan: &Scan, at: usize, name: &str) -> bool {
    let before = at.checked_sub(1).map_or("", |it| scan.text(it));
    let path = scan.reads(at + 1, &[":", ":"]) && !matches!(before, ":" | ".");
    scan.text(at) == name && scan.is_word(at) && (path || before == "use")
}

#[test]
fn crates_are_seen_in_paths_and_imports() {
    let check = |text: &str, expected: usize| {
        let scan = Scan::new(text).expect("matched brackets");
        let found = (0..scan.code.len()).filter(|&at| names_crate(&scan, at, "clap")).count();
        assert_eq!(found, expected, "{text}");
    };
    check("use clap::Parser; #[derive(clap::Args)] struct A;", 2);
    check("use clap as c;", 1);
    check("let clap = a.clap; b::clap(clap); // clap::x", 0);
}
