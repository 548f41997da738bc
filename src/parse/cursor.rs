//! The parser's position: the next token, and diagnostics about it.
use super::token::{Lexer, Token};
use crate::diagnostics::{Code, Diagnostic};
use source::Span;

pub struct Cursor<'s> {
    text: &'s str,
    lexer: Lexer<'s>,
    token: Token,
    span: Span,
    /// The end of the last token.
    previous: Span,
}

impl<'s> Cursor<'s> {
    pub fn new(text: &'s str) -> Cursor<'s> {
        let none = Span::default();
        let lexer = Lexer::new(text);
        let mut cursor = Cursor { text, lexer, token: Token::End, span: none, previous: none };
        cursor.advance();
        cursor
    }

    fn advance(&mut self) {
        self.previous = self.span;
        (self.token, self.span) = self.lexer.next_token();
    }

    /// The next token.
    pub fn peek(&self) -> Token {
        self.token
    }

    /// Its span.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Its text.
    pub fn text(&self) -> &'s str {
        &self.text[self.span.range()]
    }

    /// Skips the next token if it is `token`.
    pub fn eat(&mut self, token: Token) -> bool {
        let found = self.token == token;
        if found {
            self.advance();
        }
        found
    }

    /// Skips the next token and returns its text.
    pub fn take(&mut self) -> &'s str {
        let text = self.text();
        self.advance();
        text
    }

    /// Skips the next token, which must be `token`; the diagnostic calls it `name`.
    pub fn expect(&mut self, token: Token, name: &str) -> Result<(), Diagnostic> {
        if self.eat(token) {
            return Ok(());
        }
        let mut diagnostic = self.expected(name);
        diagnostic.help = Some(format!("put `{name}` here"));
        Err(diagnostic)
    }

    /// The diagnostic "expected `name`: …".
    pub fn expected(&self, name: &str) -> Diagnostic {
        let message = format!("Syntax error, expected {name}: {}", self.text());
        Diagnostic::new(Code::Syntax, self.place(), message, format!("{name} is missing here"))
    }

    /// The span for a diagnostic: the next token, or the end of the last one if there is none.
    pub fn place(&self) -> Span {
        match self.token {
            Token::End => Span { start: self.previous.end, end: self.previous.end },
            _ => self.span,
        }
    }
}
