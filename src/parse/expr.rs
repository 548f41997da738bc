//! Expressions.
use super::Parser;
#[cfg(feature = "ch02")]
use super::token::Infix;
use super::token::Token;
#[cfg(feature = "ch02")]
use crate::arith::Unary;
use crate::diagnostics::{Code, Diagnostic};
use crate::sea::{NodeId, Op};

/// The limit for nested parentheses, signs and blocks.
#[cfg(feature = "ch02")]
const MAX_DEPTH: usize = 500;

/// ```text
/// expression = operand ;
/// ```
#[cfg(not(feature = "ch02"))]
impl Parser<'_> {
    pub fn expression(&mut self) -> Result<NodeId, Diagnostic> {
        self.operand()
    }
}

#[cfg(feature = "ch02")]
impl Parser<'_> {
    /// ```text
    /// @ch02-16 expression = unary , { operator , unary } ;
    /// @ch17 expression = name , "=" , expression | conditional | binary expression ;
    /// @ch17 binary expression = unary , { operator , unary } ;
    /// ```
    /// where operators bind by precedence and are left-associative.
    pub fn expression(&mut self) -> Result<NodeId, Diagnostic> {
        #[cfg(feature = "ch17")]
        if self.begins_assignment() {
            return self.changed_variable();
        }
        let value = self.binary_expression(0)?;
        #[cfg(feature = "ch17")]
        if self.cursor.peek() == Token::Question {
            return self.conditional(value);
        }
        Ok(value)
    }

    /// Precedence climbing: the longest expression whose operators bind tighter than `precedence`.
    fn binary_expression(&mut self, precedence: u8) -> Result<NodeId, Diagnostic> {
        #[cfg(feature = "ch09")]
        let outer = self.graph.set_origin(Some(self.cursor.span()));
        let mut left = self.unary()?;
        while let Some(infix) =
            self.cursor.peek().infix().filter(|infix| infix.precedence > precedence)
        {
            #[cfg(feature = "ch09")]
            self.graph.set_origin(Some(self.cursor.span()));
            self.take_operator();
            left = self.operation(left, infix)?;
        }
        #[cfg(feature = "ch09")]
        self.graph.set_origin(outer);
        Ok(left)
    }

    /// Parses the right operand of `infix`. The node is made first, so that `left` has a user.
    fn operation(&mut self, left: NodeId, infix: Infix) -> Result<NodeId, Diagnostic> {
        let node = self.graph.create(infix.op, &[left]);
        let right = self.binary_expression(infix.precedence)?;
        #[cfg(feature = "ch10")]
        let [node, right] = self.typed_operation(infix, node, right)?;
        self.graph.add_input(node, right);
        // a > b is b < a, and a != b is !(a == b).
        #[cfg(feature = "ch04")]
        if infix.is_swapped {
            self.graph.swap_inputs(node);
        }
        let result = self.engine.peephole(&mut self.graph, node);
        #[cfg(feature = "ch04")]
        if infix.is_negated {
            return Ok(self.node(Op::Unary(Unary::Not), &[result]));
        }
        Ok(result)
    }

    /// ```text
    /// unary = "-" , unary | operand ;
    /// ```
    fn unary(&mut self) -> Result<NodeId, Diagnostic> {
        let signs = self.signs();
        #[cfg(feature = "ch10")]
        let first = self.cursor.peek();
        let operand = self.operand()?;
        #[cfg(feature = "ch10")]
        let operand = self.fields(first, operand)?;
        #[cfg(feature = "ch10")]
        if signs.last() == Some(&Unary::Minus) {
            self.expect_operands(Op::Unary(Unary::Minus), &[self.top_type()])?;
        }
        let signs = signs.into_iter().rev();
        Ok(signs.fold(operand, |operand, sign| self.signed(operand, sign)))
    }

    /// The value after a sign.
    fn signed(&mut self, operand: NodeId, sign: Unary) -> NodeId {
        #[cfg(feature = "ch12")]
        if self.is_float() {
            return self.signed_float(operand, sign);
        }
        #[cfg(feature = "ch10")]
        self.sign_type(sign);
        self.node(Op::Unary(sign), &[operand])
    }

    /// Skips an operator.
    fn take_operator(&mut self) {
        #[cfg(feature = "ch17")]
        if self.cursor.peek() == Token::MinusMinus {
            return self.cursor.take_first_sign();
        }
        self.cursor.take();
    }

    /// The signs before an operand.
    fn signs(&mut self) -> Vec<Unary> {
        let signs: Vec<_> = std::iter::from_fn(|| self.sign()).collect();
        #[cfg(feature = "ch14")]
        {
            self.is_after_minus = signs.last() == Some(&Unary::Minus);
        }
        signs
    }

    /// The next sign before an operand.
    fn sign(&mut self) -> Option<Unary> {
        #[cfg(feature = "ch17")]
        if self.cursor.peek() == Token::MinusMinus && !self.is_step_before_name() {
            self.cursor.take_first_sign();
            return Some(Unary::Minus);
        }
        #[cfg(feature = "ch10")]
        if self.cursor.eat(Token::Not) {
            return Some(Unary::Not);
        }
        self.cursor.eat(Token::Minus).then_some(Unary::Minus)
    }

    /// ```text
    /// parenthesized = "(" , expression , ")" ;
    /// ```
    fn parenthesized(&mut self) -> Result<NodeId, Diagnostic> {
        self.enter()?;
        self.cursor.take();
        let inner = self.expression()?;
        self.cursor.expect(Token::CloseParenthesis, ")")?;
        self.depth -= 1;
        Ok(inner)
    }

    /// Enters one nesting level.
    pub fn enter(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        let message = format!("Syntax error: nested more than {MAX_DEPTH} deep");
        Err(Diagnostic::new(
            Code::Nesting,
            self.cursor.place(),
            message,
            "this is one level too deep",
        ))
    }
}

