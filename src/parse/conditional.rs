//! `c ? a : b`: a branch inside of an expression. The value is a Phi, as that of a variable that
//! both arms assign; so the arms give their values to a variable without a name.
use super::Parser;
use super::scope::{Fact, ScopeDelta};
use super::static_types::{StaticType, type_name};
use super::token::Token;
use crate::diagnostics::{Code, Diagnostic};
use crate::floats::FloatOp;
use crate::sea::{NodeId, Op};
use crate::types::{Target, Type, TypeKind};

/// Programs cannot spell the name.
const VALUE: &str = "$value";

impl Parser<'_> {
    /// ```text
    /// conditional = binary expression , "?" , expression , [ ":" , expression ] ;
    /// ```
    /// `predicate` has been parsed. Without the second value, it is 0 or null. Not inlined:
    /// `expression` is on the stack once for each parenthesis.
    #[inline(never)]
    pub fn conditional(&mut self, predicate: NodeId) -> Result<NodeId, Diagnostic> {
        self.enter()?;
        #[cfg(feature = "ch28")]
        let question = self.cursor.span();
        self.cursor.take();
        let branches = self.branches(predicate);
        let slot = self.scope.count();
        self.scope.push();
        let zero = self.constant(0);
        self.scope.define(&mut self.graph, VALUE, zero);
        self.scope.declare(Type::INTEGER, Fact::UNKNOWN);
        let value = self.choice(slot, branches);
        let held = self.graph.create(Op::Scope, &[]);
        if let Ok(value) = value {
            self.graph.add_input(held, value);
        }
        self.scope.pop(&mut self.graph);
        match value {
            Ok(value) => self.graph.kill_unless_used(held, value),
            Err(_) => self.graph.kill(held),
        }
        self.depth -= 1;
        #[cfg(feature = "ch28")]
        self.record_conditional(question, value.as_ref().ok().copied());
        value
    }

    /// Both arms, and their join.
    fn choice(&mut self, slot: usize, [yes, no]: [NodeId; 2]) -> Result<NodeId, Diagnostic> {
        let condition = self.objects.condition;
        let other = ScopeDelta::none(&mut self.graph, no);
        self.scope.checkpoint(&mut self.graph);
        self.scope.set_control(&mut self.graph, yes);
        self.narrow(condition, true);
        let first = self.arm_value(slot);
        let mut yes = self.scope.rollback(&mut self.graph);
        self.scope.checkpoint(&mut self.graph);
        self.scope.apply(&mut self.graph, other);
        self.narrow(condition, false);
        let common = first.and_then(|first| self.other_value(slot, first, &mut yes));
        let no = self.scope.rollback(&mut self.graph);
        if let Ok(common) = common {
            self.scope.set_declared(slot, common);
        }
        let both = self.join(yes, no);
        self.scope.apply(&mut self.graph, both);
        let not_null = self.scope.facts.get(slot);
        let ty = common?;
        let ty = StaticType::with_fact(ty, not_null);
        self.push_type(ty.read_only_if(self.scope.is_final(slot)));
        Ok(self.scope.value(&mut self.graph, slot))
    }

    /// Parses the value of an arm, and returns its type.
    fn arm_value(&mut self, slot: usize) -> Result<Type, Diagnostic> {
        let value = self.expression()?;
        let StaticType { ty, not_null, is_read_only, .. } = self.take_type();
        self.scope.set(&mut self.graph, slot, value);
        self.scope.set_final(slot, self.scope.is_final(slot) || is_read_only);
        let is_object = !self.graph.types.may_be_null(ty);
        self.scope.facts.set(slot, if is_object { Fact::NOT_NULL } else { not_null });
        Ok(ty)
    }

    /// The value of the second arm. Returns the type of both, to which they are converted; `yes`
    /// has the value of the first one.
    fn other_value(
        &mut self,
        slot: usize,
        first: Type,
        yes: &mut ScopeDelta,
    ) -> Result<Type, Diagnostic> {
        let span = self.cursor.place();
        let second = match self.cursor.eat(Token::Colon) {
            true => self.arm_value(slot)?,
            false => self.no_value(slot, first),
        };
        let Some(common) = self.common_type(first, second) else {
            let [first, second] = [first, second].map(|it| kind_name(self, it));
            let message = format!("No common type amongst {first} and {second}");
            let label = "both values of `?:` have one type";
            return Err(Diagnostic::new(Code::Type, span, message, label));
        };
        if common == Type::FLOAT && !self.graph.types.is_float(first) {
            let value = yes.of(&self.graph, slot).expect("the first arm has set it");
            let value = self.node(Op::Float(FloatOp::FromInteger), &[value]);
            yes.replace(&mut self.graph, slot, value);
        }
        if common == Type::FLOAT && !self.graph.types.is_float(second) {
            let value = self.scope.value(&mut self.graph, slot);
            let value = self.node(Op::Float(FloatOp::FromInteger), &[value]);
            self.scope.set(&mut self.graph, slot, value);
        }
        Ok(common)
    }

    /// The second value is not written: 0 or null, as the type of the first one has it.
    fn no_value(&mut self, slot: usize, first: Type) -> Type {
        let zero = match self.graph.types.is_pointer(first) {
            true => Type::NULL,
            false => self.graph.types.constant(0),
        };
        let value = self.node(Op::Constant(zero), &[]);
        self.scope.set(&mut self.graph, slot, value);
        zero
    }

    /// The type of a value that has one of two types.
    fn common_type(&mut self, first: Type, second: Type) -> Option<Type> {
        let types = &mut self.graph.types;
        let both = [first, second];
        match types.meet(first, second) {
            ty if types.is_pointer(ty) => {
                let TypeKind::Pointer { target, .. } = *types.kind(ty) else { return None };
                (target != Target::Unknown).then_some(ty)
            }
            _ if both.iter().any(|&it| types.is_pointer(it)) => None,
            _ if both.iter().any(|&it| types.is_float(it)) => Some(Type::FLOAT),
            _ => Some(Type::INTEGER),
        }
    }
}

/// The name of a kind of values.
fn kind_name(parser: &Parser, ty: Type) -> String {
    let types = &parser.graph.types;
    match types.kind(ty) {
        TypeKind::Integer { .. } => "int".to_string(),
        TypeKind::Float(_) | TypeKind::Single => "flt".to_string(),
        _ => type_name(types, ty),
    }
}
