//! Functions: literals, their bodies, and their results.
//!
//! The body of a function is parsed where it appears: the function around it waits, with its scope
//! and its knowledge. Nothing but constants of outer functions is visible in a body, and functions
//! are constants.
use super::Parser;
use super::mistakes::PARAMETER;
use super::results::Results;
use super::scope::{Fact, Scope};
use super::static_types::StaticType;
use super::suspended::Suspended;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::dot::Bindings;
use crate::sea::{NodeId, Op};
use crate::types::{FunctionId, Signature, Type};
use arena::{FxHashMap, Id};
use source::Span;

/// Only a program with this token has functions.
pub const ARROW: &str = "->";

/// The functions of the program, and those around the parser's position.
pub struct Functions<'s> {
    /// The functions that wait, the outermost first.
    pub outer: Vec<Outer<'s>>,
    /// The function at the place of each literal that has been mentioned.
    pub known: FxHashMap<u32, FunctionId>,
    /// The declarations of functions in the whole text, as soon as one is needed.
    pub declarations: Option<Vec<super::forward::Declaration<'s>>>,
    /// The results of functions, and those of calls whose function has not been parsed yet.
    pub results: Results<'s>,
    /// A Scope node that holds the Returns of all functions.
    returns: Option<NodeId>,
    /// The variable that holds the memory of all fields that are not declared yet.
    pub rest: Option<usize>,
    /// Whether the value of the statement is the result of the function, if it is the last one.
    pub is_last: bool,
    /// The same for the lists of statements around it, the innermost last.
    lists: Vec<bool>,
    /// The value of the last statement, held by a Scope node, and its type.
    value: Option<(NodeId, StaticType)>,
}

/// A function that waits while one in it is parsed.
pub struct Outer<'s> {
    pub scope: Scope<'s>,
    /// The function that is parsed instead.
    function: FunctionId,
    objects: Suspended,
    bindings: Option<Bindings>,
    result: Type,
    rest: Option<usize>,
    is_last: bool,
    value: Option<(NodeId, StaticType)>,
}

/// The beginning of a literal: its parameters.
struct Header<'s> {
    names: Vec<(&'s str, Span)>,
    types: Vec<Type>,
}

impl<'s> Functions<'s> {
    pub fn new() -> Functions<'s> {
        Functions {
            outer: Vec::new(),
            known: FxHashMap::default(),
            declarations: None,
            results: Results::default(),
            returns: None,
            rest: None,
            is_last: true,
            lists: Vec::new(),
            value: None,
        }
    }
}

impl Functions<'_> {
    /// The function that is parsed.
    pub fn current(&self) -> Option<FunctionId> {
        self.outer.last().map(|it| it.function)
    }
}

/// Literals.
impl<'s> Parser<'s> {
    /// ```text
    /// function = "{" , { type , [ "!" ] , name , [ "," ] } , "->" , statements , "}" ;
    /// ```
    pub fn function_literal(&mut self) -> Result<NodeId, Diagnostic> {
        let function = self.begun_function("")?;
        self.function_body(function)?;
        Ok(self.function_value(function))
    }

    /// The function whose literal comes next, which is skipped if its parameters are wrong.
    pub fn begun_function(&mut self, name: &str) -> Result<FunctionId, Diagnostic> {
        let function = self.function_at(self.cursor.span().start, name);
        function.inspect_err(|_| self.cursor.skip_braces())
    }

    /// The address of a function.
    pub fn function_value(&mut self, function: FunctionId) -> NodeId {
        let ty = self.graph.types.function(function);
        let assumed = self.functions.results.is_assumed(function).then_some(function);
        let value = self.node(Op::Constant(ty), &[]);
        self.push_type(StaticType::of(ty).assuming(assumed));
        value
    }

    /// The function whose literal begins at a place of the text.
    pub fn function_at(&mut self, place: u32, name: &str) -> Result<FunctionId, Diagnostic> {
        if let Some(&known) = self.functions.known.get(&place) {
            return Ok(known);
        }
        let here = self.cursor.clone();
        self.cursor = here.at(place);
        let header = self.header();
        self.cursor = here;
        let Header { names, types } = header?;
        let result = match self.functions.results.known(place) {
            Some(shape) => self.type_of_shape(&shape),
            None => Type::INTEGER,
        };
        let signature = Signature { parameters: types, result };
        let signature = self.graph.types.functions.signature(signature);
        let function = self.graph.types.functions.add(name, signature);
        self.functions.known.insert(place, function);
        self.functions.results.add(function, place);
        let names = names.iter().map(|(name, _)| name.to_string()).collect();
        self.graph.parameters.insert(function, names);
        Ok(function)
    }

