//! `cargo chapter check`: every chapter compiles, passes its tests, matches its text, and equals
//! the crate it prints.
//!
//! If the printed crate has changed since the last commit on main, all tests run in that crate, and
//! its compiler must print the same as that of the tagged source, for every case up to chapter N.
//! At the last chapter `cargo test` runs these tests in the tagged source, so here only the outputs
//! of the printed crate are compared. If the crate has not changed, only the cases and the rules
//! are tested, in the tagged source. In all of them, warnings of rustc are errors, and the compiler
//! that was tested is used for the text, the figures and the solutions of the exercises.
//!
//! Before the last chapter the tests try their usual number of generated inputs, even if `PROGRAMS`
//! demands more: the programs of the last chapter have all statements of the earlier ones.
use crate::base::Base;
use crate::build::{self, Build};
use crate::compare::compare;
use crate::solutions::Solutions;
use bookbinder::export_crate::{self, Print};
use bookbinder::lesson::{self, Lesson};
use bookbinder::{fault, tree};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use std::{env, fs, thread};

/// The number of chapters checked at a time: while one is built, another one's tests run.
const MAX_PARALLEL: usize = 2;

/// Checks the chapters and prints a row for each when it is done, the last ones first: they take
/// longest. `all` runs all tests of all of them.
pub fn check(root: &Path, chapters: &[u32], all: bool) -> ExitCode {
    let base = if all { Base::None } else { Base::find(root) };
    println!("{}", if all { "all chapters are tested".to_string() } else { base.title() });
    println!("{:<24} {:>6} {:>6} {:>8}  result", "chapter", "lines", "code", "seconds");
    let last = tree::chapters(root).iter().map(|it| it.0).max();
    let updates = env::var_os("UPDATE_EXPECT").is_some();
    let scope = |it: u32| match () {
        () if all => Scope::Crate,
        () if updates => Scope::Cases,
        () if last == Some(it) => Scope::Outputs,
        () if base.differs(root, it) => Scope::Crate,
        () => Scope::Cases,
    };
    // Results of cases must not be read while another chapter writes them.
    let together = if updates && !all { 1 } else { MAX_PARALLEL };
    let (left, failed) = (Mutex::new(chapters.to_vec()), Mutex::new(Vec::new()));
    let building = Mutex::new(());
    let next = || left.lock().ok()?.pop();
    thread::scope(|threads| {
        for _ in 0..together {
            threads.spawn(|| {
                while let Some(chapter) = next() {
                    let check = Check { root, chapter, scope: scope(chapter), building: &building };
                    if !check.passes() {
                        failed.lock().expect("no thread panics").push(chapter);
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().expect("no thread panics");
    failed.sort_unstable();
    match failed[..] {
        [] => ExitCode::SUCCESS,
        _ => {
            println!("failed: {failed:?}");
            ExitCode::FAILURE
        }
    }
}

/// The extent of the check of a chapter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The tests of the cases and the rules, in the tagged source.
    Cases,
    /// The printed crate compiles with its tests, and its compiler prints the same.
    Outputs,
    /// The same, and all its tests pass.
    Crate,
}

/// The check of one chapter.
struct Check<'a> {
    root: &'a Path,
    chapter: u32,
    scope: Scope,
    /// Locked during a build: all chapters share one folder.
    building: &'a Mutex<()>,
}

struct Sound {
    lines: usize,
    code: usize,
    summary: String,
}

impl Check<'_> {
    /// Checks the chapter and prints its row.
    fn passes(&self) -> bool {
        let start = Instant::now();
        let result = self.run();
        let passes = result.is_ok();
        let seconds = start.elapsed().as_secs_f64();
        let (lines, code) = match &result {
            Ok(sound) => (sound.lines.to_string(), sound.code.to_string()),
            Err(_) => ("-".to_string(), "-".to_string()),
        };
        let result = result.map_or_else(|reason| format!("FAILED\n{reason}"), |it| it.summary);
        let title = title(self.root, self.chapter);
        println!("{title:<24} {lines:>6} {code:>6} {seconds:>8.1}  {result}");
        passes
    }

    /// All checks; `Err` with the output of the first one that failed.
    fn run(&self) -> Result<Sound, String> {
        reject_faults(self.root, self.chapter)?;
        let printed = export_crate::export(self.root, Print::checked(self.chapter))?;
        if let Some(warning) = printed.warning {
            return Err(warning);
        }
        names_no_chapter(&printed.folder)?;

        let tags = Build::tags(self.root, self.chapter);
        let (compiler, mut summary) = match self.scope {
            Scope::Cases => self.test_tagged(&tags)?,
            Scope::Outputs => self.compare_printed(&tags, &printed.folder)?,
            Scope::Crate => self.test_printed(&tags, &printed.folder)?,
        };
        let lesson = Lesson { root: self.root, chapter: self.chapter, compiler: &compiler };
        let errors = lesson.check();
        if !errors.is_empty() {
            return Err(errors.join("\n"));
        }
        if let Some(solutions) = self.solutions() {
            // Commands in a shell may build, too.
            let count = self.alone(|| {
                let changed = solutions.changed_compilers(&tags)?;
                solutions.check(&tags, &compiler, &changed)
            })?;
            summary += &format!(", {count} commands of solutions");
        }
        Ok(Sound { lines: printed.lines, code: printed.code, summary })
    }

    /// Runs all tests of the printed crate, and compares its compiler with that of the tagged
    /// source. Returns the compiler of the printed crate.
    fn test_printed(&self, tags: &Build, folder: &Path) -> Result<(PathBuf, String), String> {
        let printed = tags.crate_in(folder);
        let (tests, theirs, ours) = self.alone(|| {
            let tests = printed.tests(&[])?;
            let theirs = printed.keep(&format!("printed-{:02}", self.chapter))?;
            Ok((tests, theirs, tags.compiler(&format!("sonc-{:02}", self.chapter))?))
        })?;
        let passed = self.run_tests(&tests, folder, &theirs)?;
        let outputs = compare(self.root, self.chapter, [&ours, &theirs])?;
        Ok((theirs, format!("ok: {passed} tests of the crate, {outputs} outputs alike")))
    }

    /// Compiles the printed crate, and compares its compiler with that of the tagged source.
    /// Returns the compiler of the printed crate.
    fn compare_printed(&self, tags: &Build, folder: &Path) -> Result<(PathBuf, String), String> {
        let printed = tags.crate_in(folder);
        let [theirs, ours] = self.alone(|| {
            printed.strict("check", &["--all-targets"])?;
            let theirs = printed.compiler(&format!("printed-{:02}", self.chapter))?;
            Ok([theirs, tags.compiler(&format!("sonc-{:02}", self.chapter))?])
        })?;
        let outputs = compare(self.root, self.chapter, [&ours, &theirs])?;
        Ok((theirs, format!("ok: {outputs} outputs alike; `cargo test` runs the tests")))
    }

    /// Runs the tests of cases and rules in the tagged source. Returns its compiler.
    fn test_tagged(&self, tags: &Build) -> Result<(PathBuf, String), String> {
        let (tests, compiler) = self.alone(|| {
            tags.strict("check", &["--all-targets"])?;
            let tests = tags.tests(&["cases", "rules"])?;
            Ok((tests, tags.keep(&format!("sonc-{:02}", self.chapter))?))
        })?;
        let passed = self.run_tests(&tests, self.root, &compiler)?;
        Ok((compiler, format!("ok: {passed} tests")))
    }

    /// Runs tests of the package in `folder`. Returns the number of those that passed.
    fn run_tests(&self, tests: &[PathBuf], folder: &Path, compiler: &Path) -> Result<u32, String> {
        let is_early = !lesson::is_last(self.root, self.chapter);
        let mut count = 0;
        for test in tests {
            let mut command = Command::new(self.root.join(test));
            // Cargo would set the folder; ours is that of another package.
            command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder).env("SONC", compiler);
            if self.scope == Scope::Crate {
                // A printed crate is a copy.
                command.env_remove("UPDATE_EXPECT");
            }
            if is_early {
                command.env_remove("PROGRAMS");
            }
            count += passed(&build::run(&mut command)?);
        }
        Ok(count)
    }

    fn solutions(&self) -> Option<Solutions<'_>> {
        let folder = tree::chapters(self.root).into_iter().find(|it| it.0 == self.chapter)?.1;
        Solutions::of(self.root, self.chapter, &folder)
    }

    /// Runs `act` while no other chapter builds.
    fn alone<T>(&self, act: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        let _guard = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        act()
    }
}

fn title(root: &Path, chapter: u32) -> String {
    let folder = tree::chapters(root).into_iter().find(|it| it.0 == chapter);
    let name = folder.and_then(|(_, it)| Some(it.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or(format!("{chapter:02}"))
}

/// Fails if the chapter has code that only the tags explain.
fn reject_faults(root: &Path, chapter: u32) -> Result<(), String> {
    let found = fault::faults(root, chapter).map_err(|error| error.to_string())?;
    match found.is_empty() {
        true => Ok(()),
        false => Err(found.iter().map(|it| format!("{it}\n")).collect()),
    }
}

/// The number of tests in the output of `cargo test`.
fn passed(output: &str) -> u32 {
    let results = output.lines().filter_map(|it| it.strip_prefix("test result: ok. "));
    results.filter_map(|it| it.split(' ').next()?.parse::<u32>().ok()).sum()
}

/// Whether no trace of tags is left in a printed crate.
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
