//! Structs, objects and pointers.
//!
//! Each field of each struct has a memory of its own: a hidden variable of the scope. A load takes
//! the current memory of its field, a store makes the next one. So joins and loops give memory its
//! Phis as they do for every variable.
use super::Parser;
use super::mistakes::is_mistaken_assignment;
use super::token::Token;
use crate::arith::Relation;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{Graph, NodeId, Op};
use crate::types::{FieldId, StructId, Target, Type, TypeKind};
use arena::{FxHashMap, SideTable};
use source::Span;

/// The structs of the program, and what the parser knows about pointers.
pub struct Objects<'s> {
    pub structs: FxHashMap<&'s str, StructId>,
    /// The structs that are mentioned, but not declared yet.
    #[cfg(feature = "ch13")]
    pub forward: FxHashMap<&'s str, StructId>,
    /// The names of all structs of the program, as soon as one is needed before its declaration.
    #[cfg(feature = "ch13")]
    pub all_names: Option<arena::FxHashSet<&'s str>>,
    pub fields: FxHashMap<(StructId, &'s str), FieldId>,
    /// The variable that holds the memory of each field.
    pub slots: SideTable<FieldId, usize>,
    /// The pointer variable that was read last, and its value.
    read: Option<(usize, NodeId)>,
    /// The variable that the last condition has tested.
    pub test: Option<Test>,
    /// The accesses through pointers that might be null: the spans and the names of the fields. A
    /// Scope node holds control and pointer of each: at the end more may be known about them.
    accesses: Vec<(Span, &'s str)>,
    accessed: NodeId,
    /// The type of the results so far.
    result: Option<Type>,
}

/// A condition that tests whether a pointer is null.
#[derive(Clone, Copy)]
pub struct Test {
    slot: usize,
    pointer: NodeId,
    /// Whether the condition is true for null.
    is_for_null: bool,
}

impl Objects<'_> {
    pub fn new<'s>(graph: &mut Graph) -> Objects<'s> {
        Objects {
            structs: FxHashMap::default(),
            #[cfg(feature = "ch13")]
            forward: FxHashMap::default(),
            #[cfg(feature = "ch13")]
            all_names: None,
            fields: FxHashMap::default(),
            slots: SideTable::new(0),
            read: None,
            test: None,
            accesses: Vec::new(),
            accessed: graph.create(Op::Scope, &[]),
            result: None,
        }
    }
}

/// Statements.
impl<'s> Parser<'s> {
    /// The first value of a pointer; without an expression, null.
    pub fn first_pointer(&mut self, declared: Type, span: Span) -> Result<NodeId, Diagnostic> {
        if self.cursor.peek() != Token::Semicolon {
            let value = self.value_assigned()?;
            self.expect_type(value, declared)?;
            return Ok(value);
        }
        if !self.graph.types.may_be_null(declared) {
            let declared = self.graph.types.name(declared);
            let message = format!("Type null is not of declared type {declared}");
            let diag = Diagnostic::new(Code::Type, span, message, "this has no first value");
            self.cursor.take();
            return Err(diag.with_help("with `?` after the struct's name it may be null"));
        }
        self.cursor.take();
        let ty = Op::Constant(Type::NULL);
        Ok(self.node(ty, &[]))
    }

    /// Whether a statement that begins with a name is an expression.
    pub fn begins_expression(&self) -> bool {
        let second = self.cursor.second();
        let is_mistaken = || is_mistaken_assignment(self.cursor.rest_after());
        second == Token::Dot || second.infix().is_some() && !is_mistaken()
    }

    pub fn expression_statement(&mut self) -> Result<(), Diagnostic> {
        let value = self.expression()?;
        if self.graph.uses(value) == 0 {
            self.graph.kill(value);
        }
        self.semicolon()
    }
}

/// Expressions.
impl<'s> Parser<'s> {
    /// `null`
    pub fn null(&mut self) -> NodeId {
        self.cursor.take();
        self.node(Op::Constant(Type::NULL), &[])
    }

