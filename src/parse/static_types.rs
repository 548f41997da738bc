//! The static types of expressions: what declarations, assignments and tests say about a value.
//!
//! A node has a type, too, which becomes more precise with each rewrite. But whether a program is
//! valid must not depend on rewrites, so only static types decide it, in dead code as in live code.
//! Each function that parses an expression pushes its static type; the operation or statement that
//! uses the value takes it.
use super::Parser;
use super::scope::Fact;
use super::token::Infix;
use crate::arith::{Relation, Unary};
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op};
#[cfg(feature = "ch18")]
use crate::types::FunctionId;
use crate::types::{Target, Type, TypeKind, Types};
use source::Span;

#[derive(Clone, Copy)]
pub struct StaticType {
    /// The declared type. The type of a literal contains its value.
    pub ty: Type,
    /// If a pointer of this type may be null: that this one is not.
    pub not_null: Fact,
    /// The variable that the value tests.
    test: Option<Test>,
    /// Nothing is assigned to the object, or to objects that it leads to, by this reference.
    #[cfg(feature = "ch17")]
    pub is_read_only: bool,
    /// The function whose call it is the result of, or the function itself, if its result is
    /// assumed.
    #[cfg(feature = "ch18")]
    pub assumed: Option<FunctionId>,
}

/// A value that tells whether a variable is null.
#[derive(Clone, Copy)]
pub struct Test {
    pub slot: usize,
    /// Whether the value is true for null.
    pub is_for_null: bool,
    /// The number of assignments in expressions before the value was taken.
    #[cfg(feature = "ch17")]
    assignments: usize,
}

/// The static knowledge about a condition.
#[derive(Clone, Copy)]
pub enum Condition {
    /// Nothing.
    Unknown,
    /// It is a literal: this branch is taken.
    Literal(bool),
    Test(Test),
}

impl StaticType {
    pub fn of(ty: Type) -> StaticType {
        StaticType {
            ty,
            not_null: Fact::UNKNOWN,
            test: None,
            #[cfg(feature = "ch17")]
            is_read_only: false,
            #[cfg(feature = "ch18")]
            assumed: None,
        }
    }

    #[cfg(feature = "ch17")]
    pub fn with_fact(ty: Type, not_null: Fact) -> StaticType {
        StaticType { not_null, ..StaticType::of(ty) }
    }

    #[cfg(feature = "ch17")]
    pub fn read_only_if(self, is_read_only: bool) -> StaticType {
        StaticType { is_read_only, ..self }
    }

    /// The same, where the result of this function is assumed.
    #[cfg(feature = "ch18")]
    pub fn assuming(self, assumed: Option<FunctionId>) -> StaticType {
        StaticType { assumed, ..self }
    }

    /// The same, where the value tells nothing about a variable.
    #[cfg(feature = "ch17")]
    pub fn without_test(self) -> StaticType {
        StaticType { test: None, ..self }
    }

    /// The type of an object: a pointer that is not null.
    pub fn object(self) -> StaticType {
        StaticType { not_null: Fact::NOT_NULL, test: None, ..self }
    }
}

impl Test {
    fn negated_if(self, is_negated: bool) -> Test {
        Test { is_for_null: self.is_for_null != is_negated, ..self }
    }
}

/// The types of the expressions that are parsed, but not used yet.
impl Parser<'_> {
    pub fn push_type(&mut self, ty: StaticType) {
        self.objects.types.push(ty);
    }

    /// The type of the expression that was parsed last.
    pub fn top_type(&self) -> StaticType {
        *self.objects.types.last().expect("an expression has been parsed")
    }

    pub fn take_type(&mut self) -> StaticType {
        self.objects.types.pop().expect("an expression has been parsed")
    }

    /// Replaces the type of the expression that was parsed last.
    pub fn retype(&mut self, ty: StaticType) {
        self.take_type();
        self.push_type(ty);
    }

    pub fn push_literal(&mut self, literal: NodeId) {
        self.push_type(StaticType::of(self.graph.ty(literal)));
        #[cfg(feature = "ch28")]
        self.record_literal();
    }

    pub fn push_variable(&mut self, slot: usize) {
        let ty = self.scope.declared(slot);
        let may_be_null = self.graph.types.is_pointer(ty) && self.graph.types.may_be_null(ty);
        let test = may_be_null.then_some(Test {
            slot,
            is_for_null: false,
            #[cfg(feature = "ch17")]
            assignments: self.objects.assignments,
        });
        let not_null = self.scope.facts.get(slot);
        self.push_type(StaticType {
            ty,
            not_null,
            test,
            #[cfg(feature = "ch17")]
            is_read_only: self.scope.is_final(slot),
            #[cfg(feature = "ch18")]
            assumed: self.assumed_function(ty),
        });
    }
}

