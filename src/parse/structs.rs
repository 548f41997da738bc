//! Declarations of structs and of pointers.
use super::Parser;
use super::scope::Fact;
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::heap::MAX_FIELDS;
use crate::sea::Op;
use crate::types::{FieldId, StructId, Target, Type};
use arena::Id;

impl<'s> Parser<'s> {
    /// ```text
    /// @ch10-15 struct = "struct" , name , "{" , { type , name , ";" } , "}" ;
    /// @ch16 struct = "struct" , name , "{" , statements , "}" ;
    /// ```
    pub fn struct_declaration(&mut self) -> Result<(), Diagnostic> {
        let start = self.cursor.span();
        self.cursor.take();
        let (name, span) = self.name()?;
        let fields = self.struct_fields(name)?;
        let is_outermost = self.scope.is_outermost();
        #[cfg(feature = "ch18")]
        let is_outermost = is_outermost && !self.is_in_function();
        if !is_outermost {
            let message = "Syntax error, struct declarations can only appear in top level scope";
            let label = "declare it outside of all blocks, branches and loops";
            return Err(Diagnostic::new(Code::Syntax, start, message, label));
        }
        if self.objects.structs.contains_key(name) {
            let message = format!("Syntax error, struct '{name}' cannot be redefined");
            return Err(Diagnostic::new(Code::Name, span, message, "already declared"));
        }
        if fields.len() > MAX_FIELDS {
            let message = format!("Syntax error, a struct has at most {MAX_FIELDS} fields");
            return Err(Diagnostic::new(Code::Syntax, span, message, "this one has more"));
        }
        self.declare_struct(name, &fields);
        #[cfg(feature = "ch16")]
        self.keep_defaults(self.objects.structs[name]);
        #[cfg(feature = "ch28")]
        self.record_struct(self.objects.structs[name], [start, span]);
        Ok(())
    }
}

/// A struct is a list of fields.
#[cfg(not(feature = "ch16"))]
impl<'s> Parser<'s> {
    /// The fields of a struct: their names and types.
    fn struct_fields(&mut self, of: &str) -> Result<Vec<(&'s str, Type)>, Diagnostic> {
        self.cursor.expect(Token::OpenBrace, "{")?;
        let mut names = arena::FxHashSet::default();
        let mut fields = Vec::new();
        while !self.cursor.eat(Token::CloseBrace) {
            let ty = self.field_type()?;
            #[cfg(feature = "ch15")]
            let ty = self.array_type(ty)?;
            let (name, span) = self.name()?;
            if !names.insert(name) {
                let message = format!("Field '{name}' already defined in struct '{of}'");
                return Err(Diagnostic::new(Code::Name, span, message, "declared twice"));
            }
            fields.push((name, ty));
            self.semicolon()?;
        }
        Ok(fields)
    }

    fn field_type(&mut self) -> Result<Type, Diagnostic> {
        if self.cursor.eat(Token::Int) {
            return Ok(Type::INTEGER);
        }
        #[cfg(feature = "ch12")]
        if self.cursor.eat(Token::Flt) {
            return Ok(Type::FLOAT);
        }
        #[cfg(feature = "ch13")]
        if let Some(ty) = self.named_type()? {
            return Ok(ty);
        }
        const ONLY_INTEGERS: &str =
            "A field type is expected, only type 'int' is supported at present";
        let message = format!("Syntax error, {ONLY_INTEGERS}");
        #[cfg(feature = "ch12")]
        let message = message.replace(ONLY_INTEGERS, &self.required_type());
        let label = "the type of a field, or `}`, is missing here";
        Err(Diagnostic::new(Code::Syntax, self.cursor.place(), message, label))
    }

    /// The type of a reference.
    /// @ch14 Or of narrow integers.
    #[cfg(feature = "ch13")]
    fn named_type(&mut self) -> Result<Option<Type>, Diagnostic> {
        Ok(match self.cursor.peek() {
            Token::Name => Some(self.reference_type()),
            #[cfg(feature = "ch14")]
            Token::Sized => Some(self.sized_type()?),
            _ => None,
        })
    }

    #[cfg(feature = "ch12")]
    fn required_type(&self) -> String {
        format!("Requires a field type, found '{}'", report_text::escaped(self.cursor.text()))
    }
}

