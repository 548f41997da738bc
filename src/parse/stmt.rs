//! Statements, and the program as a whole.
use super::cursor::Cursor;
#[cfg(feature = "ch03")]
use super::mistakes::mistaken_declaration;
#[cfg(feature = "ch18")]
use super::mistakes::{OWN_NAME, PARAMETER};
#[cfg(feature = "ch10")]
use super::objects::Objects;
#[cfg(feature = "ch15")]
use super::place::Place;
#[cfg(feature = "ch03")]
use super::scope::Scope;
use super::token::Token;
use super::{Input, Parser};
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{Graph, NodeId, Op, dot};
use crate::types::Type;
#[cfg(feature = "ch14")]
use crate::types::Types;
use source::Span;

/// Later errors are likely to be consequences of earlier ones.
#[cfg(feature = "ch03")]
pub const MAX_DIAGNOSTICS: usize = 20;

impl<'s> Parser<'s> {
    pub fn new(input: Input<'s>) -> Parser<'s> {
        let mut graph = Graph::default();
        #[cfg(feature = "ch14")]
        {
            graph.types = Types::new(input.int);
        }
        // A statement of 30 characters makes seven nodes.
        #[cfg(feature = "ch09")]
        graph.reserve(input.text.len() / 4);
        graph.start = graph.create(Op::Start, &[]);
        graph.end = Parser::first_end(&mut graph);
        Parser {
            cursor: Cursor::new(input.text),
            #[cfg(feature = "ch02")]
            engine: input.engine,
            #[cfg(feature = "ch02")]
            depth: 0,
            #[cfg(feature = "ch14")]
            is_after_minus: false,
            #[cfg(feature = "ch03")]
            scope: Scope::new(&mut graph),
            #[cfg(feature = "ch03")]
            show: input.show,
            #[cfg(feature = "ch04")]
            argument: input.argument,
            graph,
            diagnostics: Vec::new(),
            #[cfg(feature = "ch03")]
            omitted: 0,
            #[cfg(feature = "ch15")]
            trap_place: Place::START,
            #[cfg(feature = "ch03")]
            undeclared: Vec::new(),
            #[cfg(feature = "ch10")]
            objects: Objects::new(),
            #[cfg(feature = "ch18")]
            functions: super::functions::Functions::new(),
        }
    }

    /// ```text
    /// program = statements , end of text ;
    /// ```
    pub fn program(&mut self) {
        #[cfg(feature = "ch04")]
        self.declare_argument();
        #[cfg(feature = "ch15")]
        self.declare_arrays();
        self.statements();
        if self.cursor.peek() != Token::End && self.diagnostics.is_empty() {
            let message = format!("Syntax error, unexpected {}", self.cursor.text());
            let label = "the program must end before this";
            self.report(Diagnostic::new(Code::Syntax, self.cursor.span(), message, label));
        }
        #[cfg(feature = "ch03")]
        self.finish();
    }

    /// ```text
    /// statement = simple statement | block
    /// @ch05           | if
    /// @ch07           | while
    /// @ch17           | for
    ///           ;
    /// ```
    #[cfg(feature = "ch03")]
    pub fn statement(&mut self) -> Result<(), Diagnostic> {
        match self.cursor.peek() {
            #[cfg(feature = "ch18")]
            Token::OpenBrace if self.begins_function_type() => self.simple_statement(),
            Token::OpenBrace => self.block(),
            #[cfg(feature = "ch05")]
            Token::If => self.if_statement(),
            #[cfg(feature = "ch07")]
            Token::While => self.while_statement(),
            #[cfg(feature = "ch17")]
            Token::Name if self.begins_for() => self.for_statement(),
            _ => self.simple_statement(),
        }
    }

    /// ```text
    /// @ch01-02 statement = return
    /// @ch03 simple statement = return
    /// @ch03           | declaration | show | ";" | assignment
    /// @ch08           | break | continue
    /// @ch10           | struct | expression statement
    ///           ;
    /// ```
    /// Inlined, its variables would be on the stack once for each statement around it.
    #[inline(never)]
    fn simple_statement(&mut self) -> Result<(), Diagnostic> {
        match self.cursor.peek() {
            Token::Return => self.return_statement(),
            #[cfg(feature = "ch18")]
            Token::OpenBrace => self.function_declaration(),
            #[cfg(feature = "ch15")]
            _ if self.begins_array() => self.array_declaration(),
            #[cfg(feature = "ch03")]
            Token::Int => self.declaration(),
            #[cfg(feature = "ch12")]
            Token::Flt => self.float_declaration(),
            #[cfg(feature = "ch14")]
            Token::Sized => self.sized_declaration(),
            #[cfg(feature = "ch03")]
            Token::ShowGraph => self.show(),
            #[cfg(feature = "ch03")]
            Token::Semicolon => self.semicolon(),
            #[cfg(feature = "ch08")]
            Token::Break | Token::Continue => self.jump(),
            #[cfg(feature = "ch10")]
            Token::Struct => self.struct_declaration(),
            #[cfg(feature = "ch17")]
            Token::Name if self.begins_inferred() => self.inferred_declaration(),
            #[cfg(feature = "ch10")]
            Token::Name if self.is_struct_name() => self.pointer_declaration(),
            #[cfg(feature = "ch17")]
            Token::PlusPlus | Token::MinusMinus => self.expression_statement(),
            #[cfg(feature = "ch10")]
            Token::Name if self.begins_expression() => self.expression_statement(),
            #[cfg(feature = "ch18")]
            _ if self.begins_value() => self.expression_statement(),
            #[cfg(feature = "ch03")]
            _ => self.assignment(),
            #[cfg(not(feature = "ch03"))]
            _ => Err(self.cursor.expected("a statement")),
        }
    }

    /// ```text
    /// return = "return" , expression , ";" ;
    /// ```
    fn return_statement(&mut self) -> Result<(), Diagnostic> {
        self.cursor.take();
        #[cfg(feature = "ch10")]
        let span = self.cursor.place();
        let value = self.expression()?;
        #[cfg(feature = "ch10")]
        self.note_result(span)?;
        self.semicolon()?;
        self.end_with(value);
        Ok(())
    }

    pub fn semicolon(&mut self) -> Result<(), Diagnostic> {
        self.cursor.expect(Token::Semicolon, ";")
    }

    /// Makes a node and optimizes it.
    pub fn node(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        #[cfg(feature = "ch09")]
        if let Some(known) = self.engine.known(&self.graph, op, inputs) {
            return known;
        }
        let node = self.graph.create(op, inputs);
        #[cfg(feature = "ch02")]
        let node = self.engine.peephole(&mut self.graph, node);
        node
    }

    /// Records a diagnostic.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        #[cfg(feature = "ch03")]
        if self.omits(&diagnostic) {
            return;
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether a diagnostic is not recorded. After one about nesting, the rest would repeat it; so
    /// would a second one at the same place.
    #[cfg(feature = "ch03")]
    fn omits(&mut self, diagnostic: &Diagnostic) -> bool {
        let repeats = |last: &Diagnostic| {
            last.code == Code::Nesting
                || (last.span, &last.message) == (diagnostic.span, &diagnostic.message)
        };
        if self.diagnostics.last().is_some_and(repeats) {
            return true;
        }
        let is_full = self.diagnostics.len() == MAX_DIAGNOSTICS;
        self.omitted += usize::from(is_full);
        is_full
    }

    /// Puts the diagnostics in order of position. An assigned name is reported after the value.
    #[cfg(feature = "ch03")]
    pub fn sort_diagnostics(&mut self) {
        self.diagnostics.sort_by_key(|it| it.span.start);
        if let Some(last) = self.diagnostics.last_mut().filter(|_| self.omitted > 0) {
            let help = last.help.take().map_or(String::new(), |help| help + "; ");
            let errors = if self.omitted == 1 { "error" } else { "errors" };
            last.help = Some(format!("{help}and {} more {errors}", self.omitted));
        }
    }
}

/// The program is one statement, a return.
#[cfg(not(feature = "ch03"))]
impl Parser<'_> {
    /// ```text
    /// statements = statement ;
    /// ```
    fn statements(&mut self) {
        if let Err(diagnostic) = self.simple_statement() {
            self.report(diagnostic);
        }
    }
}

#[cfg(feature = "ch03")]
impl<'s> Parser<'s> {
    /// ```text
    /// statements = { statement } ;
    /// ```
    fn statements(&mut self) {
        self.scope.push();
        self.statements_of_block();
        self.scope.pop(&mut self.graph);
    }

