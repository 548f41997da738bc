//! The heap: the memory of a program's objects, and their layout.
//!
//! Objects lie one behind the other and are never freed. A word of memory, `NEXT`, holds the
//! address of the next object; an allocation adds the object's size to it. The start stub requests
//! the heap from the kernel, which fills its pages with zeros, so a new object is zero without a
//! store. Null is address 0.
#[cfg(feature = "ch14")]
use crate::arith::{Interval, Width};
#[cfg(feature = "ch12")]
use crate::floats;
use memory::{Content, Segment};
use start_stub::{Field, Routine};

/// The address of the word that holds the address of the next object.
pub const NEXT: u32 = start_stub::NEXT_OBJECT;
/// The address of a float whose words are passed to a function, or returned by one.
#[cfg(feature = "ch18")]
pub const FLOAT: u32 = start_stub::NEXT_OBJECT + 8;
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
    /// An integer of two words.
    #[cfg(feature = "ch14")]
    Wide,
    #[cfg(feature = "ch12")]
    Float,
    /// `null`, or an object.
    Object(ObjectFormat),
    /// `null`, or an array.
    #[cfg(feature = "ch15")]
    Array(ArrayFormat),
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

/// The form of an integer of less bits than an `int` in memory.
#[cfg(feature = "ch14")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Narrow {
    /// 1, 2 or 4.
    pub bytes: u32,
    pub has_sign: bool,
}

#[cfg(feature = "ch14")]
impl Narrow {
    /// The form of all integers of an interval, if there is one.
    pub fn holding(values: Interval) -> Option<Narrow> {
        let sizes = [1, 2, 4].into_iter();
        let mut forms =
            sizes.flat_map(|bytes| [false, true].map(|has_sign| Narrow { bytes, has_sign }));
        let holds = |form: &Narrow| {
            let all = form.values();
            all.min <= values.min && values.max <= all.max
        };
        forms.find(holds)
    }

    /// All integers of the form.
    pub fn values(self) -> Interval {
        let width = Width(8 * self.bytes);
        if self.has_sign { Interval::all(width) } else { Interval::new(0, width.mask()) }
    }

    /// The integer at an address, whose word is loaded by `load`.
    fn load(
        self,
        address: u32,
        mut load: impl FnMut(u32) -> Result<i64, String>,
    ) -> Result<i64, String> {
        let bits = load(address & !3)? >> (8 * (address & 3));
        let width = Width(8 * self.bytes);
        Ok(if self.has_sign { width.wrap(bits) } else { bits & width.mask() })
    }
}

/// The text of an array.
#[cfg(feature = "ch15")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayFormat {
    /// That of its type, such as `int[]`.
    pub name: String,
    /// The first element.
    pub element: FieldFormat,
}

#[cfg(feature = "ch15")]
impl ArrayFormat {
    /// The name of the type of the elements.
    fn element_name(&self) -> &str {
        self.name.strip_suffix("[]").expect("the name of a type of arrays")
    }

    /// Whether the elements are bytes, which are printed as the characters of a text.
    fn is_text(&self) -> bool {
        self.element_name() == "u8"
    }

    /// The elements of the array at an address; `load` yields the word at an address.
    pub fn load(
        &self,
        array: u32,
        mut load: impl FnMut(u32) -> Result<i64, String>,
    ) -> Result<Vec<i64>, String> {
        let size = self.element.value.size();
        let length = load(array)? as u32;
        let element = |index| self.element.load(array + index * size, &mut load);
        (0..length).map(element).collect()
    }

    /// The text of the array at an address, or of null; `elements` yields its elements.
    pub fn text<E>(
        &self,
        array: i64,
        elements: impl FnOnce() -> Result<Vec<i64>, E>,
    ) -> Result<String, E> {
        if array == 0 {
            return Ok(ObjectFormat::NULL.to_string());
        }
        let elements = elements()?;
        if self.is_text() {
            let bytes: Vec<u8> = elements.iter().map(|&it| it as u8).collect();
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        let mut text = format!("Obj<{}> {{\n  #={}\n", self.name, elements.len());
        for (index, &element) in elements.iter().enumerate() {
            let element = self.element.value.text(element, element.to_string());
            text += &format!("  [{index}]={element}\n");
        }
        Ok(text + "}")
    }
}

/// How the value of a field is printed.
#[cfg(feature = "ch12")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueFormat {
    Integer,
    /// An integer of two words, the low one first.
    #[cfg(feature = "ch14")]
    Wide,
    #[cfg(feature = "ch14")]
    Narrow(Narrow),
    Float,
    /// A float of one word.
    #[cfg(feature = "ch14")]
    Single,
    /// `null`, or the struct of the object with this name. The fields of that object are not
    /// printed: objects may refer to each other in circles.
    #[cfg(feature = "ch13")]
    Reference(String),
}

impl ResultFormat {
    /// Whether the result is the address of an object, or null.
    pub fn is_on_heap(&self) -> bool {
        #[cfg(feature = "ch15")]
        if let ResultFormat::Array(_) = self {
            return true;
        }
        matches!(self, ResultFormat::Object(_))
    }

