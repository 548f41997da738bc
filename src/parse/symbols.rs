//! The names of a program for an editor: their declarations, the tokens that mention them, and the
//! static types and the nodes of the tokens that have a value.
//!
//! The parser notes them while it reads the text, also in the parts of a program with errors.
use super::token::{Lexer, Token};
use super::{Input, Parser};
use crate::diagnostics::Diagnostic;
use crate::peephole::Replacement;
use crate::sea::{Graph, NodeId};
use crate::types::{FieldId, StructId, Type};
use arena::{Arena, FxHashMap, id};
use source::Span;
use std::collections::BTreeMap;
use std::ops::Range;

id! {
    /// A name that a program declares, or the argument of the program.
    SymbolId
}

/// A variable, a struct, a field, or the argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The declared type of a variable or a field.
    pub ty: Type,
    /// The argument has no declaration.
    pub declaration: Option<Declaration>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    Argument,
    Variable,
    /// A constant that is declared with the literal of a function.
    Function,
    Struct,
    /// A field of a struct.
    Field(SymbolId),
}

/// The place of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declaration {
    pub name: Span,
    /// The declarator, or the struct with its body.
    pub whole: Span,
    /// Whether the type is that of the first value: of a `var` or `val`.
    pub is_inferred: bool,
    /// Whether it is outside of all blocks, branches and loops.
    pub is_outermost: bool,
}

/// The value of a token: of a name, a literal, or of the operation of an operator.
#[derive(Clone, Copy, Debug)]
pub struct TokenValue {
    pub span: Span,
    /// The static type, except for a variable that is assigned here.
    pub ty: Option<Type>,
    /// Of a sign and of a literal, only the type is noted.
    pub node: Option<NodeId>,
    /// The value is true if the node is 0.
    pub is_negated: bool,
}

/// All names of a program.
#[derive(Default)]
pub struct Symbols {
    /// Whether the parser notes them.
    is_on: bool,
    pub all: Arena<SymbolId, Symbol>,
    /// The tokens that are names of symbols, by their first byte.
    pub mentions: BTreeMap<u32, (Span, SymbolId)>,
    /// The tokens with a value, by their first byte.
    pub values: BTreeMap<u32, TokenValue>,
    /// The symbols of the visible variables.
    slots: Vec<Option<SymbolId>>,
    structs: FxHashMap<String, SymbolId>,
    fields: FxHashMap<FieldId, SymbolId>,
    /// The functions that are used before their declaration, by the places of their literals.
    forward: FxHashMap<u32, SymbolId>,
    /// The fields of a struct whose body has ended, but that is not declared yet.
    pending: Vec<Option<SymbolId>>,
}

/// A program that was parsed for an editor.
pub struct Reading {
    pub symbols: Symbols,
    /// If there are errors, the graph of the rest.
    pub graph: Graph,
    pub errors: Vec<Diagnostic>,
    pub replacements: Vec<Replacement>,
}

/// Parses a program, and notes its names.
pub fn read(mut input: Input) -> Reading {
    let results = super::results(&input);
    input.engine.note_replacements();
    let mut parser = Parser::new(input);
    parser.functions.results = results.unwrap_or_default();
    parser.scope.symbols.is_on = true;
    parser.program();
    parser.sort_diagnostics();
    let mut symbols = parser.scope.symbols;
    // The type of a function is its signature.
    for symbol in symbols.all.ids() {
        let symbol = &mut symbols.all[symbol];
        symbol.ty = parser.graph.types.any_function(symbol.ty);
    }
    for value in symbols.values.values_mut() {
        value.ty = value.ty.map(|it| parser.graph.types.any_function(it));
    }
    Reading {
        symbols,
        graph: parser.graph,
        errors: parser.diagnostics,
        replacements: parser.engine.replacements.unwrap_or_default(),
    }
}

/// Whether a text is one name of the language.
pub fn is_name(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let (token, span) = lexer.next_token();
    token == Token::Name && span == Span::new(0, text.len())
}

