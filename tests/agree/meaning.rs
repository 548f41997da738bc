//! The meaning of a program: the oracle for all stages.
#[cfg(feature = "ch10")]
use super::objects;
use super::program::{Expression, Statement};
use std::fmt::{Display, Formatter};

/// The result of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    Number(i32),
    /// The text of an object.
    #[cfg(feature = "ch10")]
    Object(String),
}

impl Display for Meaning {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        match self {
            Meaning::Number(value) => write!(f, "{value}"),
            #[cfg(feature = "ch10")]
            Meaning::Object(text) => write!(f, "{text}"),
        }
    }
}

/// The result of a program; `None` if it takes too many steps.
pub fn meaning(program: &[Statement], argument: i32) -> Option<Meaning> {
    let mut machine = Machine::new(argument);
    let value = machine.result(program)?;
    #[cfg(feature = "ch10")]
    assert!(!machine.heap.has_accessed_null, "null is accessed");
    #[cfg(feature = "ch10")]
    if objects::returns_objects(program) {
        return Some(Meaning::Object(machine.heap.text(value)));
    }
    Some(Meaning::Number(value))
}

/// Whether a program accesses a field of null; `None` if it takes too many steps without that.
#[cfg(feature = "ch10")]
pub fn accesses_null(program: &[Statement], argument: i32) -> Option<bool> {
    let mut machine = Machine::new(argument);
    let ended = machine.result(program).is_some();
    let accesses = machine.heap.has_accessed_null;
    (ended || accesses).then_some(accesses)
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

pub struct Machine<'p> {
    /// Every variable of the open blocks, the innermost last.
    pub variables: Vec<(&'p str, i32)>,
    steps: u32,
    #[cfg(feature = "ch10")]
    pub heap: objects::meaning::Heap<'p>,
}

impl<'p> Machine<'p> {
    fn new(argument: i32) -> Machine<'p> {
        Machine {
            variables: vec![("arg", argument)],
            steps: 0,
            #[cfg(feature = "ch10")]
            heap: objects::meaning::Heap::default(),
        }
    }

    fn result(&mut self, program: &'p [Statement]) -> Option<i32> {
        match self.block(program) {
            Flow::Return(value) => Some(value),
            Flow::Next => Some(0),
            #[cfg(feature = "ch07")]
            Flow::OutOfSteps => None,
            #[cfg(feature = "ch08")]
            Flow::Break | Flow::Continue => unreachable!("both are in loops"),
        }
    }

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
                #[cfg(feature = "ch14")]
                let value = super::widths::stored(name, value);
                self.variables.push((name, value));
                Flow::Next
            }
            #[cfg(feature = "ch03")]
            Statement::Assign(name, value) => {
                let (place, value) = (self.place(name), self.value(value));
                #[cfg(feature = "ch14")]
                let value = super::widths::stored(name, value);
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
            #[cfg(feature = "ch10")]
            Statement::Object(statement) => {
                self.object_statement(statement);
                Flow::Next
            }
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

    pub fn value(&mut self, expression: &Expression) -> i32 {
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
            #[cfg(feature = "ch10")]
            Expression::Object(object) => self.object_value(object),
        }
    }

    #[cfg(feature = "ch03")]
    fn place(&self, name: &str) -> usize {
        let known = self.variables.iter().rposition(|(known, _)| *known == name);
        known.expect("only visible names are used")
    }
}

pub fn binary(sign: &str, a: i32, b: i32) -> i32 {
    match sign {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" if b == 0 => 0,
        "/" => a.wrapping_div(b),
        #[cfg(feature = "ch17")]
        "%" if b == 0 => a,
        #[cfg(feature = "ch17")]
        "%" => a.wrapping_rem(b),
        "==" => i32::from(a == b),
        "!=" => i32::from(a != b),
        "<" => i32::from(a < b),
        "<=" => i32::from(a <= b),
        ">" => i32::from(a > b),
        ">=" => i32::from(a >= b),
        #[cfg(feature = "ch14")]
        "&" => a & b,
        #[cfg(feature = "ch14")]
        "|" => a | b,
        #[cfg(feature = "ch14")]
        "^" => a ^ b,
        // Counts are taken modulo 32.
        #[cfg(feature = "ch14")]
        "<<" => a.wrapping_shl(b as u32),
        #[cfg(feature = "ch14")]
        ">>" => a.wrapping_shr(b as u32),
        #[cfg(feature = "ch14")]
        ">>>" => (a as u32).wrapping_shr(b as u32) as i32,
        other => unreachable!("no operator is written {other}"),
    }
}