    /// The start stub that prints the results of a program with a heap.
    pub fn stub_with_heap(&self) -> Routine {
        match self {
            ResultFormat::Integer => start_stub::for_each_word_with_heap(),
            #[cfg(feature = "ch14")]
            ResultFormat::Wide => start_stub::for_wide_integers(),
            #[cfg(feature = "ch12")]
            ResultFormat::Float => start_stub::for_each_word_with_heap_and_floats(),
            #[cfg(feature = "ch12")]
            ResultFormat::Object(format) if !format.has_integers_only() => {
                let fields: Vec<_> = format.fields.iter().map(FieldFormat::printed).collect();
                start_stub::for_objects_with_fields(&format.texts(), &fields)
            }
            ResultFormat::Object(format) => start_stub::for_objects(&format.texts()),
            #[cfg(feature = "ch15")]
            ResultFormat::Array(format) if format.is_text() => start_stub::for_texts(),
            #[cfg(feature = "ch15")]
            ResultFormat::Array(format) => {
                start_stub::for_arrays(format.element_name(), &format.element.printed())
            }
        }
    }

    /// The same where an `int` has two words.
    #[cfg(feature = "ch14")]
    pub fn stub_with_wide_integers(&self) -> Routine {
        match self {
            ResultFormat::Integer | ResultFormat::Wide => start_stub::for_wide_integers(),
            ResultFormat::Float => start_stub::for_wide_floats(),
            ResultFormat::Object(format) => {
                let fields: Vec<_> = format.fields.iter().map(FieldFormat::printed).collect();
                start_stub::for_wide_objects(&format.texts(), &fields)
            }
            #[cfg(feature = "ch15")]
            ResultFormat::Array(format) if format.is_text() => start_stub::for_wide_texts(),
            #[cfg(feature = "ch15")]
            ResultFormat::Array(format) => {
                start_stub::for_wide_arrays(format.element_name(), &format.element.printed())
            }
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

impl FieldFormat {
    /// The value of the field of an object; `load` yields the word at an address.
    pub fn load(
        &self,
        object: u32,
        mut load: impl FnMut(u32) -> Result<i64, String>,
    ) -> Result<i64, String> {
        let address = object + self.offset;
        #[cfg(feature = "ch12")]
        if self.value.has_two_words() {
            let low = i64::from(load(address)? as u32);
            return Ok(low | load(address + WORD)? << 32);
        }
        #[cfg(feature = "ch14")]
        if let ValueFormat::Narrow(narrow) = self.value {
            return narrow.load(address, load);
        }
        #[cfg(feature = "ch14")]
        if self.value == ValueFormat::Single {
            return Ok(floats::widened(load(address)? as u32));
        }
        load(address)
    }
}

#[cfg(feature = "ch12")]
impl FieldFormat {
    /// The field as the start stub prints it.
    fn printed(&self) -> Field {
        let offset = self.offset;
        match &self.value {
            ValueFormat::Integer => Field::Integer { offset },
            #[cfg(feature = "ch14")]
            ValueFormat::Wide => Field::Wide { offset },
            #[cfg(feature = "ch14")]
            &ValueFormat::Narrow(Narrow { bytes, has_sign }) => {
                Field::Narrow { offset, bytes, has_sign }
            }
            ValueFormat::Float => Field::Float { offset },
            #[cfg(feature = "ch14")]
            ValueFormat::Single => Field::Single { offset },
            #[cfg(feature = "ch13")]
            ValueFormat::Reference(name) => {
                Field::Reference { offset, text: format!("Obj<{name}>") }
            }
        }
    }
}

#[cfg(feature = "ch15")]
impl ValueFormat {
    /// The bytes of a value.
    fn size(&self) -> u32 {
        match self {
            ValueFormat::Float | ValueFormat::Wide => 2 * WORD,
            ValueFormat::Narrow(narrow) => narrow.bytes,
            ValueFormat::Integer | ValueFormat::Single | ValueFormat::Reference(_) => WORD,
        }
    }
}

#[cfg(feature = "ch12")]
impl ValueFormat {
    /// Whether a value has two words in memory.
    fn has_two_words(&self) -> bool {
        #[cfg(feature = "ch14")]
        if *self == ValueFormat::Wide {
            return true;
        }
        *self == ValueFormat::Float
    }

    /// The text of a value, which is `text` if it is an integer.
    fn text(&self, value: i64, text: String) -> String {
        match self {
            ValueFormat::Integer => text,
            #[cfg(feature = "ch14")]
            ValueFormat::Narrow(_) | ValueFormat::Wide => text,
            ValueFormat::Float => floats::text(value),
            #[cfg(feature = "ch14")]
            ValueFormat::Single => floats::text(value),
            #[cfg(feature = "ch13")]
            ValueFormat::Reference(_) if value == 0 => ObjectFormat::NULL.to_string(),
            #[cfg(feature = "ch13")]
            ValueFormat::Reference(name) => format!("Obj<{name}>"),
        }
    }
}

#[cfg(test)]
mod tests;