impl Symbols {
    fn add(&mut self, name: &str, kind: SymbolKind, declaration: Option<Declaration>) -> SymbolId {
        let name = name.to_string();
        self.all.push(Symbol { name, kind, ty: Type::INTEGER, declaration })
    }

    fn mention(&mut self, span: Span, symbol: SymbolId) {
        self.mentions.insert(span.start, (span, symbol));
    }

    fn of_slot(&self, slot: usize) -> Option<SymbolId> {
        self.slots.get(slot).copied().flatten()
    }

    fn set_slot(&mut self, slot: usize, symbol: Option<SymbolId>) {
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = symbol;
    }

    /// Only the first `count` variables are visible.
    pub fn truncate(&mut self, count: usize) {
        self.slots.truncate(count);
    }

    /// Sets the declared type of a variable.
    pub fn set_type(&mut self, slot: usize, ty: Type) {
        if let Some(symbol) = self.of_slot(slot) {
            self.all[symbol].ty = ty;
        }
    }

    /// The type of a variable cannot be inferred if its first value has an error.
    pub fn record_inference(&mut self, slot: usize, is_known: bool) {
        let Some(symbol) = self.of_slot(slot).filter(|_| !is_known) else { return };
        if let Some(declaration) = &mut self.all[symbol].declaration {
            declaration.is_inferred = false;
        }
    }

    /// The symbol of the struct called `name`, which may be declared later.
    fn of_struct(&mut self, name: &str) -> SymbolId {
        if let Some(&known) = self.structs.get(name) {
            return known;
        }
        let symbol = self.add(name, SymbolKind::Struct, None);
        self.structs.insert(name.to_string(), symbol);
        symbol
    }

    /// The variables that the body of a struct declares are its fields.
    pub fn record_fields(&mut self, of: &str, slots: Range<usize>) {
        if !self.is_on {
            return;
        }
        let of = self.of_struct(of);
        self.pending = slots.map(|slot| self.of_slot(slot)).collect();
        for &field in self.pending.iter().flatten() {
            self.all[field].kind = SymbolKind::Field(of);
        }
    }

    /// Exchanges the symbols of two functions, of which one waits for the other. Each keeps its
    /// variables.
    pub fn exchange(&mut self, other: &mut Symbols) {
        std::mem::swap(self, other);
        std::mem::swap(&mut self.slots, &mut other.slots);
    }

    /// Whether the parser notes names; returns whether it has noted them so far. It does not while
    /// it reads tokens that are parsed later.
    pub fn switch(&mut self, is_on: bool) -> bool {
        std::mem::replace(&mut self.is_on, is_on)
    }
}

