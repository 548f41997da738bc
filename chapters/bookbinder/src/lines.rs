//! Counts the lines of a view that a compilation executes, and the other ones.
//!
//! A file is classified by its name and the names of its folders: the first matching row of `KINDS`
//! decides; without one, it is on the path of a compilation. The counted lines are those of the
//! printed files with comments and blank lines, without tests.
use crate::tree::Files;
use std::path::Path;

/// The numbers of lines of one view, by kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Code that a compilation executes.
    pub path: usize,
    /// Printing, drawing, verifying and evaluating the representations on the path.
    pub furniture: usize,
    /// Code that no compilation needs: the command line, the emulator, reports, pictures,
    /// validation.
    pub tools: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Furniture,
    Tool,
}

/// Names of files and folders; a name is matched up to its first `_`.
const KINDS: &[(&str, Kind)] = &[
    ("print", Kind::Furniture),
    ("dot", Kind::Furniture),
    ("verify", Kind::Furniture),
    ("eval", Kind::Furniture),
    ("main", Kind::Tool),
    ("emulate", Kind::Tool),
    ("report", Kind::Tool),
    ("picture", Kind::Tool),
    ("rule_validation", Kind::Tool),
    ("generate", Kind::Tool),
    ("case", Kind::Tool),
];

impl Lines {
    /// The files of `src/` count.
    pub fn of(files: &Files) -> Lines {
        let mut lines = Lines::default();
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with("src")) {
            let counted = match kind(path) {
                None => &mut lines.path,
                Some(Kind::Furniture) => &mut lines.furniture,
                Some(Kind::Tool) => &mut lines.tools,
            };
            *counted += text.lines().count();
        }
        lines
    }

    pub fn total(self) -> usize {
        self.path + self.furniture + self.tools
    }
}

fn kind(path: &Path) -> Option<Kind> {
    let words: Vec<String> = path.with_extension("").iter().map(word).collect();
    let fits = |name: &str| words.iter().any(|it| it == name);
    KINDS.iter().find(|(name, _)| fits(name)).map(|it| it.1)
}

/// The name up to its first `_`.
fn word(name: &std::ffi::OsStr) -> String {
    let name = name.to_string_lossy();
    name.split('_').next().unwrap_or("").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_classified_by_name() {
        let file = |(path, lines): (&str, usize)| (path.into(), "x\n".repeat(lines));
        let files = [
            ("src/sea/op.rs", 1),
            ("src/printer.rs", 2),
            ("src/sea/print.rs", 10),
            ("src/firm/verify_flow.rs", 20),
            ("src/ia32/eval/mod.rs", 30),
            ("src/emulate/dot.rs", 40),
            ("src/main.rs", 100),
            ("src/main/files.rs", 200),
            ("tests/cases.rs", 1000),
        ];
        let lines = Lines::of(&files.map(file).into_iter().collect());
        assert_eq!(lines, Lines { path: 3, furniture: 100, tools: 300 });
        assert_eq!(lines.total(), 403);
    }
}
