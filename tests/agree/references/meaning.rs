//! The results of programs with references.
use super::super::floats::printed;
use super::Statement;
use super::{FLOATS, Float, INTEGERS, Integer, Kind, Outcome, Place, Program, Reference};

/// A value of a field: an integer, the bits of a float, or an object's number from 1 on.
type Value = i64;

struct Machine<'p> {
    program: &'p Program,
    argument: i32,
    integers: [i32; INTEGERS],
    floats: [f64; FLOATS],
    /// The objects of the variables; 0 is null.
    variables: Vec<usize>,
    /// The fields of the objects; the first one is never used.
    objects: Vec<(usize, Vec<Value>)>,
}

/// The text of the result, or `None` if a field of null is accessed.
pub fn meaning(program: &Program, argument: i32) -> Option<String> {
    let mut machine = Machine {
        program,
        argument,
        integers: std::array::from_fn(|it| it as i32),
        floats: std::array::from_fn(|it| f64::from(argument.wrapping_add(it as i32))),
        variables: vec![0; program.variables.len()],
        objects: vec![(0, Vec::new())],
    };
    for (number, (of, nullable)) in program.variables[..program.declared].iter().enumerate() {
        machine.variables[number] = if *nullable { 0 } else { machine.allocate(*of) };
    }
    machine.run(&program.body)?;
    Some(match &program.result {
        Outcome::Integer(value) => machine.integer(value)?.to_string(),
        Outcome::Float(value) => printed(machine.float(value)?),
        Outcome::Reference(variable) => machine.object(machine.variables[*variable]),
    })
}

impl Machine<'_> {
    fn allocate(&mut self, of: usize) -> usize {
        self.objects.push((of, vec![0; self.program.structs[of].fields.len()]));
        self.objects.len() - 1
    }

    fn object(&self, object: usize) -> String {
        if object == 0 {
            return "null".to_string();
        }
        let (of, values) = &self.objects[object];
        let structure = &self.program.structs[*of];
        let fields = structure.fields.iter().zip(values).map(|((name, kind), value)| {
            let text = match kind {
                Kind::Integer(_) => value.to_string(),
                Kind::Float => printed(f64::from_bits(value.cast_unsigned())),
                Kind::Reference { .. } if *value == 0 => "null".to_string(),
                Kind::Reference { of, .. } => format!("Obj<{}>", self.program.structs[*of].name),
            };
            format!("  {name}={text}\n")
        });
        format!("Obj<{}> {{\n{}}}", structure.name, fields.collect::<String>())
    }

    fn load(&self, place: Place) -> Option<Value> {
        match self.variables[place.object] {
            0 => None,
            object => Some(self.objects[object].1[place.field]),
        }
    }

    fn store(&mut self, place: Place, value: Value) -> Option<()> {
        match self.variables[place.object] {
            0 => None,
            object => {
                self.objects[object].1[place.field] = value;
                Some(())
            }
        }
    }

    fn integer(&mut self, value: &Integer) -> Option<i32> {
        Some(match value {
            Integer::Argument => self.argument,
            Integer::Literal(number) => *number,
            Integer::Variable(number) => self.integers[*number],
            Integer::Field(place) => self.load(*place)? as i32,
            Integer::Binary(sign, of) => {
                let (a, b) = (self.integer(&of[0])?, self.integer(&of[1])?);
                match *sign {
                    "+" => a.wrapping_add(b),
                    "-" => a.wrapping_sub(b),
                    "*" => a.wrapping_mul(b),
                    "<" => (a < b).into(),
                    _ => (a == b).into(),
                }
            }
            Integer::Less(of) => (self.float(&of[0])? < self.float(&of[1])?).into(),
            Integer::Same(a, b) => (self.reference(a)? == self.reference(b)?).into(),
        })
    }

    fn float(&mut self, value: &Float) -> Option<f64> {
        Some(match value {
            Float::Literal(quarters) => f64::from(*quarters) / 4.0,
            Float::Variable(number) => self.floats[*number],
            Float::Field(place) => f64::from_bits(self.load(*place)?.cast_unsigned()),
            Float::Of(integer) => 0.0 + f64::from(self.integer(integer)?),
            Float::Binary(sign, of) => {
                let (a, b) = (self.float(&of[0])?, self.float(&of[1])?);
                match *sign {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    _ => a / b,
                }
            }
        })
    }

    fn reference(&mut self, value: &Reference) -> Option<usize> {
        Some(match value {
            Reference::Null => 0,
            Reference::New(of) => self.allocate(*of),
            Reference::Variable(number) => self.variables[*number],
            Reference::Field(place) => self.load(*place)? as usize,
        })
    }

    fn run(&mut self, body: &[Statement]) -> Option<()> {
        body.iter().try_for_each(|it| self.execute(it))
    }

    fn execute(&mut self, statement: &Statement) -> Option<()> {
        match statement {
            Statement::Integer(to, value) => self.integers[*to] = self.integer(value)?,
            Statement::Float(to, value) => self.floats[*to] = self.float(value)?,
            Statement::Reference(to, value) => self.variables[*to] = self.reference(value)?,
            Statement::StoreInteger(to, value) => {
                let value = self.integer(value)?;
                let of = self.program.variables[to.object].0;
                let value = match self.program.structs[of].fields[to.field].1 {
                    Kind::Integer("bool") => (value & 1).into(),
                    Kind::Integer("u8") => (value as u8).into(),
                    Kind::Integer("i8") => (value as i8).into(),
                    Kind::Integer("u16") => (value as u16).into(),
                    Kind::Integer("i16") => (value as i16).into(),
                    _ => value.into(),
                };
                self.store(*to, value)?;
            }
            Statement::StoreFloat(to, value) => {
                let value = self.float(value)?;
                self.store(*to, value.to_bits().cast_signed())?;
            }
            Statement::StoreReference(to, value) => {
                let value = self.reference(value)?;
                self.store(*to, value as i64)?;
            }
            Statement::If(test, yes, no) => {
                let arm = if self.integer(test)? != 0 { yes } else { no };
                self.run(arm)?;
            }
            Statement::Test(variable, value, _, yes, no) => {
                self.variables[*variable] = self.reference(value)?;
                self.run(if self.variables[*variable] != 0 { yes } else { no })?;
            }
            Statement::Repeat(_, count, body) => {
                (0..*count).try_for_each(|_| self.run(body))?;
            }
            Statement::Walk(variable, from, field, _, body) => {
                self.variables[*variable] = self.reference(from)?;
                for _ in 0..5 {
                    if self.variables[*variable] == 0 {
                        break;
                    }
                    self.run(body)?;
                    let next = Place { object: *variable, field: *field };
                    self.variables[*variable] = self.load(next)? as usize;
                }
            }
        }
        Some(())
    }
}
