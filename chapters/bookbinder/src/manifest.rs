//! The `Cargo.toml` of a chapter's crate.
//!
//! It is read by lines: sections, and in a list of dependencies one entry with its continuation
//! lines. Features and the workspace are removed, and so are dependencies that later chapters
//! switch on. Values that packages inherit from the workspace (`workspace.package` and such) stay.
use crate::view::View;
use std::path::PathBuf;

/// The manifest for the crate of a chapter. `up` is the relative path from the crate to the
/// repository, where its libraries are: `../../../`.
pub fn view(manifest: &str, view: View, up: &str) -> String {
    let chapter = view.chapter;
    let sections = sections(manifest);
    let features = sections.iter().find(|it| it.name == "features");
    let switched_on = features.map_or(Vec::new(), |it| dependencies_of(&it.lines, chapter));
    let mut out = String::new();
    for section in &sections {
        let lines: Vec<String> = match section.name {
            "features" | "bench" => continue,
            "dev-dependencies" if !view.tests => continue,
            "workspace" => continue,
            name if name.ends_with("dependencies") => {
                dependencies(&section.lines, &switched_on).iter().map(|it| moved(it, up)).collect()
            }
            "package" => section.lines.iter().map(|it| with_chapter(it, chapter)).collect(),
            _ => section.lines.iter().map(|it| it.to_string()).collect(),
        };
        lines.iter().for_each(|line| out.extend([line, "\n"]));
    }
    // An empty table: this crate is not in the workspace around it.
    out.trim_end().to_string() + "\n\n[workspace]\n"
}

/// The entry of a dependency with its path relative to the crate.
fn moved(entry: &str, up: &str) -> String {
    entry.replace("path = \"crates/", &format!("path = \"{up}crates/"))
}

/// The folders of the libraries that the crate of a chapter uses, below the repository.
pub fn libraries(manifest: &str, view: View) -> Vec<PathBuf> {
    let text = self::view(manifest, view, "");
    let linked = sections(&text).into_iter().filter(|it| !it.name.starts_with("workspace"));
    let linked = linked.filter(|it| it.name.ends_with("dependencies"));
    let paths: Vec<PathBuf> = linked.flat_map(|it| paths(&it.lines)).collect();
    paths.into_iter().filter(|it| it.starts_with("crates")).collect()
}

/// The folders that the dependencies of a manifest name by path.
pub fn paths(lines: &[&str]) -> Vec<PathBuf> {
    let path = |line: &&str| Some(line.split_once("path = \"")?.1.split_once('"')?.0.into());
    lines.iter().filter_map(path).collect()
}

/// Adds the chapter to the version, `0.1.0+ch04`: the crates of all chapters have one name, and in
/// a shared build folder cargo distinguishes them by version.
fn with_chapter(line: &str, chapter: u32) -> String {
    match line.strip_prefix("version = \"").and_then(|it| it.strip_suffix('"')) {
        Some(version) => format!("version = \"{version}+ch{chapter:02}\""),
        None => line.to_string(),
    }
}

struct Section<'a> {
    name: &'a str,
    /// All its lines, with the header and the comments directly above it.
    lines: Vec<&'a str>,
}

fn sections(manifest: &str) -> Vec<Section<'_>> {
    let mut found = vec![Section { name: "", lines: Vec::new() }];
    for line in manifest.lines() {
        if let Some(name) = header(line) {
            let above = &mut found.last_mut().expect("the first section").lines;
            let comments = above.iter().rev().take_while(|it| it.starts_with('#')).count();
            let lines = above.split_off(above.len() - comments);
            found.push(Section { name, lines });
        }
        found.last_mut().expect("the first section").lines.push(line);
    }
    found
}

fn header(line: &str) -> Option<&str> {
    let inner = line.strip_prefix('[')?.trim_end().strip_suffix(']')?;
    Some(inner.trim_matches(['[', ']']))
}

/// The optional dependencies that the features up to `chapter` switch on.
fn dependencies_of<'a>(features: &[&'a str], chapter: u32) -> Vec<&'a str> {
    let mut found = Vec::new();
    for entry in entries(features) {
        let number = entry[0].strip_prefix("ch").and_then(|it| it.get(..2)?.parse::<u32>().ok());
        if number.is_some_and(|it| it <= chapter) {
            let words = entry.iter().flat_map(|line| line.split('"'));
            found.extend(words.filter_map(|it| it.strip_prefix("dep:")));
        }
    }
    found
}

/// A list of dependencies without the bookbinder and without those of later chapters.
fn dependencies(lines: &[&str], switched_on: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    for entry in entries(lines) {
        let name = entry[0].split(['=', '.', ' ']).next().unwrap_or("");
        let text = entry.join("\n");
        let optional = text.contains("optional = true");
        if name == "bookbinder" || (optional && !switched_on.contains(&name)) {
            continue;
        }
        kept.push(text.replace(", optional = true", "").replace("optional = true, ", ""));
    }
    kept
}

/// The lines split into entries: a new one starts when all brackets are closed.
fn entries<'a, 'b>(lines: &'b [&'a str]) -> Vec<&'b [&'a str]> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        let code = line.split(" #").next().unwrap_or("");
        depth += code.matches(['[', '{']).count() as i32;
        depth -= code.matches([']', '}']).count() as i32;
        if depth == 0 {
            found.push(&lines[start..=at]);
            start = at + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"[package]
name = "sonc"
version = "0.1.0"
default-run = "sonc"

[workspace]
members = ["chapters/bookbinder"]

# The table of contents.
[features]
default = ["ch02"]
ch01 = []       # first [
ch02 = ["ch01", "dep:egg"] # second
ch03 = [
    "ch02",
    "dep:object",
]

[dependencies]
clap = { version = "4", features = [
    "derive",
] }
egg = { version = "1", optional = true }
object = { optional = true, version = "1", features = [
    "write",
] }

[dev-dependencies]
bookbinder = { path = "chapters/bookbinder" }
expect-test = "1"

[[bench]]
name = "speed"
"#;

    #[test]
    fn a_chapter_keeps_what_it_uses() {
        let view = super::view(MANIFEST, View::tested(2), "");
        let expected = r#"[package]
name = "sonc"
version = "0.1.0+ch02"
default-run = "sonc"

[dependencies]
clap = { version = "4", features = [
    "derive",
] }
egg = { version = "1" }

[dev-dependencies]
expect-test = "1"

[workspace]
"#;
        assert_eq!(view, expected);
    }

    #[test]
    fn a_later_chapter_adds_its_dependency() {
        assert!(!view(MANIFEST, View::tested(1), "").contains("egg"));
        assert!(
            view(MANIFEST, View::tested(3), "")
                .contains("object = { version = \"1\", features = [\n")
        );
    }

    #[test]
    fn libraries_are_linked_where_they_are() {
        let manifest = "[workspace.package]\nedition = \"2024\"\n\n[dependencies]\n\
                        arena = { path = \"crates/arena\" }\ngxl = { path = \"crates/gxl\", \
                        optional = true }\n\n[features]\nch02 = [\"dep:gxl\"]\n";
        let text = super::view(manifest, View::tested(1), "../../../");
        assert!(text.contains("arena = { path = \"../../../crates/arena\" }\n"), "{text}");
        assert!(text.contains("[workspace.package]") && !text.contains("gxl"), "{text}");
        let linked = |chapter| libraries(manifest, View::tested(chapter));
        assert_eq!(linked(1), [PathBuf::from("crates/arena")]);
        assert_eq!(linked(2), ["crates/arena", "crates/gxl"].map(PathBuf::from));
    }
}
