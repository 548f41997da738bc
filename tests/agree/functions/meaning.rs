//! The oracle: the meaning of programs with functions.
use super::super::floats::printed;
use super::{Expression, Function, SIGNATURES, Site, Statement, Type};
use std::collections::HashMap;

/// How a program ends. A trap has its place and its message.
pub enum Ended {
    Value(String),
    Trap(String),
    /// It takes long, or its calls are deep.
    Long,
    /// A reduced program may miss a declaration.
    Invalid,
}

/// Programs that take more steps have no result.
const MAX_STEPS: usize = 3_000;
const MAX_DEPTH: usize = 100;
const MAX_LENGTH: i64 = 1 << 26;
const MAX_ELEMENTS: i64 = 1_000;

pub fn meaning(program: &[Statement], places: &[(usize, usize)], argument: i32) -> Ended {
    let arg = ("arg", Type::Integer, Value::Integer(argument));
    let mut machine = Machine {
        places,
        constants: HashMap::new(),
        frames: vec![vec![arg]],
        objects: Vec::new(),
        arrays: Vec::new(),
        steps: 0,
    };
    for statement in program {
        if let Statement::Function(name, function) = statement {
            machine.constants.insert(name, Value::Function(function));
        }
    }
    match machine.execute(program) {
        Err(Leave::Return(value)) => Ended::Value(machine.text(value)),
        Err(Leave::Trap(text)) => Ended::Trap(text),
        Err(Leave::Long) => Ended::Long,
        Ok(_) | Err(Leave::Invalid | Leave::Break | Leave::Continue) => Ended::Invalid,
    }
}

#[derive(Clone, Copy)]
enum Value<'p> {
    Integer(i32),
    Float(f64),
    Null,
    /// The number of an object or an array.
    Object(usize),
    Array(usize),
    Function(&'p Function),
}

enum Leave<'p> {
    Return(Value<'p>),
    Break,
    Continue,
    Trap(String),
    Long,
    Invalid,
}

type Result<'p, T> = std::result::Result<T, Leave<'p>>;

struct Object<'p> {
    of: &'static str,
    /// In the order of `FIELDS`.
    fields: [Value<'p>; FIELDS.len()],
}

const FIELDS: [(&str, Type); 9] = [
    ("i", Type::Integer),
    ("x", Type::Float),
    ("n", Type::ObjectOrNull),
    ("b", Type::Byte),
    ("j", Type::Integer),
    ("g", Type::FunctionOrNull(0)),
    ("k", Type::Integer),
    ("l", Type::Integer),
    ("z", Type::Float),
];

struct Array {
    of: &'static str,
    elements: Vec<i32>,
}

struct Machine<'p> {
    places: &'p [(usize, usize)],
    /// Functions and constants.
    constants: HashMap<&'p str, Value<'p>>,
    /// The variables of each call.
    frames: Vec<Vec<(&'p str, Type, Value<'p>)>>,
    objects: Vec<Object<'p>>,
    arrays: Vec<Array>,
    steps: usize,
}

fn converted(ty: Type, value: Value) -> Value {
    match (ty, value) {
        (Type::Byte, Value::Integer(value)) => Value::Integer(value & 255),
        (Type::Float, Value::Integer(value)) => Value::Float(value.into()),
        _ => value,
    }
}

impl<'p> Machine<'p> {
    /// The value of the last statement, if it has one.
    fn execute(&mut self, statements: &'p [Statement]) -> Result<'p, Option<Value<'p>>> {
        let outer = self.frame().len();
        let mut last = None;
        for statement in statements {
            last = self.statement(statement)?;
        }
        self.frame().truncate(outer);
        Ok(last)
    }

    fn frame(&mut self) -> &mut Vec<(&'p str, Type, Value<'p>)> {
        self.frames.last_mut().expect("the program has a frame")
    }

