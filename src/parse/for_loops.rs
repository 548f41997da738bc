//! `for`: a `while` with a scope around it, and with statements before the test and after the body.
//!
//! The part after the body is written before it. The parser skips its tokens, remembers where they
//! are, and parses them after the body: once, and in the scope of the loop.
use super::Parser;
use super::cursor::Cursor;
use super::scope::ScopeDelta;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::NodeId;
use source::Span;

impl<'s> Parser<'s> {
    /// Whether a `for` begins here. It is no reserved word.
    pub fn begins_for(&self) -> bool {
        self.cursor.text() == "for" && self.cursor.second() == Token::OpenParenthesis
    }

    /// ```text
    /// for = "for" , "(" , ( declaration | expression statement | ";" ) ,
    ///       [ expression ] , ";" , [ expression ] , ")" , statement ;
    /// ```
    pub fn for_statement(&mut self) -> Result<(), Diagnostic> {
        self.enter()?;
        self.cursor.take();
        self.cursor.expect(Token::OpenParenthesis, "(")?;
        self.scope.push();
        let ended = self.for_in_scope();
        self.scope.pop(&mut self.graph);
        self.depth -= 1;
        ended
    }

    fn for_in_scope(&mut self) -> Result<(), Diagnostic> {
        self.first_part()?;
        let header = self.begin_loop();
        let test = self.cursor.clone();
        let branches = self.test_part().unwrap_or_else(|diagnostic| {
            self.report(diagnostic);
            self.cursor = test;
            self.skip_to_parenthesis();
            [header; 2]
        });
        let next = self.cursor.clone();
        self.skip_to_parenthesis();
        if let Err(diagnostic) = self.cursor.expect(Token::CloseParenthesis, ")") {
            self.report(diagnostic);
        }
        let end = self.loop_body(header, Some(branches));
        let end = self.next_part(next, end);
        self.end_loop(header, end);
        Ok(())
    }

    fn first_part(&mut self) -> Result<(), Diagnostic> {
        match self.cursor.peek() {
            Token::Semicolon => self.semicolon(),
            _ if self.begins_array() => self.array_declaration(),
            Token::Int => self.declaration(),
            Token::Flt => self.float_declaration(),
            Token::Sized => self.sized_declaration(),
            Token::Name if self.begins_inferred() => self.inferred_declaration(),
            Token::Name if self.is_struct_name() => self.pointer_declaration(),
            _ => self.expression_statement(),
        }
    }

    /// The test; without one, it is true.
    fn test_part(&mut self) -> Result<[NodeId; 2], Diagnostic> {
        let predicate = if self.cursor.peek() == Token::Semicolon {
            let one = self.constant(1);
            self.push_literal(one);
            one
        } else {
            self.expression()?
        };
        self.semicolon()?;
        Ok(self.branches(predicate))
    }

    /// Skips to the parenthesis that closes an open one.
    pub fn skip_to_parenthesis(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.cursor.peek() {
                Token::End => return,
                Token::CloseParenthesis if open == 0 => return,
                Token::CloseParenthesis => open -= 1,
                Token::OpenParenthesis => open += 1,
                _ => {}
            }
            self.cursor.take();
        }
    }

    /// Parses the part at `next` after the changes of the body; returns the changes of both.
    fn next_part(&mut self, next: Cursor<'s>, body: ScopeDelta) -> ScopeDelta {
        self.scope.checkpoint(&mut self.graph);
        self.scope.apply(&mut self.graph, body);
        let after = std::mem::replace(&mut self.cursor, next);
        let depth = self.depth;
        let outer = std::mem::replace(&mut self.objects.next_part, self.scope.open_loops());
        let is_reachable = self.begin_statement();
        if self.cursor.peek() != Token::CloseParenthesis
            && let Err(diagnostic) = self.next_expression()
        {
            self.report(diagnostic);
        }
        self.end_statement(is_reachable);
        self.objects.next_part = outer;
        self.depth = depth;
        self.cursor = after;
        self.scope.rollback(&mut self.graph)
    }

    /// A jump in the last part would have no target: those of the loop have been joined.
    pub fn expect_no_next_part(&self, span: Span) -> Result<(), Diagnostic> {
        if self.objects.next_part != self.scope.open_loops() {
            return Ok(());
        }
        let message = "No active loop for a break or continue";
        let label = "the last part of a `for` is outside of its loop";
        Err(Diagnostic::new(Code::Jump, span, message, label))
    }

    fn next_expression(&mut self) -> Result<(), Diagnostic> {
        let origin = self.graph.set_origin(Some(self.cursor.span()));
        let value = self.expression();
        self.graph.set_origin(origin);
        self.drop_value(value?);
        match self.cursor.peek() {
            Token::CloseParenthesis | Token::End => Ok(()),
            _ => Err(self.cursor.expected(")")),
        }
    }
}