    /// Statements up to the end of a block, in the scope as it is.
    pub fn statements_of_block(&mut self) {
        while !matches!(self.cursor.peek(), Token::End | Token::CloseBrace) {
            let depth = self.depth;
            #[cfg(feature = "ch10")]
            let is_reachable = self.begin_statement();
            self.statement_or_recover();
            #[cfg(feature = "ch10")]
            self.end_statement(is_reachable);
            self.depth = depth;
        }
    }

    /// A program that does not return ends with 0.
    fn finish(&mut self) {
        let zero = self.constant(0);
        #[cfg(feature = "ch10")]
        let zero = self.last_result(zero);
        self.end_with(zero);
        self.scope.pop(&mut self.graph);
        #[cfg(feature = "ch10")]
        self.report_failing_facts();
        #[cfg(feature = "ch16")]
        self.release_held();
    }

    /// ```text
    /// declaration = "int" , declarators ;
    /// ```
    pub fn declaration(&mut self) -> Result<(), Diagnostic> {
        self.cursor.take();
        self.declarators(Parser::declared_variable)
    }

    /// ```text
    /// @ch03-15 declarators = declarator , ";" ;
    /// @ch16 declarators = [ "!" ] , declarator , { "," , [ "!" ] , declarator } , ";" ;
    /// ```
    pub fn declarators(
        &mut self,
        declarator: impl Fn(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        #[cfg(feature = "ch16")]
        self.cursor.eat(Token::Not);
        #[cfg(feature = "ch18")]
        if self.begins_foreign_function() {
            return self.foreign_function(None);
        }
        declarator(self)?;
        #[cfg(feature = "ch16")]
        while self.cursor.eat(Token::Comma) {
            self.cursor.eat(Token::Not);
            declarator(self)?;
        }
        self.semicolon()
    }

    /// ```text
    /// declarator = name , "=" , expression ;
    /// ```
    /// The name is not declared yet in its own initializer.
    fn declared_variable(&mut self) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        let value = self.first_value();
        let known = match value {
            Ok(value) => value,
            Err(_) => self.constant(0),
        };
        self.define(name, span, known, "int");
        value.map(drop)
    }

