//! The words of a program as a stage of their own.
use super::token::{Lexer, Token};
use crate::stage::{Artifact, Violation};
use source::Source;

/// The words of a source text.
pub struct Tokens<'s> {
    pub source: &'s Source,
}

impl Artifact for Tokens<'_> {
    /// One word a line: where it begins, what it is, how it is written.
    fn print(&self) -> String {
        let mut words = Lexer::new(&self.source.text);
        let next = || Some(words.next_token()).filter(|(token, _)| *token != Token::End);
        let row = |(token, span): (Token, source::Span)| {
            format!("{:>4} {token:<16?} {}\n", span.start, &self.source.text[span.range()])
        };
        std::iter::from_fn(next).map(row).collect()
    }

    /// - `places`: the words stand in the text one after the other.
    fn verify(&self) -> Vec<Violation> {
        let mut words = Lexer::new(&self.source.text);
        let mut end = 0;
        loop {
            let (token, span) = words.next_token();
            if span.start < end || self.source.text.get(span.range()).is_none() {
                let detail = format!("{token:?} at byte {}", span.start);
                return vec![Violation { invariant: "places", detail }];
            }
            if token == Token::End {
                return Vec::new();
            }
            end = span.end;
        }
    }
}
