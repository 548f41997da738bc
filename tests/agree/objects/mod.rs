//! Programs with objects: their trees and their text.
pub mod generate;
pub mod meaning;
mod null_safety;
pub mod reduce;
mod stages;
pub mod typed;

use super::program::{Expression, Statement, expression_text};

#[derive(Clone, Debug, PartialEq)]
pub enum ObjectExpression {
    Null,
    /// A new object of this struct.
    New(String),
    Field(Box<Expression>, String),
    /// An assignment to a field; its value is the object.
    Set(Box<Expression>, String, Box<Expression>),
    Not(Box<Expression>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum ObjectStatement {
    /// A struct with these fields.
    Struct(String, Vec<String>),
    Declare(Declaration),
    /// An expression that begins with a name.
    Do(Expression),
}

/// The declaration of a pointer; without a first value it is null.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    pub of: String,
    pub nullable: bool,
    pub name: String,
    pub value: Option<Expression>,
}

impl ObjectExpression {
    /// The expressions in it.
    pub fn parts(&self) -> Vec<&Expression> {
        match self {
            ObjectExpression::Null | ObjectExpression::New(_) => Vec::new(),
            ObjectExpression::Field(object, _) => vec![object],
            ObjectExpression::Set(object, _, value) => vec![object, value],
            ObjectExpression::Not(inner) => vec![inner],
        }
    }

    /// Inside of an expression, an assignment needs parentheses.
    pub fn text(&self) -> String {
        match self {
            ObjectExpression::Null => "null".to_string(),
            ObjectExpression::New(of) => format!("new {of}"),
            ObjectExpression::Field(object, field) => {
                format!("{}.{field}", expression_text(object, 99))
            }
            ObjectExpression::Set(..) => format!("({})", self.open_text()),
            ObjectExpression::Not(inner) => format!("!{}", expression_text(inner, 99)),
        }
    }

    /// The text of a whole statement, without parentheses.
    fn open_text(&self) -> String {
        match self {
            ObjectExpression::Set(object, field, value) => {
                let (object, value) = (expression_text(object, 99), expression_text(value, 0));
                format!("{object}.{field}={value}")
            }
            other => other.text(),
        }
    }
}

impl ObjectStatement {
    pub fn text(&self) -> String {
        match self {
            ObjectStatement::Struct(name, fields) => {
                let fields: String = fields.iter().map(|field| format!(" int {field};")).collect();
                format!("struct {name} {{{fields} }}")
            }
            ObjectStatement::Declare(Declaration { of, nullable, name, value }) => {
                let mark = if *nullable { "?" } else { "" };
                let value = value.iter().map(|it| format!(" = {}", expression_text(it, 0)));
                format!("{of}{mark} {name}{};", value.collect::<String>())
            }
            ObjectStatement::Do(Expression::Object(object)) => format!("{};", object.open_text()),
            ObjectStatement::Do(other) => format!("{};", expression_text(other, 0)),
        }
    }

    /// Whether it may be an arm of an `if` without braces.
    pub fn is_simple(&self) -> bool {
        matches!(self, ObjectStatement::Do(_))
    }
}

/// Whether a name is that of a pointer: generated names tell their types, see `pointer_name`.
pub fn is_pointer_name(name: &str) -> bool {
    name.chars().nth(1).is_some_and(|letter| letter.is_ascii_uppercase())
}

/// The name of a pointer: so a name that hides another has the same type.
fn pointer_name(of: &str, nullable: bool, number: usize) -> String {
    format!("{}{of}{number}", if nullable { 'n' } else { 'p' })
}

/// Whether the value of an expression is a pointer.
pub fn is_pointer(expression: &Expression) -> bool {
    match expression {
        Expression::Name(name) => is_pointer_name(name),
        Expression::Object(object) => match object {
            ObjectExpression::Null | ObjectExpression::New(_) => true,
            ObjectExpression::Set(..) => !meaning::ASSIGNED_VALUE,
            ObjectExpression::Field(..) | ObjectExpression::Not(_) => false,
        },
        _ => false,
    }
}

/// Whether a program returns objects; all its results have one type.
pub fn returns_objects(program: &[Statement]) -> bool {
    program.iter().any(|statement| match statement {
        Statement::Return(value) => is_pointer(value),
        Statement::Block(inner) | Statement::While(_, inner) => returns_objects(inner),
        Statement::If(_, then, otherwise) => [then, otherwise].iter().any(|it| returns_objects(it)),
        _ => false,
    })
}
