//! The files of one chapter: those reachable through its `mod` lines, as views.
use crate::scan::Scan;
use crate::tag::tags;
use crate::token::Kind;
use crate::view::{Numbered, View};
use crate::{FileTagError, TagError, manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Texts by their paths below the root of the repository.
pub type Files = BTreeMap<PathBuf, String>;

/// The compiler: `src/lib.rs`, `src/main.rs` and the files reachable from them.
pub fn sources(root: &Path, view: View) -> Result<Files, FileTagError> {
    reach(root, view, ROOTS.map(PathBuf::from).to_vec())
}

/// The tests and the files reachable from them, except those that test the source and the book.
pub fn tests(root: &Path, view: View) -> Result<Files, FileTagError> {
    const OF_THE_SOURCE: &[&str] = &["book", "tidy", "chapters"];
    let mut roots = Vec::new();
    for entry in list(&root.join("tests")) {
        let name = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if OF_THE_SOURCE.contains(&name.as_str()) {
            continue;
        }
        let file = if entry.is_dir() { entry.join("main.rs") } else { entry };
        if file.extension().is_some_and(|it| it == "rs") && file.is_file() {
            roots.push(below(root, &file));
        }
    }
    reach(root, view, roots)
}

/// The files of the libraries that a chapter uses, and of their dependencies. Libraries have no
/// tags.
pub fn libraries(root: &Path, view: View) -> Result<Files, FileTagError> {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let mut pending = manifest::libraries(&manifest, view);
    let (mut seen, mut found) = (BTreeSet::new(), Files::new());
    while let Some(library) = pending.pop() {
        if !seen.insert(library.clone()) {
            continue;
        }
        for path in walk(&root.join(&library)) {
            let path = below(root, &path);
            let Ok(text) = fs::read_to_string(root.join(&path)) else { continue };
            if !path.starts_with(library.join("target")) {
                has_no_tag(&path, &text)?;
                found.insert(path, text);
            }
        }
        let manifest = found.get(&library.join("Cargo.toml")).map_or("", String::as_str);
        let lines: Vec<&str> = manifest.lines().collect();
        let linked = manifest::paths(&lines).into_iter().map(|it| normal(&library.join(it)));
        pending.extend(linked.filter(|it| it.starts_with("crates")));
    }
    Ok(found)
}

fn has_no_tag(path: &Path, text: &str) -> Result<(), FileTagError> {
    if path.extension().is_none_or(|it| it != "rs") {
        return Ok(());
    }
    let error = |error| FileTagError { path: path.to_path_buf(), error };
    let scan = Scan::new(text).map_err(error)?;
    match tags(&scan).map_err(error)?.first() {
        Some(tag) => {
            let reason = "a library has no tags".to_string();
            Err(error(TagError { line: tag.line, reason }))
        }
        None => Ok(()),
    }
}

/// The chapters that have a folder `chapters/NN-name`: number and path below the root.
pub fn chapters(root: &Path) -> Vec<(u32, PathBuf)> {
    let folders = list(&root.join("chapters")).into_iter().filter(|it| it.is_dir());
    folders.filter_map(|it| Some((chapter_number(&it)?, below(root, &it)))).collect()
}

fn chapter_number(folder: &Path) -> Option<u32> {
    let (digits, _) = folder.file_name()?.to_str()?.split_once('-')?;
    if digits.len() == 2 { digits.parse().ok() } else { None }
}

/// The sorted entries of a folder; empty if it does not exist.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    found.sort();
    found
}

/// All files below a folder, sorted.
pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(next) = pending.pop() {
        let (folders, files): (Vec<_>, Vec<_>) =
            list(&next).into_iter().partition(|it| it.is_dir());
        found.extend(files);
        pending.extend(folders);
    }
    found.sort();
    found
}

/// `path` without the prefix `root`.
pub fn below(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_path_buf()
}

