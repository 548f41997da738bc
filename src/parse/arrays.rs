//! Arrays: their types, `new T[n]`, `a#` and `a[i]`.
//!
//! An access to an element that the array does not have ends the program. The check is control: an
//! If on the index, and a Trap on its other side. So all that holds for tests holds for checks.
use super::Parser;
use super::place::Place;
use super::static_types::{StaticType, type_name};
use super::token::Token;
use crate::arith::Relation;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op};
use crate::traps::{Failure, Trap};
use crate::types::{FieldId, Target, Type};
use source::Span;

/// Types.
impl<'s> Parser<'s> {
    /// Declares the memories of all arrays of the program. It may mention arrays first in branches
    /// and loops, where no memory can be added.
    pub fn declare_arrays(&mut self) {
        if !self.cursor.rest().contains('[') {
            return;
        }
        let start = self.cursor.clone();
        #[cfg(feature = "ch28")]
        let is_on = self.scope.symbols.switch(false);
        let mut is_after_new = false;
        while self.cursor.peek() != Token::End {
            let token = self.cursor.peek();
            if !self.begins_type() {
                self.cursor.take();
            } else if let Ok(element) = self.any_type()
                && is_after_new
                && self.cursor.peek() == Token::OpenBracket
            {
                // An error is reported when the statement is parsed.
                _ = self.array_of(element, self.cursor.span());
            }
            is_after_new = token == Token::New;
        }
        self.cursor = start;
        #[cfg(feature = "ch28")]
        self.scope.symbols.switch(is_on);
    }

    /// Whether a name of a type comes next.
    fn begins_type(&mut self) -> bool {
        match self.cursor.peek() {
            Token::Int | Token::Flt | Token::Sized => true,
            Token::Name => {
                let (name, cursor) = (self.cursor.text(), &self.cursor);
                let names = self.objects.all_names.get_or_insert_with(|| cursor.struct_names());
                names.contains(name)
            }
            _ => false,
        }
    }

    /// Whether a type of arrays of numbers begins here.
    pub fn begins_array(&self) -> bool {
        let is_number = matches!(self.cursor.peek(), Token::Int | Token::Flt | Token::Sized);
        is_number && matches!(self.cursor.second(), Token::OpenBracket | Token::Question)
    }

    /// ```text
    /// declaration = type , declarators ;
    /// ```
    pub fn array_declaration(&mut self) -> Result<(), Diagnostic> {
        let name = self.cursor.text();
        let declared = self.any_type()?;
        self.declarators(|parser| parser.declared_pointer(declared, name))
    }

    /// ```text
    /// type = ( "int" | "flt" | integers | reference ) , array type ;
    /// ```
    pub fn any_type(&mut self) -> Result<Type, Diagnostic> {
        let ty = match self.cursor.peek() {
            Token::Int => {
                self.cursor.take();
                Type::INTEGER
            }
            Token::Flt => {
                self.cursor.take();
                Type::FLOAT
            }
            Token::Sized => self.sized_type()?,
            #[cfg(feature = "ch18")]
            Token::OpenBrace => self.function_type_of()?,
            _ => self.reference_type(),
        };
        self.array_type(ty)
    }

    /// ```text
    /// array type = { "[" , "]" | "?" } ;
    /// ```
    /// The type after its first part `ty`.
    pub fn array_type(&mut self, mut ty: Type) -> Result<Type, Diagnostic> {
        loop {
            let span = self.cursor.span();
            if self.cursor.eat(Token::Question) {
                ty = self.or_null(ty, span)?;
            } else if self.cursor.peek() == Token::OpenBracket
                && self.cursor.second() == Token::CloseBracket
            {
                ty = self.array_of(ty, span)?;
                self.cursor.take();
                self.cursor.take();
            } else {
                return Ok(ty);
            }
        }
    }

    fn or_null(&mut self, ty: Type, span: Span) -> Result<Type, Diagnostic> {
        let types = &mut self.graph.types;
        let name = type_name(types, ty);
        if !types.is_pointer(ty) {
            let message = format!("Type {name} cannot be null");
            return Err(Diagnostic::new(Code::Type, span, message, "only references can"));
        }
        if types.may_be_null(ty) {
            let message = format!("Type {name} already allows null");
            return Err(Diagnostic::new(Code::Type, span, message, "one `?` is enough"));
        }
        Ok(types.meet(ty, Type::NULL))
    }

    /// The type of a reference to an array of elements of a type.
    pub fn array_of(&mut self, element: Type, span: Span) -> Result<Type, Diagnostic> {
        let types = &mut self.graph.types;
        if let Some(known) = types.structs.known_array(element) {
            return Ok(types.pointer(Target::Struct(known), false));
        }
        if types.is_pointer(element) && !types.may_be_null(element) {
            let message = "Arrays of reference types must always be nullable";
            let label = "the elements of a new array are null";
            let diag = Diagnostic::new(Code::Type, span, message, label);
            return Err(diag.with_help("with `?` before the bracket they may be null"));
        }
        let name = type_name(types, element);
        let array = types.add_array(element, &name);
        let elements = types.structs.get(array).fields[0];
        let pointer = types.pointer(Target::Struct(array), false);
        self.declare_memory(elements, "[]");
        Ok(pointer)
    }
}

/// Expressions.
impl<'s> Parser<'s> {
    /// Whether the type of a new array follows.
    pub fn begins_new_array(&self) -> bool {
        match self.cursor.peek() {
            Token::Int | Token::Flt | Token::Sized => true,
            Token::Name => matches!(self.cursor.second(), Token::Question | Token::OpenBracket),
            _ => false,
        }
    }

