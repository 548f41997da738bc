//! Functions as C and Java write them, `int f(int x) { return x; }`: each is reported once, with
//! the form that it has here, and skipped.
use super::Parser;
use super::mistakes::{FUNCTION, NO_FUNCTIONS};
use super::token::Token;
use crate::diagnostics::Diagnostic;

/// A longer body is not repeated in the help.
const MAX_BODY: usize = 40;

impl<'s> Parser<'s> {
    /// Whether a function may follow the type that was parsed last: a name and parameters.
    pub fn begins_foreign_function(&self) -> bool {
        self.cursor.peek() == Token::Name && self.cursor.second() == Token::OpenParenthesis
    }

    /// Reports the function and skips it. Its name is not reported again where it is called. The
    /// diagnostic is that of the word before it, if this word is none of the language.
    pub fn foreign_function(&mut self, word: Option<Diagnostic>) -> Result<(), Diagnostic> {
        let name = self.cursor.take();
        self.undeclared.push(name);
        let mut diagnostic = word.unwrap_or_else(|| self.cursor.expected("="));
        let parameters = self.skipped(|parser| parser.cursor.skip_to_closed());
        if self.cursor.eat(Token::Arrow) {
            self.cursor.skip_type(1);
        }
        if name == "main" {
            diagnostic.label = "a program has no `main`".to_string();
            diagnostic.help = Some(NO_FUNCTIONS.to_string());
        }
        if self.cursor.peek() != Token::OpenBrace {
            return Err(diagnostic);
        }
        let body = self.skipped(|parser| parser.cursor.skip_braces());
        if name != "main" {
            diagnostic.help = Some(help(name, parameters, body));
        }
        self.report(diagnostic);
        Ok(())
    }

    /// The text in the brackets that `skip` skips.
    fn skipped(&mut self, skip: impl FnOnce(&mut Self)) -> &'s str {
        let text = self.cursor.rest();
        let start = self.cursor.span().start;
        skip(self);
        let length = self.cursor.last().end.saturating_sub(start) as usize;
        text.get(1..length.saturating_sub(1)).unwrap_or_default().trim()
    }
}

/// The function in the form of this language, if its parameters have the form of C.
fn help(name: &str, parameters: &str, body: &str) -> String {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ' ' | '[' | ']' | '?');
    let is_parameter = |it: &str| it.chars().all(is_part) && it.split_whitespace().count() == 2;
    let has_none = matches!(parameters, "" | "void");
    if !has_none && !parameters.split(',').all(is_parameter) {
        return FUNCTION.to_string();
    }
    let parameters = if has_none { String::new() } else { format!("{parameters} ") };
    let is_short = body.chars().count() <= MAX_BODY && !body.contains('\n') && !body.is_empty();
    let body = if is_short { body } else { "…" };
    format!("write `val {name} = {{ {parameters}-> {body} }};`")
}