/// Declarations.
impl Parser<'_> {
    pub fn record_argument(&mut self) {
        let Some(slot) = self.scope.slot("arg").filter(|_| self.scope.symbols.is_on) else {
            return;
        };
        let symbol = self.scope.symbols.add("arg", SymbolKind::Argument, None);
        self.scope.symbols.set_slot(slot, Some(symbol));
    }

    /// Notes a declaration, of which `ty` is the text of the type. A second one in the same block
    /// is a use.
    pub fn record_variable(&mut self, name: &str, span: Span, value: NodeId, ty: &str) {
        if !self.scope.symbols.is_on {
            return;
        }
        let slot = self.scope.count() - 1;
        if self.scope.slot(name) != Some(slot) || self.scope.symbols.of_slot(slot).is_some() {
            return self.record_name(name, span);
        }
        let is_inferred = matches!(ty, "var" | "val") && !self.objects.structs.contains_key(ty);
        let declaration = Declaration {
            name: span,
            whole: Span { start: span.start, end: self.cursor.last().end },
            is_inferred,
            is_outermost: self.scope.is_outermost() && !self.is_in_function(),
        };
        let place = self.cursor.span().start;
        let symbols = &mut self.scope.symbols;
        let symbol = match symbols.forward.get(&place) {
            Some(&forward) => forward,
            None => symbols.add(name, SymbolKind::Variable, None),
        };
        symbols.all[symbol].declaration = Some(declaration);
        symbols.set_slot(slot, Some(symbol));
        symbols.mention(span, symbol);
        self.record_assigned(span, value);
    }

    /// The variable is declared with the literal of a function, which begins here.
    pub fn record_function(&mut self, slot: usize, is_inferred: bool) {
        let Some(symbol) = self.scope.symbols.of_slot(slot) else { return };
        let symbol = &mut self.scope.symbols.all[symbol];
        symbol.kind = SymbolKind::Function;
        if let Some(declaration) = &mut symbol.declaration {
            declaration.is_inferred = is_inferred;
        }
    }

    /// The declaration of the variable ends here.
    pub fn record_end(&mut self, slot: usize) {
        let Some(symbol) = self.scope.symbols.of_slot(slot) else { return };
        if let Some(declaration) = &mut self.scope.symbols.all[symbol].declaration {
            declaration.whole.end = self.cursor.last().end;
        }
    }

    pub fn record_struct_declaration(&mut self, name: &str, span: Span) {
        if !self.scope.symbols.is_on {
            return;
        }
        let is_outermost = self.scope.is_outermost();
        let symbols = &mut self.scope.symbols;
        let symbol = symbols.of_struct(name);
        symbols.mention(span, symbol);
        let declaration = Declaration { name: span, whole: span, is_inferred: false, is_outermost };
        symbols.all[symbol].declaration.get_or_insert(declaration);
    }

    /// Notes a struct, whose first token and whose name are at these places, and its fields. If its
    /// name is at several places, the others are errors.
    pub fn record_struct(&mut self, of: StructId, [start, name]: [Span; 2]) {
        if !self.scope.symbols.is_on {
            return;
        }
        let declared = self.graph.types.structs.get(of);
        let symbols = &mut self.scope.symbols;
        let symbol = symbols.of_struct(&declared.name);
        symbols.all[symbol].declaration = Some(Declaration {
            name,
            whole: Span { start: start.start, end: self.cursor.last().end },
            is_inferred: false,
            is_outermost: true,
        });
        let fields = declared.fields.iter().zip(std::mem::take(&mut symbols.pending));
        symbols.fields.extend(fields.filter_map(|(&field, symbol)| Some((field, symbol?))));
    }

    /// In a constructor, the variables from `first` on are the fields of the object.
    pub fn record_constructor(&mut self, of: StructId, first: usize) {
        let symbols = &mut self.scope.symbols;
        if !symbols.is_on {
            return;
        }
        for (at, field) in self.graph.types.structs.get(of).fields.iter().enumerate() {
            if let Some(&symbol) = symbols.fields.get(field) {
                symbols.set_slot(first + at, Some(symbol));
            }
        }
    }
}

/// Functions.
impl Parser<'_> {
    /// The innermost function begins or ends.
    pub fn exchange_symbols(&mut self) {
        let outer = self.functions.outer.last_mut().expect("a function waits");
        self.scope.symbols.exchange(&mut outer.scope.symbols);
    }
}

