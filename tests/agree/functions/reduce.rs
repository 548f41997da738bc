//! Reduces a failing program with functions.
use super::{Expression, Function, Statement};

/// The smallest program found that fails in the same way.
pub fn smallest(
    mut program: Vec<Statement>,
    fails: impl Fn(&[Statement]) -> bool,
) -> Vec<Statement> {
    let mut place = 0;
    loop {
        let mut candidates = smaller_lists(&program);
        // Continue at the same place: earlier steps rarely succeed now.
        let start = place.min(candidates.len());
        candidates.rotate_left(start);
        let Some(found) = candidates.iter().position(|it| fails(it)) else { return program };
        place = (start + found) % candidates.len();
        program = candidates.swap_remove(found);
    }
}

fn smaller_lists(program: &[Statement]) -> Vec<Vec<Statement>> {
    let with = |range: std::ops::Range<usize>, replacement: Vec<Statement>| {
        let mut smaller = program.to_vec();
        smaller.splice(range, replacement);
        smaller
    };
    let mut found = Vec::new();
    let halves = std::iter::successors(Some(program.len()), |length| Some(length / 2));
    for length in halves.take_while(|&length| length > 0) {
        let starts = (0..=program.len() - length).step_by(length);
        found.extend(starts.map(|at| with(at..at + length, Vec::new())));
    }
    for (at, statement) in program.iter().enumerate() {
        let smaller = smaller_statements(statement).into_iter();
        found.extend(smaller.map(|replacement| with(at..at + 1, replacement)));
    }
    found
}

/// The lists of statements that may replace it.
fn smaller_statements(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    match statement {
        Statement::If(_, then, otherwise) => all.extend([then.clone(), otherwise.clone()]),
        Statement::For(_, _, body) => all.push(body.clone()),
        Statement::Do(value) => all.push(vec![Statement::Return(value.clone())]),
        _ => {}
    }
    let mut add = |smaller: Statement| all.push(vec![smaller]);
    let of = smaller_expressions;
    match statement.clone() {
        Statement::Declare(ty, name, value) => {
            of(&value).into_iter().for_each(|it| add(Statement::Declare(ty, name.clone(), it)));
        }
        Statement::Function(name, function) => {
            let smaller = smaller_functions(&function).into_iter();
            smaller.for_each(|it| add(Statement::Function(name.clone(), it)));
        }
        Statement::Assign(name, sign, value) => {
            if !sign.is_empty() {
                add(Statement::Assign(name.clone(), "", value.clone()));
            }
            of(&value).into_iter().for_each(|it| add(Statement::Assign(name.clone(), sign, it)));
        }
        store @ (Statement::SetField(..) | Statement::SetElement(..)) => {
            smaller_stores(store).into_iter().for_each(add);
        }
        Statement::If(condition, then, otherwise) => {
            let make = |condition: &Expression, then: &[Statement], otherwise: &[Statement]| {
                Statement::If(condition.clone(), then.to_vec(), otherwise.to_vec())
            };
            of(&condition).iter().for_each(|it| add(make(it, &then, &otherwise)));
            smaller_lists(&then).iter().for_each(|it| add(make(&condition, it, &otherwise)));
            smaller_lists(&otherwise).iter().for_each(|it| add(make(&condition, &then, it)));
        }
        Statement::For(name, limit, body) => {
            let make = |limit: &Expression, body: &[Statement]| {
                Statement::For(name.clone(), limit.clone(), body.to_vec())
            };
            of(&limit).iter().for_each(|it| add(make(it, &body)));
            smaller_lists(&body).iter().for_each(|it| add(make(&limit, it)));
        }
        Statement::Return(value) => {
            of(&value).into_iter().for_each(|it| add(Statement::Return(it)));
        }
        Statement::Do(value) => of(&value).into_iter().for_each(|it| add(Statement::Do(it))),
        Statement::Constant(..) | Statement::Struct | Statement::Break | Statement::Continue => {}
    }
    all
}

