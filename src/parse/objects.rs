//! Structs, objects and pointers.
//!
//! Each field of each struct has a memory of its own: a hidden variable of the scope. A load takes
//! the current memory of its field, a store makes the next one. So joins and loops give memory its
//! Phis as they do for every variable.
use super::Parser;
#[cfg(feature = "ch16")]
use super::constructors::Defaults;
#[cfg(feature = "ch15")]
use super::mistakes::LENGTH;
use super::mistakes::is_mistaken_assignment;
use super::scope::Fact;
use super::static_types::{Condition, StaticType, Test, type_name};
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op};
use crate::types::{FieldId, StructId, Target, Type, TypeKind};
use arena::{FxHashMap, SideTable};
use source::Span;

/// The structs of the program, and the parser's knowledge about types and pointers.
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
    /// The static types of the expressions that are parsed, but not used yet.
    pub types: Vec<StaticType>,
    /// The static knowledge about the last condition.
    pub condition: Condition,
    /// The facts that must hold, and the diagnostic if one fails.
    pub demands: Vec<(Fact, Diagnostic)>,
    /// The type of the results so far.
    pub result: Option<Type>,
    /// The values of the fields of each struct where its body ends.
    #[cfg(feature = "ch16")]
    pub defaults: FxHashMap<StructId, Defaults<'s>>,
    /// Those of a struct whose body has ended, but that is not declared yet.
    #[cfg(feature = "ch16")]
    pub pending: Option<Defaults<'s>>,
    #[cfg(feature = "ch16")]
    pub warnings: Vec<Diagnostic>,
    /// Whether the body of a struct is parsed.
    #[cfg(feature = "ch16")]
    pub is_body: bool,
    /// The number of assignments in expressions so far: each may make a test outdated.
    #[cfg(feature = "ch17")]
    pub assignments: usize,
    /// The number of open loops, if the last part of a `for` is parsed: it has no jumps.
    #[cfg(feature = "ch17")]
    pub next_part: usize,
    #[cfg(feature = "ch17")]
    pub final_fields: arena::FxHashSet<FieldId>,
    /// The variables for the fields in the innermost constructor.
    #[cfg(feature = "ch16")]
    pub constructed: std::ops::Range<usize>,
}

impl Objects<'_> {
    pub fn new<'s>() -> Objects<'s> {
        Objects {
            structs: FxHashMap::default(),
            #[cfg(feature = "ch13")]
            forward: FxHashMap::default(),
            #[cfg(feature = "ch13")]
            all_names: None,
            fields: FxHashMap::default(),
            slots: SideTable::new(0),
            types: Vec::new(),
            condition: Condition::Unknown,
            demands: Vec::new(),
            result: None,
            #[cfg(feature = "ch16")]
            defaults: FxHashMap::default(),
            #[cfg(feature = "ch16")]
            pending: None,
            #[cfg(feature = "ch16")]
            constructed: 0..0,
            #[cfg(feature = "ch16")]
            warnings: Vec::new(),
            #[cfg(feature = "ch16")]
            is_body: false,
            #[cfg(feature = "ch17")]
            assignments: 0,
            #[cfg(feature = "ch17")]
            next_part: usize::MAX,
            #[cfg(feature = "ch17")]
            final_fields: arena::FxHashSet::default(),
        }
    }
}

/// Statements.
impl<'s> Parser<'s> {
    /// Begins a statement; returns whether it is reachable.
    pub fn begin_statement(&mut self) -> bool {
        self.objects.types.clear();
        self.objects.condition = Condition::Unknown;
        #[cfg(feature = "ch18")]
        self.begin_last();
        self.scope.facts.begin_statement()
    }

    /// Ends a statement, which was reachable or not.
    pub fn end_statement(&mut self, was_reachable: bool) {
        #[cfg(feature = "ch18")]
        self.end_last();
        self.scope.facts.end_statement(was_reachable);
    }