    /// The parameters of a literal.
    fn header(&mut self) -> Result<Header<'s>, Diagnostic> {
        self.cursor.expect(Token::OpenBrace, "{")?;
        let (mut names, mut types) = (Vec::new(), Vec::new());
        while self.cursor.peek() != Token::Arrow {
            if !self.begins_parameter() {
                let help = "an arrow follows the parameters: `{ int x -> x + 1; }`";
                return Err(self.cursor.expected("->").with_help(help));
            }
            let is_alone = matches!(self.cursor.second(), Token::Arrow | Token::Comma);
            if self.cursor.peek() == Token::Name && is_alone {
                return Err(self.without_type());
            }
            types.push(self.any_type()?);
            self.cursor.eat(Token::Not);
            names.push(self.name()?);
            self.cursor.eat(Token::Comma);
        }
        self.cursor.take();
        Ok(Header { names, types })
    }

    fn without_type(&self) -> Diagnostic {
        let name = self.cursor.text();
        let message = format!("Syntax error, expected a type: {name}");
        let label = "a parameter has a type and a name";
        let diag = Diagnostic::new(Code::Syntax, self.cursor.span(), message, label);
        diag.with_help(format!("write `int {name}`"))
    }

    fn begins_parameter(&mut self) -> bool {
        match self.cursor.peek() {
            Token::Int | Token::Flt | Token::Sized | Token::OpenBrace => true,
            Token::Name => matches!(
                self.cursor.second(),
                Token::Name
                    | Token::Question
                    | Token::Not
                    | Token::OpenBracket
                    | Token::Arrow
                    | Token::Comma
            ),
            _ => false,
        }
    }

    /// Parses the literal of a function.
    pub fn function_body(&mut self, function: FunctionId) -> Result<(), Diagnostic> {
        self.enter()?;
        let open = self.cursor.span();
        let Header { names, .. } = self.header()?;
        let entry = self.node(Op::Function(function), &[self.graph.start]);
        self.graph.entries[function] = Some(entry);
        self.suspend(function, entry);
        self.scope.push();
        self.declare_parameters(function, entry, &names);
        self.functions.is_last = true;
        self.statements_of_block();
        self.end_function(function, open);
        self.resume();
        self.depth -= 1;
        let closed = self.cursor.expect(Token::CloseBrace, "}");
        closed.map_err(|diag| {
            let line = self.cursor.line_of(open);
            diag.with_help(format!("the function that begins in line {line} is never closed"))
        })
    }

    fn declare_parameters(
        &mut self,
        function: FunctionId,
        entry: NodeId,
        names: &[(&'s str, Span)],
    ) {
        let signature = self.graph.types.functions.signature_of(function);
        let types = self.graph.types.functions.get(signature).parameters.clone();
        for (at, (&(name, span), ty)) in names.iter().zip(types).enumerate() {
            let value = self.node(Op::Parameter(at as u32), &[entry]);
            let count = self.scope.count();
            self.define(name, span, value, PARAMETER);
            if self.scope.count() > count {
                let is_object = !self.graph.types.may_be_null(ty);
                self.scope.declare(ty, if is_object { Fact::NOT_NULL } else { Fact::UNKNOWN });
            }
        }
    }

    /// Begins a function: the one around it waits.
    fn suspend(&mut self, function: FunctionId, entry: NodeId) {
        let scope = Scope::new(&mut self.graph);
        let outer = Outer {
            scope: std::mem::replace(&mut self.scope, scope),
            function,
            objects: self.objects.suspend(),
            bindings: self.engine.bindings.take(),
            result: self.graph.result,
            rest: self.functions.rest,
            is_last: std::mem::take(&mut self.functions.is_last),
            value: self.functions.value.take(),
        };
        self.scope.define(&mut self.graph, Scope::CONTROL, entry);
        self.declare_rest(entry);
        for field in self.graph.types.structs.all_fields() {
            let name = outer.scope.name(outer.objects.slots[field]);
            let memory = self.node(Op::Projection(2 + field.index() as u32), &[entry]);
            self.objects.slots[field] = self.scope.define_memory(&mut self.graph, name, memory);
        }
        self.functions.outer.push(outer);
        #[cfg(feature = "ch28")]
        self.exchange_symbols();
    }

    /// The memory of all fields that are not declared yet.
    pub fn declare_rest(&mut self, given: NodeId) {
        let rest = self.node(Op::Rest, &[given]);
        self.functions.rest = Some(self.scope.define_memory(&mut self.graph, "$rest", rest));
    }

    /// Goes on with the function around the one that has ended.
    fn resume(&mut self) {
        #[cfg(feature = "ch28")]
        self.exchange_symbols();
        let outer = self.functions.outer.pop().expect("a function waits");
        self.scope.truncate(&mut self.graph, 0);
        self.scope = outer.scope;
        self.objects.resume(outer.objects);
        self.engine.bindings = outer.bindings;
        self.graph.result = outer.result;
        self.functions.rest = outer.rest;
        self.functions.is_last = outer.is_last;
        self.functions.value = outer.value;
    }
}

/// Results.
impl<'s> Parser<'s> {
    /// Whether a function is parsed, not the program.
    pub fn is_in_function(&self) -> bool {
        !self.functions.outer.is_empty()
    }

    /// The default of a field was computed where the struct is declared. In a function, it must be
    /// a constant.
    pub fn expect_constant(&mut self, default: NodeId, field: &str) {
        let mut open = vec![default];
        while self.is_in_function()
            && let Some(id) = open.pop()
        {
            match self.graph.op(id) {
                Op::Constant(_) => {}
                Op::Binary(_) | Op::Unary(_) | Op::Compare(_) | Op::Float(_) => {
                    open.extend(self.graph.inputs(id));
                }
                _ => {
                    let message = format!(
                        "The default of field '{field}' is out of function scope and must be a \
                         constant"
                    );
                    let label = "it was computed where the struct is declared";
                    return self.report(Diagnostic::new(
                        Code::Name,
                        self.cursor.last(),
                        message,
                        label,
                    ));
                }
            }
        }
    }

    /// Ends a function: without a value, its result is 0 or null.
    fn end_function(&mut self, function: FunctionId, open: Span) {
        let result = self.objects.result;
        let is_undefined = result.is_none() && self.functions.results.has_only_assumed(function);
        if is_undefined && !self.functions.results.is_inference {
            let label = "each of its results is that of a call that waits for it";
            let message = "No defined return type";
            let diag = Diagnostic::new(Code::Type, open, message, label);
            self.report(diag.with_help("one branch needs another value, such as `return 0;`"));
        }
        self.graph.result = result.unwrap_or(Type::INTEGER);
        let zero = self.constant(0);
        let zero = self.last_result(zero);
        self.end_with_value(zero);
        self.scope.pop(&mut self.graph);
        self.report_failing_facts();
        let result = self.graph.types.any_function(self.graph.result);
        let shape = self.shape(result);
        if !is_undefined {
            self.functions.results.note(function, shape);
        }
        // Calls before this place assumed another result, but this graph is thrown away.
        if self.functions.results.is_inference {
            self.graph.types.functions.set_result(function, result);
        }
    }

    /// A Return of a function, if this point is reachable: its value, and all memories.
    pub fn end_with_value(&mut self, value: NodeId) {
        if self.graph.op(self.control()) == Op::DeadControl {
            return;
        }
        let held = self.graph.create(Op::Scope, &[value]);
        let memories = self.all_memories();
        let inputs = [&[self.control(), value][..], &memories].concat();
        let end = self.node(Op::Return, &inputs);
        let returns =
            self.functions.returns.get_or_insert_with(|| self.graph.create(Op::Scope, &[]));
        self.graph.add_input(*returns, end);
        self.graph.kill(held);
        self.mark_unreachable();
    }

    /// The memories that a call takes: that of the rest, then those of the fields.
    pub fn all_memories(&mut self) -> Vec<NodeId> {
        let rest = self.functions.rest.expect("the program has functions");
        let slots = self.graph.types.structs.all_fields().map(|it| self.objects.slots[it]);
        let slots: Vec<_> = std::iter::once(rest).chain(slots).collect();
        slots.into_iter().map(|slot| self.scope.value(&mut self.graph, slot)).collect()
    }

    /// Adds the Returns of all functions to the Stop.
    pub fn release_returns(&mut self) {
        let Some(returns) = self.functions.returns.take() else { return };
        for end in self.graph.inputs(returns).collect::<Vec<_>>() {
            self.graph.add_input(self.graph.end, end);
        }
        self.graph.kill(returns);
    }
}

/// The value of the last statement.
impl<'s> Parser<'s> {
    /// Begins a statement: its value is the result if that of the list is, and no other statement
    /// follows.
    pub fn begin_last(&mut self) {
        let is_last = self.functions.is_last;
        self.functions.lists.push(is_last);
        self.functions.is_last = is_last
            && match self.cursor.peek() {
                Token::If | Token::OpenBrace if self.is_arm() => true,
                Token::If => self.is_last_if(),
                Token::OpenBrace => self.begins_function_type() || self.is_last_if(),
                Token::While | Token::Struct => false,
                Token::Name => !self.begins_for(),
                _ => true,
            };
    }

    /// Ends a statement: returns its value, if it was the last one.
    pub fn end_last(&mut self) {
        self.functions.is_last = self.functions.lists.pop().unwrap_or_default();
        let Some((held, ty)) = self.functions.value.take() else { return };
        let value = self.graph.input(held, 0);
        let span = self.cursor.last();
        self.push_type(ty);
        match self.note_result(span) {
            Ok(()) => self.end_with(value),
            Err(diagnostic) => self.report(diagnostic),
        }
        self.graph.kill(held);
    }

    /// Notes the value of a statement, if it is the last one: only its semicolon is left.
    pub fn note_value(&mut self, value: NodeId, ty: StaticType) {
        let is_last = self.functions.is_last && self.cursor.peek() == Token::Semicolon;
        if is_last && ends_list(self.cursor.second()) {
            let held = self.graph.create(Op::Scope, &[value]);
            self.functions.value = Some((held, ty));
        }
    }

    /// Whether a statement of a function, or the last one of the program, is an expression that no
    /// other statement begins with.
    pub fn begins_value(&self) -> bool {
        let token = self.cursor.peek();
        let is_operand = match token {
            Token::Name => matches!(self.cursor.second(), Token::Semicolon | Token::CloseBrace),
            _ => token.begins_operand() || token == Token::Minus,
        };
        is_operand && (self.is_in_function() || self.is_last_value())
    }

    /// A `val` whose value is a literal is visible in inner functions.
    pub fn note_constant(&mut self, slot: usize, value: NodeId) {
        let ty = self.graph.ty(value);
        let is_literal = matches!(self.graph.op(value), Op::Constant(_));
        if self.scope.is_final(slot) && is_literal && self.graph.types.value(ty).is_some() {
            self.scope.set_constant(slot, ty);
        }
    }

    /// Whether the value of the statement that begins here is the result.
    fn is_last_value(&self) -> bool {
        self.functions.is_last && self.is_last_statement()
    }

    /// Whether the statement is an arm of an `if`: it is the last one if that is.
    fn is_arm(&self) -> bool {
        matches!(&self.cursor.whole_text()[self.cursor.last().range()], ")" | "else")
    }

    /// The same as `is_last_statement` for statements with others inside. In too many of them, the
    /// tokens are not skipped again and again.
    fn is_last_if(&self) -> bool {
        let is_nested = self.diagnostics.last().is_some_and(|it| it.code == Code::Nesting);
        !is_nested && self.is_last_statement()
    }

    /// Whether no other statement of its list follows this one. The tokens are skipped.
    fn is_last_statement(&self) -> bool {
        let mut cursor = self.cursor.clone();
        cursor.skip_statement();
        ends_list(cursor.peek())
    }

    /// Whether a statement that begins with a name and this token is a call, or in a function an
    /// assignment, or the last statement: its value may be the result.
    pub fn begins_call_or_value(&mut self, second: Token) -> bool {
        let begins = match second {
            Token::OpenParenthesis => true,
            Token::Assign => self.is_in_function() || self.is_last_value(),
            Token::EqualEqual => self.is_last_value(),
            _ => false,
        };
        begins && self.is_known_name(self.cursor.text())
    }

    /// Whether a name is visible.
    fn is_known_name(&mut self, name: &'s str) -> bool {
        let is_visible = |scope: &Scope| scope.slot(name).is_some();
        is_visible(&self.scope)
            || self.functions.outer.iter().any(|outer| is_visible(&outer.scope))
            || self.forward_place(name, self.cursor.span()).is_some()
    }
}

/// Whether a list of statements ends before a token: the `else` is that of the statement around it.
fn ends_list(token: Token) -> bool {
    matches!(token, Token::End | Token::CloseBrace | Token::Else)
}
