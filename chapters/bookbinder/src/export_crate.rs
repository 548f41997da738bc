//! Writes a chapter as a separate crate, below `target/chapters/`.
use crate::imports::merged;
use crate::manifest;
use crate::token::{Kind, tokens};
use crate::tree::{Files, below, chapters, libraries, list, sources, tests, walk};
use crate::view::View;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// A written crate: its path and size, and a warning if there is one.
#[derive(Debug)]
pub struct Exported {
    pub folder: PathBuf,
    /// The files as they were written.
    pub files: Files,
    /// The lines of all files in `src/`.
    pub lines: usize,
    /// Those that are neither blank nor a comment.
    pub code: usize,
    pub warning: Option<String>,
}

/// The crate to print, and its folder.
#[derive(Clone, Copy, Debug)]
pub struct Print {
    pub chapter: u32,
    pub tests: bool,
    /// Whether libraries are copied into the crate, so that it is independent.
    pub whole: bool,
    /// The folder of such crates, below the repository.
    pub folder: &'static str,
}

impl Print {
    /// A crate to read.
    pub fn new(chapter: u32) -> Print {
        Print { chapter, tests: false, whole: false, folder: "target/chapters" }
    }

    /// A crate to check, with its tests; its folder differs from that of a crate to read.
    pub fn checked(chapter: u32) -> Print {
        Print { chapter, tests: true, whole: false, folder: "target/chapters/checked" }
    }

    fn view(self) -> View {
        View { chapter: self.chapter, tests: self.tests }
    }

    /// The relative path from the crate to the folder of its libraries.
    fn up(self) -> String {
        let depth = Path::new(self.folder).components().count() + 1;
        if self.whole { String::new() } else { "../".repeat(depth) }
    }
}

/// Writes the crate of a chapter. Only files that differ are written, so that a later build is
/// incremental.
pub fn export(root: &Path, print: Print) -> Result<Exported, String> {
    let place = root.join(print.folder);
    let folder = place.join(format!("{:02}", print.chapter));
    let staging = place.join(format!(".staging/{:02}", print.chapter));
    let (files, warning) = printed(root, print, &staging)?;
    let named = |err: io::Error| format!("{}: {err}", folder.display());
    let kept = files.keys().cloned().collect();
    remove_others(&folder, &kept).map_err(named)?;
    for (path, text) in &files {
        write_if_changed(&folder.join(path), text).map_err(named)?;
    }
    copy_lock(root, &folder).map_err(named)?;
    let src = files.iter().filter(|(path, _)| path.starts_with("src"));
    let counts: Vec<(usize, usize)> = src.map(|(path, text)| count(path, text)).collect();
    let lines = counts.iter().map(|it| it.0).sum();
    let code = counts.iter().map(|it| it.1).sum();
    Ok(Exported { folder, files, lines, code, warning })
}

/// The formatted texts of a crate, and a warning if there is one. rustfmt works in the folder
/// `staging`.
pub fn printed(
    root: &Path,
    print: Print,
    staging: &Path,
) -> Result<(Files, Option<String>), String> {
    let mut files = crate_files(root, print)?;
    for (_, text) in files.iter_mut().filter(|(path, _)| is_rust(path)) {
        *text = merged(text);
    }
    let warning = format(staging, &mut files);
    let warning = warning.map_err(|err| format!("{}: {err}", staging.display()))?;
    Ok((files, warning))
}

/// The texts of a chapter's crate with its tests, before rustfmt.
pub fn texts(root: &Path, chapter: u32) -> Result<Files, String> {
    crate_files(root, Print::checked(chapter))
}

/// All files of the crate except its lock file.
fn crate_files(root: &Path, print: Print) -> Result<Files, String> {
    let (chapter, view) = (print.chapter, print.view());
    let mut files = sources(root, view).map_err(|it| it.to_string())?;
    if print.tests {
        files.append(&mut tests(root, view).map_err(|it| it.to_string())?);
    }
    if print.whole {
        files.append(&mut libraries(root, view).map_err(|it| it.to_string())?);
    }
    let cargo = fs::read_to_string(root.join("Cargo.toml")).map_err(|err| err.to_string())?;
    files.insert("Cargo.toml".into(), manifest::view(&cargo, view, &print.up()));
    files.insert("README.md".into(), readme(print));
    if let Ok(text) = fs::read_to_string(root.join("rustfmt.toml")) {
        files.insert("rustfmt.toml".into(), text);
    }
    for (number, folder) in chapters(root) {
        for part in PARTS.iter().filter(|_| number <= chapter) {
            add_cases(root, &root.join(&folder).join(part), view, &mut files)?;
        }
    }
    Ok(files)
}

