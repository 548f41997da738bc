//! `cargo chapter check`: every chapter builds, passes its tests, and is the crate it ejects.
//!
//! At chapter N rustc's lints, made errors, prove that it holds nothing it does not use. The
//! crate that `eject` writes has to build as well, with its tests, and its compiler has to print
//! the same as the one that rustc makes of the tags, for every case up to chapter N. Its tests are
//! those that the tags leave, so they are run again for the last of the chapters only, unless all
//! are wanted.
use crate::build::Build;
use crate::compare::compare;
use bookbinder::{eject, tree};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;
use std::{env, fs, thread};

/// So many chapters are checked at a time: cargo alone leaves cores idle, most of all in tests.
const TOGETHER: usize = 2;

/// Checks the chapters and prints a row for each when it is done, the last ones first: they take
/// longest. All crates are tested if they are to be tested `alone`, too.
pub fn check(root: &Path, chapters: &[u32], alone: bool) -> ExitCode {
    println!("{:<24} {:>6} {:>6} {:>8}  result", "chapter", "lines", "code", "seconds");
    // Nobody reads a text while another chapter writes it.
    let together = if env::var_os("UPDATE_EXPECT").is_some() { 1 } else { TOGETHER };
    let (left, failed) = (Mutex::new(chapters.to_vec()), Mutex::new(Vec::new()));
    let next = || left.lock().ok()?.pop();
    thread::scope(|scope| {
        for number in 0..together {
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                while let Some(chapter) = next() {
                    let alone = alone || chapters.last() == Some(&chapter);
                    if !is_sound(root, &Build::tags(root, chapter, number), chapter, alone) {
                        failed.lock().expect("nobody panics").push(chapter);
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().expect("nobody panics");
    failed.sort_unstable();
    match failed[..] {
        [] => ExitCode::SUCCESS,
        _ => {
            println!("failed: {failed:?}");
            ExitCode::FAILURE
        }
    }
}

/// Checks a chapter and prints its row.
fn is_sound(root: &Path, tags: &Build, chapter: u32, alone: bool) -> bool {
    let start = Instant::now();
    let result = chapter_is_sound(root, tags, chapter, alone);
    let is_sound = result.is_ok();
    let seconds = start.elapsed().as_secs_f64();
    let (lines, code) = match &result {
        Ok(sound) => (sound.lines.to_string(), sound.code.to_string()),
        Err(_) => ("-".to_string(), "-".to_string()),
    };
    let result = result.map_or_else(|reason| format!("FAILED\n{reason}"), |it| it.summary);
    println!("{:<24} {lines:>6} {code:>6} {seconds:>8.1}  {result}", title(root, chapter));
    is_sound
}

fn title(root: &Path, chapter: u32) -> String {
    let folder = tree::chapters(root).into_iter().find(|it| it.0 == chapter);
    let name = folder.and_then(|(_, it)| Some(it.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or(format!("{chapter:02}"))
}

struct Sound {
    lines: usize,
    code: usize,
    summary: String,
}

/// Everything that has to hold for one chapter, or the output of the first step that failed.
fn chapter_is_sound(root: &Path, tags: &Build, chapter: u32, alone: bool) -> Result<Sound, String> {
    tags.strict("build", &["--all-targets"], false)?;
    let tested = tags.strict("test", &[], true)?;
    let of_tags = tags.target.join("of-tags");
    fs::copy(tags.binary(), &of_tags).map_err(|err| format!("{}: {err}", of_tags.display()))?;

    let ejected = eject::eject(root, chapter)?;
    if let Some(warning) = ejected.warning {
        return Err(warning);
    }
    names_no_chapter(&ejected.folder)?;
    let printed = tags.crate_in(&ejected.folder, !alone);
    printed.strict("build", &["--all-targets"], false)?;
    let mut summary = format!("ok: {} tests, ", passed(&tested));
    if alone {
        summary += &format!("{} alone, ", passed(&printed.strict("test", &[], false)?));
    }
    let outputs = compare(root, chapter, [&of_tags, &printed.binary()])?;
    summary += &format!("{outputs} outputs alike");
    Ok(Sound { lines: ejected.lines, code: ejected.code, summary })
}

/// How many tests a run of `cargo test` reports.
fn passed(said: &str) -> u32 {
    let results = said.lines().filter_map(|it| it.strip_prefix("test result: ok. "));
    results.filter_map(|it| it.split(' ').next()?.parse::<u32>().ok()).sum()
}

/// No trace of tags is left in an ejected crate.
fn names_no_chapter(folder: &Path) -> Result<(), String> {
    for path in ["src", "tests"].iter().flat_map(|it| tree::walk(&folder.join(it))) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let named = text.lines().position(|it| {
            it.contains("feature = \"ch") || it.trim_start().starts_with("@ch") //
        });
        if let Some(line) = named {
            return Err(format!("{}:{}: a tag is left", path.display(), line + 1));
        }
    }
    Ok(())
}
