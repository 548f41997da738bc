//! Names, and the diagnostics about them.
use super::Parser;
#[cfg(feature = "ch10")]
use super::mistakes::help_for_word;
use super::mistakes::{NO_FUNCTIONS, explain, suggest_keyword};
use super::stmt::MAX_DIAGNOSTICS;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic, closest};
use source::Span;

impl<'s> Parser<'s> {
    pub fn name(&mut self) -> Result<(&'s str, Span), Diagnostic> {
        let span = self.cursor.place();
        if self.cursor.peek() == Token::Name {
            return Ok((self.cursor.take(), span));
        }
        let keyword = self.cursor.peek().is_keyword();
        let unknown = self.cursor.peek() == Token::Unknown;
        let found = if keyword || unknown { self.cursor.text() } else { "null" };
        let message = format!("Expected an identifier, found '{}'", report_text::escaped(found));
        let label = match self.cursor.peek() {
            #[cfg(feature = "ch05")]
            Token::Else => "there is no `if` before this `else`",
            Token::Number => "only a variable can be assigned",
            _ if keyword => "this is a keyword",
            _ => "this is not a name",
        };
        let diagnostic = Diagnostic::new(Code::Syntax, span, message, label);
        let diagnostic = explain(diagnostic, "a name", self.cursor.rest());
        if keyword {
            self.cursor.take();
        }
        Err(diagnostic)
    }

    /// Reports an undeclared name. If it is called, skips the arguments.
    pub fn undefined(&mut self, name: &'s str, span: Span) {
        #[cfg(feature = "ch18")]
        if self.functions.outer.iter().any(|it| it.scope.slot(name).is_some()) {
            return self.report(self.out_of_scope(name, span));
        }
        let is_called = self.cursor.peek() == Token::OpenParenthesis;
        if is_called {
            self.skip_parentheses();
        }
        if self.undeclared.contains(&name) {
            return;
        }
        if self.undeclared.len() < MAX_DIAGNOSTICS {
            self.undeclared.push(name);
        }
        let message = format!("Undefined name '{name}'");
        let mut diag = Diagnostic::new(Code::Name, span, message, "this name is not declared");
        if is_called {
            diag.label = "Simple has no functions".to_string();
            diag.help = Some(NO_FUNCTIONS.to_string());
            #[cfg(feature = "ch18")]
            {
                diag.label = "there is no function of this name".to_string();
                diag.help = Some(self.help_for_function(name, span));
            }
        } else if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let known = self.scope.names().filter(|known| !known.starts_with('$'));
            let similar = closest(name, known).map(|known| format!("did you mean `{known}`?"));
            diag.help = self.cursor.declared_elsewhere(name, span).or(similar);
        }
        #[cfg(feature = "ch10")]
        if let Some(help) = help_for_word(name) {
            diag.help = Some(help);
        }
        self.report(diag);
    }

    /// Skips up to the end of what the next token opens, or of the statement.
    fn skip_parentheses(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.cursor.peek() {
                Token::End | Token::Semicolon | Token::CloseBrace => return,
                Token::OpenParenthesis => open += 1,
                Token::CloseParenthesis => open -= 1,
                _ => {}
            }
            self.cursor.take();
            if open == 0 {
                return;
            }
        }
    }

    /// The diagnostic about a statement that may begin with a misspelled keyword: `name`.
    pub fn misspelled(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let is_reported = self.diagnostics.len() < MAX_DIAGNOSTICS;
        let is_assigned = self.cursor.peek() == Token::Assign;
        let is_known = || self.scope.names().any(|it| it == name);
        if is_assigned || !is_reported || is_known() {
            return None;
        }
        let help = suggest_keyword(name)?;
        let label = "there is no variable or keyword of this name".to_string();
        let diag = Diagnostic { span, label, ..self.cursor.expected("=") }.with_help(help);
        #[cfg(feature = "ch10")]
        let diag = Diagnostic { message: format!("Undefined name '{name}'"), ..diag };
        Some(diag)
    }
}