    /// The first value of a pointer; without an expression, null.
    /// @ch16 One that must not be null has no value then.
    pub fn first_pointer(&mut self, declared: Type) -> Result<(NodeId, Fact), Diagnostic> {
        if !self.ends_declarator() {
            let value = self.value_assigned()?;
            return self.value_of_type(value, declared);
        }
        #[cfg(feature = "ch16")]
        if !self.graph.types.may_be_null(declared) {
            return Ok((self.node(Op::Constant(Type::TOP), &[]), Fact::UNKNOWN));
        }
        #[cfg(not(feature = "ch16"))]
        if !self.graph.types.may_be_null(declared) {
            let (span, declared) = (self.cursor.last(), self.graph.types.name(declared));
            let message = format!("Type null is not of declared type {declared}");
            let diag = Diagnostic::new(Code::Type, span, message, "this has no first value");
            return Err(diag.with_help("with `?` after the struct's name it may be null"));
        }
        let ty = Op::Constant(Type::NULL);
        Ok((self.node(ty, &[]), Fact::UNKNOWN))
    }

    /// Whether a variable is declared without a first value.
    pub fn ends_declarator(&self) -> bool {
        #[cfg(feature = "ch16")]
        if self.cursor.peek() == Token::Comma {
            return true;
        }
        self.cursor.peek() == Token::Semicolon
    }

    /// Whether a statement that begins with a name is an expression.
    pub fn begins_expression(&mut self) -> bool {
        let second = self.cursor.second();
        #[cfg(feature = "ch18")]
        if self.begins_call_or_value(second) {
            return true;
        }
        #[cfg(feature = "ch17")]
        if self.begins_change() || second == Token::Question {
            return true;
        }
        let is_mistaken = || is_mistaken_assignment(self.cursor.rest_after());
        #[cfg(feature = "ch15")]
        if matches!(second, Token::OpenBracket | Token::Hash) {
            return true;
        }
        second == Token::Dot || second.infix().is_some() && !is_mistaken()
    }

    pub fn expression_statement(&mut self) -> Result<(), Diagnostic> {
        let value = self.expression()?;
        #[cfg(feature = "ch18")]
        self.note_value(value, self.top_type());
        self.drop_value(value);
        self.semicolon()
    }

