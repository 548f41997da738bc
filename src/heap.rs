//! The heap: the memory of a program's objects, and their layout.
//!
//! Objects lie one behind the other and are never freed. A word of memory, `NEXT`, holds the
//! address of the next object; an allocation adds the object's size to it. The start stub requests
//! the heap from the kernel, which fills its pages with zeros, so a new object is zero without a
//! store. Null is address 0.
#[cfg(feature = "ch12")]
use crate::floats;
use memory::{Content, Segment};
use start_stub::{Field, Routine};

/// The address of the word that holds the address of the next object.
pub const NEXT: u32 = start_stub::NEXT_OBJECT;
/// The address of the first object.
pub const START: u32 = start_stub::FIRST_OBJECT;
/// The bytes of the heap, from `NEXT` on.
pub const SIZE: u32 = start_stub::HEAP_SIZE;
/// The bytes of an integer or a pointer.
pub const WORD: u32 = 4;
/// The most fields of an object: one MiB of integers.
pub const MAX_FIELDS: usize = 1 << 18;

/// The heap before the program starts: zeros, and the address of the first object.
pub fn segment() -> Segment {
    let content = Content::Of(|address| match address.checked_sub(NEXT) {
        Some(at @ 0..WORD) => START.to_le_bytes()[at as usize],
        _ => 0,
    });
    Segment { start: NEXT, size: SIZE.into(), content, writable: true }
}

/// How the result of a program is printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ResultFormat {
    #[default]
    Integer,
    #[cfg(feature = "ch12")]
    Float,
    /// `null`, or an object.
    Object(ObjectFormat),
}

/// The text of an object: its struct and its fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectFormat {
    pub name: String,
    pub fields: Vec<FieldFormat>,
}

/// The text of a field, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldFormat {
    pub name: String,
    /// Its distance from the start of the object, in bytes.
    pub offset: u32,
    #[cfg(feature = "ch12")]
    pub value: ValueFormat,
}

/// How the value of a field is printed.
#[cfg(feature = "ch12")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueFormat {
    Integer,
    Float,
    /// `null`, or the struct of the object with this name. The fields of that object are not
    /// printed: objects may refer to each other in circles.
    #[cfg(feature = "ch13")]
    Reference(String),
}

impl ResultFormat {
    /// The start stub that prints the results of a program with a heap.
    pub fn stub_with_heap(&self) -> Routine {
        match self {
            ResultFormat::Integer => start_stub::for_each_word_with_heap(),
            #[cfg(feature = "ch12")]
            ResultFormat::Float => start_stub::for_each_word_with_heap_and_floats(),
            #[cfg(feature = "ch12")]
            ResultFormat::Object(format) if !format.has_integers_only() => {
                let fields: Vec<_> = format.fields.iter().map(FieldFormat::printed).collect();
                start_stub::for_objects_with_fields(&format.texts(), &fields)
            }
            ResultFormat::Object(format) => start_stub::for_objects(&format.texts()),
        }
    }
}

impl ObjectFormat {
    /// The text of null.
    pub const NULL: &'static str = "null";

    /// The pieces of the text around the values of the fields: one more than fields.
    pub fn pieces(&self) -> Vec<String> {
        let mut pieces = vec![format!("Obj<{}> {{", self.name)];
        for field in &self.fields {
            let last = pieces.last_mut().expect("there is a first piece");
            *last += &format!("\n  {}=", field.name);
            pieces.push(String::new());
        }
        *pieces.last_mut().expect("there is a first piece") += "\n}";
        pieces
    }

    /// The texts around the fields. A line's end follows every field, and the last text.
    fn texts(&self) -> Vec<String> {
        let mut texts = self.pieces();
        for text in &mut texts[1..] {
            *text = text.strip_prefix('\n').expect("a field ends its line").to_string();
        }
        texts.last_mut().expect("there is a first text").push('\n');
        texts
    }

    /// The text of the object at an address, or of null; `field` yields the value of a field.
    pub fn text(&self, address: i64, field: impl Fn(usize) -> i64) -> String {
        if address == 0 {
            return ObjectFormat::NULL.to_string();
        }
        let pieces = self.pieces();
        let fields = pieces[1..].iter().enumerate();
        let fields = fields.map(|(number, piece)| {
            let value = field(number);
            let text = value.to_string();
            #[cfg(feature = "ch12")]
            let text = self.fields[number].value.text(value, text);
            text + piece
        });
        pieces[0].clone() + &fields.collect::<String>()
    }
}

#[cfg(feature = "ch12")]
impl ObjectFormat {
    /// Whether all fields are integers.
    pub fn has_integers_only(&self) -> bool {
        self.fields.iter().all(|field| field.value == ValueFormat::Integer)
    }
}

#[cfg(feature = "ch12")]
impl FieldFormat {
    /// The field as the start stub prints it.
    fn printed(&self) -> Field {
        let offset = self.offset;
        match &self.value {
            ValueFormat::Integer => Field::Integer { offset },
            ValueFormat::Float => Field::Float { offset },
            #[cfg(feature = "ch13")]
            ValueFormat::Reference(name) => {
                Field::Reference { offset, text: format!("Obj<{name}>") }
            }
        }
    }
}

#[cfg(feature = "ch12")]
impl ValueFormat {
    /// The text of a value, which is `text` if it is an integer.
    fn text(&self, value: i64, text: String) -> String {
        match self {
            ValueFormat::Integer => text,
            ValueFormat::Float => floats::text(value),
            #[cfg(feature = "ch13")]
            ValueFormat::Reference(_) if value == 0 => ObjectFormat::NULL.to_string(),
            #[cfg(feature = "ch13")]
            ValueFormat::Reference(name) => format!("Obj<{name}>"),
        }
    }
}

#[cfg(test)]
mod tests;