    /// ```text
    /// new = "new" , struct name ;
    /// ```
    pub fn new_object(&mut self) -> Result<NodeId, Diagnostic> {
        self.cursor.take();
        let (name, span) = self.name()?;
        let Some(&of) = self.objects.structs.get(name) else {
            let message = format!("Syntax error, expected Unknown struct type '{name}'");
            let diag = Diagnostic::new(Code::Name, span, message, "there is no such struct");
            let known = crate::diagnostics::closest(name, self.objects.structs.keys().copied());
            return Err(match known {
                Some(known) => diag.with_help(format!("did you mean `{known}`?")),
                None => diag,
            });
        };
        if self.cursor.peek() == Token::OpenParenthesis {
            let label = "Simple has no constructors".to_string();
            let diag = Diagnostic { label, ..self.cursor.expected(";") };
            return Err(diag.with_help(format!("write `new {name}`, then assign its fields")));
        }
        let control = self.control();
        let object = self.node(Op::New(of), &[control]);
        let held = self.graph.create(Op::Scope, &[object]);
        for field in self.graph.types.structs.get(of).fields.clone() {
            self.write(Op::Clear(field), field, &[object]);
        }
        self.graph.kill_unless_used(held, object);
        Ok(object)
    }

    /// ```text
    /// fields = { "." , name } , [ "=" , expression ] ;
    /// ```
    /// The fields after an operand. The value of an assignment to a field is the object.
    pub fn fields(&mut self, mut object: NodeId) -> Result<NodeId, Diagnostic> {
        while self.cursor.peek() == Token::Dot && !self.is_fraction(object) {
            self.cursor.take();
            let (name, span) = self.name()?;
            let field = self.field(object, name, span)?;
            let outer = self.graph.set_origin(Some(span));
            if self.cursor.eat(Token::Assign) {
                self.assign_field(object, field)?;
                self.graph.set_origin(outer);
                return Ok(object);
            }
            let memory = self.memory(field);
            object = self.node(Op::Load(field), &[memory, object]);
            self.graph.set_origin(outer);
        }
        Ok(object)
    }

    /// Whether the dot after a value is that of a number like 3.14.
    fn is_fraction(&self, value: NodeId) -> bool {
        let is_pointer = self.graph.types.is_pointer(self.graph.ty(value));
        !is_pointer && self.cursor.second() == Token::Number
    }

    fn assign_field(&mut self, object: NodeId, field: FieldId) -> Result<(), Diagnostic> {
        self.enter()?;
        let held = self.graph.create(Op::Scope, &[object]);
        let value = self.expression()?;
        let declared = self.graph.types.structs.field_type(field);
        #[cfg(feature = "ch12")]
        let value = self.widened(value, declared);
        self.expect_storable(value, field, declared)?;
        self.write(Op::Store(field), field, &[object, value]);
        self.graph.kill_unless_used(held, object);
        self.depth -= 1;
        Ok(())
    }

    /// A node that makes the next memory of a field.
    fn write(&mut self, op: Op, field: FieldId, operands: &[NodeId]) {
        let memory = self.memory(field);
        let inputs = [&[self.control(), memory], operands].concat();
        let memory = self.node(op, &inputs);
        self.scope.set(&mut self.graph, self.objects.slots[field], memory);
    }

    /// The current memory of a field.
    fn memory(&mut self, field: FieldId) -> NodeId {
        self.scope.value(&mut self.graph, self.objects.slots[field])
    }

    /// The field called `name` of an object. The access is noted if the pointer might be null.
    fn field(&mut self, object: NodeId, name: &'s str, span: Span) -> Result<FieldId, Diagnostic> {
        let ty = self.graph.ty(object);
        let read = self.objects.read.filter(|&(_, node)| node == object);
        let declared = read.map_or(ty, |(slot, _)| self.scope.declared(slot));
        let types = &self.graph.types;
        let TypeKind::Pointer { target, .. } = *types.kind(declared) else {
            let name = type_name(types.name(declared));
            let message = format!("Expected struct reference but got {name}");
            return Err(Diagnostic::new(Code::Type, span, message, "this has no fields"));
        };
        let field = match target {
            Target::Struct(id) => self.objects.fields.get(&(id, name)),
            Target::Nothing | Target::Unknown => None,
        };
        let Some(&field) = field else {
            let of = types.name(declared);
            let message = format!("Accessing unknown field '{name}' from '{of}'");
            return Err(Diagnostic::new(Code::Name, span, message, "there is no such field"));
        };
        if types.may_be_null(ty) {
            self.objects.accesses.push((span, name));
            let control = self.control();
            self.graph.add_input(self.objects.accessed, control);
            self.graph.add_input(self.objects.accessed, object);
        }
        Ok(field)
    }

