//! Constructors: the first values of an object's fields.
//!
//! The body of a struct is code, and is executed where the struct is declared. The variables that
//! it declares are the fields, and their values at its end are the defaults. A constructor starts
//! with these values, in variables again; those at its end are stored to the new object.
use super::Parser;
use super::scope::Fact;
use super::static_types::StaticType;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op};
use crate::types::{FieldId, StructId, Target, Type};
use source::Span;
use std::ops::Range;

const MAX_WARNINGS: usize = 20;

/// The values of the fields of a struct where its body ends.
pub struct Defaults<'s> {
    /// A Scope node that holds the values, one for each of `fields`.
    node: NodeId,
    fields: Vec<Default<'s>>,
}

#[derive(Clone, Copy)]
struct Default<'s> {
    name: &'s str,
    declared: Type,
    /// That a pointer has a value, and is not null.
    fact: Fact,
    #[cfg(feature = "ch17")]
    is_final: bool,
}

/// Declarations.
impl<'s> Parser<'s> {
    /// The fields of a struct: their names and types. Their values are the pending defaults.
    pub fn struct_fields(&mut self, of: &str) -> Result<Vec<(&'s str, Type)>, Diagnostic> {
        #[cfg(feature = "ch28")]
        self.record_struct_declaration(of, self.cursor.last());
        self.enter()?;
        self.cursor.expect(Token::OpenBrace, "{")?;
        let first = self.scope.count();
        self.scope.push();
        let outer = std::mem::replace(&mut self.objects.is_body, true);
        self.statements_of_block();
        self.objects.is_body = outer;
        #[cfg(feature = "ch28")]
        self.scope.symbols.record_fields(of, first..self.scope.count());
        let defaults = self.current_fields(first);
        let fields = defaults.fields.iter().map(|it| (it.name, it.declared)).collect();
        self.objects.pending = Some(defaults);
        self.scope.pop(&mut self.graph);
        self.depth -= 1;
        let closed = self.cursor.expect(Token::CloseBrace, "}");
        closed.map_err(|it| it.with_help(format!("the struct `{of}` is never closed")))?;
        Ok(fields)
    }

    /// Whether a field is declared here, that refers to a struct of any name.
    pub fn begins_field(&self) -> bool {
        match self.cursor.second() {
            Token::Name | Token::Not => self.objects.is_body,
            Token::Question => {
                let third = self.cursor.third();
                self.objects.is_body && matches!(third, Token::Name | Token::OpenBracket)
            }
            _ => false,
        }
    }

    /// The variables from `first` on, and their values.
    fn current_fields(&mut self, first: usize) -> Defaults<'s> {
        let slots = first..self.scope.count();
        let node = self.graph.create(Op::Scope, &[]);
        for slot in slots.clone() {
            let value = self.scope.value(&mut self.graph, slot);
            self.graph.add_input(node, value);
        }
        let field = |slot| Default {
            name: self.scope.name(slot),
            declared: self.scope.declared(slot),
            fact: self.scope.facts.get(slot),
            #[cfg(feature = "ch17")]
            is_final: self.scope.is_final(slot),
        };
        Defaults { node, fields: slots.map(field).collect() }
    }

    /// Keeps the defaults of the struct that was declared last.
    pub fn keep_defaults(&mut self, of: StructId) {
        let defaults = self.objects.pending.take();
        #[cfg(feature = "ch17")]
        self.note_final_fields(of, &defaults);
        self.objects.defaults.extend(defaults.map(|it| (of, it)));
    }

    /// Releases the defaults of all structs.
    /// @ch18 And the Returns of all functions, which the Stop gets.
    pub fn release_held(&mut self) {
        #[cfg(feature = "ch18")]
        self.release_returns();
        let mut nodes: Vec<_> = self.objects.defaults.values().map(|it| it.node).collect();
        nodes.sort_unstable();
        nodes.into_iter().for_each(|node| self.graph.kill(node));
    }
}