/// The files `roots` and all that they include by `mod name;` or `include_str!("…")`.
fn reach(root: &Path, view: View, roots: Vec<PathBuf>) -> Result<Files, FileTagError> {
    let files = reach_numbered(root, view, roots)?.into_iter();
    let text = |lines: Numbered| lines.iter().flat_map(|(_, line)| [line, "\n"]).collect();
    Ok(files.map(|(path, lines)| (path, text(lines))).collect())
}

/// The compiler, with line numbers.
pub fn numbered(root: &Path, view: View) -> Result<BTreeMap<PathBuf, Numbered>, FileTagError> {
    reach_numbered(root, view, ROOTS.map(PathBuf::from).to_vec())
}

const ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];

fn reach_numbered(
    root: &Path,
    view: View,
    roots: Vec<PathBuf>,
) -> Result<BTreeMap<PathBuf, Numbered>, FileTagError> {
    let mut found = BTreeMap::new();
    let mut pending = roots.clone();
    while let Some(path) = pending.pop() {
        let Ok(text) = fs::read_to_string(root.join(&path)) else { continue };
        let error = |error| FileTagError { path: path.clone(), error };
        let Some(lines) = view.numbered(&path, &text).map_err(error)? else { continue };
        let names_files = |it: &str| it.contains("mod ") || it.contains("include");
        if path.extension().is_some_and(|it| it == "rs")
            && lines.iter().any(|it| names_files(&it.1))
        {
            let text: String = lines.iter().flat_map(|(_, line)| [line, "\n"]).collect();
            let scan = Scan::new(&text).map_err(error)?;
            let modules = modules(root, &path, roots.contains(&path), &scan);
            let named = modules.into_iter().chain(included(&path, &scan));
            pending.extend(named.filter(|it| !found.contains_key(it)));
        }
        found.insert(path, lines);
    }
    Ok(found)
}

/// The files of the modules that `path` declares.
fn modules(root: &Path, path: &Path, is_root: bool, scan: &Scan) -> Vec<PathBuf> {
    let beside = path.parent().unwrap_or(Path::new(""));
    let owns_folder = is_root || path.ends_with("mod.rs");
    let folder = if owns_folder { beside.to_path_buf() } else { path.with_extension("") };
    let mut found = Vec::new();
    for at in 0..scan.code.len() {
        if scan.text(at) == "mod" && scan.is_word(at + 1) && scan.text(at + 2) == ";" {
            let name = scan.text(at + 1);
            let usual = folder.join(format!("{name}.rs"));
            let in_folder = folder.join(name).join("mod.rs");
            found.push(match path_attribute(scan, at) {
                Some(named) => normal(&beside.join(named)),
                None if root.join(&usual).is_file() => usual,
                None => in_folder,
            });
        }
    }
    found
}

/// The file of `#[path = "…"]` directly above the module at `at`.
fn path_attribute<'a>(scan: &Scan<'a>, at: usize) -> Option<&'a str> {
    let first = if at > 0 && scan.text(at - 1) == "pub" { at - 1 } else { at };
    let hash = first.checked_sub(6)?;
    let named = scan.reads(hash, &["#", "[", "path", "="]);
    named.then(|| scan.text(hash + 4).trim_matches('"'))
}

/// The files that `path` includes as texts.
fn included(path: &Path, scan: &Scan) -> Vec<PathBuf> {
    const MACROS: &[&str] = &["include", "include_str", "include_bytes"];
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = (0..scan.code.len()).filter_map(|at| {
        let includes = MACROS.contains(&scan.text(at)) && scan.reads(at + 1, &["!", "("]);
        let name = scan.code.get(at + 3).filter(|it| includes && it.kind == Kind::Literal)?;
        Some(normal(&folder.join(name.text.trim_matches('"'))))
    });
    names.collect()
}

/// The path without `a/..` in it.
pub fn normal(path: &Path) -> PathBuf {
    let mut parts: Vec<Component> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.iter().collect()
}
