//! Faults of a view: code that only the tags explain, and that an author of just this chapter would
//! not write.
//!
//! rustc's lints find unused functions, types and variants. This finds what they miss: tables
//! without rows and loops over them, tables of one function, a `match` with equal arms, unused
//! parameters and fields. Names are compared, not resolved, so shared names hide faults.
mod matches;
mod names;
mod tables;

use crate::FileTagError;
use crate::scan::Scan;
use crate::tree::numbered;
use crate::view::View;
use std::fmt;
use std::path::{Path, PathBuf};

/// A fault and its position in the source; the line counts from 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fault {
    pub path: PathBuf,
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path.display(), self.line + 1, self.reason)
    }
}

/// The faults of a chapter's compiler, in the order of its files.
pub fn faults(root: &Path, chapter: u32) -> Result<Vec<Fault>, FileTagError> {
    let mut texts = Vec::new();
    for (path, lines) in numbered(root, View::without_tests(chapter))? {
        if path.extension().is_some_and(|it| it == "rs") {
            let (numbers, lines): (Vec<usize>, Vec<String>) = lines.into_iter().unzip();
            texts.push((path, numbers, lines.join("\n")));
        }
    }
    let mut scans = Vec::new();
    for (path, numbers, text) in &texts {
        let error = |error| FileTagError { path: path.clone(), error };
        scans.push((path, numbers, Scan::new(text).map_err(error)?));
    }
    let views: Vec<&Scan> = scans.iter().map(|it| &it.2).collect();
    let found = of_texts(&views).into_iter().map(|(file, at, reason)| {
        let (path, numbers, scan) = &scans[file];
        Fault { path: path.to_path_buf(), line: numbers[scan.line(at)], reason }
    });
    let mut found: Vec<Fault> = found.collect();
    found.sort();
    found.dedup();
    Ok(found)
}

/// The faults of one crate: the file, the token, the reason.
type Found = Vec<(usize, usize, String)>;

fn of_texts(files: &[&Scan]) -> Found {
    let mut found = Found::new();
    let tables = tables::Tables::of(files);
    let names = names::Names::of(files);
    for (file, scan) in files.iter().enumerate() {
        let all = [
            tables.faults(scan),
            matches::faults(scan),
            names.parameters(scan),
            names.fields(scan),
        ];
        found.extend(all.concat().into_iter().map(|(at, reason)| (file, at, reason)));
    }
    found
}

/// A token and the reason of a fault.
type TokenFault = (usize, String);

#[cfg(test)]
mod tests {
    use super::*;

    /// Each expected fault is a part of a reason.
    #[track_caller]
    pub fn check(text: &str, expected: &[&str]) {
        let scan = Scan::new(text).expect("matched brackets");
        let found: Vec<String> = of_texts(&[&scan]).into_iter().map(|it| it.2).collect();
        let fits = found.len() == expected.len();
        assert!(
            fits && found.iter().zip(expected).all(|(found, part)| found.contains(part)),
            "{text}: {found:?}"
        );
    }

    #[test]
    fn a_name_in_another_file_counts() {
        let texts = ["const A: &[fn()] = &[];", "fn f() { for a in A { a() } }"];
        let scans = texts.map(|it| Scan::new(it).expect("matched brackets"));
        let found = of_texts(&[&scans[0], &scans[1]]);
        let places: Vec<_> = found.iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(places, [(0, 1), (1, 8)]);
    }
}