    /// Reports the accesses through pointers that may be null, as far as is known at the end.
    pub fn report_null_accesses(&mut self) {
        let mut reports = Vec::new();
        for (at, &(span, field)) in self.objects.accesses.iter().enumerate() {
            let [control, pointer] =
                [0, 1].map(|input| self.graph.input(self.objects.accessed, 2 * at + input));
            let may_be_null = self.graph.types.may_be_null(self.graph.ty(pointer));
            if self.graph.is_reachable(control) && may_be_null {
                let message = format!("Might be null accessing '{field}'");
                let diag = Diagnostic::new(Code::Type, span, message, "the pointer may be null");
                reports.push(diag.with_help("test it first: `if (pointer)`"));
            }
        }
        reports.into_iter().for_each(|report| self.report(report));
        self.graph.kill(self.objects.accessed);
    }
}

/// Types.
impl Parser<'_> {
    /// The value that an assignment of `value` gives to a variable.
    pub fn value_for(&mut self, slot: usize, value: NodeId) -> Result<NodeId, Diagnostic> {
        let declared = self.scope.declared(slot);
        #[cfg(feature = "ch12")]
        let value = self.widened(value, declared);
        self.expect_type(value, declared)?;
        Ok(value)
    }

    /// The value must be of a declared type.
    pub fn expect_type(&mut self, value: NodeId, declared: Type) -> Result<(), Diagnostic> {
        if self.has_type(value, declared) {
            return Ok(());
        }
        let ty = self.graph.ty(value);
        let [ty, declared] = [ty, declared].map(|it| type_name(self.graph.types.name(it)));
        let message = format!("Type {ty} is not of declared type {declared}");
        let label = "this value has another type than the variable";
        Err(Diagnostic::new(Code::Type, self.cursor.last(), message, label))
    }

    /// The value must be of the declared type of a field.
    fn expect_storable(
        &mut self,
        value: NodeId,
        field: FieldId,
        declared: Type,
    ) -> Result<(), Diagnostic> {
        if self.has_type(value, declared) {
            return Ok(());
        }
        let types = &self.graph.types;
        let [ty, declared] = [self.graph.ty(value), declared].map(|it| types.name(it));
        let name = types.structs.field_name(field);
        let message = format!("Cannot store {ty} into field {declared} {name}");
        let label = "this value has another type than the field";
        Err(Diagnostic::new(Code::Type, self.cursor.last(), message, label))
    }

    /// Whether a value is of a declared type. Code that is never executed may use null, as it may
    /// access its fields.
    fn has_type(&mut self, value: NodeId, declared: Type) -> bool {
        let mut ty = self.graph.ty(value);
        let is_pointer = self.graph.types.is_pointer(declared);
        if is_pointer && !self.graph.is_reachable(self.control()) {
            ty = self.graph.types.not_null(ty);
        }
        self.graph.types.is_a(ty, declared)
    }

    /// Pointers can be compared with pointers, and negated by `!`.
    pub fn expect_operands(&self, op: Op, operands: &[NodeId]) -> Result<(), Diagnostic> {
        let types = &self.graph.types;
        let is_pointer = |it: &&NodeId| types.is_pointer(self.graph.ty(**it));
        let pointers = operands.iter().filter(is_pointer).count();
        let is_dead = operands.iter().any(|&it| self.graph.ty(it) == Type::TOP);
        let is_equality = op == Op::Compare(Relation::Equal);
        if pointers == 0 || is_dead || is_equality && pointers == operands.len() {
            return Ok(());
        }
        let pointer = operands.iter().find(is_pointer).map(|&it| types.name(self.graph.ty(it)));
        let message = format!("Cannot '{}' {}", op.row().name, pointer.unwrap_or_default());
        let span = self.graph.current_origin().unwrap_or(self.cursor.last());
        Err(Diagnostic::new(Code::Type, span, message, "pointers can only be compared by `==`"))
    }

    /// Notes the type of a result: all results are integers, or objects of one struct.
    pub fn note_result(&mut self, value: NodeId, span: Span) -> Result<(), Diagnostic> {
        let ty = self.graph.ty(value);
        if ty == Type::TOP {
            return Ok(());
        }
        let number = Type::INTEGER;
        #[cfg(feature = "ch12")]
        let number = if self.graph.types.is_float(ty) { Type::FLOAT } else { number };
        let ty = if self.graph.types.is_pointer(ty) { ty } else { number };
        let result = self.objects.result.unwrap_or(ty);
        let both = self.graph.types.meet(ty, result);
        let is_one = match self.graph.types.kind(both) {
            TypeKind::Pointer { target, .. } => *target != Target::Unknown,
            _ => both == number,
        };
        if !is_one {
            let [ty, result] = [ty, result].map(|it| type_name(self.graph.types.name(it)));
            let message = format!("Type {ty} is not of the type {result} of an earlier return");
            let label = "all results of a program have one type";
            return Err(Diagnostic::new(Code::Type, span, message, label));
        }
        self.objects.result = Some(both);
        self.graph.result = both;
        Ok(())
    }

    /// The result of a program that ends without a return.
    pub fn last_result(&mut self, zero: NodeId) -> NodeId {
        #[cfg(feature = "ch12")]
        if self.graph.types.is_float(self.graph.result) {
            return self.widened(zero, Type::FLOAT);
        }
        match self.graph.types.is_pointer(self.graph.result) {
            true => {
                let null = self.node(Op::Constant(Type::NULL), &[]);
                self.graph.kill_unless_used(zero, null);
                null
            }
            false => zero,
        }
    }

    /// A Return of an object takes the memories of its fields.
    pub fn add_memory(&mut self, end: NodeId, value: NodeId) {
        let fields = self.graph.types.fields(self.graph.ty(value)).to_vec();
        for field in fields {
            let memory = self.memory(field);
            self.graph.add_input(end, memory);
        }
    }
}