    /// Declares a variable of type `ty`; reports a second declaration.
    pub fn define(&mut self, name: &'s str, span: Span, value: NodeId, ty: &str) {
        #[cfg(feature = "ch18")]
        self.note_value(value, super::static_types::StaticType::of(self.graph.ty(value)));
        if !self.scope.define(&mut self.graph, name, value) {
            let message = format!("Redefining name '{name}'");
            let diag = Diagnostic::new(Code::Name, span, message, "already declared in this block");
            let help = format!("without `{ty}`, this assigns a new value");
            #[cfg(feature = "ch18")]
            let help = if ty == PARAMETER { OWN_NAME.to_string() } else { help };
            self.report(diag.with_help(help));
        }
        #[cfg(feature = "ch28")]
        self.record_variable(name, span, value, ty);
    }

    /// The first value of an integer.
    fn first_value(&mut self) -> Result<NodeId, Diagnostic> {
        #[cfg(feature = "ch10")]
        if self.ends_declarator() {
            return Ok(self.constant(0));
        }
        let value = self.value_assigned()?;
        #[cfg(feature = "ch10")]
        let (value, _) = self.value_of_type(value, Type::INTEGER)?;
        Ok(value)
    }

    /// ```text
    /// assignment = name , "=" , expression , ";" ;
    /// ```
    fn assignment(&mut self) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        if self.is_mistaken(name, span)? {
            return Ok(());
        }
        #[cfg(feature = "ch16")]
        self.warn_of_itself(name, span);
        let value = self.value_assigned()?;
        self.semicolon()?;
        let Some(slot) = self.scope.slot(name) else {
            self.undefined(name, span);
            return Ok(());
        };
        #[cfg(feature = "ch17")]
        self.expect_mutable(slot, span)?;
        #[cfg(feature = "ch10")]
        let value = self.value_for(slot, value)?;
        self.scope.set(&mut self.graph, slot, value);
        Ok(())
    }

    /// Whether the statement that begins with `name` is no assignment. Then it has been parsed as
    /// the declaration that it may be, or skipped.
    fn is_mistaken(&mut self, name: &'s str, span: Span) -> Result<bool, Diagnostic> {
        if let Some(diag) = self.misspelled(name, span) {
            // After a word like `int`, a declaration follows.
            let token = mistaken_declaration(name).filter(|_| self.cursor.peek() == Token::Name);
            #[cfg(feature = "ch18")]
            if token.is_none() && self.begins_foreign_function() {
                return self.foreign_function(Some(diag)).map(|()| true);
            }
            if token.is_none() {
                return Err(diag);
            }
            self.report(diag);
            #[cfg(feature = "ch12")]
            if token == Some(Token::Flt) {
                return self.declarators(Parser::declared_float).map(|()| true);
            }
            return self.declarators(Parser::declared_variable).map(|()| true);
        }
        #[cfg(feature = "ch10")]
        if self.cursor.peek() != Token::Assign && self.scope.slot(name).is_none() {
            self.undefined(name, span);
            self.synchronize();
            return Ok(true);
        }
        Ok(false)
    }

    pub fn value_assigned(&mut self) -> Result<NodeId, Diagnostic> {
        self.cursor.expect(Token::Assign, "=")?;
        self.expression()
    }

    /// ```text
    /// block = "{" , statements , "}" ;
    /// ```
    fn block(&mut self) -> Result<(), Diagnostic> {
        self.enter()?;
        let open = self.cursor.span();
        self.cursor.take();
        self.statements();
        self.depth -= 1;
        let closed = self.cursor.expect(Token::CloseBrace, "}");
        closed.map_err(|diag| {
            let line = self.cursor.line_of(open);
            diag.with_help(format!("the block that begins in line {line} is never closed"))
        })
    }

    /// ```text
    /// show = "#showGraph" , ";" ;
    /// ```
    fn show(&mut self) -> Result<(), Diagnostic> {
        self.cursor.take();
        let (graph, scope) = (&self.graph, &self.scope);
        (self.show)(&|| dot::picture_of_scope(graph, &scope.bindings()));
        self.semicolon()
    }

    /// Pictures of steps show the variables. Statements change which ones there are; the values are
    /// those of the scope when a step is drawn.
    #[cfg(feature = "ch09")]
    pub fn note_bindings(&mut self) {
        if self.engine.steps.is_some() && dot::has_pictures_of_steps(&self.graph) {
            self.engine.bindings = Some(self.scope.bindings());
        }
    }
}
