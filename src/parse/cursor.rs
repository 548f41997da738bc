//! A place in the program's text: the word that comes next, and complaints about it.
use super::token::{Lexer, Token};
use crate::diagnostics::{Code, Diagnostic};
use source::Span;

pub struct Cursor<'s> {
    text: &'s str,
    words: Lexer<'s>,
    token: Token,
    span: Span,
    /// Where the last word that was taken ends.
    previous: Span,
}

impl<'s> Cursor<'s> {
    pub fn new(text: &'s str) -> Cursor<'s> {
        let none = Span::default();
        let words = Lexer::new(text);
        let mut cursor = Cursor { text, words, token: Token::End, span: none, previous: none };
        cursor.advance();
        cursor
    }

    fn advance(&mut self) {
        self.previous = self.span;
        (self.token, self.span) = self.words.next_token();
    }

    /// The word that comes next.
    pub fn peek(&self) -> Token {
        self.token
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// How it is written.
    pub fn text(&self) -> &'s str {
        &self.text[self.span.range()]
    }

    /// Takes the next word if it is `token`.
    pub fn eat(&mut self, token: Token) -> bool {
        let found = self.token == token;
        if found {
            self.advance();
        }
        found
    }

    /// Takes the next word, whatever it is, and hands back how it is written.
    pub fn take(&mut self) -> &'s str {
        let text = self.text();
        self.advance();
        text
    }

    /// Takes the next word, which must be `token`, called `what` in the complaint.
    pub fn expect(&mut self, token: Token, what: &str) -> Result<(), Diagnostic> {
        if self.eat(token) {
            return Ok(());
        }
        let mut complaint = self.expected(what);
        complaint.help = Some(format!("put `{what}` here"));
        Err(complaint)
    }

    /// "expected `what`, but there stands …".
    pub fn expected(&self, what: &str) -> Diagnostic {
        let message = format!("Syntax error, expected {what}: {}", self.text());
        Diagnostic::new(Code::Syntax, self.place(), message, format!("{what} is missing here"))
    }

    /// A place to point at: the next word, or the end of the last one if there is none.
    pub fn place(&self) -> Span {
        match self.token {
            Token::End => Span { start: self.previous.end, end: self.previous.end },
            _ => self.span,
        }
    }
}
