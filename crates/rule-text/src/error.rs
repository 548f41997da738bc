//! Errors of rule files.
use source::Span;
use std::fmt;

/// An error at one position of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The text that it is about.
    pub span: Span,
    /// The error.
    pub message: String,
    /// A text about the span: the expected tokens, a reason.
    pub label: String,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A token that the grammar does not allow here.
    Syntax,
    /// Parentheses that nest too deep.
    Nesting,
    /// A rule without a name of its own or without a valid cost, or no rule at all.
    Rule,
}

impl Error {
    /// An error of the kind [`ErrorKind::Rule`].
    pub fn rule(span: Span, message: impl Into<String>, label: impl Into<String>) -> Error {
        Error { kind: ErrorKind::Rule, span, message: message.into(), label: label.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: {}", self.message, self.label)
    }
}

impl std::error::Error for Error {}
