//! Floating-point numbers: literals, variables, and the operations on them.
//!
//! Where an operation has a float and an integer, the integer becomes a float first; so does an
//! integer that is assigned to a float. There is no way back.
use super::Parser;
use super::token::Token;
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

    fn float_constant(&mut self, value: f64) -> NodeId {
        let ty = self.graph.types.float(floats::bits(value));
        self.node(Op::Constant(ty), &[])
    }

    /// ```text
    /// declaration = "flt" , name , [ "=" , expression ] , ";" ;
    /// ```
    pub fn float_declaration(&mut self) -> Result<(), Diagnostic> {
        self.cursor.take();
        self.declared_float()
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
            self.scope.declare(Type::FLOAT);
        }
        value.map(drop)
    }

    /// The first value of a float; without an expression, 0.
    fn first_float(&mut self) -> Result<NodeId, Diagnostic> {
        if self.cursor.eat(Token::Semicolon) {
            return Ok(self.float_constant(0.0));
        }
        let value = self.value_assigned()?;
        let value = self.widened(value, Type::FLOAT);
        self.expect_type(value, Type::FLOAT)?;
        Ok(value)
    }

    pub fn is_float(&self, value: NodeId) -> bool {
        self.graph.types.is_float(self.graph.ty(value))
    }

    /// The value as a float, if a float is declared and it is an integer.
    pub fn widened(&mut self, value: NodeId, declared: Type) -> NodeId {
        let ty = self.graph.ty(value);
        if declared != Type::FLOAT || ty == Type::TOP || !self.graph.types.is_a(ty, Type::INTEGER) {
            return value;
        }
        self.node(Op::Float(FloatOp::FromInteger), &[value])
    }

    /// The operation on floats in place of `node`, which has its operands, if one of them is a
    /// float.
    pub fn float_operation(&mut self, node: NodeId) -> NodeId {
        let operands = self.graph.operands(node);
        let Some(float) = float_form(self.graph.op(node))
            .filter(|_| operands.iter().any(|&it| self.is_float(it)))
        else {
            return node;
        };
        // Each operand keeps a user while the other one is converted.
        let operation = self.graph.create(Op::Float(float), &[]);
        for operand in operands {
            let operand = self.widened(operand, Type::FLOAT);
            self.graph.add_input(operation, operand);
        }
        self.graph.kill(node);
        operation
    }

    /// -x, or !x: whether x is 0. It is not if x is NaN.
    pub fn signed_float(&mut self, operand: NodeId, sign: Unary) -> NodeId {
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
        if !self.is_float(predicate) {
            return predicate;
        }
        let is_zero = self.signed_float(predicate, Unary::Not);
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