/// Operators.
impl Parser<'_> {
    /// Takes the types of both operands of `node`, which has the left one, and pushes the type of
    /// the result. Returns the node and the right operand, which may be converted.
    pub fn typed_operation(
        &mut self,
        infix: Infix,
        node: NodeId,
        right: NodeId,
    ) -> Result<[NodeId; 2], Diagnostic> {
        let right_type = self.take_type();
        let operands = [self.take_type(), right_type];
        self.expect_operands(infix.op, &operands)?;
        #[cfg(feature = "ch12")]
        if operands.iter().any(|it| self.graph.types.is_float(it.ty)) {
            return self.float_operation(node, right, operands);
        }
        let test = compared_test(&self.graph.types, infix, operands);
        self.push_type(StaticType { test, ..StaticType::of(Type::INTEGER) });
        #[cfg(feature = "ch28")]
        self.record_operation(node, infix.is_negated);
        Ok([node, right])
    }

    /// Pointers can be compared with pointers, and negated by `!`.
    pub fn expect_operands(&self, op: Op, operands: &[StaticType]) -> Result<(), Diagnostic> {
        let types = &self.graph.types;
        let is_pointer = |it: &&StaticType| types.is_pointer(it.ty);
        let Some(pointer) = operands.iter().find(is_pointer) else { return Ok(()) };
        if op == Op::Compare(Relation::Equal) && operands.iter().all(|it| is_pointer(&it)) {
            return Ok(());
        }
        Err(self.wrong_operand(op, pointer.ty, "pointers can only be compared by `==`"))
    }

    /// The diagnostic about an operand of an operation that its type does not have.
    pub fn wrong_operand(&self, op: Op, ty: Type, label: &str) -> Diagnostic {
        let message = format!("Cannot '{}' {}", op.row().name, self.graph.types.name(ty));
        let span = self.graph.current_origin().unwrap_or(self.cursor.last());
        Diagnostic::new(Code::Type, span, message, label)
    }

    /// The type after a sign.
    pub fn sign_type(&mut self, sign: Unary) {
        let StaticType { test, .. } = self.take_type();
        let test = match sign {
            Unary::Minus => None,
            Unary::Not => test.map(|it| it.negated_if(true)),
        };
        self.push_type(StaticType { test, ..StaticType::of(Type::INTEGER) });
        #[cfg(feature = "ch28")]
        self.record_sign();
    }

    /// Notes the knowledge about a condition.
    pub fn note_condition(&mut self) {
        let StaticType { ty, test, .. } = self.take_type();
        #[cfg(feature = "ch17")]
        let test = test.filter(|it| it.assignments == self.objects.assignments);
        self.objects.condition = match (self.graph.types.value(ty), test) {
            (Some(value), _) => Condition::Literal(value != 0),
            (None, Some(test)) => Condition::Test(test),
            (None, None) => Condition::Unknown,
        };
    }
}

/// The test of a comparison: `p == null`, `t == 0` and `t == 1`, where `t` is a test.
fn compared_test(types: &Types, infix: Infix, operands: [StaticType; 2]) -> Option<Test> {
    let [left, right] = operands;
    let mut compared = [(left, right), (right, left)].into_iter();
    let (test, value) =
        compared.find_map(|(it, other)| Some((it.test?, types.value(other.ty)?)))?;
    let is_equality = infix.op == Op::Compare(Relation::Equal) && (0..2).contains(&value);
    is_equality.then(|| test.negated_if((value == 0) != infix.is_negated))
}

