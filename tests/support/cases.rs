//! The programs of the chapters, with the expected results in their first lines.
//!
//! ```text
//! // 7 -> 14                    for the argument 7 the program returns 14, in every chapter
//! // 7 -> P { x=1 y=2 }         … it returns an object of struct P with these fields
//! // 7 -> never                 for the argument 7 it never ends
//! // until: ch14                from that chapter on its meaning changes
//! // error: Undefined name      this chapter refuses the program; later ones may not
//! // error always: Undefined    this chapter and all later ones reject it
//! // int: 64                    an `int` has 64 bits, and not 32
//! // show: sea --no-opt         the `.want` file beside it contains this stage
//! ```
use sonc::{Source, this_chapter};
use std::path::{Path, PathBuf};

pub struct Case {
    pub path: PathBuf,
    pub chapter: u32,
    pub source: Source,
    /// Arguments and results.
    pub results: Vec<(i64, String)>,
    /// Arguments for which the program is infinite.
    pub endless: Vec<i64>,
    /// Texts in the diagnostics of a rejected program.
    pub errors: Vec<String>,
    /// The stages in the `.want` file, with their options.
    pub shows: Vec<String>,
    /// The number of bits of an `int`.
    pub int: u32,
}

/// The cases of this chapter and of earlier ones that still hold, sorted by name.
pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let mut found: Vec<_> =
        files(&root).into_iter().flat_map(|it| files(&it.join("cases"))).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "smp"));
    let cases: Vec<_> = found.iter().filter_map(|path| case(path)).collect();
    assert!(!cases.is_empty(), "there are no cases in {}", root.display());
    cases
}

/// The programs in the other languages of this chapter and of earlier ones.
#[cfg(feature = "ch26")]
pub fn region_programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let is_here = |folder: &&PathBuf| {
        let name = folder.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        name.get(..2).and_then(|it| it.parse().ok()).is_some_and(|it: u32| it <= this_chapter())
    };
    let chapters = files(&root);
    let found = chapters.iter().filter(is_here).flat_map(|chapter| files(&chapter.join("cases")));
    let is_program = |it: &PathBuf| it.extension().is_some_and(|it| it == "rv" || it == "cfg");
    found.filter(is_program).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Parses a case; `None` if it belongs to a later chapter, or ended in an earlier one.
fn case(path: &Path) -> Option<Case> {
    let folder = path.parent()?.parent()?.file_name()?.to_str()?;
    let chapter: u32 = folder.get(..2)?.parse().ok()?;
    if chapter > this_chapter() {
        return None;
    }
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    Case::new(path.to_path_buf(), chapter, text)
}

/// A result as the program prints it.
fn printed(result: &str) -> String {
    let Some((name, fields)) = result.split_once(" {") else { return result.to_string() };
    let fields = fields.trim_end_matches('}').split_whitespace();
    let fields: String = fields.map(|field| format!("  {field}\n")).collect();
    format!("Obj<{name}> {{\n{fields}}}")
}

impl Case {
    /// A program of a chapter; `None` if it ended in an earlier one than this.
    pub fn new(path: PathBuf, chapter: u32, text: String) -> Option<Case> {
        let name = path.file_name()?.to_str()?.to_string();
        let mut case = Case {
            path,
            chapter,
            source: Source { name, text: text.clone() },
            results: Vec::new(),
            endless: Vec::new(),
            errors: Vec::new(),
            shows: Vec::new(),
            int: 32,
        };
        for line in text.lines() {
            let Some(expectation) = line.strip_prefix("// ") else { break };
            if !case.expectation(expectation) {
                return None;
            }
        }
        let results = case.results.len() + case.endless.len();
        let has_expectation = results > 0 || !case.errors.is_empty();
        assert!(has_expectation, "{} has neither a result nor an error", case.path.display());
        Some(case)
    }

    /// Parses a line of the head; false if it ends the case before this chapter.
    fn expectation(&mut self, line: &str) -> bool {
        let shown = self.path.display().to_string();
        if let Some(error) = line.strip_prefix("error: ") {
            self.errors.push(error.to_string());
            return self.chapter == this_chapter();
        } else if let Some(error) = line.strip_prefix("error always: ") {
            self.errors.push(error.to_string());
        } else if let Some(end) = line.strip_prefix("until: ch") {
            let end: u32 = end.get(..2).and_then(|it| it.parse().ok()).expect(&shown);
            return this_chapter() < end;
        } else if let Some(show) = line.strip_prefix("show: ") {
            self.shows.push(show.to_string());
        } else if let Some(width) = line.strip_prefix("int: ") {
            self.int = width.parse().expect(&shown);
        } else if let Some((argument, result)) = line.split_once(" -> ") {
            let argument = argument.parse().expect(&shown);
            match result {
                "never" => self.endless.push(argument),
                result => self.results.push((argument, printed(result))),
            }
        }
        true
    }
}
