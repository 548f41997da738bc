//! The command line of the bookbinder: `cargo chapter`.
mod base;
mod book;
mod build;
mod check;
mod compare;
mod course;
mod difference;
mod editor;
mod grade;
mod playground;
mod serve;
mod shell;
mod solutions;

use bookbinder::export_crate::{self, Print};
use bookbinder::fault::{self, Fault};
use bookbinder::lines::Lines;
use bookbinder::tree;
use build::Build;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

const USAGE: &str = "\
cargo chapter                all chapters
cargo chapter N              chapter N as a separate crate, in target/chapters/NN;
                             with --tests its tests too, with --whole a copy of its libraries
cargo chapter N run FILE …   runs chapter N's compiler, with any command of sonc
cargo chapter N test …       runs chapter N's tests
cargo chapter N --editor     makes rust-analyzer read chapter N only: .vscode/settings.json
cargo chapter M..N [PATH …]  the difference between two chapters in reading order: a table, then
                             a unified diff; of these files and folders only (src/parse)
cargo chapter check [RANGE]  builds every chapter, checks its cases, text and figures, and runs
                             all tests of those that have changed since the last commit on main;
                             RANGE is N, M..N or M..; with --all all tests of all chapters
cargo chapter pages [RANGE]  the stages of every example as pages, in target/book
cargo chapter book           the book as a site with these pages: target/book/index.html;
                             both use the compiler that the variable SONC names, if it is set;
                             with --playground, programs can be edited and run in the browser, by
                             the last chapter's compiler: --all-chapters adds one for each chapter,
                             --chapters RANGE one for each of these
cargo chapter serve [PORT]   serves this site to browsers on this machine, and writes its texts
                             again when they are saved
cargo chapter exercises DIR  an edition for students in the new folder DIR: the exercises as tasks,
                             without solutions; with --chapter RANGE,… those of some chapters
cargo chapter grade DIR      builds the compilers in such a folder, and runs the checks of the
                             exercises; with --json one document
cargo chapter slides N       the headings, terms and figures of a chapter as slides, in
                             target/chapters/slides/NN.html; with -o FILE in another file
cargo chapter faults [RANGE] code that only the tags explain
cargo chapter lines [RANGE]  lines of the compilers, and how many of them a compilation uses
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let root = root();
    let last = last_chapter(&root);
    let result = match words[..] {
        [] => say(&table_of_contents(&root)),
        ["help" | "--help" | "-h"] => say(USAGE),
        ["check", ref rest @ ..] => match to_check(&root, last, rest) {
            Some((chapters, all)) => return check::check(&root, &chapters, all),
            None => return usage(last),
        },
        ["pages", ref rest @ ..] => match to_check(&root, last, rest) {
            Some((chapters, false)) => book::pages(&root, &chapters),
            _ => return usage(last),
        },
        ["book", ref rest @ ..] => match to_compile(&root, last, rest) {
            Some(compilers) => book::book(&root, compilers.as_deref()),
            None => return usage(last),
        },
        ["serve", ref rest @ ..] => match rest {
            [] => serve::serve(&root, PORT),
            [port] if port.parse::<u16>().is_ok() => {
                serve::serve(&root, port.parse().unwrap_or(PORT))
            }
            _ => return usage(last),
        },
        ["faults", ref rest @ ..] => match to_check(&root, last, rest) {
            Some((chapters, false)) => faults(&root, &chapters),
            _ => return usage(last),
        },
        ["lines", ref rest @ ..] => match to_check(&root, last, rest) {
            Some((chapters, false)) => lines(&root, &chapters),
            _ => return usage(last),
        },
        ["exercises" | "grade" | "slides", ..] => return course::run(&root, last, &words),
        [range, ref only @ ..] if range.contains("..") => match parse_range(range, last) {
            Some(range) => difference::difference(&root, *range.start(), *range.end(), only),
            None => return usage(last),
        },
        [number, ref rest @ ..] => match parse_number(number, last) {
            Some(number) => return chapter(&root, number, rest),
            None => return usage(last),
        },
    };
    exit(result)
}

/// The port of `serve`.
const PORT: u16 = 8128;

fn usage(last: u32) -> ExitCode {
    eprint!("{USAGE}\nN and M are chapters, from 1 to {last}.\n");
    ExitCode::from(2)
}

fn exit(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Prints text; a closed pipe is no error.
fn say(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(err) if err.kind() != io::ErrorKind::BrokenPipe => Err(err.to_string()),
        _ => Ok(()),
    }
}

/// The root of the repository: two folders above this package.
fn root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let root = package.join("../..");
    root.canonicalize().unwrap_or(root)
}

/// The last chapter that `Cargo.toml` declares.
fn last_chapter(root: &Path) -> u32 {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let features = manifest.lines().filter_map(|it| it.strip_prefix("ch")?.get(..2)?.parse().ok());
    features.max().unwrap_or(0)
}

