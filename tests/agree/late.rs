//! Values that only later stages can compute: the sea cannot fold `x / 0` to 0; the lowering makes
//! it a constant, and folding finds the consequences.
use super::control::{negate, negated};
use super::generate::Generator;
#[cfg(feature = "ch07")]
use super::program::Statement::While;
use super::program::Statement::{Assign, Empty, If};
#[cfg(feature = "ch08")]
use super::program::Statement::{Break, Continue};
use super::program::{Expression, Program};
use super::statements::binary;
#[cfg(feature = "ch07")]
use super::statements::name;

const SIGNS: &[&str] = &["+", "-", "*", "/", "==", "!=", "<", "<="];

/// A constant whose leaves are `x / 0` and numbers.
pub fn value(generator: &mut Generator) -> Expression {
    let depth = generator.random.below(4);
    constant(generator, depth)
}

fn constant(generator: &mut Generator, depth: usize) -> Expression {
    if depth == 0 {
        return zero(generator);
    }
    let inner = constant(generator, depth - 1);
    let sign = *generator.random.pick(SIGNS);
    match generator.random.below(5) {
        0 => negate(generator, inner),
        1 => binary(sign, inner, constant(generator, depth - 1)),
        2 => binary(sign, number(generator), inner),
        _ => binary(sign, inner, number(generator)),
    }
}

fn number(generator: &mut Generator) -> Expression {
    Expression::Number(*generator.random.pick(&[0, 1, -1, 2, 7, i32::MIN, i32::MAX]))
}

fn zero(generator: &mut Generator) -> Expression {
    binary("/", generator.leaf(), Expression::Number(0))
}

/// A branch on such a constant, or on a negated value; most arms are small.
pub fn branch(generator: &mut Generator) -> Program {
    let late = !generator.random.once_in(3);
    let condition = if late { value(generator) } else { negated(generator) };
    let arms = [arm(generator), arm(generator)];
    let [then, otherwise] = arms;
    vec![If(condition, then, otherwise)]
}

/// The kinds of arms; repeated ones are more frequent.
const ARMS: &[fn(&mut Generator) -> Program] = &[
    |_| Vec::new(),
    |_| vec![Empty],
    Generator::assignment,
    Generator::assignment,
    Generator::assignment,
    |generator| [generator.assignment(), generator.assignment()].concat(),
    |generator| if generator.open.may_nest() { generator.inner() } else { Vec::new() },
    rare_return,
    #[cfg(feature = "ch08")]
    |generator| match generator.open.loops.1 {
        0 => Vec::new(),
        _ => vec![generator.random.pick(&[Break, Continue]).clone()],
    },
];

fn rare_return(generator: &mut Generator) -> Program {
    if !generator.random.once_in(6) {
        return Vec::new();
    }
    let value = value(generator);
    vec![generator.result(value)]
}

fn arm(generator: &mut Generator) -> Program {
    let make = *generator.random.pick(ARMS);
    make(generator)
}

/// A variable that is a constant, or one of two constants after a join; later tests may use it.
pub fn known_through_variable(generator: &mut Generator) -> Program {
    let Some(variable) = generator.variable() else { return generator.assignment() };
    let first = value(generator);
    if generator.random.once_in(2) {
        return vec![Assign(variable, first)];
    }
    let same = generator.random.once_in(2);
    let second = if same { first.clone() } else { value(generator) };
    let then = vec![Assign(variable.clone(), first)];
    vec![If(negated(generator), then, vec![Assign(variable, second)])]
}

/// A loop with no iteration, one iteration or no end, by a test that only later stages can decide;
/// or one that also counts its iterations.
#[cfg(feature = "ch07")]
pub fn iterations(generator: &mut Generator) -> Program {
    if !generator.open.may_nest() {
        return generator.assignment();
    }
    let Some(counter) = generator.variable() else { return generator.assignment() };
    let half = binary("/", name(&counter), Expression::Number(2));
    let mut body = vec![Assign(counter.clone(), half)];
    body.extend(generator.assignment());
    body.extend(branch_in_loop(generator));
    let condition = match generator.random.below(4) {
        0 => value(generator),
        1 => binary("*", negated(generator), value(generator)),
        _ => binary("+", name(&counter), zero(generator)),
    };
    vec![While(condition, body)]
}

#[cfg(feature = "ch07")]
fn branch_in_loop(generator: &mut Generator) -> Program {
    generator.open.loops.1 += 1;
    #[cfg(feature = "ch10")]
    let known = super::objects::generate::enter(generator);
    let branch = branch(generator);
    #[cfg(feature = "ch10")]
    super::objects::generate::leave(generator, known);
    generator.open.loops.1 -= 1;
    branch
}
