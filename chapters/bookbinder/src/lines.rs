//! How many lines of a view a compilation runs through, and what stands beside them.
//!
//! A file is classified by its name and the names of its folders, the first fitting row of `KINDS`
//! deciding; what fits none is on the path of a compilation. Lines are those of the printed files,
//! comments and blank lines included, tests left out.
use crate::tree::Files;
use std::path::Path;

/// Lines of one view by their kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Lines {
    /// What a compilation runs through.
    pub path: usize,
    /// Printing, drawing, verifying and evaluating of what stands on the path.
    pub furniture: usize,
    /// What serves no compilation: the command line, the emulator, reports, pictures, proofs.
    pub tools: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Furniture,
    Tool,
}

/// Names of files and folders; `verify_flow` begins as `verify` does.
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
    fn files_are_told_apart_by_their_names() {
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
