//! Names of outer functions, and functions that are used before their declaration.
use super::Parser;
use super::cursor::NOT_IN_FIRST_VALUE;
use super::mistakes::FUNCTION;
use super::static_types::StaticType;
use super::stmt::MAX_DIAGNOSTICS;
use super::token::{Lexer, Token};
use crate::diagnostics::{Code, Diagnostic, closest};
use crate::sea::{NodeId, Op};
use source::Span;
use std::ops::Range;

/// The declaration of a function: `val name = {`, or one with a type.
pub struct Declaration<'s> {
    name: &'s str,
    /// The place of the literal.
    place: u32,
    /// The block in which the name is visible.
    block: Range<u32>,
}

impl<'s> Parser<'s> {
    /// The value of a name that the function does not declare: a constant of an outer function, or
    /// a function that is declared later. None if there is no such name.
    pub fn outer_value(&mut self, name: &'s str, span: Span) -> Option<Result<NodeId, Diagnostic>> {
        #[cfg(feature = "ch28")]
        self.record_outer_name(name, span);
        let found = self
            .functions
            .outer
            .iter()
            .rev()
            .find_map(|outer| outer.scope.slot(name).map(|slot| outer.scope.constant(slot)));
        match found {
            Some(Some(ty)) => {
                if let Some(function) = self.graph.types.known_function(ty) {
                    return Some(Ok(self.function_value(function)));
                }
                let value = self.node(Op::Constant(ty), &[]);
                self.push_type(StaticType::of(ty));
                Some(Ok(value))
            }
            Some(None) => Some(Err(self.out_of_scope(name, span))),
            None => self.forward_function(name, span),
        }
    }

    /// The diagnostic about a variable of an outer function.
    pub fn out_of_scope(&self, name: &str, span: Span) -> Diagnostic {
        let message =
            format!("Variable '{name}' is out of function scope and must be a final constant");
        let label = "it belongs to the function around this one";
        Diagnostic::new(Code::Name, span, message, label).with_help("pass it as an argument")
    }

    /// The place of a function's literal, if the function is declared later in a block around.
    pub fn forward_place(&mut self, name: &str, span: Span) -> Option<u32> {
        let text = self.cursor.whole_text();
        let declarations = self.functions.declarations.get_or_insert_with(|| declarations(text));
        let is_visible = |it: &&Declaration| {
            it.name == name && it.block.contains(&span.start) && span.start < it.place
        };
        let visible = declarations.iter().filter(is_visible);
        visible.max_by_key(|it| it.block.start).map(|it| it.place)
    }

    fn forward_function(
        &mut self,
        name: &'s str,
        span: Span,
    ) -> Option<Result<NodeId, Diagnostic>> {
        let place = self.forward_place(name, span)?;
        #[cfg(feature = "ch28")]
        self.record_forward(name, place, span);
        let function = self.function_at(place, name);
        Some(function.map(|function| self.function_value(function)))
    }
}

/// Help for the call of an unknown function.
impl<'s> Parser<'s> {
    pub fn help_for_function(&mut self, name: &str, span: Span) -> String {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return FUNCTION.to_string();
        }
        match self.cursor.declared_elsewhere(name, span) {
            Some(help) if help == NOT_IN_FIRST_VALUE => {
                return format!("a function that calls itself is a `val`: `val {name} = …`");
            }
            Some(help) => return help,
            None => {}
        }
        let scopes =
            [&self.scope].into_iter().chain(self.functions.outer.iter().map(|it| &it.scope));
        let names = scopes.flat_map(|it| it.names()).filter(|known| !known.starts_with('$'));
        let declared = self.functions.declarations.iter().flatten().map(|it| it.name);
        match closest(name, names.chain(declared)) {
            Some(known) => format!("did you mean `{known}`?"),
            None => FUNCTION.to_string(),
        }
    }
}

/// The declarations of functions in a text.
fn declarations(text: &str) -> Vec<Declaration<'_>> {
    let (mut found, mut open) = (Vec::new(), vec![0]);
    let mut lexer = Lexer::new(text);
    let none = (Token::End, Span::default());
    let mut last = [none; 4];
    loop {
        let (token, span) = lexer.next_token();
        match token {
            Token::End => break,
            Token::OpenBrace => {
                if let Some(name) = declared_name(text, &last) {
                    let block = open.last().copied().unwrap_or_default()..u32::MAX;
                    found.push(Declaration { name, place: span.start, block });
                }
                open.push(span.start + 1);
            }
            Token::CloseBrace => {
                let start = open.pop().unwrap_or_default();
                let inside = found.iter_mut().rev().take_while(|it| it.block.start >= start);
                inside
                    .filter(|it| it.block.start == start)
                    .for_each(|it| it.block.end = span.start);
            }
            _ => {}
        }
        last.rotate_left(1);
        last[3] = (token, span);
    }
    found
}

/// The name of a function that is declared where these are the last tokens.
fn declared_name<'s>(text: &'s str, last: &[(Token, Span); 4]) -> Option<&'s str> {
    let [_, (before, word), (name, span), (assign, _)] = *last;
    let is_declared = match before {
        Token::Name => &text[word.range()] == "val",
        Token::CloseBrace | Token::Question => true,
        _ => false,
    };
    let fits = is_declared && name == Token::Name && assign == Token::Assign;
    fits.then(|| &text[span.range()])
}
