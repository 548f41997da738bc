//! The objects of a program that runs: part of the oracle.
use super::super::meaning::Machine;
use super::{ObjectExpression, ObjectStatement};

/// A pointer is the number of an object, from 1 on; null is 0.
#[derive(Default)]
pub struct Heap<'p> {
    structs: Vec<(&'p str, &'p [String])>,
    /// The struct of each object, and the values of its fields.
    objects: Vec<(usize, Vec<i32>)>,
    /// Whether the program has accessed a field of null. What it does then has no meaning.
    pub has_accessed_null: bool,
}

impl Heap<'_> {
    fn allocate(&mut self, of: &str) -> i32 {
        let known = self.structs.iter().position(|(name, _)| *name == of);
        let of = known.expect("the struct is declared");
        self.objects.push((of, vec![0; self.structs[of].1.len()]));
        self.objects.len() as i32
    }

    fn field(&mut self, object: i32, field: &str) -> Option<&mut i32> {
        if object == 0 {
            self.has_accessed_null = true;
            return None;
        }
        let (of, values) = &mut self.objects[object as usize - 1];
        let at = self.structs[*of].1.iter().position(|name| name == field);
        Some(&mut values[at.expect("the struct has this field")])
    }

    /// The text of an object that the program returns.
    pub fn text(&self, object: i32) -> String {
        if object == 0 {
            return "null".to_string();
        }
        let (of, values) = &self.objects[object as usize - 1];
        let (name, fields) = self.structs[*of];
        let fields = fields.iter().zip(values).map(|(name, value)| format!("  {name}={value}\n"));
        format!("Obj<{name}> {{\n{}}}", fields.collect::<String>())
    }
}

/// Whether the value of an assignment to a field is the assigned value, or the object.
#[cfg(feature = "ch17")]
pub const ASSIGNED_VALUE: bool = true;
#[cfg(not(feature = "ch17"))]
pub const ASSIGNED_VALUE: bool = false;

impl<'p> Machine<'p> {
    pub fn object_statement(&mut self, statement: &'p ObjectStatement) {
        match statement {
            ObjectStatement::Struct(name, fields) => self.heap.structs.push((name, fields)),
            ObjectStatement::Declare(declaration) => {
                let value = declaration.value.as_ref().map_or(0, |value| self.value(value));
                self.variables.push((&declaration.name, value));
            }
            ObjectStatement::Do(expression) => _ = self.value(expression),
        }
    }

    pub fn object_value(&mut self, expression: &ObjectExpression) -> i32 {
        match expression {
            ObjectExpression::Null => 0,
            ObjectExpression::New(of) => self.heap.allocate(of),
            ObjectExpression::Field(object, field) => {
                let object = self.value(object);
                self.heap.field(object, field).copied().unwrap_or_default()
            }
            ObjectExpression::Set(object, field, value) => {
                let (object, value) = (self.value(object), self.value(value));
                if let Some(field) = self.heap.field(object, field) {
                    *field = value;
                }
                if ASSIGNED_VALUE { value } else { object }
            }
            ObjectExpression::Not(inner) => i32::from(self.value(inner) == 0),
        }
    }
}
