//! Checks `sonc` and its output with external tools: Graphviz, binutils, gcc, z3, valgrind, node
//! and Chromium.
//!
//! `cargo run --package tools -- PATH/TO/sonc [TOOL]`, from the root of the repository, after
//! `cargo chapter book --playground`. With
//! `measure` instead of a tool, it measures pages and drawings, with `measure-playground` the
//! playground.
mod binutils;
mod browser;
mod comparison;
mod controls;
mod explorer;
mod gcc;
mod graphviz;
mod growth;
mod listing;
mod measure;
mod playground_measure;
mod playground_page;
mod site;
mod slides;
mod wasm;
mod z3;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::thread;

/// The options of the compilations: each selects other instructions.
pub const OPTIONS: &[&[&str]] = &[&[], &["--no-opt"], &["--select", "greedy"], &["--cost", "size"]];

/// The result of a check: the amount of checked input, or an error.
pub type Checked = Result<String, String>;

fn main() -> ExitCode {
    let Some(sonc) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: tools PATH/TO/sonc [TOOL]");
        return ExitCode::from(2);
    };
    let cases = cases();
    let checks: [(&str, &(dyn Fn() -> Checked + Sync)); _] = [
        ("Graphviz", &|| graphviz::check(&sonc, &cases)),
        ("binutils", &|| binutils::check(&sonc, &cases)),
        ("gcc", &|| gcc::check(&sonc)),
        ("z3", &|| z3::check(&sonc)),
        ("valgrind", &|| growth::check(&sonc)),
        ("Chromium", &|| explorer::check(&sonc)),
        ("comparison", &|| comparison::check(&sonc)),
        ("site", &|| site::check()),
        ("slides", &|| slides::check(&sonc)),
        ("wasm", &|| wasm::check()),
        ("playground", &|| playground_page::check(&sonc)),
    ];
    let only = env::args().nth(2);
    match only.as_deref() {
        Some("measure") => return measure::print(&sonc),
        Some("measure-playground") => {
            let is_done = passes("playground", &|| playground_measure::measure(&sonc));
            return if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        _ => {}
    }
    if let Some(other) = only.as_ref().filter(|only| checks.iter().all(|it| it.0 != **only)) {
        eprintln!("there is no check `{other}`");
        return ExitCode::from(2);
    }
    let is_chosen = |name: &str| only.as_ref().is_none_or(|only| only == name);
    let chosen = checks.iter().filter(|it| is_chosen(it.0));
    let passes = thread::scope(|threads| {
        let started: Vec<_> =
            chosen.map(|&(name, check)| threads.spawn(move || passes(name, check))).collect();
        started.into_iter().map(|it| it.join().unwrap_or(false)).fold(true, |all, it| all & it)
    });
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs a check and prints its result.
fn passes(name: &str, check: &(dyn Fn() -> Checked + Sync)) -> bool {
    let checked = check();
    match &checked {
        Ok(summary) => println!("{name}: {summary}"),
        Err(reason) => println!("{name}: FAILED\n{reason}"),
    }
    checked.is_ok()
}

/// The programs of all chapters.
fn cases() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for chapter in list(Path::new("chapters")) {
        let files = list(&chapter.join("cases")).into_iter();
        found.extend(files.filter(|it| it.extension().is_some_and(|it| it == "smp")));
    }
    found
}

/// The sorted entries of a folder; empty if it does not exist.
fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    found.sort();
    found
}

/// Runs a program that must succeed.
pub fn run(program: &Path, words: &[&str]) -> Result<String, String> {
    let output = start(program, words)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} {}: {}\n{errors}", program.display(), words.join(" "), output.status))
}

/// Runs the compiler; `None` if it rejects a case of an error. The head of a case may say that its
/// integers have 64 bits.
pub fn compile(sonc: &Path, case: &Path, words: &[&str]) -> Result<Option<String>, String> {
    let width: &[&str] = if has_line(case, "// int: 64") { &["--int", "64"] } else { &[] };
    let words = &[words, width].concat()[..];
    let rejected = start(sonc, words)?.status.code() == Some(1);
    if rejected && may_be_rejected(case) {
        return Ok(None);
    }
    run(sonc, words).map(Some)
}

/// Whether the head of a case declares an error, or a change of meaning in a later chapter.
fn may_be_rejected(case: &Path) -> bool {
    has_line(case, "// error") || has_line(case, "// until")
}

/// Whether a line of a file begins like this.
fn has_line(file: &Path, begin: &str) -> bool {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().any(|line| line.starts_with(begin))
}

fn start(program: &Path, words: &[&str]) -> Result<Output, String> {
    let output = Command::new(program).args(words).output();
    output.map_err(|err| format!("{}: {err}", program.display()))
}

/// A new folder for temporary files.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new("target/tools").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|err| format!("{}: {err}", folder.display()))?;
    Ok(folder)
}