/// Uses.
impl Parser<'_> {
    /// Notes the use of a variable, if `name` is one.
    pub fn record_name(&mut self, name: &str, span: Span) {
        if !self.scope.symbols.is_on {
            return;
        }
        let symbol = self.scope.slot(name).and_then(|slot| self.scope.symbols.of_slot(slot));
        if let Some(symbol) = symbol {
            self.scope.symbols.mention(span, symbol);
        }
    }

    /// Notes the use of a variable, and its value.
    pub fn record_use(&mut self, slot: usize, span: Span) {
        if !self.scope.symbols.is_on {
            return;
        }
        self.record_name(self.scope.name(slot), span);
        let value = self.scope.value(&mut self.graph, slot);
        self.record_value(span, Some(self.scope.declared(slot)), Some(value));
    }

    /// Notes the use of a constant of an outer function.
    pub fn record_outer_name(&mut self, name: &str, span: Span) {
        let scopes = self.functions.outer.iter().rev().map(|it| &it.scope);
        let found = { scopes }.find_map(|it| Some(it.symbols.of_slot(it.slot(name)?)));
        if let Some(symbol) = found.flatten().filter(|_| self.scope.symbols.is_on) {
            self.scope.symbols.mention(span, symbol);
        }
    }

    /// Notes the use of a function before its declaration, with the literal at `place`.
    pub fn record_forward(&mut self, name: &str, place: u32, span: Span) {
        let symbols = &mut self.scope.symbols;
        if !symbols.is_on {
            return;
        }
        let known = symbols.forward.get(&place).copied();
        let symbol = known.unwrap_or_else(|| symbols.add(name, SymbolKind::Function, None));
        symbols.forward.insert(place, symbol);
        symbols.mention(span, symbol);
    }

    pub fn record_struct_name(&mut self, name: &str, span: Span) {
        let symbols = &mut self.scope.symbols;
        if symbols.is_on {
            let symbol = symbols.of_struct(name);
            symbols.mention(span, symbol);
        }
    }

    pub fn record_field(&mut self, field: FieldId, span: Span) {
        let symbols = &mut self.scope.symbols;
        if let Some(&symbol) = symbols.fields.get(&field) {
            symbols.mention(span, symbol);
        }
    }
}

/// Values.
impl Parser<'_> {
    fn record_value(&mut self, span: Span, ty: Option<Type>, node: Option<NodeId>) {
        if self.scope.symbols.is_on {
            let value = TokenValue { span, ty, node, is_negated: false };
            self.scope.symbols.values.insert(span.start, value);
        }
    }

    /// Notes the value of an operation, of which the token of the next nodes is the operator or the
    /// name of a field. Its type is the one that was pushed last.
    pub fn record_operation(&mut self, node: NodeId, is_negated: bool) {
        let Some(span) = self.graph.current_origin() else { return };
        self.record_value(span, Some(self.top_type().ty), Some(node));
        if let Some(value) = self.scope.symbols.values.get_mut(&span.start) {
            value.is_negated = is_negated;
        }
    }

    /// Notes the type after signs, of which the first one is the token of the next nodes.
    pub fn record_sign(&mut self) {
        if let Some(span) = self.graph.current_origin() {
            self.record_value(span, Some(self.top_type().ty), None);
        }
    }

    /// Notes the value of `?:`, whose first token is at `span`; if there is no error, its type was
    /// pushed last.
    pub fn record_conditional(&mut self, span: Span, node: Option<NodeId>) {
        if node.is_some() {
            self.record_value(span, Some(self.top_type().ty), node);
        }
    }

    /// Notes the type of a literal, if the last token is one.
    pub fn record_literal(&mut self) {
        let span = self.cursor.last();
        let text = &self.cursor.whole_text()[span.range()];
        let is_number = text.starts_with(|it: char| it.is_ascii_digit());
        if is_number || matches!(text, "true" | "false" | "null") {
            self.record_value(span, Some(self.top_type().ty), None);
        }
    }

    /// Notes the value that is assigned to a variable, whose name is at `span`.
    pub fn record_assigned(&mut self, span: Span, node: NodeId) {
        self.record_value(span, None, Some(node));
    }

    /// Notes the value that a statement assigns to a variable, if its name begins the statement.
    pub fn record_assignment(&mut self, slot: usize, node: NodeId) {
        let Some(span) = self.graph.current_origin() else { return };
        let mentioned = self.scope.symbols.mentions.get(&span.start);
        if mentioned.is_some_and(|it| Some(it.1) == self.scope.symbols.of_slot(slot)) {
            self.record_assigned(span, node);
        }
    }
}