impl Parser<'_> {
    /// ```text
    /// operand = integer
    /// @ch02         | parenthesized
    /// @ch03         | name
    /// @ch05         | "true" | "false"
    /// @ch10         | "null" | new
    /// @ch12         | float
    /// @ch17         | changed variable | stepped variable
    ///         ;
    /// ```
    fn operand(&mut self) -> Result<NodeId, Diagnostic> {
        match self.cursor.peek() {
            Token::Number => self.integer(),
            #[cfg(feature = "ch12")]
            Token::Float => self.float(),
            #[cfg(feature = "ch02")]
            Token::OpenParenthesis => self.parenthesized(),
            #[cfg(feature = "ch17")]
            Token::Name if self.begins_change() => self.changed_variable(),
            #[cfg(feature = "ch17")]
            _ if self.is_step_before_name() => self.stepped_variable(),
            #[cfg(feature = "ch18")]
            Token::OpenBrace => self.function_literal(),
            #[cfg(feature = "ch18")]
            Token::Name if self.scope.slot(self.cursor.text()).is_none() => self.outer_name(),
            #[cfg(feature = "ch03")]
            Token::Name => Ok(self.variable()),
            #[cfg(feature = "ch05")]
            Token::True => Ok(self.is_zero(1)),
            #[cfg(feature = "ch05")]
            Token::False => Ok(self.is_zero(0)),
            #[cfg(feature = "ch10")]
            Token::Null => Ok(self.null()),
            #[cfg(feature = "ch10")]
            Token::New => self.new_object(),
            #[cfg(not(feature = "ch03"))]
            _ => Err(self.cursor.expected("integer literal")),
            #[cfg(feature = "ch03")]
            _ => Err(self.cursor.expected("an identifier or expression")),
        }
    }

    /// ```text
    /// integer = "0" | nonzero digit , { digit } ;
    /// ```
    /// Not inlined: `operand` is on the stack once for each parenthesis around it.
    #[inline(never)]
    fn integer(&mut self) -> Result<NodeId, Diagnostic> {
        let span = self.cursor.span();
        let text = self.cursor.take();
        if text.len() > 1 && text.starts_with('0') {
            let message = "Syntax error: integer values cannot start with '0'";
            return Err(Diagnostic::new(
                Code::Number,
                span,
                message,
                "this looks like an octal number",
            ));
        }
        let int = self.graph.types.int;
        match text.parse() {
            Ok(value) if value <= int.max() => Ok(self.constant(value)),
            #[cfg(feature = "ch14")]
            _ if self.is_after_minus && is_smallest(text, int.max()) => {
                Ok(self.constant(int.min()))
            }
            _ => {
                let message = format!("Syntax error: integer too large, at most {}", int.max());
                let label = format!("this does not fit {} bits", int.0);
                let diag = Diagnostic::new(Code::Number, span, message, label);
                #[cfg(feature = "ch02")]
                let diag = match text {
                    "2147483648" if int.0 == 32 => {
                        diag.with_help("the smallest integer is `-2147483647-1`")
                    }
                    _ => diag,
                };
                Err(diag)
            }
        }
    }

    pub fn constant(&mut self, value: i64) -> NodeId {
        let ty = self.graph.types.constant(value);
        self.node(Op::Constant(ty), &[])
    }
}

/// Whether a literal is the absolute value of the smallest integer, which is its own opposite.
#[cfg(feature = "ch14")]
fn is_smallest(literal: &str, largest: i64) -> bool {
    literal.parse() == Ok(largest.unsigned_abs() + 1)
}

#[cfg(feature = "ch03")]
impl Parser<'_> {
    /// The value of a name. An undeclared one is reported, and has the value 0.
    fn variable(&mut self) -> NodeId {
        let span = self.cursor.span();
        let name = self.cursor.take();
        let Some(slot) = self.scope.slot(name) else {
            self.undefined(name, span);
            let zero = self.constant(0);
            #[cfg(feature = "ch10")]
            self.push_literal(zero);
            return zero;
        };
        #[cfg(feature = "ch16")]
        self.expect_assigned(slot, span);
        #[cfg(feature = "ch10")]
        self.push_variable(slot);
        self.scope.value(&mut self.graph, slot)
    }
}

/// The value of a name that the function does not declare.
#[cfg(feature = "ch18")]
impl Parser<'_> {
    fn outer_name(&mut self) -> Result<NodeId, Diagnostic> {
        let (name, span) = (self.cursor.text(), self.cursor.span());
        match self.outer_value(name, span) {
            Some(value) => {
                self.cursor.take();
                value
            }
            None => Ok(self.variable()),
        }
    }
}

#[cfg(feature = "ch05")]
impl Parser<'_> {
    /// `true` is 1 and `false` is 0.
    fn is_zero(&mut self, value: i64) -> NodeId {
        self.cursor.take();
        self.constant(value)
    }
}
