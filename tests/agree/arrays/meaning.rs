//! The oracle: the meaning of programs with arrays.
use super::{Expression, Site, Statement};
use std::collections::HashMap;

/// The text of a result, or of the message that ends the program, without the name of the file.
pub struct Result {
    pub text: String,
    pub is_trap: bool,
}

/// Programs that take more steps have no result.
const MAX_STEPS: usize = 3_000;
/// The greatest length, for elements of a word. Arrays of more elements than these few do not fit
/// here.
const MAX_LENGTH: i64 = 1 << 26;
const MAX_ELEMENTS: i64 = 1_000;

/// The result of a program; none if it takes long, or needs much memory.
pub fn meaning(program: &[Statement], places: &[(usize, usize)], argument: i32) -> Option<Result> {
    let variables = HashMap::from([("arg", argument)]);
    let (arrays, names) = (Vec::new(), HashMap::new());
    let mut machine = Machine { places, variables, arrays, names, steps: 0 };
    match machine.execute(program) {
        Err(End::Return(text)) => Some(Result { text, is_trap: false }),
        Err(End::Trap(text)) => Some(Result { text, is_trap: true }),
        Err(End::Long) | Ok(()) => None,
    }
}

enum End {
    Return(String),
    Trap(String),
    Long,
}

/// An array; floats are halves of these numbers, references are numbers of arrays.
struct Array {
    element: &'static str,
    elements: Vec<i64>,
}

struct Machine<'p> {
    places: &'p [(usize, usize)],
    variables: HashMap<&'static str, i32>,
    arrays: Vec<Array>,
    /// The number of the array of each name.
    names: HashMap<&'static str, usize>,
    steps: usize,
}

/// The reference in a new array.
const NULL: i64 = -1;

/// The integer that an element of this type has after a value was stored to it.
fn stored(element: &str, value: i64) -> i64 {
    match element {
        "u8" => (value as u8).into(),
        "i8" => (value as i8).into(),
        "u16" => (value as u16).into(),
        "i16" => (value as i16).into(),
        _ => value,
    }
}

impl Machine<'_> {
    fn execute(&mut self, statements: &[Statement]) -> std::result::Result<(), End> {
        statements.iter().try_for_each(|it| self.statement(it))
    }

    fn statement(&mut self, statement: &Statement) -> std::result::Result<(), End> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(End::Long);
        }
        match statement {
            Statement::Declare(name, value) | Statement::Assign(name, value) => {
                let value = self.value(value)?;
                self.variables.insert(name, value);
            }
            Statement::Store(site, array, index, value) => {
                let place = self.place(*site, array, index)?;
                let value = i64::from(self.value(value)?);
                let Array { element, elements } = &mut self.arrays[place.0];
                elements[place.1] = stored(element, value);
            }
            Statement::New(site, element, name, length) => {
                let length = self.value(length)?;
                let element = element.unwrap_or_else(|| super::generate::element_of(name));
                self.allocate(*site, element, name, length.into())?;
            }
            Statement::Alias(name, other) => {
                let array = self.names[other];
                self.names.insert(name, array);
            }
            Statement::Keep(site, array, index, kept) => {
                let place = self.place(*site, array, index)?;
                self.arrays[place.0].elements[place.1] = self.names[kept] as i64;
            }
            Statement::Visit(site, name, array, index, body) => {
                let place = self.place(*site, array, index)?;
                let reference = self.arrays[place.0].elements[place.1];
                if reference != NULL {
                    self.names.insert(name, reference as usize);
                    self.execute(body)?;
                }
            }
            Statement::If(condition, then, otherwise) => {
                let is_true = self.value(condition)? != 0;
                self.execute(if is_true { then } else { otherwise })?;
            }
            Statement::While(name, first, condition, step, body) => {
                let first = self.value(first)?;
                self.variables.insert(name, first);
                while self.value(condition)? != 0 {
                    self.execute(body)?;
                    let counter = self.variables.get_mut(name).expect("it is declared");
                    *counter = counter.wrapping_add(*step);
                    self.steps += 1;
                    if self.steps > MAX_STEPS {
                        return Err(End::Long);
                    }
                }
            }
            Statement::Return(value) => return Err(End::Return(self.value(value)?.to_string())),
            Statement::ReturnArray(name) => return Err(End::Return(self.text(name))),
        }
        Ok(())
    }

    fn trap(&self, site: Site, message: String) -> End {
        let (line, column) = self.places[site];
        End::Trap(format!("{line}:{column}: {message}"))
    }

    fn allocate(
        &mut self,
        site: Site,
        element: &'static str,
        name: &'static str,
        length: i64,
    ) -> std::result::Result<(), End> {
        let max_length = match element {
            "u8" | "i8" => 4 * MAX_LENGTH,
            "u16" | "i16" => 2 * MAX_LENGTH,
            _ => MAX_LENGTH,
        };
        if !(0..=max_length).contains(&length) {
            return Err(self.trap(site, format!("no array has length {length}")));
        }
        if length > MAX_ELEMENTS {
            return Err(End::Long);
        }
        let first = if element == "int[]?" { NULL } else { 0 };
        self.arrays.push(Array { element, elements: vec![first; length as usize] });
        self.names.insert(name, self.arrays.len() - 1);
        Ok(())
    }

    /// The number of an array, and an index that it has.
    fn place(
        &mut self,
        site: Site,
        array: &str,
        index: &Expression,
    ) -> std::result::Result<(usize, usize), End> {
        let array = self.names[array];
        let index = self.value(index)?;
        let length = self.arrays[array].elements.len();
        match usize::try_from(index) {
            Ok(index) if index < length => Ok((array, index)),
            _ => {
                let message = format!("index {index} out of bounds for length {length}");
                Err(self.trap(site, message))
            }
        }
    }

    fn value(&mut self, expression: &Expression) -> std::result::Result<i32, End> {
        Ok(match expression {
            Expression::Literal(value) => *value,
            Expression::Variable(name) => self.variables[name],
            Expression::Length(array) => self.arrays[self.names[array]].elements.len() as i32,
            Expression::Element(site, array, index) => {
                let (array, index) = self.place(*site, array, index)?;
                self.arrays[array].elements[index] as i32
            }
            Expression::Binary(sign, operands) => {
                let (x, y) = (self.value(&operands[0])?, self.value(&operands[1])?);
                match *sign {
                    "+" => x.wrapping_add(y),
                    "-" => x.wrapping_sub(y),
                    "*" => x.wrapping_mul(y),
                    "&" => x & y,
                    ">>" => x >> (y & 31),
                    "<" => i32::from(x < y),
                    "==" => i32::from(x == y),
                    _ => i32::from(x >= y),
                }
            }
        })
    }

    fn text(&self, name: &str) -> String {
        let Array { element, elements } = &self.arrays[self.names[name]];
        if *element == "u8" {
            let bytes: Vec<u8> = elements.iter().map(|&it| it as u8).collect();
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        let title = if *element == "int[]?" { "*int[]?" } else { element };
        let mut text = format!("Obj<{title}[]> {{\n  #={}\n", elements.len());
        for (index, value) in elements.iter().enumerate() {
            let value = match *element {
                "flt" => format!("{:?}", *value as f64),
                "int[]?" if *value == NULL => "null".to_string(),
                "int[]?" => "Obj<int[]>".to_string(),
                _ => value.to_string(),
            };
            text += &format!("  [{index}]={value}\n");
        }
        text + "}"
    }
}