fn smaller_stores(store: Statement) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut add = |smaller: Statement| all.push(smaller);
    let of = smaller_expressions;
    match store {
        Statement::SetField(object, name, sign, value) => {
            if !sign.is_empty() {
                add(Statement::SetField(object.clone(), name, "", value.clone()));
            }
            let objects = of(&object).into_iter();
            objects.for_each(|it| add(Statement::SetField(it, name, sign, value.clone())));
            let values = of(&value).into_iter();
            values.for_each(|it| add(Statement::SetField(object.clone(), name, sign, it)));
        }
        Statement::SetElement(site, array, index, sign, value) => {
            let make = |array: &Expression, index: &Expression, sign, value: &Expression| {
                let [array, index, value] = [array, index, value].map(Clone::clone);
                Statement::SetElement(site, array, index, sign, value)
            };
            if !sign.is_empty() {
                add(make(&array, &index, "", &value));
            }
            of(&array).iter().for_each(|it| add(make(it, &index, sign, &value)));
            of(&index).iter().for_each(|it| add(make(&array, it, sign, &value)));
            of(&value).iter().for_each(|it| add(make(&array, &index, sign, it)));
        }
        _ => {}
    }
    all
}

fn smaller_functions(function: &Function) -> Vec<Function> {
    let parameters = &function.parameters;
    let bodies = smaller_lists(&function.body).into_iter();
    bodies.map(|body| Function { parameters: parameters.clone(), body }).collect()
}

/// Those of the same kind: integers, floats, or references.
fn smaller_expressions(expression: &Expression) -> Vec<Expression> {
    let parts = parts(expression);
    let is_fitting = |it: &&Expression| {
        it.is_float() == expression.is_float() && it.is_integer() == expression.is_integer()
    };
    let mut all: Vec<_> = match expression {
        Expression::Literal(0) | Expression::Half(0) | Expression::Null => Vec::new(),
        Expression::Literal(1) => vec![Expression::Literal(0)],
        _ if expression.is_integer() => [0, 1].map(Expression::Literal).to_vec(),
        _ if expression.is_float() => vec![Expression::Half(0)],
        Expression::New(_) | Expression::NewArray(..) => Vec::new(),
        Expression::Name(name) => match name.chars().next() {
            Some('s') => vec![Expression::New("S")],
            Some('k') => vec![Expression::New("H")],
            Some('e') => vec![Expression::New("L")],
            Some('n' | 'm') => vec![Expression::Null],
            _ => Vec::new(),
        },
        _ => vec![Expression::Null, Expression::New("S")],
    };
    all.extend(parts.iter().filter(is_fitting).cloned());
    for (at, part) in parts.iter().enumerate() {
        for smaller in smaller_expressions(part) {
            let mut parts = parts.clone();
            parts[at] = smaller;
            all.push(with_parts(expression, parts));
        }
    }
    if let Expression::Function(function) = expression {
        all.extend(smaller_functions(function).into_iter().map(Expression::Function));
    }
    all
}

fn parts(expression: &Expression) -> Vec<Expression> {
    match expression {
        Expression::Binary(_, parts) | Expression::Element(_, parts) => parts.to_vec(),
        Expression::Choice(parts) => parts.to_vec(),
        Expression::Not(part)
        | Expression::Field(part, _)
        | Expression::Length(part)
        | Expression::NewArray(_, _, part) => vec![(**part).clone()],
        Expression::Call(_, function, arguments) => {
            std::iter::once(&**function).chain(arguments).cloned().collect()
        }
        _ => Vec::new(),
    }
}

fn with_parts(expression: &Expression, parts: Vec<Expression>) -> Expression {
    let mut parts = parts.into_iter();
    let mut next = || Box::new(parts.next().expect("there are as many parts"));
    match expression {
        Expression::Binary(sign, _) => Expression::Binary(sign, Box::new([*next(), *next()])),
        Expression::Element(site, _) => Expression::Element(*site, Box::new([*next(), *next()])),
        Expression::Choice(_) => Expression::Choice(Box::new([*next(), *next(), *next()])),
        Expression::Not(_) => Expression::Not(next()),
        Expression::Field(_, name) => Expression::Field(next(), name),
        Expression::Length(_) => Expression::Length(next()),
        Expression::NewArray(site, of, _) => Expression::NewArray(*site, of, next()),
        Expression::Call(ty, ..) => {
            let function = next();
            Expression::Call(*ty, function, parts.collect())
        }
        other => other.clone(),
    }
}
