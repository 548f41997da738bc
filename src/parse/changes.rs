//! Assignments as expressions, compound assignments, `++` and `--`, for variables and fields.
//!
//! None of them is a node. `x += e` is what x = x + e is, and `x++` is x = x + 1 whose value is the
//! old one. The value of an assignment is the right side before the conversion to the type of the
//! variable.
use super::Parser;
use super::static_types::StaticType;
use super::token::{Infix, Token};
use crate::arith::Binary;
use crate::diagnostics::Diagnostic;
use crate::sea::{NodeId, Op};
use crate::types::FieldId;
use source::Span;

/// What the next tokens do with a variable or a field.
#[derive(Clone, Copy)]
enum Change {
    /// `= e`
    Assign,
    /// `op= e`
    Compound(Infix),
    /// `++` or `--`, after the operand.
    Step(Infix),
}

/// The values of a change.
struct Changed {
    /// The value before the conversion to the type of the variable, and its type.
    new: NodeId,
    ty: StaticType,
    /// The value of the expression, if it is the one before the change, and its type.
    old: Option<(NodeId, StaticType)>,
}

/// What follows an operand.
impl Parser<'_> {
    /// Whether an assignment to a variable begins here. `==` is a token of its own.
    pub fn begins_assignment(&self) -> bool {
        self.cursor.peek() == Token::Name && self.cursor.second() == Token::Assign
    }

    /// Whether a name follows that is changed by `op=`, `++` or `--`.
    pub fn begins_change(&self) -> bool {
        match self.cursor.second() {
            Token::CompoundAssign | Token::PlusPlus => true,
            Token::MinusMinus => !self.cursor.third().begins_operand(),
            _ => false,
        }
    }

    /// Whether `++` or `--` before a variable follows. Before another operand, `--` is two signs.
    pub fn is_step_before_name(&self) -> bool {
        let is_step = matches!(self.cursor.peek(), Token::PlusPlus | Token::MinusMinus);
        is_step && self.cursor.second() == Token::Name && self.cursor.third() != Token::Dot
    }

    /// The change of a field that follows.
    fn next_change(&self) -> Option<Change> {
        Some(match self.cursor.peek() {
            Token::Assign => Change::Assign,
            Token::CompoundAssign => Change::Compound(Infix::of_compound(self.cursor.text())),
            Token::PlusPlus => Change::Step(Infix::binary(Binary::Add)),
            Token::MinusMinus if !self.cursor.second().begins_operand() => {
                Change::Step(Infix::binary(Binary::Sub))
            }
            _ => return None,
        })
    }

    /// Takes the operator of a change, computes the new value, and pushes its type. The type of the
    /// old value is the one that was pushed last.
    fn changed(&mut self, change: Change, old: NodeId) -> Result<Changed, Diagnostic> {
        self.enter()?;
        self.cursor.take();
        let old_type = self.top_type();
        let new = match change {
            Change::Assign => {
                self.take_type();
                self.expression()?
            }
            Change::Compound(infix) => {
                let node = self.graph.create(infix.op, &[old]);
                let right = self.expression()?;
                self.computed(infix, node, right)?
            }
            Change::Step(infix) => self.stepped(infix, old)?,
        };
        self.depth -= 1;
        let old = matches!(change, Change::Step(_)).then_some((old, old_type.without_test()));
        Ok(Changed { new, ty: self.top_type().without_test(), old })
    }

    /// One more or less than `old`.
    fn stepped(&mut self, infix: Infix, old: NodeId) -> Result<NodeId, Diagnostic> {
        let node = self.graph.create(infix.op, &[old]);
        let one = self.constant(1);
        self.push_literal(one);
        self.computed(infix, node, one)
    }

    /// The operation of a compound assignment, as that of an infix operator.
    fn computed(
        &mut self,
        infix: Infix,
        node: NodeId,
        right: NodeId,
    ) -> Result<NodeId, Diagnostic> {
        let [node, right] = self.typed_operation(infix, node, right)?;
        self.graph.add_input(node, right);
        Ok(self.engine.peephole(&mut self.graph, node))
    }
}

