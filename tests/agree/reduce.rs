//! Makes a failing program small: whatever can be left out while it still fails is left out.
use super::program::{Expression, Program, Statement};

/// The smallest program found from which no single step leads to a smaller one that fails.
pub fn reduce(mut program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    'smaller: loop {
        for candidate in smaller_programs(&program) {
            if is_closed(&candidate, &mut vec![vec!["arg".to_string()]]) && fails(&candidate) {
                program = candidate;
                continue 'smaller;
            }
        }
        return program;
    }
}

fn smaller_programs(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for at in 0..program.len() {
        let with = |replacement: Vec<Statement>| {
            let mut smaller = program.clone();
            smaller.splice(at..=at, replacement);
            smaller
        };
        found.push(with(Vec::new()));
        found.extend(smaller_statements(&program[at]).into_iter().map(with));
    }
    found
}

fn smaller_statements(statement: &Statement) -> Vec<Vec<Statement>> {
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
    }
}

fn smaller_expressions(expression: &Expression) -> Vec<Expression> {
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
        #[cfg(feature = "ch03")]
        Expression::Name(_) => vec![Expression::Number(0), Expression::Number(1)],
    }
}

/// Whether every name is declared where it is used, and no name twice in one block.
fn is_closed(program: &[Statement], scopes: &mut Vec<Vec<String>>) -> bool {
    scopes.push(Vec::new());
    let closed = program.iter().all(|statement| statement_is_closed(statement, scopes));
    scopes.pop();
    closed
}

fn statement_is_closed(statement: &Statement, scopes: &mut Vec<Vec<String>>) -> bool {
    match statement {
        Statement::Return(value) => names_are_known(value, scopes),
        #[cfg(feature = "ch03")]
        Statement::Declare(name, value) => {
            let known = names_are_known(value, scopes);
            let own = scopes.last_mut().expect("a block is open");
            let fresh = !own.contains(name);
            own.push(name.clone());
            known && fresh
        }
        #[cfg(feature = "ch03")]
        Statement::Assign(name, value) => {
            names_are_known(value, scopes) && scopes.iter().any(|scope| scope.contains(name))
        }
        #[cfg(feature = "ch03")]
        Statement::Block(inner) => is_closed(inner, scopes),
        #[cfg(feature = "ch03")]
        Statement::Empty => true,
    }
}

fn names_are_known(expression: &Expression, scopes: &[Vec<String>]) -> bool {
    match expression {
        Expression::Number(_) => true,
        Expression::Minus(inner) => names_are_known(inner, scopes),
        Expression::Binary(_, left, right) => {
            names_are_known(left, scopes) && names_are_known(right, scopes)
        }
        #[cfg(feature = "ch03")]
        Expression::Name(name) => scopes.iter().any(|scope| scope.contains(name)),
    }
}
