//! The parser's position: the next token, and diagnostics about it.
use super::mistakes::explain;
use super::token::{Lexer, Token};
use crate::diagnostics::{Code, Diagnostic};
use report_text::escaped;
use source::Span;

/// The help for a variable that is used where it is declared.
#[cfg(feature = "ch03")]
pub const NOT_IN_FIRST_VALUE: &str = "a variable is not visible in its own first value";

#[derive(Clone)]
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

    /// The span of the last token.
    #[cfg(feature = "ch10")]
    pub fn last(&self) -> Span {
        self.previous
    }

    /// The text from the token after the next one on.
    #[cfg(feature = "ch10")]
    pub fn rest_after(&self) -> &'s str {
        let (_, span) = self.lexer.clone().next_token();
        &self.text[span.range().start..]
    }

    /// The token after the next one.
    #[cfg(feature = "ch10")]
    pub fn second(&self) -> Token {
        self.lexer.clone().next_token().0
    }

    /// The token after the next two.
    #[cfg(feature = "ch16")]
    pub fn third(&self) -> Token {
        let mut lexer = self.lexer.clone();
        lexer.next_token();
        lexer.next_token().0
    }

    /// The same text, from another place on.
    #[cfg(feature = "ch18")]
    pub fn at(&self, place: u32) -> Cursor<'s> {
        let mut cursor = Cursor { lexer: Lexer::from(self.text, place), ..self.clone() };
        cursor.advance();
        cursor.previous = Span::new(place as usize, place as usize);
        cursor
    }

    /// Skips a type with at most so many functions in functions; false if there is none.
    #[cfg(feature = "ch18")]
    pub fn skip_type(&mut self, depth: usize) -> bool {
        match self.token {
            Token::Int | Token::Flt | Token::Sized | Token::Name => self.advance(),
            Token::OpenBrace if depth > 0 => {
                self.advance();
                let mut count = 0;
                while self.skip_type(depth - 1) {
                    count += 1;
                }
                let has_result = !self.eat(Token::Arrow) || self.skip_type(depth - 1);
                if count == 0 || !has_result || !self.eat(Token::CloseBrace) {
                    return false;
                }
            }
            _ => return false,
        }
        loop {
            match (self.token, self.second()) {
                (Token::Question, _) => self.advance(),
                (Token::OpenBracket, Token::CloseBracket) => {
                    self.advance();
                    self.advance();
                }
                _ => return true,
            }
        }
    }

    /// Skips a statement.
    #[cfg(feature = "ch18")]
    pub fn skip_statement(&mut self) {
        let is_for = |it: &Self| it.text() == "for" && it.second() == Token::OpenParenthesis;
        // The number of `if`s that an `else` may follow.
        let mut open = 0;
        loop {
            while matches!(self.token, Token::If | Token::While) || is_for(self) {
                open += u32::from(self.token == Token::If);
                self.advance();
                self.skip_to_closed();
            }
            if self.eat(Token::Struct) {
                self.advance();
            }
            match self.token {
                Token::OpenBrace => self.skip_braces(),
                _ => self.skip_to_semicolon(),
            }
            if open == 0 || !self.eat(Token::Else) {
                return;
            }
            open -= 1;
        }
    }

    /// Skips up to the `;` that ends a statement.
    #[cfg(feature = "ch18")]
    fn skip_to_semicolon(&mut self) {
        loop {
            match self.token {
                Token::End | Token::CloseBrace => return,
                Token::OpenBrace => self.skip_braces(),
                Token::OpenParenthesis => self.skip_to_closed(),
                Token::Semicolon => return self.advance(),
                _ => self.advance(),
            }
        }
    }

    /// Skips parentheses and all between them.
    #[cfg(feature = "ch18")]
    pub fn skip_to_closed(&mut self) {
        self.skip_pair(Token::OpenParenthesis, Token::CloseParenthesis);
    }

    #[cfg(feature = "ch18")]
    pub fn skip_braces(&mut self) {
        self.skip_pair(Token::OpenBrace, Token::CloseBrace);
    }

    #[cfg(feature = "ch18")]
    fn skip_pair(&mut self, open: Token, closed: Token) {
        let mut depth = 0_usize;
        while self.token != Token::End {
            if self.token == open {
                depth += 1;
            } else if self.token == closed {
                depth = depth.saturating_sub(1);
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips the first `-` of `--`, which is two signs here.
    #[cfg(feature = "ch17")]
    pub fn take_first_sign(&mut self) {
        self.previous = Span::new(self.span.range().start, self.span.range().start + 1);
        self.span = Span::new(self.previous.range().end, self.span.range().end);
        self.token = Token::Minus;
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
        let mut diagnostic = self.missing(name).with_help(format!("put `{name}` here"));
        // A token is missing where the line ends, not where the next one begins.
        if self.text[self.previous.range().end..self.span.range().start].contains('\n') {
            diagnostic.span = self.previous_end();
        }
        Err(explain(diagnostic, name, self.rest()))
    }

    #[cfg(feature = "ch15")]
    pub fn whole_text(&self) -> &'s str {
        self.text
    }

    /// The diagnostic "expected `name`: …".
    pub fn expected(&self, name: &str) -> Diagnostic {
        explain(self.missing(name), name, self.rest())
    }

    fn missing(&self, name: &str) -> Diagnostic {
        let message = format!("Syntax error, expected {name}: {}", escaped(self.text()));
        Diagnostic::new(Code::Syntax, self.place(), message, format!("{name} is missing here"))
    }

    /// The text from the next token on.
    pub fn rest(&self) -> &'s str {
        &self.text[self.span.range().start..]
    }

    /// The number of the line in which `span` begins.
    #[cfg(feature = "ch03")]
    pub fn line_of(&self, span: Span) -> usize {
        1 + self.text[..span.range().start].matches('\n').count()
    }

    /// Where `name`, which is not visible at `place`, is declared.
    #[cfg(feature = "ch03")]
    pub fn declared_elsewhere(&self, name: &str, place: Span) -> Option<String> {
        let (mut lexer, mut previous) = (Lexer::new(self.text), Token::End);
        #[cfg(feature = "ch17")]
        let mut before = "";
        let (mut line, mut in_first_value, mut help) = (0, false, None);
        loop {
            let (token, span) = lexer.next_token();
            let declares = previous == Token::Int;
            #[cfg(feature = "ch17")]
            let declares = declares || matches!(before, "var" | "val");
            let is_declared = declares && &self.text[span.range()] == name;
            match token {
                Token::End => return help,
                Token::Name if is_declared && span.start < place.start => {
                    (line, in_first_value) = (self.line_of(span), true);
                    help = Some(NOT_IN_FIRST_VALUE.to_string());
                }
                Token::Name if is_declared && help.is_none() => {
                    return Some(format!("it is declared below, in line {}", self.line_of(span)));
                }
                Token::Semicolon if in_first_value && span.start < place.start => {
                    (in_first_value, help) = (false, None)
                }
                Token::CloseBrace if span.start < place.start && line > 0 => {
                    help = Some(format!("the block of the `{name}` of line {line} has ended"));
                }
                _ => {}
            }
            previous = token;
            #[cfg(feature = "ch17")]
            {
                before = &self.text[span.range()];
            }
        }
    }

    /// The names after `struct` in the whole text.
    #[cfg(feature = "ch13")]
    pub fn struct_names(&self) -> arena::FxHashSet<&'s str> {
        let (mut lexer, mut previous) = (Lexer::new(self.text), Token::End);
        let mut names = arena::FxHashSet::default();
        loop {
            let (token, span) = lexer.next_token();
            match token {
                Token::End => return names,
                Token::Name if previous == Token::Struct => {
                    names.insert(&self.text[span.range()]);
                }
                _ => {}
            }
            previous = token;
        }
    }

    fn previous_end(&self) -> Span {
        Span { start: self.previous.end, end: self.previous.end }
    }

    /// The span for a diagnostic: the next token, or the end of the last one if there is none.
    pub fn place(&self) -> Span {
        match self.token {
            Token::End => self.previous_end(),
            _ => self.span,
        }
    }
}
