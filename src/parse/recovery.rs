//! Recovery: after an error, parsing goes on with the next statement (panic mode).
use super::Parser;
use super::token::Token;
#[cfg(feature = "ch09")]
use source::Span;

impl Parser<'_> {
    /// Parses a statement. On an error, reports it and continues after the statement.
    pub fn statement_or_recover(&mut self) {
        let start = self.cursor.span();
        #[cfg(feature = "ch09")]
        let outer = self.begin_origin(start);
        if let Err(diagnostic) = self.statement() {
            self.report(diagnostic);
            if self.cursor.span() == start && self.cursor.peek().begins_statement() {
                self.cursor.take();
            }
            self.synchronize();
            #[cfg(feature = "ch18")]
            self.skip_if_sought(start);
        }
        #[cfg(feature = "ch09")]
        self.graph.set_origin(outer);
    }

    /// The next nodes are made for the statement that begins with this token; returns the token of
    /// the last ones.
    #[cfg(feature = "ch09")]
    fn begin_origin(&mut self, start: Span) -> Option<Span> {
        self.note_bindings();
        self.graph.set_origin(Some(start))
    }

    /// Where results are sought, a statement may have an error because the result of a function is
    /// not known yet. The next one must be parsed: it may declare a function.
    #[cfg(feature = "ch18")]
    fn skip_if_sought(&mut self, start: Span) {
        if self.functions.results.is_inference {
            self.cursor = self.cursor.at(start.start);
            self.cursor.skip_statement();
        }
    }

    /// Skips to the end of the statement or of the block, or to a token that begins another
    /// statement. A semicolon in parentheses ends no statement.
    pub fn synchronize(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.cursor.peek() {
                Token::End | Token::CloseBrace => return,
                Token::Semicolon if open == 0 => {
                    self.cursor.take();
                    return;
                }
                // The type of a new array begins no declaration.
                #[cfg(feature = "ch15")]
                Token::New if self.cursor.second().begins_statement() => _ = self.cursor.take(),
                Token::OpenParenthesis => open += 1,
                Token::CloseParenthesis => open = open.saturating_sub(1),
                token if open == 0 && token.begins_statement() => return,
                _ => {}
            }
            self.cursor.take();
        }
    }
}