/// The fields that are declared by `val`.
#[cfg(feature = "ch17")]
impl<'s> Parser<'s> {
    fn note_final_fields(&mut self, of: StructId, defaults: &Option<Defaults<'s>>) {
        let fields = self.graph.types.structs.get(of).fields.iter().copied();
        let defaults = defaults.iter().flat_map(|it| &it.fields);
        let finals = fields.zip(defaults).filter(|(_, default)| default.is_final);
        self.objects.final_fields.extend(finals.map(|(field, _)| field));
    }
}

/// Objects.
impl<'s> Parser<'s> {
    /// ```text
    /// constructor = [ "{" , statements , "}" ] ;
    /// ```
    /// A new object of the struct, with the values that its constructor gives to the fields.
    pub fn constructed(&mut self, of: StructId) -> Result<NodeId, Diagnostic> {
        let (first, span) = (self.scope.count(), self.cursor.last());
        self.scope.push();
        #[cfg(feature = "ch18")]
        self.expect_constant_defaults(of);
        self.begin_fields(of);
        let fields = first..self.scope.count();
        let parsed = match self.cursor.peek() {
            Token::OpenBrace => self.constructor(fields),
            _ => Ok(()),
        };
        let object = parsed.map(|()| self.object(of, first, span));
        self.scope.pop(&mut self.graph);
        object
    }

    /// In a function, the defaults of fields must be constants.
    #[cfg(feature = "ch18")]
    fn expect_constant_defaults(&mut self, of: StructId) {
        let Some(Defaults { node, fields }) = self.objects.defaults.get(&of) else { return };
        let values = self.graph.inputs(*node).zip(fields.iter().map(|it| it.name));
        for (value, name) in values.collect::<Vec<_>>() {
            self.expect_constant(value, name);
        }
    }

    /// Declares the fields as variables, with their defaults.
    fn begin_fields(&mut self, of: StructId) {
        let Some(Defaults { node, fields }) = self.objects.defaults.get(&of) else { return };
        let (node, fields) = (*node, fields.clone());
        #[cfg(feature = "ch17")]
        let first = self.scope.count();
        for (at, field) in fields.into_iter().enumerate() {
            let value = self.graph.input(node, at);
            self.scope.define(&mut self.graph, field.name, value);
            self.scope.declare(field.declared, field.fact);
            #[cfg(feature = "ch17")]
            self.scope.set_final(first + at, field.is_final);
        }
        #[cfg(feature = "ch28")]
        self.record_constructor(of, first);
    }

    /// The statements of a constructor, for the fields in these variables.
    fn constructor(&mut self, fields: Range<usize>) -> Result<(), Diagnostic> {
        self.enter()?;
        let open = self.cursor.span();
        self.cursor.take();
        let outer_fields = std::mem::replace(&mut self.objects.constructed, fields);
        let types = std::mem::take(&mut self.objects.types);
        let condition = self.objects.condition;
        self.statements_of_constructor();
        (self.objects.types, self.objects.condition) = (types, condition);
        self.objects.constructed = outer_fields;
        self.depth -= 1;
        let closed = self.cursor.expect(Token::CloseBrace, "}");
        closed.map_err(|diag| {
            let line = self.cursor.line_of(open);
            diag.with_help(format!("the constructor that begins in line {line} is never closed"))
        })
    }

    /// @ch16-17 The statements of a constructor.
    /// @ch18 The statements of a constructor: none of them is the last one of a function.
    fn statements_of_constructor(&mut self) {
        #[cfg(feature = "ch18")]
        let is_last = std::mem::take(&mut self.functions.is_last);
        self.statements_of_block();
        #[cfg(feature = "ch18")]
        {
            self.functions.is_last = is_last;
        }
    }

