//! Floating-point numbers: literals, variables, and the operations on them.
//!
//! Where an operation has a float and an integer, the integer becomes a float first; so does an
//! integer that is assigned to a float. There is no way back.
use super::Parser;
use super::scope::Fact;
use super::static_types::StaticType;
use crate::arith::{Binary, Relation, Unary};
use crate::diagnostics::{Code, Diagnostic};
use crate::floats::{self, FloatOp};
use crate::sea::{NodeId, Op};
use crate::types::Type;

impl Parser<'_> {
    /// ```text
    /// float = digit , { digit } , ( "." | "e" ) , { digit | "." | "e" } ;
    /// ```
    pub fn float(&mut self) -> Result<NodeId, Diagnostic> {
        let span = self.cursor.span();
        let text = self.cursor.take();
        let wrong = |message: &str, label: &str| {
            Err(Diagnostic::new(Code::Number, span, format!("Syntax error: {message}"), label))
        };
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(self.float_constant(value)),
            Ok(_) => wrong("float too large", "this is more than 1.7976931348623157e308"),
            Err(_) => {
                let help = "a float is 2.5 or 25e2; the exponent has no sign";
                wrong("malformed float", "this is no number")
                    .map_err(|it: Diagnostic| it.with_help(help))
            }
        }
    }

    pub fn float_constant(&mut self, value: f64) -> NodeId {
        let ty = self.graph.types.float(floats::bits(value));
        self.node(Op::Constant(ty), &[])
    }

    /// ```text
    /// declaration = "flt" , declarators ;
    /// ```
    pub fn float_declaration(&mut self) -> Result<(), Diagnostic> {
        self.cursor.take();
        self.declarators(Parser::declared_float)
    }

    pub fn declared_float(&mut self) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        let value = self.first_float();
        let known = match value {
            Ok(value) => value,
            Err(_) => self.float_constant(0.0),
        };
        let count = self.scope.count();
        self.define(name, span, known, "flt");
        if self.scope.count() > count {
            self.scope.declare(Type::FLOAT, Fact::UNKNOWN);
        }
        value.map(drop)
    }

    /// The first value of a float; without an expression, 0.
    fn first_float(&mut self) -> Result<NodeId, Diagnostic> {
        if self.ends_declarator() {
            return Ok(self.float_constant(0.0));
        }
        let value = self.value_assigned()?;
        Ok(self.value_of_type(value, Type::FLOAT)?.0)
    }

    /// Whether the expression that was parsed last is a float.
    pub fn is_float(&self) -> bool {
        self.graph.types.is_float(self.top_type().ty)
    }

    /// A value of type `ty` as a float.
    pub fn as_float(&mut self, value: NodeId, ty: Type) -> NodeId {
        if self.graph.types.is_float(ty) {
            return value;
        }
        self.node(Op::Float(FloatOp::FromInteger), &[value])
    }

    /// The operation on floats in place of `node`, which has the left operand, and the right one.
    /// The type of the result is pushed.
    pub fn float_operation(
        &mut self,
        node: NodeId,
        right: NodeId,
        types: [StaticType; 2],
    ) -> Result<[NodeId; 2], Diagnostic> {
        let op = self.graph.op(node);
        let Some(float) = float_form(op) else {
            return Err(self.wrong_operand(op, Type::FLOAT, "floats have no such operation"));
        };
        let result = if matches!(op, Op::Compare(_)) { Type::INTEGER } else { Type::FLOAT };
        self.push_type(StaticType::of(result));
        let operation = self.graph.create(Op::Float(float), &[]);
        let left = self.as_float(self.graph.input(node, 0), types[0].ty);
        self.graph.add_input(operation, left);
        self.graph.kill(node);
        #[cfg(feature = "ch28")]
        self.record_operation(operation, false);
        Ok([operation, self.as_float(right, types[1].ty)])
    }

    /// -x, or !x: whether x is 0. It is not if x is NaN. The type of the result is pushed.
    pub fn signed_float(&mut self, operand: NodeId, sign: Unary) -> NodeId {
        let result = if sign == Unary::Minus { Type::FLOAT } else { Type::INTEGER };
        self.retype(StaticType::of(result));
        #[cfg(feature = "ch28")]
        self.record_sign();
        match sign {
            Unary::Minus => self.node(Op::Float(FloatOp::Minus), &[operand]),
            Unary::Not => {
                let test = self.graph.create(Op::Float(FloatOp::Equal), &[operand]);
                let zero = self.float_constant(0.0);
                self.graph.add_input(test, zero);
                self.engine.peephole(&mut self.graph, test)
            }
        }
    }

    /// A condition: a float is true if it is not 0.
    pub fn truth(&mut self, predicate: NodeId) -> NodeId {
        if !self.is_float() {
            return predicate;
        }
        let known = self.top_type();
        let is_zero = self.signed_float(predicate, Unary::Not);
        self.retype(known);
        self.node(Op::Unary(Unary::Not), &[is_zero])
    }
}

/// The operation on floats that an operator stands for.
fn float_form(op: Op) -> Option<FloatOp> {
    Some(match op {
        Op::Binary(Binary::Add) => FloatOp::Add,
        Op::Binary(Binary::Sub) => FloatOp::Sub,
        Op::Binary(Binary::Mul) => FloatOp::Mul,
        Op::Binary(Binary::Div) => FloatOp::Div,
        Op::Compare(Relation::Equal) => FloatOp::Equal,
        Op::Compare(Relation::Less) => FloatOp::Less,
        Op::Compare(Relation::LessEqual) => FloatOp::LessEqual,
        _ => return None,
    })
}
