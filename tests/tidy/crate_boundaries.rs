//! Each external crate is used by one module, or a few, that wrap it, so that a reader meets it in
//! one place and it can be replaced there.
use super::files::{File, rust};
use super::libraries;
use super::report;
use bookbinder::scan::Scan;

/// A crate and the files that may use it.
struct Wrapper {
    name: &'static str,
    /// Prefixes of paths.
    files: &'static [&'static str],
    /// Prefixes of the files whose tests may use it, too.
    tests_of: &'static [&'static str],
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper { name: "ariadne", files: &["crates/report-text/src/report.rs"], tests_of: &[] },
    Wrapper { name: "bookbinder", files: &["tests/book/", "tests/tidy/", OURS], tests_of: &[] },
    Wrapper {
        name: "chumsky",
        files: &[
            "crates/rule-text/src/parser.rs",
            "src/region/parser.rs",
            "src/flow_graph/parser.rs",
        ],
        tests_of: &[],
    },
    Wrapper { name: "clap", files: &["src/main.rs", "src/main/"], tests_of: &[] },
    Wrapper { name: "clap_complete", files: &["src/main/generate.rs"], tests_of: &[] },
    Wrapper { name: "clap_mangen", files: &["src/main/generate.rs"], tests_of: &[] },
    Wrapper { name: "divan", files: &["benches/"], tests_of: &[] },
    Wrapper { name: "dot_writer", files: &["crates/picture/src/dot.rs"], tests_of: &[] },
    Wrapper { name: "egg", files: &["src/egraph/"], tests_of: &[] },
    Wrapper { name: "expect_test", files: &["tests/"], tests_of: &[] },
    Wrapper { name: "good_lp", files: &[], tests_of: &["src/extract/"] },
    Wrapper { name: "hashbrown", files: &["crates/pbqp/src/ids.rs"], tests_of: &[] },
    Wrapper {
        name: "iced_x86",
        files: &["crates/emulate/", "src/ia32/listing.rs"],
        tests_of: &["src/ia32/", "crates/start-stub/"],
    },
    Wrapper {
        name: "logos",
        files: &["src/parse/token.rs", "crates/rule-text/src/token.rs"],
        tests_of: &[],
    },
    Wrapper { name: "miniz_oxide", files: &["crates/explorer/src/pack.rs"], tests_of: &[] },
    Wrapper { name: "nix", files: &["crates/host/src/linux.rs"], tests_of: &[] },
    Wrapper {
        name: "lsp_server",
        files: &["src/main/lsp/", "tests/cli/language_server"],
        tests_of: &[],
    },
    Wrapper { name: "lsp_types", files: &["src/main/lsp/"], tests_of: &[] },
    Wrapper { name: "notify", files: &["src/main/watch.rs", OURS], tests_of: &[] },
    Wrapper { name: "object", files: &[], tests_of: &["crates/elf/"] },
    Wrapper { name: "proc_macro2", files: &[OURS], tests_of: &[] },
    Wrapper { name: "pulldown_cmark", files: &["chapters/bookbinder/src/site/"], tests_of: &[] },
    Wrapper { name: "quanta", files: &["crates/playground/src/exports.rs"], tests_of: &[] },
    Wrapper {
        name: "httparse",
        files: &["chapters/bookbinder/src/bin/bookbinder/serve.rs"],
        tests_of: &[],
    },
    Wrapper { name: "quick_xml", files: &["crates/gxl/src/xml.rs"], tests_of: &[] },
    Wrapper {
        name: "rustc_hash",
        files: &["crates/arena/src/lib.rs", "crates/pbqp/src/ids.rs"],
        tests_of: &[],
    },
    Wrapper {
        name: "serde_json",
        files: &[
            "src/main/json.rs",
            "src/main/lsp/",
            "tests/cli/json.rs",
            "tests/cli/language_server",
            "crates/explorer/src/",
            "crates/playground/src/",
            BROWSER,
        ],
        tests_of: &[],
    },
    Wrapper { name: "signal_hook", files: &["crates/host/src/linux.rs"], tests_of: &[] },
    Wrapper { name: "similar", files: &[OURS], tests_of: &[] },
    Wrapper { name: "syn", files: &[OURS], tests_of: &[] },
    Wrapper { name: "unicode_width", files: &["crates/report-text/src/report.rs"], tests_of: &[] },
];

const BROWSER: &str = ".ci/tools/src/";
const OURS: &str = "chapters/bookbinder/";

#[test]
fn a_crate_is_used_only_by_its_wrapper() {
    let mut violations = Vec::new();
    for file in rust() {
        let scan = file.scan();
        for wrapper in WRAPPERS.iter().filter(|it| !starts_with_any(&file.path, it.files)) {
            if file.is_test() && starts_with_any(&file.path, wrapper.tests_of) {
                continue;
            }
            let uses = (0..scan.code.len()).filter(|&at| names_crate(&scan, at, wrapper.name));
            violations.extend(uses.map(|at| {
                let place = file.place(scan.line(at));
                format!("{place}: {} belongs to {}", wrapper.name, wrapper.files.join(", "))
            }));
        }
    }
    report("a crate is named only at its wrapper", violations);
}

#[test]
fn every_dependency_has_a_wrapper() {
    let names = libraries::names().into_iter();
    let folders = names.map(|it| format!("crates/{it}/"));
    let mut violations = Vec::new();
    for folder in folders.chain([String::new()]) {
        let manifest = File::read(&format!("{folder}Cargo.toml")).expect("a manifest");
        violations.extend(unlisted(&manifest));
    }
    report("a dependency has a row in crate_boundaries.rs or is a library of ours", violations);
}

/// The dependencies without a row.
fn unlisted(manifest: &File) -> Vec<String> {
    let mut violations = Vec::new();
    let mut listed = false;
    for (at, line) in manifest.text.lines().enumerate() {
        if line.starts_with('[') {
            listed = line.trim_matches(['[', ']']).ends_with("dependencies");
        } else if let Some((name, _)) = line.split_once('=').filter(|_| listed) {
            let name = name.trim().replace('-', "_");
            let known = WRAPPERS.iter().any(|it| it.name == name);
            let is_entry = name.starts_with(char::is_alphabetic);
            // All modules may use our own libraries; the compiler is for programs around it.
            let is_ours = line.contains("package = \"sonc-") || name == "sonc";
            if is_entry && !known && !is_ours {
                violations.push(format!("{}: {name}", manifest.place(at)));
            }
        }
    }
    violations
}

fn starts_with_any(path: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|it| path.starts_with(it))
}

/// Whether `name` is used as a crate here: `name::…` or `use name`.
fn names_crate(scan: &Scan, at: usize, name: &str) -> bool {
    let before = at.checked_sub(1).map_or("", |it| scan.text(it));
    let path = scan.reads(at + 1, &[":", ":"]) && !matches!(before, ":" | ".");
    scan.text(at) == name && scan.is_word(at) && (path || before == "use")
}

#[test]
fn crates_are_found_in_paths_and_imports() {
    let check = |text: &str, expected: usize| {
        let scan = Scan::new(text).expect("matched brackets");
        let found = (0..scan.code.len()).filter(|&at| names_crate(&scan, at, "clap")).count();
        assert_eq!(found, expected, "{text}");
    };
    check("use clap::Parser; #[derive(clap::Args)] struct A;", 2);
    check("use clap as c;", 1);
    check("let clap = a.clap; b::clap(clap); // clap::x", 0);
}
