//! `var` and `val`: variables whose type is that of their first value. A `val` cannot be assigned
//! again.
use super::Parser;
use super::scope::Fact;
use super::static_types::StaticType;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::NodeId;
use crate::types::{FieldId, Type, TypeKind};
use source::Span;

/// The label of an error about a read-only reference.
const READ_ONLY: &str = "a `val`, and all that it leads to, is read-only";

impl Parser<'_> {
    /// Whether the declaration of a `var` or `val` begins here. They are no reserved words.
    pub fn begins_inferred(&self) -> bool {
        let word = self.cursor.text();
        matches!(word, "var" | "val")
            && !self.objects.structs.contains_key(word)
            && matches!(self.cursor.second(), Token::Name | Token::Not)
    }

    /// ```text
    /// declaration = ( "var" | "val" ) , declarators ;
    /// ```
    pub fn inferred_declaration(&mut self) -> Result<(), Diagnostic> {
        let word = self.cursor.take();
        self.declarators(|parser| parser.inferred_variable(word))
    }

    fn inferred_variable(&mut self, word: &str) -> Result<(), Diagnostic> {
        #[cfg(feature = "ch18")]
        if word == "val" && self.begins_named_function() {
            return self.named_function(None);
        }
        let (name, span) = self.name()?;
        if self.ends_declarator() {
            let diag = self.cursor.expected("=expression");
            return Err(
                diag.with_help(format!("the type of a `{word}` is that of its first value"))
            );
        }
        let value = self.inferred_value(word == "val");
        let (known, declared, fact) = match value {
            Ok(value) => value,
            Err(_) => (self.constant(0), Type::INTEGER, Fact::UNKNOWN),
        };
        let count = self.scope.count();
        self.define(name, span, known, word);
        if self.scope.count() > count {
            self.scope.declare(declared, fact);
            self.scope.set_final(count, word == "val");
            #[cfg(feature = "ch18")]
            self.note_constant(count, known);
            #[cfg(feature = "ch28")]
            self.scope.symbols.record_inference(count, value.is_ok());
        }
        value.map(drop)
    }

    /// The first value, its type, and whether it is known not to be null.
    fn inferred_value(&mut self, is_final: bool) -> Result<(NodeId, Type, Fact), Diagnostic> {
        let value = self.value_assigned()?;
        if !is_final {
            self.expect_writable(self.top_type())?;
        }
        let StaticType { ty, not_null, .. } = self.take_type();
        let types = &mut self.graph.types;
        if ty == Type::NULL {
            let message = "Syntax error, expected a not-null/non-zero expression: null";
            let label = "null has no struct";
            let diag = Diagnostic::new(Code::Type, self.cursor.last(), message, label);
            return Err(diag.with_help("declare the type: `S? name = null;`"));
        }
        let fact = if types.may_be_null(ty) { not_null } else { Fact::NOT_NULL };
        Ok(match *types.kind(ty) {
            TypeKind::Pointer { target, nullable } => {
                (value, types.pointer(target, nullable || !is_final), fact)
            }
            TypeKind::Float(_) | TypeKind::Single => (value, Type::FLOAT, Fact::UNKNOWN),
            _ => (value, Type::INTEGER, Fact::UNKNOWN),
        })
    }

    /// A variable that is assigned must not be final.
    pub fn expect_mutable(&self, slot: usize, span: Span) -> Result<(), Diagnostic> {
        if !self.scope.is_final(slot) {
            return Ok(());
        }
        let message = format!("Cannot reassign final '{}'", self.scope.name(slot));
        let diag = Diagnostic::new(Code::Type, span, message, "a `val` is assigned once");
        Err(diag.with_help("declare it by `var`"))
    }

    /// A field that is assigned outside of a constructor must not be final, nor its object, whose
    /// type was pushed last, known by a read-only reference.
    pub fn expect_mutable_field(&self, field: FieldId, span: Span) -> Result<(), Diagnostic> {
        let is_final = self.objects.final_fields.contains(&field);
        let (label, help) = match self.top_type().is_read_only {
            _ if is_final => ("a `val` is assigned once", "declare it by `var`"),
            true => (READ_ONLY, "declare the variable by `var`, or with its type"),
            false => return Ok(()),
        };
        let name = self.graph.types.structs.field_name(field);
        let message = format!("Cannot modify final field '{name}'");
        Err(Diagnostic::new(Code::Type, span, message, label).with_help(help))
    }

    /// A reference that is assigned to what is not a `val` must not be read-only.
    /// @ch18 Nothing is assigned by a reference to a function.
    pub fn expect_writable(&self, value: StaticType) -> Result<(), Diagnostic> {
        #[cfg(feature = "ch18")]
        if self.graph.types.signature_of(value.ty).is_some() {
            return Ok(());
        }
        if !value.is_read_only || !self.graph.types.is_pointer(value.ty) {
            return Ok(());
        }
        let message = "Cannot assign a read-only reference";
        let diag = Diagnostic::new(Code::Type, self.cursor.last(), message, READ_ONLY);
        Err(diag.with_help("a `val` may take it"))
    }
}
