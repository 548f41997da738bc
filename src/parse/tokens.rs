//! The tokens of a program as a stage.
use super::token::{Lexer, Token};
use crate::stage::{Artifact, Violation};
use source::Source;

/// The tokens of a source text.
pub struct Tokens<'s> {
    pub source: &'s Source,
}

impl Artifact for Tokens<'_> {
    /// One token per line: offset, kind, text.
    fn print(&self) -> String {
        let mut lexer = Lexer::new(&self.source.text);
        let next = || Some(lexer.next_token()).filter(|(token, _)| *token != Token::End);
        let row = |(token, span): (Token, source::Span)| {
            format!("{:>4} {token:<16?} {}\n", span.start, &self.source.text[span.range()])
        };
        std::iter::from_fn(next).map(row).collect()
    }

    /// - `places`: the tokens follow each other in the text without overlap.
    fn verify(&self) -> Vec<Violation> {
        let mut lexer = Lexer::new(&self.source.text);
        let mut end = 0;
        loop {
            let (token, span) = lexer.next_token();
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
