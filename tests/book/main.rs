//! The text stays current: its quotations, outputs and figures are compared with the chapter's
//! compiler. `UPDATE_EXPECT=1 cargo test` rewrites text and figures.
//!
//! `cargo test` weaves the text of the last chapter, the README and the docs;
//! `cargo chapter check` weaves every chapter's text at its chapter.
use bookbinder::lesson::{self, Lesson};
use bookbinder::links;
use bookbinder::tree::{below, chapters};
use sonc::this_chapter;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether this is the build of the last chapter with a folder.
fn is_last() -> bool {
    lesson::is_last(root(), this_chapter())
}

/// One test, so that a text is not read while it is rewritten.
#[test]
fn the_text_of_the_chapter_is_woven_and_its_figures_are_drawn() {
    let compiler = Path::new(env!("CARGO_BIN_EXE_sonc"));
    let errors = Lesson { root: root(), chapter: this_chapter(), compiler }.check();
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
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
            if !is_being_drawn(&target) && !folder.join(&target).exists() {
                let path = below(root(), &path);
                errors.push(format!("{}:{line}: there is no {target}", path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
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
    let lessons = chapters(root()).into_iter().map(|(_, it)| root().join(it).join("README.md"));
    lessons.chain(lesson::docs(root())).filter(|it| it.is_file()).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}
