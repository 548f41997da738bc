//! `cargo chapter check`: every chapter builds, passes its tests, and is the crate it ejects.
//!
//! At chapter N rustc's lints, made errors, prove that it holds nothing it does not use. The
//! crate that `eject` writes has to build and pass as well, and its compiler has to print the
//! same as the one that rustc makes of the tags, for every case up to chapter N.
use crate::build::Build;
use crate::compare::compare;
use bookbinder::{eject, tree};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Checks the chapters one by one and prints a row for each.
pub fn check(root: &Path, chapters: &[u32]) -> ExitCode {
    println!("{:<24} {:>6} {:>6} {:>8}  result", "chapter", "lines", "code", "seconds");
    let mut failed = Vec::new();
    for &chapter in chapters {
        let start = Instant::now();
        let result = chapter_is_sound(root, chapter);
        let (lines, code) = match &result {
            Ok(sound) => (sound.lines.to_string(), sound.code.to_string()),
            Err(_) => ("-".to_string(), "-".to_string()),
        };
        let name = title(root, chapter);
        let seconds = start.elapsed().as_secs_f64();
        let result = result.map(|it| it.summary).unwrap_or_else(|reason| {
            failed.push(chapter);
            format!("FAILED\n{reason}")
        });
        println!("{name:<24} {lines:>6} {code:>6} {seconds:>8.1}  {result}");
    }
    match failed[..] {
        [] => ExitCode::SUCCESS,
        _ => {
            println!("failed: {failed:?}");
            ExitCode::FAILURE
        }
    }
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
fn chapter_is_sound(root: &Path, chapter: u32) -> Result<Sound, String> {
    let tags = Build::tags(root, chapter);
    tags.strict("build", &["--all-targets"], false)?;
    let tested = tags.strict("test", &[], true)?;
    let of_tags = root.join("target/chapters/build/of-tags");
    fs::copy(tags.binary(), &of_tags).map_err(|err| format!("{}: {err}", of_tags.display()))?;

    let ejected = eject::eject(root, chapter)?;
    if let Some(warning) = ejected.warning {
        return Err(warning);
    }
    names_no_chapter(&ejected.folder)?;
    let alone = Build::crate_in(root, &ejected.folder);
    alone.strict("build", &["--all-targets"], false)?;
    let tested_alone = alone.strict("test", &[], false)?;
    let outputs = compare(root, chapter, [&of_tags, &alone.binary()])?;

    let (tests, tests_alone) = (passed(&tested), passed(&tested_alone));
    let summary = format!("ok: {tests} tests, {tests_alone} alone, {outputs} outputs alike");
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