/// Assignments and results.
impl Parser<'_> {
    /// The value that a variable or a field of a declared type has after an assignment, and
    /// whether it is known not to be null. `error` is the diagnostic if the types do not fit.
    pub fn assigned(
        &mut self,
        value: NodeId,
        declared: Type,
        error: impl Fn(&Parser, Type) -> Diagnostic,
    ) -> Result<(NodeId, Fact), Diagnostic> {
        #[cfg(feature = "ch17")]
        self.expect_writable(self.top_type())?;
        let StaticType { ty, not_null, .. } = self.take_type();
        #[cfg(feature = "ch12")]
        if declared == Type::FLOAT && self.graph.types.is_a(ty, Type::INTEGER) {
            return Ok((self.as_float(value, ty), Fact::UNKNOWN));
        }
        #[cfg(feature = "ch14")]
        if let Some(number) = self.sized_value(value, ty, declared) {
            return Ok((number, Fact::UNKNOWN));
        }
        if self.graph.types.is_a(ty, declared) {
            let is_object = !self.graph.types.may_be_null(ty);
            return Ok((value, if is_object { Fact::NOT_NULL } else { not_null }));
        }
        let object = self.graph.types.not_null(ty);
        if self.graph.types.is_pointer(declared) && self.graph.types.is_a(object, declared) {
            let value = self.expect_object(value, not_null, |parser| error(parser, ty));
            return Ok((value, Fact::NOT_NULL));
        }
        Err(error(self, ty))
    }

    /// The value that is assigned to a variable of a declared type.
    pub fn value_of_type(
        &mut self,
        value: NodeId,
        declared: Type,
    ) -> Result<(NodeId, Fact), Diagnostic> {
        let span = self.cursor.last();
        self.assigned(value, declared, |parser, ty| {
            let [ty, declared] = [ty, declared].map(|it| type_name(&parser.graph.types, it));
            let message = format!("Type {ty} is not of declared type {declared}");
            let label = "this value has another type than the variable";
            Diagnostic::new(Code::Type, span, message, label)
        })
    }

    /// The value that an assignment gives to a variable.
    pub fn value_for(&mut self, slot: usize, value: NodeId) -> Result<NodeId, Diagnostic> {
        let declared = self.scope.declared(slot);
        let (value, fact) = self.value_of_type(value, declared)?;
        self.scope.facts.set(slot, fact);
        #[cfg(feature = "ch28")]
        self.record_assignment(slot, value);
        Ok(value)
    }

    /// A pointer of which the fact must hold, else `error` is reported. The graph may know less
    /// than the analysis: then a Cast passes the pointer on.
    pub fn expect_object(
        &mut self,
        pointer: NodeId,
        fact: Fact,
        error: impl Fn(&Parser) -> Diagnostic,
    ) -> NodeId {
        if fact != Fact::NOT_NULL {
            let error = error(self);
            self.objects.demands.push((fact, error));
        }
        if !self.graph.types.may_be_null(self.graph.ty(pointer)) {
            return pointer;
        }
        let control = self.control();
        self.node(Op::Cast, &[control, pointer])
    }

    /// Reports the pointers that must not be null, but are not known to be objects.
    pub fn report_failing_facts(&mut self) {
        let failing = self.scope.facts.failing();
        let demands = std::mem::take(&mut self.objects.demands).into_iter();
        demands.filter(|it| failing[it.0]).for_each(|(_, error)| self.report(error));
    }

    /// Notes the type of a result: all results are numbers of one type, or objects of one struct.
    /// Control does not pass a `return`.
    pub fn note_result(&mut self, span: Span) -> Result<(), Diagnostic> {
        #[cfg(feature = "ch18")]
        if self.is_assumed_result(span)? {
            return Ok(());
        }
        let ty = self.take_type().ty;
        let types = &mut self.graph.types;
        let number = Type::INTEGER;
        #[cfg(feature = "ch12")]
        let number = if types.is_float(ty) { Type::FLOAT } else { number };
        let ty = if types.is_pointer(ty) { ty } else { number };
        let result = self.objects.result.unwrap_or(ty);
        let both = types.meet(ty, result);
        let is_one = match types.kind(both) {
            TypeKind::Pointer { target, .. } => *target != Target::Unknown,
            _ => both == number,
        };
        if !is_one {
            let [ty, result] = [ty, result].map(|it| type_name(types, it));
            let message = format!("Type {ty} is not of the type {result} of an earlier return");
            let label = "all results of a program have one type";
            #[cfg(feature = "ch18")]
            let label = match self.is_in_function() {
                true => "all results of a function have one type",
                false => label,
            };
            return Err(Diagnostic::new(Code::Type, span, message, label));
        }
        self.objects.result = Some(both);
        self.graph.result = both;
        self.scope.facts.mark_unreachable();
        Ok(())
    }
}

/// The name of a type in a message.
pub fn type_name(types: &Types, ty: Type) -> String {
    match ty {
        Type::INTEGER => "int".to_string(),
        #[cfg(feature = "ch12")]
        Type::FLOAT => "flt".to_string(),
        #[cfg(feature = "ch14")]
        Type::SINGLE => "f32".to_string(),
        _ => types.name(ty),
    }
}

#[cfg(feature = "ch18")]
impl Parser<'_> {
    /// The function of a type, if its result is assumed.
    fn assumed_function(&self, ty: Type) -> Option<FunctionId> {
        let function = self.graph.types.known_function(ty)?;
        self.functions.results.is_assumed(function).then_some(function)
    }

    /// Whether the result that was parsed last is that of a call, which is assumed: it says nothing
    /// about the type. If so, takes its type. That of the program is printed, so it is no function.
    fn is_assumed_result(&mut self, span: Span) -> Result<bool, Diagnostic> {
        let StaticType { ty, assumed, .. } = self.top_type();
        if !self.is_in_function() && self.graph.types.signature_of(ty).is_some() {
            self.take_type();
            let message = "The result of a program is no function".to_string();
            let diag = Diagnostic::new(Code::Type, span, message, "a function cannot be printed");
            return Err(diag.with_help("call it, and return its result"));
        }
        let (Some(called), Some(outer)) = (assumed, self.functions.current()) else {
            return Ok(false);
        };
        if self.graph.types.is_pointer(ty) {
            return Ok(false);
        }
        self.take_type();
        self.functions.results.note_assumed(outer, called);
        self.scope.facts.mark_unreachable();
        Ok(true)
    }
}
