//! The text stays current: its quotations, outputs and figures are compared with the chapter's
//! compiler. `UPDATE_EXPECT=1 cargo test` rewrites text and figures.
//!
//! docs/adding.md describes the fences. `cargo test` weaves the text of the last chapter, the
//! README and the docs; `cargo chapter check` weaves every chapter's text at its chapter.
mod figures;

use bookbinder::examples::SITE;
use bookbinder::tree::{self, Files, below, chapters};
use bookbinder::view::View;
use bookbinder::weave::{Fence, Filling, excerpt, weave};
use bookbinder::{console, links};
use expect_test::expect_file;
use sonc::this_chapter;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The compiler of this chapter. `cargo chapter check` sets `SONC`: when this runs, the compiler of
/// another chapter may have replaced it.
fn compiler() -> PathBuf {
    env::var_os("SONC").map_or_else(|| env!("CARGO_BIN_EXE_sonc").into(), PathBuf::from)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of this chapter, if it has one.
fn folder() -> Option<PathBuf> {
    let found = chapters(root()).into_iter().find(|it| it.0 == this_chapter());
    found.map(|(_, folder)| root().join(folder))
}

/// Whether this is the build of the last chapter with a folder.
fn is_last() -> bool {
    chapters(root()).iter().all(|it| it.0 <= this_chapter())
}

/// One test, so that a text is not read while it is rewritten.
#[test]
fn the_text_of_the_chapter_is_woven_and_its_figures_are_drawn() {
    let Some(folder) = folder() else { return };
    let path = folder.join("README.md");
    check_woven(std::slice::from_ref(&path));
    let errors = figures::check(&folder, &read(&path));
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

/// Those in fences are woven; these must at least succeed.
#[test]
fn the_commands_in_sentences_succeed() {
    let Some(folder) = folder() else { return };
    for (line, command) in links::commands(&read(&folder.join("README.md"))) {
        let output = console::replay(&compiler(), &folder, &[&format!("$ {command}")]);
        let output = output.unwrap_or_else(|| panic!("README.md:{line}: no command"));
        let output = output.unwrap_or_else(|reason| panic!("README.md:{line}: {reason}"));
        let last = output.lines().last().unwrap_or_default();
        assert!(!last.starts_with("[exit"), "README.md:{line}: {output}");
    }
}

#[test]
fn the_readme_and_the_docs_are_woven() {
    if is_last() {
        let texts = [vec![root().join("README.md")], tree::list(&root().join("docs"))].concat();
        let texts = texts.into_iter().filter(|it| is_markdown(it) && it.is_file());
        check_woven(&texts.collect::<Vec<_>>());
    }
}

/// Checked only at the last chapter, whose build has all texts and figures.
#[test]
fn every_link_leads_to_a_file() {
    if !is_last() {
        return;
    }
    let mut errors = Vec::new();
    for path in texts() {
        let folder = path.parent().unwrap_or(root());
        for (line, target) in links::relative(&read(&path)) {
            let is_made = is_being_drawn(&target) || is_list_of_examples(&path, &target);
            if !is_made && !folder.join(&target).exists() {
                let path = below(root(), &path);
                errors.push(format!("{}:{line}: there is no {target}", path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

/// Whether a link leads to the list of the chapter's examples, which `cargo chapter pages` writes.
fn is_list_of_examples(path: &Path, target: &str) -> bool {
    let folder = below(root(), path.parent().unwrap_or(root())).to_path_buf();
    Path::new("../..").join(SITE).join(folder).join("examples.html") == Path::new(target)
}

/// Checked only at the last chapter, like the links.
#[test]
fn every_quotation_has_a_caption_and_every_section_a_link() {
    if !is_last() {
        return;
    }
    let mut errors = Vec::new();
    for (_, folder) in chapters(root()) {
        let path = folder.join("README.md");
        let text = read(&root().join(&path));
        let mut report = |line: usize, problem: String| {
            errors.push(format!("{}:{line}: {problem}", path.display()));
        };
        for (line, quoted) in links::without_caption(&text) {
            report(line, format!("there is no line `*{quoted}*` above"));
        }
        for (line, title) in links::without_link(&text) {
            report(line, format!("no link leads to the section `{title}`"));
        }
        for (line, anchor) in links::without_section(&text) {
            report(line, format!("there is no section `#{anchor}`"));
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

fn is_being_drawn(target: &str) -> bool {
    target.contains("figures/") && env::var_os("UPDATE_EXPECT").is_some()
}

/// The README, the docs and the texts of all existing chapters.
fn texts() -> Vec<PathBuf> {
    let docs = tree::list(&root().join("docs"));
    let lessons = chapters(root()).into_iter().map(|(_, it)| root().join(it).join("README.md"));
    let all = docs.into_iter().chain(lessons).chain([root().join("README.md")]);
    all.filter(|it| is_markdown(it) && it.is_file()).collect()
}

fn is_markdown(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "md")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

/// Weaves the texts; reports the errors in all of them before the first difference.
fn check_woven(paths: &[PathBuf]) {
    let sources = files_of_the_chapter();
    let mut errors = Vec::new();
    let mut woven = Vec::new();
    for path in paths {
        let folder = path.parent().unwrap_or(root());
        let mut files = sources.clone();
        files.extend(rules_beside(folder));
        match weave(&read(path), |fence| filling(&files, folder, fence)) {
            Ok(text) => woven.push((path, text)),
            Err(reasons) => {
                let name = below(root(), path);
                errors.extend(reasons.iter().map(|it| format!("{}: {it}", name.display())));
            }
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
    for (path, text) in woven {
        expect_file![path].assert_eq(&text);
    }
}

fn files_of_the_chapter() -> Files {
    let files = tree::sources(root(), View::tested(this_chapter()));
    let mut files = files.unwrap_or_else(|misfit| panic!("{misfit}"));
    let libraries = tree::libraries(root(), View::tested(this_chapter()));
    files.append(&mut libraries.unwrap_or_else(|misfit| panic!("{misfit}")));
    let tests = tree::tests(root(), View::tested(this_chapter()));
    files.append(&mut tests.unwrap_or_else(|misfit| panic!("{misfit}")));
    files
}

/// The rule files in `folder`, by their paths.
fn rules_beside(folder: &Path) -> Files {
    let is_rules = |path: &PathBuf| path.extension().is_some_and(|it| it == "rules");
    let files = tree::list(&folder.join("rules")).into_iter().filter(is_rules);
    files.map(|path| (below(folder, &path), read(&path))).collect()
}

/// The content of a fence of a text in `folder`.
fn filling(files: &Files, folder: &Path, fence: &Fence) -> Filling {
    match fence.info.split_once(' ') {
        Some(("simple" | "xml" | "regions" | "flow", path)) => Some(case(folder, path)),
        None if fence.info == "console" => console::replay(&compiler(), folder, &fence.body),
        _ => excerpt(files, fence.info),
    }
}

/// A program or a graph, with its expected results.
fn case(folder: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(folder.join(path)).map_err(|err| format!("{path}: {err}"))
}
