//! Programs as trees, and their text.
#[cfg(feature = "ch10")]
use super::objects::{ObjectExpression, ObjectStatement};
#[cfg(feature = "ch14")]
use super::widths::type_of;
use sonc::operators;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(i32),
    Minus(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    #[cfg(feature = "ch03")]
    Name(String),
    #[cfg(feature = "ch05")]
    Truth(bool),
    #[cfg(feature = "ch10")]
    Object(ObjectExpression),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Return(Expression),
    #[cfg(feature = "ch03")]
    Declare(String, Expression),
    #[cfg(feature = "ch03")]
    Assign(String, Expression),
    #[cfg(feature = "ch03")]
    Block(Program),
    #[cfg(feature = "ch03")]
    Empty,
    /// Both arms are blocks, with or without braces; without an `else` the second is empty.
    #[cfg(feature = "ch05")]
    If(Expression, Program, Program),
    /// The body is a block, with or without braces.
    #[cfg(feature = "ch07")]
    While(Expression, Program),
    #[cfg(feature = "ch08")]
    Break,
    #[cfg(feature = "ch08")]
    Continue,
    #[cfg(feature = "ch10")]
    Object(ObjectStatement),
}

pub type Program = Vec<Statement>;

/// The text of a program, with as few parentheses as left associativity needs. If it does not end
/// with a return, an empty statement is the last one, which has no value.
pub fn text(program: &[Statement]) -> String {
    let mut lines: Vec<_> = program.iter().map(statement_text).collect();
    if !matches!(program.last(), Some(Statement::Return(_))) {
        lines.push(";".to_string());
    }
    lines.join("\n")
}

fn statement_text(statement: &Statement) -> String {
    match statement {
        Statement::Return(value) => format!("return {};", expression_text(value, 0)),
        #[cfg(feature = "ch03")]
        Statement::Declare(name, value) => {
            format!("{} {name} = {};", type_of(name), expression_text(value, 0))
        }
        #[cfg(feature = "ch03")]
        Statement::Assign(name, value) => format!("{name} = {};", expression_text(value, 0)),
        #[cfg(feature = "ch03")]
        Statement::Block(inner) => block_text(inner),
        #[cfg(feature = "ch03")]
        Statement::Empty => ";".to_string(),
        #[cfg(feature = "ch05")]
        Statement::If(condition, then, otherwise) => if_text(condition, then, otherwise),
        #[cfg(feature = "ch07")]
        Statement::While(condition, body) => {
            format!("while ({}) {}", expression_text(condition, 0), body_text(body))
        }
        #[cfg(feature = "ch08")]
        Statement::Break => "break;".to_string(),
        #[cfg(feature = "ch08")]
        Statement::Continue => "continue;".to_string(),
        #[cfg(feature = "ch10")]
        Statement::Object(object) => object.text(),
    }
}

/// All variables are integers.
#[cfg(not(feature = "ch14"))]
#[cfg(feature = "ch03")]
fn type_of(_: &str) -> &'static str {
    "int"
}

#[cfg(feature = "ch03")]
fn block_text(inner: &[Statement]) -> String {
    if inner.is_empty() { "{}".to_string() } else { format!("{{\n{}\n}}", text(inner)) }
}

/// An `else` belongs to the nearest `if`, so an arm that can end in an `if` has braces before it.
#[cfg(feature = "ch05")]
fn if_text(condition: &Expression, then: &[Statement], otherwise: &[Statement]) -> String {
    let condition = expression_text(condition, 0);
    if otherwise.is_empty() {
        return format!("if ({condition}) {}", body_text(then));
    }
    let then = match then {
        [only] if is_simple(only) => statement_text(only),
        several => block_text(several),
    };
    format!("if ({condition}) {then} else {}", body_text(otherwise))
}

/// The body of a statement: without braces if they make no difference.
#[cfg(feature = "ch05")]
fn body_text(body: &[Statement]) -> String {
    match body {
        [Statement::Declare(..) | Statement::Block(_)] => block_text(body),
        #[cfg(feature = "ch10")]
        [Statement::Object(object)] if !object.is_simple() => block_text(body),
        [only] => statement_text(only),
        several => block_text(several),
    }
}

#[cfg(feature = "ch05")]
fn is_simple(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) | Statement::Assign(..) | Statement::Empty => true,
        Statement::Declare(..) | Statement::Block(_) | Statement::If(..) => false,
        #[cfg(feature = "ch07")]
        Statement::While(..) => false,
        #[cfg(feature = "ch08")]
        Statement::Break | Statement::Continue => true,
        #[cfg(feature = "ch10")]
        Statement::Object(object) => object.is_simple(),
    }
}

/// The text of an expression whose context needs parentheses around operators of `power` or less.
pub fn expression_text(expression: &Expression, power: u8) -> String {
    match expression {
        Expression::Number(value) if *value < 0 => negative_text(*value),
        Expression::Number(value) => value.to_string(),
        // From chapter 17 on, `--` before a name is no pair of signs.
        Expression::Minus(inner) => {
            let inner = expression_text(inner, 99);
            if inner.starts_with('-') { format!("- {inner}") } else { format!("-{inner}") }
        }
        Expression::Binary(sign, left, right) => {
            let (_, own) = operators().find(|it| it.0 == *sign).expect("an operator");
            let (left, right) = (expression_text(left, own - 1), expression_text(right, own));
            let plain = format!("{left}{sign}{right}");
            if own > power { plain } else { format!("({plain})") }
        }
        #[cfg(feature = "ch03")]
        Expression::Name(name) => name.clone(),
        #[cfg(feature = "ch05")]
        Expression::Truth(value) => value.to_string(),
        #[cfg(feature = "ch10")]
        Expression::Object(object) => object.text(),
    }
}

/// There are no negative literals, and the smallest integer is not the negation of one.
fn negative_text(value: i32) -> String {
    match value.checked_neg() {
        Some(positive) => format!("(-{positive})"),
        None => "(-2147483647-1)".to_string(),
    }
}
