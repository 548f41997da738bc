//! Random branches, and the patterns that rewrites of branches match.
use super::generate::Generator;
use super::late;
use super::program::Statement::If;
use super::program::{Expression, Program};
use super::statements::{binary, name};

pub fn branch(generator: &mut Generator) -> Program {
    if !generator.open.may_nest() {
        return generator.assignment();
    }
    let condition = condition(generator);
    let then = generator.inner();
    let one_armed = generator.random.once_in(2);
    let otherwise = if one_armed { Vec::new() } else { generator.inner() };
    vec![If(condition, then, otherwise)]
}

/// A variable that changes in one arm only.
pub fn change_in_one_arm(generator: &mut Generator) -> Program {
    let condition = condition(generator);
    let change = generator.assignment();
    let nothing = Vec::new();
    let first = generator.random.once_in(2);
    let (then, otherwise) = if first { (change, nothing) } else { (nothing, change) };
    vec![If(condition, then, otherwise)]
}

/// A test, and again where its result is known: in an arm, or after the join.
pub fn same_test_twice(generator: &mut Generator) -> Program {
    let condition = condition(generator);
    let arms = [(); 4].map(|()| generator.assignment());
    let [first, second, third, fourth] = arms;
    let again = If(condition.clone(), first, second);
    match generator.random.below(3) {
        0 => vec![If(condition, vec![again], third)],
        1 => vec![If(condition, third, vec![again])],
        _ => vec![If(condition, third, fourth), again],
    }
}

/// A chain of `else if`, on values of one variable.
pub fn ladder(generator: &mut Generator) -> Program {
    let Some(variable) = generator.name() else { return generator.assignment() };
    let mut chain = generator.assignment();
    for step in 0..generator.random.below(6) {
        let test = binary("==", name(&variable), Expression::Number(step as i32));
        chain = vec![If(test, generator.assignment(), chain)];
    }
    chain
}

/// A random condition; earlier conditions may be repeated.
pub fn condition(generator: &mut Generator) -> Expression {
    let blocks = generator.open.blocks.iter();
    let remembered: Vec<_> = blocks.flat_map(|it| it.conditions.clone()).collect();
    let again = !remembered.is_empty() && generator.random.once_in(4);
    #[cfg(feature = "ch10")]
    if let Some(test) = super::objects::generate::condition(generator) {
        return test;
    }
    let condition = match generator.random.below(14) {
        _ if again => generator.random.pick(&remembered).clone(),
        0 => known(generator),
        1 => generator.leaf(),
        2 => binary("==", comparison(generator), Expression::Number(0)),
        3 => generator.value(),
        4 => late::value(generator),
        5 | 6 => negated(generator),
        _ => comparison(generator),
    };
    generator.open.block().conditions.push(condition.clone());
    condition
}

/// A value or a comparison, negated up to three times: `-a`, `-(a < b) == 0`.
pub fn negated(generator: &mut Generator) -> Expression {
    let inner = if generator.random.once_in(3) { comparison(generator) } else { generator.leaf() };
    (0..1 + generator.random.below(3)).fold(inner, |inner, _| negate(generator, inner))
}

/// The negation of a value, as a number or as a condition.
pub fn negate(generator: &mut Generator, value: Expression) -> Expression {
    let zero = Expression::Number(0);
    match generator.random.below(4) {
        0 | 1 => Expression::Minus(Box::new(value)),
        2 => binary("==", value, zero),
        _ => binary("-", zero, value),
    }
}

/// A comparison that depends on variables.
fn comparison(generator: &mut Generator) -> Expression {
    let sign = *generator.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
    let left = generator.leaf();
    let right = match generator.random.below(3) {
        0 => generator.leaf(),
        1 => Expression::Number(generator.random.below(12) as i32),
        _ => generator.value(),
    };
    binary(sign, left, right)
}

/// A condition that is known at compile time.
fn known(generator: &mut Generator) -> Expression {
    let value = generator.leaf();
    let numbers = [(); 2].map(|()| Expression::Number(generator.random.below(3) as i32));
    let [left, right] = numbers;
    match generator.random.below(6) {
        0 => Expression::Truth(true),
        1 => Expression::Truth(false),
        2 => binary("==", value.clone(), value),
        3 => binary("-", value.clone(), value),
        4 => binary("<", left, right),
        _ => left,
    }
}