    /// ```text
    /// new array = "new" , type , "[" , expression , "]" ;
    /// ```
    /// All elements are 0 or null.
    pub fn new_array(&mut self) -> Result<NodeId, Diagnostic> {
        let span = self.cursor.place();
        if self.cursor.peek() == Token::Name && !self.begins_type() {
            let name = self.cursor.take();
            return Err(self.unknown_struct(name, span));
        }
        let element = self.any_type()?;
        let open = self.cursor.place();
        if !self.cursor.eat(Token::OpenBracket) {
            let message = format!("Cannot allocate a {}", type_name(&self.graph.types, element));
            let diag = Diagnostic::new(Code::Type, span, message, "a length is missing");
            return Err(diag.with_help("an array has a length: `new int[3]`"));
        }
        self.enter()?;
        let length = self.expression()?;
        let ty = self.take_type().ty;
        if self.graph.types.interval_of(ty).is_none() {
            let ty = type_name(&self.graph.types, ty);
            let message = format!("Cannot allocate an array with length {ty}");
            return Err(Diagnostic::new(Code::Type, open, message, "a length is an integer"));
        }
        self.cursor.expect(Token::CloseBracket, "]")?;
        self.depth -= 1;
        let pointer = self.array_of(element, span)?;
        self.graph.set_origin(Some(open));
        let array = self.allocated_array(pointer, length, open);
        self.push_type(StaticType::of(pointer));
        Ok(array)
    }

    fn allocated_array(&mut self, pointer: Type, length: NodeId, span: Span) -> NodeId {
        let of = self.graph.types.array_of(pointer).expect("it has elements");
        let held = self.graph.create(Op::Scope, &[length]);
        let limit = self.graph.types.structs.max_length(of) + 1;
        let limit = self.constant(limit);
        let fits = self.node(Op::Compare(Relation::Below), &[length, limit]);
        self.check(fits, Failure::Length, span, &[length]);
        let control = self.control();
        let array = self.node(Op::NewArray(of), &[control, length]);
        self.graph.add_input(held, array);
        let elements = self.graph.types.structs.get(of).fields[0];
        self.write(Op::Clear(elements), elements, &[array]);
        self.graph.kill_unless_used(held, array);
        array
    }

    /// ```text
    /// length = "#" ;
    /// ```
    /// The length of the array that was parsed last.
    pub fn length(&mut self, array: NodeId) -> Result<NodeId, Diagnostic> {
        let array = self.expect_array(array, "#")?;
        self.cursor.take();
        if self.cursor.peek() == Token::Assign {
            let message = "Cannot modify final field '#'";
            let label = "an array never changes its length";
            return Err(Diagnostic::new(Code::Type, self.cursor.last(), message, label));
        }
        let length = self.node(Op::Length, &[array]);
        self.retype(StaticType::of(Type::INTEGER));
        #[cfg(feature = "ch28")]
        self.record_operation(length, false);
        Ok(length)
    }

    /// ```text
    /// element = "[" , expression , "]" ;
    /// ```
    /// The elements of the array that was parsed last, and the address of one of them.
    pub fn element(&mut self, array: NodeId) -> Result<(FieldId, NodeId), Diagnostic> {
        let array = self.expect_array(array, "[]")?;
        let span = self.cursor.place();
        self.cursor.take();
        self.enter()?;
        let held = self.graph.create(Op::Scope, &[array]);
        let index = self.expression()?;
        let ty = self.take_type().ty;
        if self.graph.types.interval_of(ty).is_none() {
            let message = format!("Expected an int index but found {}", self.graph.types.name(ty));
            return Err(Diagnostic::new(Code::Type, span, message, "an index is an integer"));
        }
        self.cursor.expect(Token::CloseBracket, "]")?;
        self.depth -= 1;
        self.graph.set_origin(Some(span));
        self.graph.add_input(held, index);
        let length = self.node(Op::Length, &[array]);
        self.graph.add_input(held, length);
        let is_below = self.node(Op::Compare(Relation::Below), &[index, length]);
        self.check(is_below, Failure::Index, span, &[index, length]);
        let control = self.control();
        let element = self.node(Op::Element, &[control, array, index]);
        self.graph.kill_unless_used(held, element);
        let of = self.graph.types.fields(self.top_type().ty)[0];
        Ok((of, element))
    }

    /// The array that was parsed last, which is accessed by `access`: it must not be null.
    fn expect_array(&mut self, array: NodeId, access: &str) -> Result<NodeId, Diagnostic> {
        let (types, ty, span) = (&self.graph.types, self.top_type().ty, self.cursor.place());
        if types.array_of(ty).is_some() {
            return Ok(self.expect_accessible(array, access, span));
        }
        let name = types.name(ty);
        let (code, message) = if types.is_pointer(ty) {
            (Code::Name, format!("Accessing unknown field '{access}' from '{name}'"))
        } else {
            (Code::Type, format!("Expected array but found {}", type_name(types, ty)))
        };
        Err(Diagnostic::new(code, span, message, "this is no array"))
    }

    /// Control passes only if the condition holds; else the program ends with a message.
    fn check(&mut self, holds: NodeId, failure: Failure, span: Span, numbers: &[NodeId]) {
        let [passes, fails] = self.fork(holds);
        if self.graph.op(fails) != Op::DeadControl {
            self.trap(fails, failure, span, numbers);
        }
        self.scope.set_control(&mut self.graph, passes);
    }

    fn trap(&mut self, control: NodeId, failure: Failure, span: Span, numbers: &[NodeId]) {
        self.trap_place = self.trap_place.moved(self.cursor.whole_text(), span.range().start);
        let Place { line, column, .. } = self.trap_place;
        let trap = self.graph.traps.push(Trap { line, column, failure });
        let end = self.node(Op::Trap(trap), &[&[control], numbers].concat());
        self.graph.add_input(self.graph.end, end);
    }
}
