//! Diagnostics: what can be wrong with an input, one row a code.
use source::Span;

/// One complaint about one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub span: Span,
    /// The first line of the report.
    pub message: String,
    /// What is wrong, said beside the underlined place.
    pub label: String,
    pub help: Option<String>,
}

/// What kind of complaint it is; reports show it as E01, E02, …
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// A word stands where the grammar has another.
    Syntax = 1,
    /// A number that the language cannot hold, or that is written in a misleading way.
    Number = 2,
    /// Parentheses, signs or blocks nested beyond all reason.
    Nesting = 3,
    /// A name nobody declared, or one declared twice.
    #[cfg(feature = "ch03")]
    Name = 4,
    /// A rule of the machine that makes no sense.
    Rule = 5,
    /// A program that no rule covers.
    Cover = 6,
    /// An instance of PBQP that cannot be read or solved.
    #[cfg(feature = "ch04")]
    Instance = 7,
    /// A jump out of a loop where there is none.
    #[cfg(feature = "ch08")]
    Jump = 8,
    /// A graph in a file that cannot be read.
    #[cfg(feature = "ch25")]
    Graph = 9,
}

impl Diagnostic {
    pub fn new(
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { code, span, message: message.into(), label: label.into(), help: None }
    }

    pub fn with_help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}

/// The candidate most like `name`, if one is like it enough to have been meant.
pub fn closest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > MAX_NAME_LENGTH {
        return None;
    }
    let measured = candidates.map(|candidate| (edit_distance(name, candidate), candidate));
    let (distance, closest) = measured.min_by_key(|&(distance, _)| distance)?;
    let limit = name.len().max(3) / 3;
    (distance <= limit && closest != name).then_some(closest)
}

/// Nobody mistypes a name of this length; comparing it would take long.
const MAX_NAME_LENGTH: usize = 40;

/// How many letters must be added, removed or changed to make `b` of `a` (V. Levenshtein, 1965).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (above, letter) in a.chars().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for at in 0..b.len() {
            let changed = diagonal + usize::from(letter != b[at]);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
#[path = "tests/diagnostics.rs"]
mod tests;