impl<'s> Parser<'s> {
    /// Start yields the memories of the fields.
    fn declare_struct(&mut self, name: &'s str, fields: &[(&'s str, Type)]) {
        let declared = self.undeclared_struct(name);
        self.objects.structs.insert(name, declared);
        for &(name, ty) in fields {
            let field = self.graph.types.add_field(declared, name, ty);
            self.declare_memory(field, name);
            self.objects.fields.insert((declared, name), field);
        }
    }

    pub fn declare_memory(&mut self, field: FieldId, name: &'s str) {
        // The first two projections are control and the argument.
        let memory = Op::Projection(2 + field.index() as u32);
        let memory = self.node(memory, &[self.graph.start]);
        #[cfg(feature = "ch18")]
        let memory = self.changed_memory(memory);
        self.objects.slots[field] = self.scope.define_memory(&mut self.graph, name, memory);
    }

    /// The memory of a field at its declaration: calls may have changed that of Start.
    #[cfg(feature = "ch18")]
    fn changed_memory(&mut self, memory: crate::sea::NodeId) -> crate::sea::NodeId {
        let Some(slot) = self.functions.rest else { return memory };
        let rest = self.scope.value(&mut self.graph, slot);
        let is_first =
            self.graph.op(rest) == Op::Rest && self.graph.input(rest, 0) == self.graph.start;
        if is_first {
            return memory;
        }
        self.graph.kill_unless_used(memory, rest);
        rest
    }

    /// A struct that is about to be declared.
    fn undeclared_struct(&mut self, name: &'s str) -> StructId {
        #[cfg(feature = "ch13")]
        if let Some(forward) = self.objects.forward.remove(name) {
            return forward;
        }
        self.graph.types.structs.add(name)
    }

    /// Whether the next token is a name of a struct that begins the declaration of a pointer.
    pub fn is_struct_name(&mut self) -> bool {
        #[cfg(feature = "ch13")]
        if self.begins_forward_declaration() {
            return true;
        }
        self.objects.structs.contains_key(self.cursor.text())
    }

    /// ```text
    /// declaration = struct name , [ "?" ] , declarators ;
    /// ```
    pub fn pointer_declaration(&mut self) -> Result<(), Diagnostic> {
        let struct_name = self.cursor.text();
        let declared = self.reference_type();
        #[cfg(feature = "ch15")]
        let declared = self.array_type(declared)?;
        self.declarators(|parser| parser.declared_pointer(declared, struct_name))
    }

    pub fn declared_pointer(
        &mut self,
        declared: Type,
        struct_name: &str,
    ) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        let value = self.first_pointer(declared);
        let unknown = |parser: &mut Parser| parser.node(Op::Constant(Type::TOP), &[]);
        let (known, fact) = value.clone().unwrap_or_else(|_| (unknown(self), Fact::NOT_NULL));
        let count = self.scope.count();
        self.define(name, span, known, struct_name);
        if self.scope.count() > count {
            self.scope.declare(declared, fact);
        }
        value.map(drop)
    }

    /// ```text
    /// @ch10-14 type = struct name , [ "?" ] ;
    /// @ch15 reference = struct name , [ "?" ] ;
    /// ```
    pub fn reference_type(&mut self) -> Type {
        let name = self.cursor.take();
        #[cfg(feature = "ch28")]
        self.record_struct_name(name, self.cursor.last());
        let target = self.named_struct(name);
        let nullable = self.cursor.eat(Token::Question);
        self.graph.types.pointer(Target::Struct(target), nullable)
    }

    /// The struct of a name that is declared, or may be declared later.
    pub fn named_struct(&mut self, name: &'s str) -> StructId {
        #[cfg(feature = "ch13")]
        if !self.objects.structs.contains_key(name) {
            return self.forward_struct(name);
        }
        self.objects.structs[name]
    }
}

/// Structs that are mentioned before their declaration.
#[cfg(feature = "ch13")]
impl<'s> Parser<'s> {
    fn forward_struct(&mut self, name: &'s str) -> StructId {
        let structs = &mut self.graph.types.structs;
        *self.objects.forward.entry(name).or_insert_with(|| structs.add(name))
    }

    /// Whether a pointer to a struct is declared here, and the struct itself later.
    fn begins_forward_declaration(&mut self) -> bool {
        #[cfg(feature = "ch16")]
        if self.begins_field() {
            return true;
        }
        let second = self.cursor.second();
        #[cfg(feature = "ch16")]
        let second = if second == Token::Not { Token::Name } else { second };
        if !matches!(second, Token::Name | Token::Question) {
            return false;
        }
        let (name, cursor) = (self.cursor.text(), &self.cursor);
        let names = self.objects.all_names.get_or_insert_with(|| cursor.struct_names());
        names.contains(name)
    }
}