    /// The value of an expression is not used.
    pub fn drop_value(&mut self, value: NodeId) {
        self.take_type();
        if self.graph.uses(value) == 0 {
            self.graph.kill(value);
        }
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
    /// @ch10-15 new = "new" , struct name ;
    /// @ch16 new = "new" , struct name , constructor ;
    /// ```
    pub fn new_object(&mut self) -> Result<NodeId, Diagnostic> {
        self.cursor.take();
        #[cfg(feature = "ch15")]
        if self.begins_new_array() {
            return self.new_array();
        }
        let (name, span) = self.name()?;
        let Some(&of) = self.objects.structs.get(name) else {
            return Err(self.unknown_struct(name, span));
        };
        #[cfg(feature = "ch28")]
        self.record_struct_name(name, span);
        if self.cursor.peek() == Token::OpenParenthesis {
            let label = "Simple has no constructors".to_string();
            let diag = Diagnostic { label, ..self.cursor.expected(";") };
            let diag = diag.with_help(format!("write `new {name}`, then assign its fields"));
            #[cfg(feature = "ch16")]
            let diag = diag.with_help(format!("assign its fields in braces: `new {name} {{ … }}`"));
            return Err(diag);
        }
        self.constructed(of)
    }

    pub fn unknown_struct(&self, name: &str, span: Span) -> Diagnostic {
        let message = format!("Syntax error, expected Unknown struct type '{name}'");
        let diag = Diagnostic::new(Code::Name, span, message, "there is no such struct");
        let known = crate::diagnostics::closest(name, self.objects.structs.keys().copied());
        match known {
            Some(known) => diag.with_help(format!("did you mean `{known}`?")),
            None => diag,
        }
    }

    /// ```text
    /// @ch10-16 fields = { "." , name } , [ "=" , expression ] ;
    /// @ch17 fields = { "." , name } | { "." , name } , changed field ;
    /// ```
    /// The fields after an operand, whose first token is `first`.
    /// @ch10-16 The value of an assignment to a field is the object.
    pub fn fields(&mut self, first: Token, mut object: NodeId) -> Result<NodeId, Diagnostic> {
        if first.is_literal() {
            self.push_literal(object);
        }
        while self.begins_access() {
            let outer = self.graph.set_origin(Some(self.cursor.place()));
            #[cfg(feature = "ch18")]
            if self.cursor.peek() == Token::OpenParenthesis {
                object = self.call(object)?;
                self.graph.set_origin(outer);
                continue;
            }
            #[cfg(feature = "ch15")]
            if self.cursor.peek() == Token::Hash {
                object = self.length(object)?;
                self.graph.set_origin(outer);
                continue;
            }
            let (field, address) = self.accessed(object)?;
            object = address;
            if let Some(value) = self.changed_field(object, field)? {
                self.graph.set_origin(outer);
                return Ok(value);
            }
            let memory = self.memory(field);
            object = self.node(Op::Load(field), &[memory, object]);
            let loaded = self.graph.types.loaded(field);
            self.retype_loaded(loaded);
            #[cfg(feature = "ch28")]
            self.record_operation(object, false);
            self.graph.set_origin(outer);
        }
        Ok(object)
    }

    /// The field that is accessed next, and its object.
    /// @ch15 Those of an element are the elements, and its address.
    fn accessed(&mut self, object: NodeId) -> Result<(FieldId, NodeId), Diagnostic> {
        #[cfg(feature = "ch15")]
        if self.cursor.peek() == Token::OpenBracket {
            return self.element(object);
        }
        self.cursor.take();
        let (name, span) = self.name()?;
        let field = self.field(name, span)?;
        #[cfg(feature = "ch28")]
        self.record_field(field, span);
        self.graph.set_origin(Some(span));
        Ok((field, self.expect_accessible(object, name, span)))
    }

    /// Whether an access to the object that was parsed last follows.
    fn begins_access(&self) -> bool {
        #[cfg(feature = "ch15")]
        if matches!(self.cursor.peek(), Token::OpenBracket | Token::Hash) {
            return true;
        }
        #[cfg(feature = "ch18")]
        if self.cursor.peek() == Token::OpenParenthesis {
            return true;
        }
        self.cursor.peek() == Token::Dot && !self.is_fraction()
    }

    /// The value of a field replaces its object.
    fn retype_loaded(&mut self, loaded: Type) {
        let ty = StaticType::of(loaded);
        #[cfg(feature = "ch17")]
        let ty = ty.read_only_if(self.top_type().is_read_only);
        self.retype(ty);
    }

    /// Whether the dot after a value is that of a number like 3.14.
    fn is_fraction(&self) -> bool {
        let is_pointer = self.graph.types.is_pointer(self.top_type().ty);
        !is_pointer && self.cursor.second() == Token::Number
    }

    /// The value that an assignment gives to a field.
    pub fn storable(&mut self, value: NodeId, field: FieldId) -> Result<NodeId, Diagnostic> {
        let declared = self.graph.types.structs.field_type(field);
        let span = self.cursor.last();
        let stored = self.assigned(value, declared, |parser, ty| {
            let types = &parser.graph.types;
            let [ty, declared] = [ty, declared].map(|it| types.name(it));
            let name = types.structs.field_name(field);
            let message = format!("Cannot store {ty} into field {declared} {name}");
            let label = "this value has another type than the field";
            Diagnostic::new(Code::Type, span, message, label)
        })?;
        Ok(stored.0)
    }

    /// A node that makes the next memory of a field.
    pub fn write(&mut self, op: Op, field: FieldId, operands: &[NodeId]) {
        let memory = self.memory(field);
        let inputs = [&[self.control(), memory], operands].concat();
        let memory = self.node(op, &inputs);
        self.scope.set(&mut self.graph, self.objects.slots[field], memory);
    }

    /// The current memory of a field.
    pub fn memory(&mut self, field: FieldId) -> NodeId {
        self.scope.value(&mut self.graph, self.objects.slots[field])
    }

    /// The field called `name` of the object that was parsed last.
    fn field(&self, name: &'s str, span: Span) -> Result<FieldId, Diagnostic> {
        let (types, ty) = (&self.graph.types, self.top_type().ty);
        let TypeKind::Pointer { target, .. } = *types.kind(ty) else {
            let message = format!("Expected struct reference but got {}", type_name(types, ty));
            return Err(Diagnostic::new(Code::Type, span, message, "this has no fields"));
        };
        let field = match target {
            Target::Struct(id) => self.objects.fields.get(&(id, name)),
            _ => None,
        };
        field.copied().ok_or_else(|| {
            let message = format!("Accessing unknown field '{name}' from '{}'", types.name(ty));
            let diag = Diagnostic::new(Code::Name, span, message, "there is no such field");
            #[cfg(feature = "ch15")]
            if types.array_of(ty).is_some() {
                return diag.with_help(LENGTH);
            }
            diag
        })
    }

    /// The object that was parsed last, whose field `name` is accessed: it must not be null.
    pub fn expect_accessible(&mut self, object: NodeId, name: &str, span: Span) -> NodeId {
        let of = self.top_type();
        self.retype(of.object());
        if !self.graph.types.may_be_null(of.ty) {
            return object;
        }
        self.expect_object(object, of.not_null, |_| {
            let message = format!("Might be null accessing '{name}'");
            let diag = Diagnostic::new(Code::Type, span, message, "the pointer may be null");
            diag.with_help("test it first: `if (pointer)`")
        })
    }
}

/// An assignment is the only change of a field.
#[cfg(not(feature = "ch17"))]
impl Parser<'_> {
    /// The object, if an assignment to its field follows.
    fn changed_field(
        &mut self,
        object: NodeId,
        field: FieldId,
    ) -> Result<Option<NodeId>, Diagnostic> {
        if !self.cursor.eat(Token::Assign) {
            return Ok(None);
        }
        self.enter()?;
        let held = self.graph.create(Op::Scope, &[object]);
        let value = self.expression()?;
        let value = self.storable(value, field)?;
        self.write(Op::Store(field), field, &[object, value]);
        self.depth -= 1;
        #[cfg(feature = "ch15")]
        if self.graph.op(object) == Op::Element {
            self.graph.kill_unless_used(held, value);
            let loaded = self.graph.types.loaded(field);
            self.retype(StaticType::of(loaded));
            return Ok(Some(value));
        }
        self.graph.kill_unless_used(held, object);
        Ok(Some(object))
    }
}

