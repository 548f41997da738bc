//! Diagnostics: what can be wrong with an input, one row a code.
use crate::base::span::Span;

/// One complaint about one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diag {
    pub code: Code,
    pub span: Span,
    /// The first line of the report.
    pub message: String,
    /// What the place is, said beside the underlined text.
    pub label: String,
    pub help: Option<String>,
}

/// What kind of complaint it is; `sonc`'s reports show it as E01, E02, …
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    Syntax,
}
