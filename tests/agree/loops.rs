//! Random loops: most count their iterations, so that they end.
#[cfg(feature = "ch08")]
use super::control::condition;
use super::generate::Generator;
use super::program::Statement::{Assign, While};
#[cfg(feature = "ch08")]
use super::program::Statement::{Break, Continue, If};
use super::program::{Expression, Program, Statement};
use super::statements::{binary, name};

/// The kinds of loops; repeated ones are more frequent.
const LOOPS: &[fn(&mut Generator) -> Program] = &[
    up,
    up,
    up,
    down,
    down,
    halving,
    never,
    while_condition,
    #[cfg(feature = "ch08")]
    with_break,
    #[cfg(feature = "ch08")]
    with_break,
];

pub fn any(generator: &mut Generator) -> Program {
    if !generator.open.may_nest() {
        return generator.assignment();
    }
    let make = *generator.random.pick(LOOPS);
    make(generator)
}

/// `int i = 0; while (i < 5) { i = i + 1; … }`
fn up(generator: &mut Generator) -> Program {
    let (declared, counter) = counter(generator, 0);
    let sign = *generator.random.pick(&["<", "<=", "!=", "<"]);
    let condition = binary(sign, name(&counter), limit(generator));
    let step = Assign(counter.clone(), binary("+", name(&counter), Expression::Number(1)));
    let body = with_step(generator, step);
    vec![declared, While(condition, body)]
}

/// `int i = 5; while (i) { i = i - 1; … }`
fn down(generator: &mut Generator) -> Program {
    let turns = generator.random.below(6) as i32;
    let (declared, counter) = counter(generator, turns);
    let condition = match generator.random.below(3) {
        0 => name(&counter),
        1 => binary("<", Expression::Number(0), name(&counter)),
        _ => binary("!=", name(&counter), Expression::Number(0)),
    };
    let step = Assign(counter.clone(), binary("-", name(&counter), Expression::Number(1)));
    let body = with_step(generator, step);
    vec![declared, While(condition, body)]
}

/// `while (x) { x = x / 2; … }`
fn halving(generator: &mut Generator) -> Program {
    let Some(variable) = generator.variable() else { return generator.assignment() };
    let half = binary("/", name(&variable), Expression::Number(2));
    let body = with_step(generator, Assign(variable.clone(), half));
    vec![While(name(&variable), body)]
}

/// `while (1 < 0) { … }`
fn never(generator: &mut Generator) -> Program {
    let value = generator.leaf();
    let condition = match generator.random.below(4) {
        0 => Expression::Truth(false),
        1 => Expression::Number(0),
        2 => binary("<", value.clone(), value),
        _ => binary("<", Expression::Number(1), Expression::Number(0)),
    };
    vec![While(condition, body(generator))]
}

/// May be infinite.
fn while_condition(generator: &mut Generator) -> Program {
    let condition = super::control::condition(generator);
    let change = generator.assignment().pop().expect("an assignment");
    vec![While(condition, with_step(generator, change))]
}

/// `int i = 0; while (1) { if (i == 5) break; i = i + 1; … }`
#[cfg(feature = "ch08")]
fn with_break(generator: &mut Generator) -> Program {
    let (declared, counter) = counter(generator, 0);
    let test = binary("==", name(&counter), Expression::Number(generator.random.below(6) as i32));
    let step = Assign(counter.clone(), binary("+", name(&counter), Expression::Number(1)));
    let mut all = vec![If(test, vec![Break], Vec::new()), step];
    all.extend(body(generator));
    vec![declared, While(Expression::Truth(true), all)]
}

/// A `break` or a `continue`.
#[cfg(feature = "ch08")]
pub fn leave(generator: &mut Generator) -> Program {
    if generator.open.loops.1 == 0 {
        return generator.assignment();
    }
    let jump = generator.random.pick(&[Break, Continue, Break]).clone();
    let condition = condition(generator);
    match generator.random.below(8) {
        0 => vec![jump],
        1 => vec![If(condition, generator.assignment(), vec![jump])],
        2 => vec![If(condition, [generator.assignment(), vec![jump]].concat(), Vec::new())],
        3 => vec![If(condition, vec![jump], generator.assignment())],
        _ => vec![If(condition, vec![jump], Vec::new())],
    }
}

/// The declaration of an iteration counter, and its name.
fn counter(generator: &mut Generator, from: i32) -> (Statement, String) {
    generator.open.loops.0 += 1;
    let name = format!("i_{}", generator.open.loops.0);
    let start = match generator.random.below(6) {
        0 => generator.leaf(),
        _ => Expression::Number(from),
    };
    (generator.declare(name.clone(), start), name)
}

/// The number of iterations: inner loops have few.
fn limit(generator: &mut Generator) -> Expression {
    let inner = generator.open.loops.1 > 1;
    match generator.random.below(4) {
        0 => generator.leaf(),
        _ if inner => Expression::Number(generator.random.below(4) as i32),
        _ => Expression::Number(generator.random.below(8) as i32),
    }
}

/// The body of a loop with its step: first, so that no `continue` skips it, or last.
fn with_step(generator: &mut Generator, step: Statement) -> Program {
    let mut inner = body(generator);
    let at = if generator.random.once_in(4) { inner.len() } else { 0 };
    inner.insert(at, step);
    inner
}

fn body(generator: &mut Generator) -> Program {
    generator.open.loops.1 += 1;
    let inner = generator.inner();
    generator.open.loops.1 -= 1;
    inner
}
