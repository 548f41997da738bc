//! `cargo chapter exercises`, `grade` and `slides`: the book in a course.
use crate::{exit, grade, parse_number, parse_range, say, to_check, usage};
use bookbinder::course::edition;
use bookbinder::site::slides;
use bookbinder::tree;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs one of the three commands.
pub fn run(root: &Path, last: u32, words: &[&str]) -> ExitCode {
    match words {
        ["exercises", folder, rest @ ..] => match chapters(root, last, rest) {
            Some(chapters) => exit(exercises(root, &here(folder), &chapters)),
            None => usage(last),
        },
        ["grade", rest @ ..] => match rest {
            [folder] => grade::grade(root, &here(folder), false),
            [folder, "--json"] | ["--json", folder] => grade::grade(root, &here(folder), true),
            _ => usage(last),
        },
        ["slides", number, rest @ ..] => match (parse_number(number, last), rest) {
            (Some(number), []) => {
                let file = root.join(format!("target/chapters/slides/{number:02}.html"));
                exit(write_slides(root, number, &file))
            }
            (Some(number), ["-o", file]) => exit(write_slides(root, number, &here(file))),
            _ => usage(last),
        },
        _ => usage(last),
    }
}

/// A path that the user has typed, from the root of the file system.
fn here(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.into())
}

/// The chapters of an edition: all that are written, or those that are named.
fn chapters(root: &Path, last: u32, words: &[&str]) -> Option<Vec<u32>> {
    match words {
        [] => to_check(root, last, &[]).map(|it| it.0),
        ["--chapter", ranges] => {
            let is_written = |it: &u32| tree::chapters(root).iter().any(|(number, _)| number == it);
            let mut chapters = Vec::new();
            for range in ranges.split(',') {
                let range = parse_range(range, last)?;
                // A chapter that is named has to be written.
                let is_one = range.start() == range.end();
                chapters.extend(range.filter(|it| is_one || is_written(it)));
            }
            Some(chapters)
        }
        _ => None,
    }
}

fn exercises(root: &Path, folder: &Path, chapters: &[u32]) -> Result<(), String> {
    let (files, warnings) = edition::write(root, folder, chapters)?;
    for warning in warnings {
        eprintln!("warning: {warning}");
    }
    let count = chapters.len();
    let chapters = if count == 1 { "1 chapter".to_string() } else { format!("{count} chapters") };
    say(&format!("{}: {files} files, the exercises of {chapters}\n", folder.display()))
}

fn write_slides(root: &Path, number: u32, file: &Path) -> Result<(), String> {
    let folder = tree::chapters(root).into_iter().find(|it| it.0 == number);
    let (_, folder) = folder.ok_or_else(|| format!("chapter {number} is not written"))?;
    let folder = root.join(folder);
    let path = folder.join("README.md");
    let text = fs::read_to_string(&path).map_err(|err| format!("{}: {err}", path.display()))?;
    let slides = slides::slides(&text, &|figure| fs::read(folder.join(figure)).ok())?;
    let written = fs::create_dir_all(file.parent().unwrap_or(Path::new("")))
        .and_then(|()| fs::write(file, slides::page(&slides)));
    written.map_err(|err| format!("{}: {err}", file.display()))?;
    say(&format!("{}: {} slides\n", file.display(), slides.len()))
}
