//! Types of numbers with their size: variables and fields of these types, and the conversion of the
//! values that are stored to them.
//!
//! Only a store converts. An expression computes with all bits of an `int` or a `flt`, whatever the
//! types of its variables are.
use super::Parser;
use super::scope::Fact;
use super::static_types::type_name;
use crate::arith::{Binary, Interval};
use crate::diagnostics::{Code, Diagnostic};
use crate::floats::FloatOp;
use crate::sea::{NodeId, Op};
use crate::types::{FLOAT_TYPES, INTEGER_TYPES, Type};

impl Parser<'_> {
    /// ```text
    /// sized = "bool" | "u1" | "u8" | "byte" | "u16" | "u32" | "i8" | "i16" | "i32" | "i64"
    ///       | "f32" | "f64" ;
    /// ```
    ///
    /// # Errors
    /// An `int` cannot have all values of the type.
    pub fn sized_type(&mut self) -> Result<Type, Diagnostic> {
        let span = self.cursor.span();
        let name = self.cursor.take();
        if let Some(row) = FLOAT_TYPES.iter().find(|row| row.0 == name) {
            return Ok(row.1);
        }
        let row = INTEGER_TYPES.iter().find(|row| row.name == name);
        let row = row.expect("every name that is a token has a row");
        let int = self.graph.types.int;
        if row.max > int.max() {
            let message = format!("`{name}` needs integers of 64 bits");
            let label = format!("an `int` has {} bits here", int.0);
            let error = Diagnostic::new(Code::Type, span, message, label);
            return Err(error.with_help("the option `--int 64` compiles the program with them"));
        }
        Ok(self.graph.types.interval(Interval::new(row.min, row.max)))
    }

    /// ```text
    /// declaration = sized , declarators ;
    /// ```
    pub fn sized_declaration(&mut self) -> Result<(), Diagnostic> {
        let declared = self.sized_type();
        // The names are declared in any case: only the type is wrong.
        let of = *declared.as_ref().unwrap_or(&Type::INTEGER);
        let declarators = self.declarators(|parser| parser.declared_number(of));
        declared.and(declarators)
    }

    fn declared_number(&mut self, declared: Type) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        let value = self.first_number(declared);
        let known = match value {
            Ok(value) => value,
            Err(_) => self.zero_of(declared),
        };
        let count = self.scope.count();
        let text = type_name(&self.graph.types, declared);
        self.define(name, span, known, &text);
        if self.scope.count() > count {
            self.scope.declare(declared, Fact::UNKNOWN);
        }
        value.map(drop)
    }

    /// The first value; without an expression, 0.
    fn first_number(&mut self, declared: Type) -> Result<NodeId, Diagnostic> {
        if self.ends_declarator() {
            return Ok(self.zero_of(declared));
        }
        let value = self.value_assigned()?;
        Ok(self.value_of_type(value, declared)?.0)
    }

    fn zero_of(&mut self, declared: Type) -> NodeId {
        if self.graph.types.is_float(declared) {
            self.float_constant(0.0)
        } else {
            self.constant(0)
        }
    }

    /// The number that a variable or a field has after one of type `ty` was stored to it, if its
    /// declared type has a size: a float is rounded to the nearest one.
    pub fn sized_value(&mut self, value: NodeId, ty: Type, declared: Type) -> Option<NodeId> {
        let types = &self.graph.types;
        if declared == Type::SINGLE && types.is_number(ty) {
            let float = self.as_float(value, ty);
            return Some(self.node(Op::Float(FloatOp::Round), &[float]));
        }
        let (_, to) = types.interval_of(ty).zip(types.interval_of(declared))?;
        Some(self.converted(value, to))
    }

    /// The integer that a variable or a field has after a value was stored to it: the lowest bits
    /// of the value. They are a number without a sign, or their highest bit is its sign.
    pub fn converted(&mut self, value: NodeId, to: Interval) -> NodeId {
        let int = self.graph.types.int;
        if to == Interval::all(int) {
            return value;
        }
        if to.min == 0 {
            let mask = self.constant(to.max);
            return self.node(Op::Binary(Binary::And), &[value, mask]);
        }
        let width = 65 - to.max.leading_zeros();
        let count = self.constant(i64::from(int.0 - width));
        let shifted = self.node(Op::Binary(Binary::Shl), &[value, count]);
        self.node(Op::Binary(Binary::Shrs), &[shifted, count])
    }
}
