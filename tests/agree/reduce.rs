//! Reduces a failing program: removes all that is not needed for the failure.
//!
//! It removes many statements at once before single ones. Source: A. Zeller and R. Hildebrandt,
//! "Simplifying and Isolating Failure-Inducing Input", 2002.
use super::closed::is_closed;
#[cfg(feature = "ch10")]
use super::objects::{
    is_pointer_name,
    reduce::{null, smaller_object_statements, smaller_objects},
};
use super::program::{Expression, Program, Statement};

/// The smallest valid program found: no single step leads to a smaller one that fails.
pub fn reduce(program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    smallest(program, |it| is_closed(it) && fails(it))
}

/// The smallest program found, valid or not.
pub fn smallest(mut program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut place = 0;
    loop {
        let mut candidates = smaller_programs(&program);
        // Continue at the same place: earlier steps rarely succeed now.
        let start = place.min(candidates.len());
        candidates.rotate_left(start);
        let found = candidates.iter().position(&fails);
        let Some(found) = found else { return program };
        place = (start + found) % candidates.len();
        program = candidates.swap_remove(found);
    }
}

fn smaller_programs(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let halves = std::iter::successors(Some(program.len()), |length| Some(length / 2));
    for length in halves.take_while(|&length| length > 0) {
        let starts = (0..=program.len() - length).step_by(length);
        found.extend(starts.map(|at| with(program, at..at + length, Vec::new())));
    }
    for (at, statement) in program.iter().enumerate() {
        let smaller = smaller_statements(statement).into_iter();
        found.extend(smaller.map(|replacement| with(program, at..at + 1, replacement)));
    }
    found
}

fn with(program: &Program, range: std::ops::Range<usize>, replacement: Program) -> Program {
    let mut smaller = program.clone();
    smaller.splice(range, replacement);
    smaller
}

/// The lists of statements that may replace it.
fn smaller_statements(statement: &Statement) -> Vec<Program> {
    let each = |value: &Expression, make: &dyn Fn(Expression) -> Statement| {
        smaller_expressions(value).into_iter().map(|value| vec![make(value)]).collect()
    };
    match statement {
        Statement::Return(value) => each(value, &Statement::Return),
        #[cfg(feature = "ch03")]
        Statement::Declare(name, value) => each(value, &|it| Statement::Declare(name.clone(), it)),
        #[cfg(feature = "ch03")]
        Statement::Assign(name, value) => each(value, &|it| Statement::Assign(name.clone(), it)),
        #[cfg(feature = "ch03")]
        Statement::Block(inner) => {
            let smaller = smaller_programs(inner).into_iter();
            let mut all = vec![inner.clone()];
            all.extend(smaller.map(|inner| vec![Statement::Block(inner)]));
            all
        }
        #[cfg(feature = "ch03")]
        Statement::Empty => Vec::new(),
        #[cfg(feature = "ch05")]
        Statement::If(condition, then, otherwise) => smaller_ifs(condition, then, otherwise),
        #[cfg(feature = "ch07")]
        Statement::While(condition, body) => smaller_whiles(condition, body),
        #[cfg(feature = "ch08")]
        Statement::Break | Statement::Continue => Vec::new(),
        #[cfg(feature = "ch10")]
        Statement::Object(statement) => smaller_object_statements(statement),
    }
}

/// Replacements of an if: one of its arms, with or without a block.
#[cfg(feature = "ch05")]
fn smaller_ifs(condition: &Expression, then: &Program, otherwise: &Program) -> Vec<Program> {
    let arms = [then, otherwise];
    let mut all: Vec<Program> = arms.map(Clone::clone).to_vec();
    all.extend(arms.map(|arm| vec![Statement::Block(arm.clone())]));
    let mut add = |condition: &Expression, then: &Program, otherwise: &Program| {
        all.push(vec![Statement::If(condition.clone(), then.clone(), otherwise.clone())]);
    };
    smaller_expressions(condition).iter().for_each(|it| add(it, then, otherwise));
    smaller_programs(then).iter().for_each(|it| add(condition, it, otherwise));
    smaller_programs(otherwise).iter().for_each(|it| add(condition, then, it));
    all
}

/// Replacements of a while: its body, once; or an if.
#[cfg(feature = "ch07")]
fn smaller_whiles(condition: &Expression, body: &Program) -> Vec<Program> {
    let once = Statement::If(condition.clone(), body.clone(), Vec::new());
    let mut all = vec![body.clone(), vec![Statement::Block(body.clone())], vec![once]];
    let mut add = |condition: &Expression, body: &Program| {
        all.push(vec![Statement::While(condition.clone(), body.clone())]);
    };
    smaller_expressions(condition).iter().for_each(|it| add(it, body));
    smaller_programs(body).iter().for_each(|it| add(condition, it));
    all
}

pub fn smaller_expressions(expression: &Expression) -> Vec<Expression> {
    match expression {
        Expression::Number(0) => Vec::new(),
        Expression::Number(1) => vec![Expression::Number(0)],
        Expression::Number(value) => [0, 1, value / 2].map(Expression::Number).to_vec(),
        Expression::Minus(inner) => {
            let smaller = smaller_expressions(inner).into_iter();
            let mut all = vec![(**inner).clone()];
            all.extend(smaller.map(|inner| Expression::Minus(Box::new(inner))));
            all
        }
        Expression::Binary(sign, left, right) => {
            let make = |left: &Expression, right: &Expression| {
                Expression::Binary(sign, Box::new(left.clone()), Box::new(right.clone()))
            };
            let mut all = vec![(**left).clone(), (**right).clone()];
            all.extend(smaller_expressions(left).iter().map(|left| make(left, right)));
            all.extend(smaller_expressions(right).iter().map(|right| make(left, right)));
            all
        }
        #[cfg(feature = "ch10")]
        Expression::Name(name) if is_pointer_name(name) => vec![null()],
        #[cfg(feature = "ch03")]
        Expression::Name(_) => vec![Expression::Number(0), Expression::Number(1)],
        #[cfg(feature = "ch05")]
        Expression::Truth(value) => vec![Expression::Number(i32::from(*value))],
        #[cfg(feature = "ch10")]
        Expression::Object(object) => smaller_objects(object),
    }
}
