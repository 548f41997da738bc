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
    input.engine.note_replacements();
    let mut parser = Parser::new(input);
    parser.scope.symbols.is_on = true;
    parser.program();
    parser.sort_diagnostics();
    Reading {
        symbols: parser.scope.symbols,
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
    pub fn note_inference(&mut self, slot: usize, is_known: bool) {
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
    pub fn note_fields(&mut self, of: &str, slots: Range<usize>) {
        if !self.is_on {
            return;
        }
        let of = self.of_struct(of);
        self.pending = slots.map(|slot| self.of_slot(slot)).collect();
        for &field in self.pending.iter().flatten() {
            self.all[field].kind = SymbolKind::Field(of);
        }
    }

    /// Whether the parser notes names; returns whether it has noted them so far. It does not while
    /// it reads tokens that are parsed later.
    pub fn switch(&mut self, is_on: bool) -> bool {
        std::mem::replace(&mut self.is_on, is_on)
    }
}

/// Declarations.
impl Parser<'_> {
    pub fn note_argument(&mut self) {
        let Some(slot) = self.scope.slot("arg").filter(|_| self.scope.symbols.is_on) else {
            return;
        };
        let symbol = self.scope.symbols.add("arg", SymbolKind::Argument, None);
        self.scope.symbols.set_slot(slot, Some(symbol));
    }

    /// Notes a declaration, of which `ty` is the text of the type. A second one in the same block
    /// is a use.
    pub fn note_variable(&mut self, name: &str, span: Span, value: NodeId, ty: &str) {
        if !self.scope.symbols.is_on {
            return;
        }
        let slot = self.scope.count() - 1;
        if self.scope.slot(name) != Some(slot) || self.scope.symbols.of_slot(slot).is_some() {
            return self.note_name(name, span);
        }
        let is_inferred = matches!(ty, "var" | "val") && !self.objects.structs.contains_key(ty);
        let declaration = Declaration {
            name: span,
            whole: Span { start: span.start, end: self.cursor.last().end },
            is_inferred,
            is_outermost: self.scope.is_outermost(),
        };
        let symbols = &mut self.scope.symbols;
        let symbol = symbols.add(name, SymbolKind::Variable, Some(declaration));
        symbols.set_slot(slot, Some(symbol));
        symbols.mention(span, symbol);
        self.note_assigned(span, value);
    }

    pub fn note_struct_declaration(&mut self, name: &str, span: Span) {
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
    pub fn note_struct(&mut self, of: StructId, [start, name]: [Span; 2]) {
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
    pub fn note_constructor(&mut self, of: StructId, first: usize) {
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

/// Uses.
impl Parser<'_> {
    /// Notes the use of a variable, if `name` is one.
    pub fn note_name(&mut self, name: &str, span: Span) {
        if !self.scope.symbols.is_on {
            return;
        }
        let symbol = self.scope.slot(name).and_then(|slot| self.scope.symbols.of_slot(slot));
        if let Some(symbol) = symbol {
            self.scope.symbols.mention(span, symbol);
        }
    }

    pub fn note_struct_name(&mut self, name: &str, span: Span) {
        let symbols = &mut self.scope.symbols;
        if symbols.is_on {
            let symbol = symbols.of_struct(name);
            symbols.mention(span, symbol);
        }
    }

    pub fn note_field(&mut self, field: FieldId, span: Span) {
        let symbols = &mut self.scope.symbols;
        if let Some(&symbol) = symbols.fields.get(&field) {
            symbols.mention(span, symbol);
        }
    }
}

/// Values.
impl Parser<'_> {
    fn note_value(&mut self, span: Span, ty: Option<Type>, node: Option<NodeId>) {
        if self.scope.symbols.is_on {
            let value = TokenValue { span, ty, node, is_negated: false };
            self.scope.symbols.values.insert(span.start, value);
        }
    }

    /// Notes the value of an operation, of which the token of the next nodes is the operator or the
    /// name of a field. Its type is the one that was pushed last.
    pub fn note_operation(&mut self, node: NodeId, is_negated: bool) {
        let Some(span) = self.graph.current_origin() else { return };
        self.note_value(span, Some(self.top_type().ty), Some(node));
        if let Some(value) = self.scope.symbols.values.get_mut(&span.start) {
            value.is_negated = is_negated;
        }
    }

    /// Notes the type after signs, of which the first one is the token of the next nodes.
    pub fn note_sign(&mut self) {
        if let Some(span) = self.graph.current_origin() {
            self.note_value(span, Some(self.top_type().ty), None);
        }
    }

    /// Notes the value of `?:`, whose first token is at `span`; if there is no error, its type was
    /// pushed last.
    pub fn note_conditional(&mut self, span: Span, node: Option<NodeId>) {
        if node.is_some() {
            self.note_value(span, Some(self.top_type().ty), node);
        }
    }

    /// Notes the value of an operand, if it is one token. The value of a literal is its text.
    pub fn note_operand(&mut self, first: Token, node: NodeId) {
        let last = self.cursor.last();
        let is_name = first == Token::Name && self.scope.symbols.mentions.contains_key(&last.start);
        if is_name || first.is_literal() {
            self.note_value(last, Some(self.top_type().ty), is_name.then_some(node));
        }
    }

    /// Notes the value that is assigned to a variable, whose name is at `span`.
    pub fn note_assigned(&mut self, span: Span, node: NodeId) {
        self.note_value(span, None, Some(node));
    }

    /// Notes the value that a statement assigns to a variable, if its name begins the statement.
    pub fn note_assignment(&mut self, slot: usize, node: NodeId) {
        let Some(span) = self.graph.current_origin() else { return };
        let mentioned = self.scope.symbols.mentions.get(&span.start);
        if mentioned.is_some_and(|it| Some(it.1) == self.scope.symbols.of_slot(slot)) {
            self.note_assigned(span, node);
        }
    }
}