    /// The new object; its fields get the values of the variables from `first` on.
    fn object(&mut self, of: StructId, first: usize, span: Span) -> NodeId {
        let control = self.control();
        let object = self.node(Op::New(of), &[control]);
        let held = self.graph.create(Op::Scope, &[object]);
        for (at, field) in self.graph.types.structs.get(of).fields.clone().into_iter().enumerate() {
            self.first_value_of(field, object, first + at);
            self.expect_initialized(of, field, first + at, span);
        }
        self.graph.kill_unless_used(held, object);
        let ty = self.graph.types.pointer(Target::Struct(of), false);
        self.push_type(StaticType::of(ty));
        object
    }

    /// Writes the value of a variable to a field of a new object. All memory is 0 at first.
    fn first_value_of(&mut self, field: FieldId, object: NodeId, slot: usize) {
        let value = self.scope.value(&mut self.graph, slot);
        let is_constant = matches!(self.graph.op(value), Op::Constant(_));
        match self.graph.value(value) {
            Some(0) if is_constant => self.write(Op::Clear(field), field, &[object]),
            _ => self.write(Op::Store(field), field, &[object, value]),
        }
    }

    /// A field that must not be null needs a value in every constructor.
    fn expect_initialized(&mut self, of: StructId, field: FieldId, slot: usize, span: Span) {
        if !self.needs_value(slot) {
            return;
        }
        let fact = self.scope.facts.get(slot);
        if fact == Fact::NOT_NULL {
            return;
        }
        let structs = &self.graph.types.structs;
        let (of, field) = (&structs.get(of).name, structs.field_name(field));
        let message = format!(
            "'{of}' is not fully initialized, field '{field}' needs to be set in a constructor"
        );
        let label = "this object has a field without a value";
        let diag = Diagnostic::new(Code::Type, span, message, label);
        let diag = diag.with_help(format!("write `new {of} {{ {field} = …; }}`"));
        self.objects.demands.push((fact, diag));
    }

    /// Whether a variable has no value before its first assignment.
    fn needs_value(&self, slot: usize) -> bool {
        let (types, ty) = (&self.graph.types, self.scope.declared(slot));
        types.is_pointer(ty) && !types.may_be_null(ty)
    }

    /// Warns of a field that a constructor assigns to itself: the next tokens are `= name;`.
    pub fn warn_of_itself(&mut self, name: &str, span: Span) {
        #[cfg(feature = "ch28")]
        self.record_name(name, span);
        let slot = self.scope.slot(name).filter(|it| self.objects.constructed.contains(it));
        let is_assigned = self.cursor.peek() == Token::Assign;
        let (second, third) = (self.cursor.second(), self.cursor.third());
        if slot.is_none() || !is_assigned || [second, third] != [Token::Name, Token::Semicolon] {
            return;
        }
        let value = self.cursor.rest_after().strip_prefix(name);
        let is_itself =
            value.is_some_and(|it| !it.starts_with(|it: char| it.is_alphanumeric() || it == '_'));
        let has_room = self.objects.warnings.len() < MAX_WARNINGS;
        if is_itself && has_room {
            let message = format!("Field '{name}' is assigned to itself");
            let label = format!("`{name}` here is the field itself; rename the outer variable");
            let warning = Diagnostic::new(Code::Suspicious, span, message, label);
            self.objects.warnings.push(warning);
        }
    }

    /// A variable that must not be null is read only after it was assigned.
    pub fn expect_assigned(&mut self, slot: usize, span: Span) {
        #[cfg(feature = "ch28")]
        self.record_use(slot, span);
        if !self.needs_value(slot) {
            return;
        }
        let fact = self.scope.facts.get(slot);
        if fact == Fact::NOT_NULL {
            return;
        }
        let is_field = self.objects.constructed.contains(&slot);
        let kind = if is_field { "field" } else { "variable" };
        let message = format!("Cannot read uninitialized {kind} '{}'", self.scope.name(slot));
        let label = "no value has been assigned on some way to this point";
        self.objects.demands.push((fact, Diagnostic::new(Code::Type, span, message, label)));
    }
}