fn parse_number(word: &str, last: u32) -> Option<u32> {
    word.parse().ok().filter(|it| (1..=last).contains(it))
}

/// `4`, `3..4` or `3..`; the end is included.
fn parse_range(word: &str, last: u32) -> Option<RangeInclusive<u32>> {
    let (start, end) = match word.split_once("..") {
        None => (parse_number(word, last)?, parse_number(word, last)?),
        Some((start, "")) => (parse_number(start, last)?, last),
        Some((start, end)) => (parse_number(start, last)?, parse_number(end, last)?),
    };
    Some(start..=end)
}

/// The chapters to check, those that have a folder, and whether to run all tests of all of them.
fn to_check(root: &Path, last: u32, words: &[&str]) -> Option<(Vec<u32>, bool)> {
    let (options, ranges): (Vec<&str>, Vec<&str>) = words.iter().partition(|it| **it == "--all");
    let range = match ranges[..] {
        [] => 1..=last,
        [range] => parse_range(range, last)?,
        _ => return None,
    };
    let with_folder = tree::chapters(root).into_iter().map(|it| it.0);
    Some((with_folder.filter(|it| range.contains(it)).collect(), !options.is_empty()))
}

/// The chapters whose compilers the playground has besides the last one; `Some(None)` without a
/// playground.
fn to_compile(root: &Path, last: u32, words: &[&str]) -> Option<Option<Vec<u32>>> {
    let chapters = |words: &[&str]| Some(to_check(root, last, words)?.0);
    match words {
        [] => Some(None),
        ["--playground"] => Some(Some(Vec::new())),
        ["--playground", "--all-chapters"] => chapters(&[]).map(Some),
        ["--playground", "--chapters", range] => chapters(&[range]).map(Some),
        _ => None,
    }
}

fn table_of_contents(root: &Path) -> String {
    let lines = tree::chapters(root).into_iter().map(|(number, folder)| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{number:>2}  {}\n", &name[3..])
    });
    lines.chain([format!("\n{USAGE}")]).collect()
}

/// Prints the faults of the chapters, each once, with the chapters that have it.
fn faults(root: &Path, chapters: &[u32]) -> Result<(), String> {
    let mut found: BTreeMap<Fault, Vec<u32>> = BTreeMap::new();
    for &chapter in chapters {
        for fault in fault::faults(root, chapter).map_err(|error| error.to_string())? {
            found.entry(fault).or_default().push(chapter);
        }
    }
    let lines = found.iter().map(|(fault, chapters)| {
        let chapters: Vec<String> = chapters.iter().map(u32::to_string).collect();
        format!("{fault} (chapter {})\n", chapters.join(", "))
    });
    let lines: String = lines.collect();
    say(&format!("{lines}{} faults\n", found.len()))
}

/// Prints a row for each chapter.
fn lines(root: &Path, chapters: &[u32]) -> Result<(), String> {
    let (path, furniture) = ("path", "furniture");
    say(&format!("chapter  {:>7} {path:>7} {furniture:>10} {:>7}\n", "total", "tools"))?;
    for &chapter in chapters {
        let lines = Lines::of(&export_crate::export(root, Print::new(chapter))?.files);
        let Lines { path, furniture, tools } = lines;
        let total = lines.total();
        say(&format!("{chapter:>7}  {total:>7} {path:>7} {furniture:>10} {tools:>7}\n"))?;
    }
    Ok(())
}

/// `cargo chapter N` and its options.
fn chapter(root: &Path, number: u32, words: &[&str]) -> ExitCode {
    if let Some(print) = to_print(number, words) {
        return exit(
            export_crate::export(root, print).and_then(|it| say(&summary(root, number, &it))),
        );
    }
    match words {
        ["--editor"] => exit(editor::write_settings(root, number)),
        ["test", rest @ ..] => Build::tags(root, number).pass_on("test", rest),
        _ => Build::tags(root, number).pass_on("run", &[&["--"], words].concat()),
    }
}

/// The crate to print, if no other command is given.
fn to_print(number: u32, words: &[&str]) -> Option<Print> {
    let mut print = Print::new(number);
    for word in words {
        match *word {
            "--tests" => print.tests = true,
            "--whole" => print.whole = true,
            _ => return None,
        }
    }
    Some(print)
}

fn summary(root: &Path, number: u32, exported: &export_crate::Exported) -> String {
    let export_crate::Exported { folder, lines, code, warning, files: _ } = exported;
    let folder = tree::below(root, folder);
    let warning = warning.as_ref().map_or(String::new(), |it| format!("warning: {it}\n"));
    let folder = folder.display();
    format!("{warning}chapter {number}: {folder}, {lines} lines in src, {code} of them code\n")
}