/// Tests of pointers.
impl Parser<'_> {
    /// Notes a pointer variable that is about to be read.
    pub fn note_pointer_read(&mut self, slot: usize) {
        let is_pointer = self.graph.types.is_pointer(self.scope.declared(slot));
        self.objects.read = is_pointer.then(|| (slot, self.scope.value(&mut self.graph, slot)));
    }

    /// Notes whether a condition tests the pointer that was read last: `p`, `!p`, `p == null`.
    pub fn note_test(&mut self, predicate: NodeId) {
        let (pointer, is_for_null) = self.graph.null_test(predicate);
        let read = self.objects.read.take().filter(|&(_, node)| node == pointer);
        self.objects.test = read.map(|(slot, pointer)| Test { slot, pointer, is_for_null });
    }

    /// On the branch of a test where it is `truth`, the tested variable is null, or it is not.
    pub fn narrow(&mut self, test: Option<Test>, truth: bool) {
        let Some(Test { slot, pointer, is_for_null }) = test else { return };
        self.objects.test = None;
        let is_current = self.scope.value(&mut self.graph, slot) == pointer;
        if !is_current || !self.graph.types.may_be_null(self.graph.ty(pointer)) {
            return;
        }
        let value = if truth == is_for_null {
            self.node(Op::Constant(Type::NULL), &[])
        } else {
            let control = self.control();
            self.node(Op::Cast, &[control, pointer])
        };
        self.scope.set(&mut self.graph, slot, value);
    }
}

/// The name of a type in a message.
fn type_name(name: String) -> String {
    match name.as_str() {
        "IntBot" => "int".to_string(),
        #[cfg(feature = "ch12")]
        "FltBot" => "flt".to_string(),
        _ => name,
    }
}
