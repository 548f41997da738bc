//! The meaning of a program: the oracle for all stages.
use super::program::{Expression, Statement};

/// The result of a program; `None` if it takes too many steps.
pub fn meaning(program: &[Statement], argument: i32) -> Option<i32> {
    let mut machine = Machine { variables: vec![("arg", argument)], steps: 0 };
    match machine.block(program) {
        Flow::Return(value) => Some(value),
        Flow::Next => Some(0),
        #[cfg(feature = "ch07")]
        Flow::OutOfSteps => None,
        #[cfg(feature = "ch08")]
        Flow::Break | Flow::Continue => unreachable!("both are in loops"),
    }
}

/// The limit for evaluated expressions: far below the step limit of a stage.
#[cfg(feature = "ch07")]
const STEPS: u32 = 20_000;

/// The control flow after a statement.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Return(i32),
    #[cfg(feature = "ch07")]
    OutOfSteps,
    #[cfg(feature = "ch08")]
    Break,
    #[cfg(feature = "ch08")]
    Continue,
}

struct Machine<'p> {
    /// Every variable of the open blocks, the innermost last.
    variables: Vec<(&'p str, i32)>,
    steps: u32,
}

impl<'p> Machine<'p> {
    fn block(&mut self, statements: &'p [Statement]) -> Flow {
        let outer = self.variables.len();
        let mut flows = statements.iter().map(|it| self.statement(it));
        let flow = flows.find(|flow| *flow != Flow::Next).unwrap_or(Flow::Next);
        self.variables.truncate(outer);
        flow
    }

    fn statement(&mut self, statement: &'p Statement) -> Flow {
        match statement {
            Statement::Return(value) => Flow::Return(self.value(value)),
            #[cfg(feature = "ch03")]
            Statement::Declare(name, value) => {
                let value = self.value(value);
                self.variables.push((name, value));
                Flow::Next
            }
            #[cfg(feature = "ch03")]
            Statement::Assign(name, value) => {
                let (place, value) = (self.place(name), self.value(value));
                self.variables[place].1 = value;
                Flow::Next
            }
            #[cfg(feature = "ch03")]
            Statement::Block(inner) => self.block(inner),
            #[cfg(feature = "ch03")]
            Statement::Empty => Flow::Next,
            #[cfg(feature = "ch05")]
            Statement::If(condition, then, otherwise) => {
                let arm = if self.value(condition) != 0 { then } else { otherwise };
                self.block(arm)
            }
            #[cfg(feature = "ch07")]
            Statement::While(condition, body) => self.turns(condition, body),
            #[cfg(feature = "ch08")]
            Statement::Break => Flow::Break,
            #[cfg(feature = "ch08")]
            Statement::Continue => Flow::Continue,
        }
    }

    #[cfg(feature = "ch07")]
    fn turns(&mut self, condition: &'p Expression, body: &'p [Statement]) -> Flow {
        while self.value(condition) != 0 {
            if self.steps > STEPS {
                return Flow::OutOfSteps;
            }
            match self.block(body) {
                Flow::Next => {}
                #[cfg(feature = "ch08")]
                Flow::Continue => {}
                #[cfg(feature = "ch08")]
                Flow::Break => return Flow::Next,
                ended @ (Flow::Return(_) | Flow::OutOfSteps) => return ended,
            }
        }
        Flow::Next
    }

    fn value(&mut self, expression: &Expression) -> i32 {
        self.steps += 1;
        match expression {
            Expression::Number(value) => *value,
            Expression::Minus(inner) => self.value(inner).wrapping_neg(),
            Expression::Binary(sign, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                binary(sign, left, right)
            }
            #[cfg(feature = "ch03")]
            Expression::Name(name) => self.variables[self.place(name)].1,
            #[cfg(feature = "ch05")]
            Expression::Truth(value) => i32::from(*value),
        }
    }

    #[cfg(feature = "ch03")]
    fn place(&self, name: &str) -> usize {
        let known = self.variables.iter().rposition(|(known, _)| *known == name);
        known.expect("only visible names are used")
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