/// All fields of a new object are 0 or null.
#[cfg(not(feature = "ch16"))]
impl Parser<'_> {
    fn constructed(&mut self, of: StructId) -> Result<NodeId, Diagnostic> {
        let control = self.control();
        let object = self.node(Op::New(of), &[control]);
        let held = self.graph.create(Op::Scope, &[object]);
        for field in self.graph.types.structs.get(of).fields.clone() {
            self.write(Op::Clear(field), field, &[object]);
        }
        self.graph.kill_unless_used(held, object);
        let ty = self.graph.types.pointer(Target::Struct(of), false);
        self.push_type(StaticType::of(ty));
        Ok(object)
    }
}

/// Results.
impl Parser<'_> {
    /// The result of a program that ends without a return.
    pub fn last_result(&mut self, zero: NodeId) -> NodeId {
        #[cfg(feature = "ch12")]
        if self.graph.types.is_float(self.graph.result) {
            return self.as_float(zero, Type::INTEGER);
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
    /// On the branch of a condition where it is `truth`, a tested variable is null, or it is not.
    pub fn narrow(&mut self, condition: Condition, truth: bool) {
        let Test { slot, is_for_null, .. } = match condition {
            Condition::Unknown => return,
            Condition::Literal(taken) => {
                if taken != truth {
                    self.scope.facts.mark_unreachable();
                }
                return;
            }
            Condition::Test(test) => test,
        };
        let is_null = truth == is_for_null;
        // If the fact holds before the test, the branch for null is never taken.
        if !is_null {
            self.scope.facts.set(slot, Fact::NOT_NULL);
        }
        let pointer = self.scope.value(&mut self.graph, slot);
        if !self.graph.types.may_be_null(self.graph.ty(pointer)) {
            return;
        }
        let value = if is_null {
            self.node(Op::Constant(Type::NULL), &[])
        } else {
            let control = self.control();
            self.node(Op::Cast, &[control, pointer])
        };
        self.scope.set(&mut self.graph, slot, value);
    }

    /// Ends the condition of a loop, which may store to fields: restores the values at the header.
    /// At the exit, and at the beginning of the body, its changes are repeated.
    pub fn end_condition(&mut self, exit: NodeId) {
        self.scope.end_condition(&mut self.graph);
        self.scope.checkpoint(&mut self.graph);
        self.scope.set_control(&mut self.graph, exit);
        self.scope.repeat_condition(&mut self.graph);
        self.narrow(self.objects.condition, false);
        let changes = self.scope.rollback(&mut self.graph);
        self.scope.set_exit(&mut self.graph, changes);
    }
}