/// Cases, and other files that tests read in the folders of chapters.
const PARTS: [&str; 2] = ["cases", "rules"];

fn add_cases(root: &Path, cases: &Path, view: View, files: &mut Files) -> Result<(), String> {
    for path in walk(cases) {
        let text = fs::read_to_string(&path).map_err(|err| format!("{}: {err}", path.display()))?;
        let text = view.file(&path, &text).map_err(|error| error.to_string())?;
        files.extend(text.map(|text| (below(root, &path), text)));
    }
    Ok(())
}

fn readme(print: Print) -> String {
    let chapter = print.chapter;
    let test = if print.tests { "    cargo test\n" } else { "" };
    format!(
        "The compiler of chapter {chapter}, and nothing else. `cargo chapter {chapter}` printed \
         it from the one\nsource that holds all chapters; change it there, not here.\n\n{test}    \
         cargo run -- --help\n"
    )
}

/// Runs rustfmt to close the gaps of removed lines. Returns a warning if that fails.
fn format(staging: &Path, files: &mut Files) -> io::Result<Option<String>> {
    // A file that an ended process has left could be a second file of a module.
    if staging.exists() {
        fs::remove_dir_all(staging)?;
    }
    for (path, text) in files.iter() {
        write_if_changed(&staging.join(path), text)?;
    }
    let is_root = |path: &Path| path.components().count() == 2 || path.ends_with("main.rs");
    let roots = files.keys().filter(|it| is_rust(it) && is_root(it)).map(|it| staging.join(it));
    let mut command = Command::new(rustfmt());
    let output = match command.args(["--edition", "2024"]).args(roots).output() {
        Ok(output) => output,
        Err(err) => return Ok(Some(format!("not formatted: cannot run rustfmt: {err}"))),
    };
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        return Ok(Some(format!("not formatted: rustfmt reports:\n{reason}")));
    }
    for (path, text) in files.iter_mut().filter(|(path, _)| is_rust(path)) {
        *text = fs::read_to_string(staging.join(path))?;
    }
    Ok(None)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "rs")
}

/// rustfmt is in the folder of the running cargo.
fn rustfmt() -> PathBuf {
    let cargo = env::var_os("CARGO").map(PathBuf::from);
    let beside = cargo.map(|it| it.with_file_name("rustfmt")).filter(|it| it.is_file());
    beside.unwrap_or_else(|| "rustfmt".into())
}

fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    fs::write(path, text)
}

/// Removes files of an earlier run that this chapter does not have.
fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> io::Result<()> {
    for owned in ["src", "tests", "chapters", "crates"] {
        for path in walk(&folder.join(owned)) {
            if !kept.contains(&below(folder, &path)) {
                fs::remove_file(&path)?;
                remove_empty_folders(path.parent(), folder);
            }
        }
    }
    Ok(())
}

fn remove_empty_folders(from: Option<&Path>, top: &Path) {
    let mut next = from;
    while let Some(folder) = next.filter(|it| *it != top && list(it).is_empty()) {
        if fs::remove_dir(folder).is_err() {
            return;
        }
        next = folder.parent();
    }
}

/// The lock file of the repository fixes the versions here, too. Cargo then removes unused packages
/// from it, so it is only copied into a new crate.
fn copy_lock(root: &Path, folder: &Path) -> io::Result<()> {
    let (from, to) = (root.join("Cargo.lock"), folder.join("Cargo.lock"));
    let changed = |path: &Path| path.metadata().and_then(|it| it.modified());
    let Ok(theirs) = changed(&from) else { return Ok(()) };
    if changed(&to).is_ok_and(|ours| theirs <= ours) {
        return Ok(());
    }
    fs::copy(from, to).map(drop)
}

/// The lines, and those with more than a comment.
fn count(path: &Path, text: &str) -> (usize, usize) {
    let lines = text.lines().count();
    if path.extension().is_some_and(|it| it == "rs") {
        let code = tokens(text).unwrap_or_default().into_iter();
        let code = code.filter(|it| it.kind != Kind::Comment);
        let covered: BTreeSet<usize> = code.flat_map(|it| it.line..=it.last_line).collect();
        return (lines, covered.len());
    }
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with(['#']);
    (lines, text.lines().filter(is_code).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_not_code() {
        let text = "//! A.\n\nfn f() { // b\n    \"c\n\n\"\n}\n";
        assert_eq!(count(Path::new("a.rs"), text), (7, 5));
        assert_eq!(count(Path::new("a.rules"), "# a\n\nrule b: c\n"), (3, 1));
    }
}