/// Variables.
impl Parser<'_> {
    /// ```text
    /// changed variable = name , ( "=" | compound ) , expression | name , ( "++" | "--" ) ;
    /// ```
    pub fn changed_variable(&mut self) -> Result<NodeId, Diagnostic> {
        let (name, span) = self.name()?;
        #[cfg(feature = "ch28")]
        self.record_name(name, span);
        let change = self.next_change().expect("the caller has seen the operator");
        let Some(slot) = self.scope.slot(name) else {
            self.undefined(name, span);
            let zero = self.constant(0);
            self.push_literal(zero);
            return Ok(self.changed(change, zero)?.new);
        };
        if !matches!(change, Change::Assign) {
            self.expect_assigned(slot, span);
        }
        self.push_variable(slot);
        let old = self.scope.value(&mut self.graph, slot);
        let held = self.graph.create(Op::Scope, &[old]);
        let changed = self.changed(change, old)?;
        let (value, ty) = changed.old.unwrap_or((changed.new, changed.ty));
        self.graph.add_input(held, value);
        self.assign(slot, span, changed.new)?;
        self.push_type(ty);
        if matches!(change, Change::Assign) {
            self.test_assigned(slot);
        }
        self.graph.kill_unless_used(held, value);
        Ok(value)
    }

    /// A pointer that was just assigned is tested by the value of the assignment.
    fn test_assigned(&mut self, slot: usize) {
        if self.graph.types.is_pointer(self.top_type().ty) {
            self.take_type();
            self.push_variable(slot);
        }
    }

    /// ```text
    /// stepped variable = ( "++" | "--" ) , name ;
    /// ```
    /// Its value is the one that the variable has afterwards.
    pub fn stepped_variable(&mut self) -> Result<NodeId, Diagnostic> {
        let is_plus = self.cursor.peek() == Token::PlusPlus;
        self.cursor.take();
        let (name, span) = self.name()?;
        #[cfg(feature = "ch28")]
        self.record_name(name, span);
        let Some(slot) = self.scope.slot(name) else {
            self.undefined(name, span);
            let zero = self.constant(0);
            self.push_literal(zero);
            return Ok(zero);
        };
        self.push_variable(slot);
        let old = self.scope.value(&mut self.graph, slot);
        let infix = Infix::binary(if is_plus { Binary::Add } else { Binary::Sub });
        let new = self.stepped(infix, old)?;
        self.assign(slot, span, new)?;
        self.push_variable(slot);
        Ok(self.scope.value(&mut self.graph, slot))
    }

    /// Assigns the value of the expression that was parsed last, and takes its type.
    fn assign(&mut self, slot: usize, span: Span, value: NodeId) -> Result<(), Diagnostic> {
        self.expect_mutable(slot, span)?;
        let stored = self.value_for(slot, value)?;
        #[cfg(feature = "ch28")]
        self.record_assigned(span, stored);
        self.scope.set(&mut self.graph, slot, stored);
        self.objects.assignments += 1;
        Ok(())
    }
}

/// Fields.
impl Parser<'_> {
    /// ```text
    /// changed field = field , ( "=" | compound ) , expression | field , ( "++" | "--" ) ;
    /// ```
    /// The object's type is the one that was pushed last.
    pub fn changed_field(
        &mut self,
        object: NodeId,
        field: FieldId,
    ) -> Result<Option<NodeId>, Diagnostic> {
        let span = self.cursor.last();
        let Some(change) = self.next_change() else { return Ok(None) };
        self.expect_mutable_field(field, span)?;
        let held = self.graph.create(Op::Scope, &[object]);
        let old = match change {
            Change::Assign => object,
            Change::Compound(_) | Change::Step(_) => {
                let memory = self.memory(field);
                self.node(Op::Load(field), &[memory, object])
            }
        };
        let loaded = self.graph.types.loaded(field);
        self.retype(StaticType::of(loaded));
        self.graph.add_input(held, old);
        let changed = self.changed(change, old)?;
        let (value, ty) = changed.old.unwrap_or((changed.new, changed.ty));
        self.graph.add_input(held, value);
        let stored = self.storable(changed.new, field)?;
        self.write(Op::Store(field), field, &[object, stored]);
        self.push_type(ty);
        #[cfg(feature = "ch28")]
        self.record_operation(stored, false);
        self.graph.kill_unless_used(held, value);
        Ok(Some(value))
    }
}