    fn step(&mut self) -> Result<'p, ()> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(Leave::Long) } else { Ok(()) }
    }

    fn statement(&mut self, statement: &'p Statement) -> Result<'p, Option<Value<'p>>> {
        self.step()?;
        match statement {
            Statement::Declare(ty, name, value) => {
                let value = self.value(value)?;
                self.frame().push((name, *ty, converted(*ty, value)));
            }
            Statement::Constant(name, value) => {
                let value = self.value(value)?;
                self.constants.insert(name, value);
            }
            Statement::Function(name, function) => {
                self.constants.insert(name, Value::Function(function));
            }
            Statement::Assign(name, sign, value) => return self.assign(name, sign, value),
            Statement::SetField(object, name, sign, value) => {
                let Value::Object(object) = self.value(object)? else { return Err(Leave::Invalid) };
                let field = FIELDS.iter().position(|it| it.0 == *name).expect("a field");
                let old = self.objects[object].fields[field];
                let value = self.changed(old, sign, value)?;
                self.objects[object].fields[field] = converted(FIELDS[field].1, value);
            }
            Statement::SetElement(site, array, index, sign, value) => {
                let (array, index) = self.place(*site, array, index)?;
                let old = Value::Integer(self.arrays[array].elements[index]);
                let Value::Integer(value) = self.changed(old, sign, value)? else {
                    return Err(Leave::Invalid);
                };
                let Array { of, elements } = &mut self.arrays[array];
                elements[index] = if *of == "u8" { value & 255 } else { value };
            }
            Statement::If(condition, then, otherwise) => {
                let arm = if self.truth(condition)? { then } else { otherwise };
                return self.execute(arm);
            }
            Statement::For(name, limit, body) => self.repeat(name, limit, body)?,
            Statement::Struct => {}
            Statement::Break => return Err(Leave::Break),
            Statement::Continue => return Err(Leave::Continue),
            Statement::Return(value) => return Err(Leave::Return(self.value(value)?)),
            Statement::Do(value) => return self.value(value).map(Some),
        }
        Ok(None)
    }

    /// The value of an assignment is that before it is converted.
    fn assign(
        &mut self,
        name: &'p str,
        sign: &'static str,
        value: &'p Expression,
    ) -> Result<'p, Option<Value<'p>>> {
        let old = self.variable(name)?.2;
        let value = self.changed(old, sign, value)?;
        let variable = self.variable(name)?;
        variable.2 = converted(variable.1, value);
        Ok(Some(value))
    }

    fn variable(&mut self, name: &str) -> Result<'p, &mut (&'p str, Type, Value<'p>)> {
        let found = self.frame().iter_mut().rev().find(|it| it.0 == name);
        found.ok_or(Leave::Invalid)
    }

    /// A value that is assigned; the operator may be empty.
    fn changed(
        &mut self,
        old: Value<'p>,
        sign: &'static str,
        value: &'p Expression,
    ) -> Result<'p, Value<'p>> {
        let value = self.value(value)?;
        if sign.is_empty() { Ok(value) } else { binary(sign, old, value) }
    }

    fn repeat(
        &mut self,
        name: &'p str,
        limit: &'p Expression,
        body: &'p [Statement],
    ) -> Result<'p, ()> {
        self.frame().push((name, Type::Integer, Value::Integer(0)));
        let depth = self.frame().len();
        loop {
            self.step()?;
            let Value::Integer(limit) = self.value(limit)? else { return Err(Leave::Invalid) };
            let Value::Integer(counter) = self.variable(name)?.2 else {
                return Err(Leave::Invalid);
            };
            if counter >= limit {
                break;
            }
            match self.execute(body) {
                Err(Leave::Break) => break,
                Ok(_) | Err(Leave::Continue) => self.frame().truncate(depth),
                Err(leave) => return Err(leave),
            }
            let variable = self.variable(name)?;
            variable.2 = binary("+", variable.2, Value::Integer(1))?;
        }
        self.frame().truncate(depth - 1);
        Ok(())
    }

    fn call(&mut self, function: &'p Function, arguments: Vec<Value<'p>>) -> Result<'p, Value<'p>> {
        self.step()?;
        if function.parameters.len() != arguments.len() {
            return Err(Leave::Invalid);
        }
        if self.frames.len() > MAX_DEPTH {
            return Err(Leave::Long);
        }
        let parameters = function.parameters.iter().zip(arguments);
        let frame = parameters.map(|((ty, name), value)| (&**name, *ty, converted(*ty, value)));
        let frame = frame.collect();
        self.frames.push(frame);
        let result = match self.execute(&function.body) {
            Ok(Some(value)) | Err(Leave::Return(value)) => value,
            Ok(None) => return Err(Leave::Invalid),
            Err(leave) => return Err(leave),
        };
        self.frames.pop();
        Ok(result)
    }

    fn trap(&self, site: Site, message: &str) -> Leave<'p> {
        let (line, column) = self.places[site];
        Leave::Trap(format!("{line}:{column}: {message}"))
    }

    fn place(
        &mut self,
        site: Site,
        array: &'p Expression,
        index: &'p Expression,
    ) -> Result<'p, (usize, usize)> {
        let Value::Array(array) = self.value(array)? else { return Err(Leave::Invalid) };
        let Value::Integer(index) = self.value(index)? else { return Err(Leave::Invalid) };
        let length = self.arrays[array].elements.len();
        match usize::try_from(index) {
            Ok(index) if index < length => Ok((array, index)),
            _ => Err(self.trap(site, &format!("index {index} out of bounds for length {length}"))),
        }
    }

    fn truth(&mut self, condition: &'p Expression) -> Result<'p, bool> {
        Ok(is_true(self.value(condition)?))
    }

    fn value(&mut self, expression: &'p Expression) -> Result<'p, Value<'p>> {
        Ok(match expression {
            Expression::Literal(value) => Value::Integer(*value),
            Expression::Half(double) => Value::Float(f64::from(*double) / 2.0),
            Expression::Null => Value::Null,
            Expression::Name(name) => match self.constants.get(&**name) {
                Some(value) => *value,
                None => self.variable(name)?.2,
            },
            Expression::Binary(sign, operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                binary(sign, left, right)?
            }
            Expression::Not(value) => Value::Integer(i32::from(!self.truth(value)?)),
            Expression::Choice(parts) => {
                let part = if self.truth(&parts[0])? { &parts[1] } else { &parts[2] };
                let value = self.value(part)?;
                if expression.is_float() { converted(Type::Float, value) } else { value }
            }
            Expression::Field(object, name) => {
                let Value::Object(object) = self.value(object)? else { return Err(Leave::Invalid) };
                let field = FIELDS.iter().position(|it| it.0 == *name).expect("a field");
                self.objects[object].fields[field]
            }
            Expression::Element(site, parts) => {
                let (array, index) = self.place(*site, &parts[0], &parts[1])?;
                Value::Integer(self.arrays[array].elements[index])
            }
            Expression::Length(array) => {
                let Value::Array(array) = self.value(array)? else { return Err(Leave::Invalid) };
                Value::Integer(self.arrays[array].elements.len() as i32)
            }
            Expression::New(of) => {
                let zero = |(_, ty)| match ty {
                    Type::Float => Value::Float(0.0),
                    Type::ObjectOrNull | Type::FunctionOrNull(_) => Value::Null,
                    _ => Value::Integer(0),
                };
                self.objects.push(Object { of, fields: FIELDS.map(zero) });
                Value::Object(self.objects.len() - 1)
            }
            Expression::NewArray(site, of, length) => self.allocate(*site, of, length)?,
            Expression::Call(_, function, arguments) => {
                let Value::Function(function) = self.value(function)? else {
                    return Err(Leave::Invalid);
                };
                let arguments = arguments.iter().map(|it| self.value(it));
                let arguments = arguments.collect::<Result<Vec<_>>>()?;
                self.call(function, arguments)?
            }
            Expression::Function(function) => Value::Function(function),
        })
    }

    fn allocate(
        &mut self,
        site: Site,
        of: &'static str,
        length: &'p Expression,
    ) -> Result<'p, Value<'p>> {
        let Value::Integer(length) = self.value(length)? else { return Err(Leave::Invalid) };
        let length = i64::from(length);
        let max = if of == "u8" { 4 * MAX_LENGTH } else { MAX_LENGTH };
        if !(0..=max).contains(&length) {
            return Err(self.trap(site, &format!("no array has length {length}")));
        }
        if length > MAX_ELEMENTS {
            return Err(Leave::Long);
        }
        self.arrays.push(Array { of, elements: vec![0; length as usize] });
        Ok(Value::Array(self.arrays.len() - 1))
    }

    fn text(&self, value: Value) -> String {
        match value {
            Value::Integer(value) => value.to_string(),
            Value::Float(value) => printed(value),
            Value::Null => "null".to_string(),
            Value::Object(number) => {
                let Object { of, fields } = &self.objects[number];
                let shown = match *of {
                    "S" => 0..5,
                    "H" => 5..7,
                    _ => 7..9,
                };
                let fields = shown.map(|at| {
                    let value = match fields[at] {
                        Value::Object(_) => "Obj<S>".to_string(),
                        Value::Function(_) => format!("Obj<{}>", Type::Function(0).text()),
                        value => self.text(value),
                    };
                    format!("  {}={value}\n", FIELDS[at].0)
                });
                format!("Obj<{of}> {{\n{}}}", fields.collect::<String>())
            }
            Value::Array(number) => {
                let Array { of, elements } = &self.arrays[number];
                if *of == "u8" {
                    let bytes: Vec<u8> = elements.iter().map(|&it| it as u8).collect();
                    return String::from_utf8_lossy(&bytes).into_owned();
                }
                let lines = elements.iter().enumerate();
                let lines = lines.map(|(at, value)| format!("  [{at}]={value}\n"));
                let lines: String = lines.collect();
                format!("Obj<{of}[]> {{\n  #={}\n{lines}}}", elements.len())
            }
            Value::Function(_) => String::new(),
        }
    }
}

