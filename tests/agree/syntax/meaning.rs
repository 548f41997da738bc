//! The meaning of programs in the comfortable syntax.
use super::{Expression, Place, Program, Statement};
use crate::meaning::binary;
use crate::widths::converted;
use std::collections::HashMap;

/// The limit for evaluated expressions.
const STEPS: u32 = 20_000;

enum Flow {
    Next,
    Break,
    Continue,
    Return(i32),
    OutOfSteps,
}

/// The name and the type of a variable, and its value or the number of its object.
type Variable = (&'static str, &'static str, i32);

struct Machine {
    variables: Vec<Variable>,
    /// The defaults of each struct, and its name.
    structs: HashMap<&'static str, Vec<Variable>>,
    objects: Vec<Vec<Variable>>,
    steps: u32,
}

/// The result; `None` if the program takes too many steps.
pub fn meaning(program: &Program, argument: i32) -> Option<i32> {
    let mut machine = Machine {
        variables: vec![("arg", "int", argument)],
        structs: HashMap::new(),
        objects: Vec::new(),
        steps: 0,
    };
    for declared in &program.structs {
        let first = machine.variables.len();
        match machine.all(&declared.body) {
            Flow::Next => {}
            Flow::Return(value) => return Some(value),
            _ => return None,
        }
        let fields = machine.variables.split_off(first);
        machine.structs.insert(declared.name, fields);
    }
    match machine.all(&program.body) {
        Flow::Return(value) => Some(value),
        Flow::Next => Some(0),
        _ => None,
    }
}

impl Machine {
    fn all(&mut self, statements: &[Statement]) -> Flow {
        for statement in statements {
            match self.statement(statement) {
                Flow::Next => {}
                ended => return ended,
            }
        }
        Flow::Next
    }

    fn block(&mut self, statements: &[Statement]) -> Flow {
        let outer = self.variables.len();
        let flow = self.all(statements);
        self.variables.truncate(outer);
        flow
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        if self.steps > STEPS {
            return Flow::OutOfSteps;
        }
        match statement {
            Statement::Declare(ty, variables) => {
                for (name, value) in variables {
                    let value = value.as_ref().map_or(0, |it| self.value(it));
                    self.variables.push((name, ty, converted(ty, value)));
                }
            }
            Statement::New(name, of, body) => {
                let outer = self.variables.len();
                let fields = self.structs[of].clone();
                let count = fields.len();
                self.variables.extend(fields);
                match self.all(body.as_deref().unwrap_or_default()) {
                    Flow::Next => {}
                    ended => {
                        self.variables.truncate(outer);
                        return ended;
                    }
                }
                self.variables.truncate(outer + count);
                let object = self.variables.split_off(outer);
                self.variables.push((name, of, self.objects.len() as i32));
                self.objects.push(object);
            }
            Statement::Do(expression) => _ = self.value(expression),
            Statement::If(condition, then, otherwise) => {
                let arm = if self.value(condition) != 0 { then } else { otherwise };
                return self.block(arm);
            }
            Statement::While(condition, body) => {
                return self.turns(Some(condition), None, body);
            }
            Statement::For(first, test, last, body) => {
                let outer = self.variables.len();
                first.iter().for_each(|it| _ = self.statement(it));
                let flow = self.turns(test.as_ref(), last.as_ref(), body);
                self.variables.truncate(outer);
                return flow;
            }
            Statement::Break => return Flow::Break,
            Statement::Continue => return Flow::Continue,
            Statement::Return(value) => return Flow::Return(self.value(value)),
        }
        Flow::Next
    }

    fn turns(
        &mut self,
        test: Option<&Expression>,
        last: Option<&Expression>,
        body: &[Statement],
    ) -> Flow {
        while test.is_none_or(|it| self.value(it) != 0) {
            self.steps += 1;
            match self.block(body) {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Flow::Next,
                ended => return ended,
            }
            last.iter().for_each(|it| _ = self.value(it));
            if self.steps > STEPS {
                return Flow::OutOfSteps;
            }
        }
        Flow::Next
    }

    fn place(&mut self, place: &Place) -> &mut Variable {
        let name = match place {
            Place::Variable(name) | Place::Field(name, _) => name,
        };
        let known = self.variables.iter_mut().rfind(|it| it.0 == *name);
        let variable = known.expect("only visible names are used");
        match place {
            Place::Variable(_) => variable,
            Place::Field(_, field) => {
                let object = &mut self.objects[variable.2 as usize];
                object.iter_mut().find(|it| it.0 == *field).expect("a field of the struct")
            }
        }
    }

    /// Stores, and returns the stored value.
    fn set(&mut self, place: &Place, value: i32) -> i32 {
        let variable = self.place(place);
        variable.2 = converted(variable.1, value);
        variable.2
    }

    fn value(&mut self, expression: &Expression) -> i32 {
        self.steps += 1;
        match expression {
            Expression::Literal(value) => *value,
            Expression::Read(place) => self.place(place).2,
            Expression::Minus(inner) => self.value(inner).wrapping_neg(),
            Expression::Binary(sign, operands) => {
                let [left, right] = [0, 1].map(|at| self.value(&operands[at]));
                binary(sign, left, right)
            }
            Expression::Choice(both, other) => match self.value(&both[0]) {
                0 => other.as_ref().map_or(0, |it| self.value(it)),
                _ => self.value(&both[1]),
            },
            Expression::Change(place, sign, value) => {
                let old = self.place(place).2;
                let value = self.value(value);
                let value = if sign.is_empty() { value } else { binary(sign, old, value) };
                self.set(place, value);
                value
            }
            Expression::Step(place, is_before, by) => {
                let old = self.place(place).2;
                let new = self.set(place, old.wrapping_add(*by));
                if *is_before { new } else { old }
            }
        }
    }
}
