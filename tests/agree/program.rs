//! Programs as trees, with a meaning of their own: what the compiler is measured against.
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(i32),
    Minus(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    #[cfg(feature = "ch03")]
    Name(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    Return(Expression),
    #[cfg(feature = "ch03")]
    Declare(String, Expression),
    #[cfg(feature = "ch03")]
    Assign(String, Expression),
    #[cfg(feature = "ch03")]
    Block(Vec<Statement>),
    #[cfg(feature = "ch03")]
    Empty,
}

pub type Program = Vec<Statement>;

/// The text of a program, with as few parentheses as left associativity needs.
pub fn text(program: &[Statement]) -> String {
    let lines: Vec<_> = program.iter().map(statement_text).collect();
    lines.join("\n")
}

fn statement_text(statement: &Statement) -> String {
    match statement {
        Statement::Return(value) => format!("return {};", expression_text(value, 0)),
        #[cfg(feature = "ch03")]
        Statement::Declare(name, value) => format!("int {name} = {};", expression_text(value, 0)),
        #[cfg(feature = "ch03")]
        Statement::Assign(name, value) => format!("{name} = {};", expression_text(value, 0)),
        #[cfg(feature = "ch03")]
        Statement::Block(inner) => format!("{{\n{}\n}}", text(inner)),
        #[cfg(feature = "ch03")]
        Statement::Empty => ";".to_string(),
    }
}

/// The text of an expression that stands where operators of `power` or less need parentheses.
fn expression_text(expression: &Expression, power: u8) -> String {
    match expression {
        Expression::Number(value) if *value < 0 => negative_text(*value),
        Expression::Number(value) => value.to_string(),
        Expression::Minus(inner) => format!("-{}", expression_text(inner, 99)),
        Expression::Binary(sign, left, right) => {
            let own = power_of(sign);
            let (left, right) = (expression_text(left, own - 1), expression_text(right, own));
            let plain = format!("{left}{sign}{right}");
            if own > power { plain } else { format!("({plain})") }
        }
        #[cfg(feature = "ch03")]
        Expression::Name(name) => name.clone(),
    }
}

/// There are no negative literals, and the smallest integer has no positive counterpart.
fn negative_text(value: i32) -> String {
    match value.checked_neg() {
        Some(positive) => format!("(-{positive})"),
        None => "(-2147483647-1)".to_string(),
    }
}

fn power_of(sign: &str) -> u8 {
    match sign {
        "*" | "/" => 3,
        "+" | "-" => 2,
        _ => 1,
    }
}

/// What a program returns.
pub fn meaning(program: &[Statement], argument: i32) -> i32 {
    let mut scopes = vec![HashMap::from([("arg".to_string(), argument)])];
    run(program, &mut scopes).unwrap_or(0)
}

type Scopes = Vec<HashMap<String, i32>>;

fn run(program: &[Statement], scopes: &mut Scopes) -> Option<i32> {
    scopes.push(HashMap::new());
    let mut returned = None;
    for statement in program {
        let value = step(statement, scopes);
        returned = returned.or(value);
    }
    scopes.pop();
    returned
}

fn step(statement: &Statement, scopes: &mut Scopes) -> Option<i32> {
    match statement {
        Statement::Return(value) => Some(value_of(value, scopes)),
        #[cfg(feature = "ch03")]
        Statement::Declare(name, value) => {
            let value = value_of(value, scopes);
            scopes.last_mut().expect("a block is open").insert(name.clone(), value);
            None
        }
        #[cfg(feature = "ch03")]
        Statement::Assign(name, value) => {
            let value = value_of(value, scopes);
            let known = scopes.iter_mut().rev().find_map(|scope| scope.get_mut(name));
            *known.expect("only visible names are assigned") = value;
            None
        }
        #[cfg(feature = "ch03")]
        Statement::Block(inner) => run(inner, scopes),
        #[cfg(feature = "ch03")]
        Statement::Empty => None,
    }
}

fn value_of(expression: &Expression, scopes: &Scopes) -> i32 {
    match expression {
        Expression::Number(value) => *value,
        Expression::Minus(inner) => value_of(inner, scopes).wrapping_neg(),
        Expression::Binary(sign, left, right) => {
            binary(sign, value_of(left, scopes), value_of(right, scopes))
        }
        #[cfg(feature = "ch03")]
        Expression::Name(name) => {
            let known = scopes.iter().rev().find_map(|scope| scope.get(name));
            *known.expect("only visible names are read")
        }
    }
}

fn binary(sign: &str, a: i32, b: i32) -> i32 {
    match sign {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" if b == 0 => 0,
        "/" => a.wrapping_div(b),
        "==" => i32::from(a == b),
        "!=" => i32::from(a != b),
        "<" => i32::from(a < b),
        "<=" => i32::from(a <= b),
        ">" => i32::from(a > b),
        ">=" => i32::from(a >= b),
        other => unreachable!("no operator is written {other}"),
    }
}