fn is_true(value: Value) -> bool {
    match value {
        Value::Integer(value) => value != 0,
        Value::Float(value) => value != 0.0,
        Value::Null => false,
        Value::Object(_) | Value::Array(_) | Value::Function(_) => true,
    }
}

fn binary<'p>(sign: &str, left: Value<'p>, right: Value<'p>) -> Result<'p, Value<'p>> {
    let truth = |it: bool| Value::Integer(it.into());
    Ok(match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => {
            Value::Integer(super::super::meaning::binary(sign, left, right))
        }
        (Value::Float(_) | Value::Integer(_), Value::Float(_) | Value::Integer(_)) => {
            let [left, right] = [left, right].map(|it| match converted(Type::Float, it) {
                Value::Float(value) => value,
                _ => 0.0,
            });
            match sign {
                "+" => Value::Float(left + right),
                "-" => Value::Float(left - right),
                "*" => Value::Float(left * right),
                "/" => Value::Float(left / right),
                "<" => truth(left < right),
                ">=" => truth(left >= right),
                "==" => truth(left == right),
                _ => truth(left != right),
            }
        }
        _ => {
            let is_same = match (left, right) {
                (Value::Null, Value::Null) => true,
                (Value::Object(left), Value::Object(right)) => left == right,
                (Value::Array(left), Value::Array(right)) => left == right,
                (Value::Function(left), Value::Function(right)) => std::ptr::eq(left, right),
                _ => false,
            };
            truth(is_same == (sign == "=="))
        }
    })
}

/// The result of a call of a function with a signature.
pub fn result_of(signature: usize) -> Type {
    SIGNATURES[signature].1
}
