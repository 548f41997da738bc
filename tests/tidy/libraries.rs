//! The libraries in crates/: each can be published alone, and none depends on chapters.
use super::files::{File, root, rust};
use super::report;
use bookbinder::current;
use bookbinder::public_api::public_api;
use bookbinder::tree::{below, list};

#[test]
fn a_library_is_fit_to_be_published() {
    let mut violations = Vec::new();
    for name in names() {
        for (file, demands) in REQUIRED {
            let path = format!("crates/{name}/{file}");
            let text = File::read(&path).map_or(String::new(), |it| it.text);
            let library = name.replace('-', "_");
            let demands =
                demands.iter().map(|it| it.replace("LIB", &library).replace("NAME", &name));
            let missing = demands.filter(|it| !text.contains(it));
            violations.extend(missing.map(|it| format!("{path}:1: there is no `{it}`")));
        }
        if list(&root().join(format!("crates/{name}/examples"))).is_empty() {
            violations.push(format!("crates/{name}: there is no example"));
        }
    }
    report("a library has a manifest, documentation and a tested example", violations);
}

/// Required texts of a library's files.
const REQUIRED: &[(&str, &[&str])] = &[
    (
        "Cargo.toml",
        &[
            "name = \"sonc-NAME\"",
            "edition = \"2024\"",
            "rust-version = ",
            "description = ",
            "license = ",
            "readme = ",
            "keywords = [",
            "categories = [",
            "[lib]\nname = \"LIB\"",
            "[[example]]",
            "test = true",
        ],
    ),
    ("README.md", &["# NAME\n", "```rust\n"]),
    ("CHANGELOG.md", &["# Changes of sonc-NAME\n", "## 0.1.0\n"]),
    ("LICENSE-MIT", &["MIT License"]),
    ("LICENSE-APACHE", &["Apache License"]),
    ("src/lib.rs", &["#![doc = include_str!(\"../README.md\")]", "#![warn(missing_docs)]"]),
];

#[test]
fn the_public_api_is_listed() {
    let mut violations = Vec::new();
    for name in names() {
        let library = root().join(format!("crates/{name}"));
        let listing = public_api(&library).map(|it| API_HEAD.to_string() + &it);
        let current = listing.and_then(|it| current::check(root(), &library.join("api.txt"), &it));
        violations.extend(current.err());
    }
    report("the public items of a library are those in its api.txt", violations);
}

const API_HEAD: &str = "\
# The public items of this library: `UPDATE_EXPECT=1 cargo test --test tidy` writes them.
# The version in Cargo.toml says whether a change breaks programs that use it.

";

#[test]
fn a_library_is_independent_of_chapters() {
    let mut violations = Vec::new();
    let folders: Vec<String> = names().iter().map(|it| format!("crates/{it}/")).collect();
    let is_in_library = |it: &&File| folders.iter().any(|folder| it.path.starts_with(folder));
    for file in rust().iter().filter(is_in_library) {
        for (at, line) in file.text.lines().enumerate() {
            if line.contains("feature = \"ch") || line.to_lowercase().contains("chapter ") {
                violations.push(file.place(at));
            }
        }
    }
    report("a library has no tags of chapters and mentions none", violations);
}

/// The folders of crates/ that are no libraries: they are programs around the compiler.
const PROGRAMS: &[&str] = &["playground"];

/// The names of the libraries: the other folders of crates/.
pub fn names() -> Vec<String> {
    let folders = list(&root().join("crates")).into_iter().filter(|it| it.is_dir());
    let folders = folders.map(|it| below(&root().join("crates"), &it));
    let names = folders.map(|it| it.to_string_lossy().into_owned());
    names.filter(|it| !PROGRAMS.contains(&it.as_str())).collect()
}
