//! Arrays: objects whose first word is their length; the elements follow.
//!
//! All arrays of elements of one type are objects of one struct. Its only field is the elements,
//! which have one memory: that of two accesses is known to differ only if their indices are. The
//! length never changes, so it needs no memory.
use super::pointer::Structs;
use super::{StructId, Type, Types};
use crate::heap::{ArrayFormat, FieldFormat, SIZE, WORD};

/// The layout of an array, in bytes.
#[derive(Clone, Copy)]
pub struct ArrayLayout {
    /// The distance of the first element from the start of the array.
    pub first: u32,
    /// The size of an element.
    pub element: u32,
    /// The size of an array is a multiple of it.
    pub alignment: u32,
}

impl Structs {
    /// The arrays with elements of a type, if there are some.
    pub fn known_array(&self, element: Type) -> Option<StructId> {
        self.arrays.get(&element).copied()
    }

    pub fn layout(&self, array: StructId) -> ArrayLayout {
        let element = self.structs[array].size;
        let alignment = self.alignment.max(WORD);
        ArrayLayout { first: element.max(WORD), element, alignment }
    }

    /// The greatest length. Arrays of this length are larger than the heap, but not by so much that
    /// the address of their end is that of other memory.
    pub fn max_length(&self, array: StructId) -> i64 {
        i64::from(SIZE / self.structs[array].size.min(WORD))
    }
}

impl Types {
    /// Adds the arrays with elements of a type, whose name is `element_name`.
    pub fn add_array(&mut self, element: Type, element_name: &str) -> StructId {
        let of = self.structs.add(&format!("{element_name}[]"));
        self.add_field(of, "[]", element);
        self.structs.structs[of].element = Some(element);
        self.structs.arrays.insert(element, of);
        of
    }

    /// The arrays to which pointers of the type point, if they are arrays.
    pub fn array_of(&self, pointer: Type) -> Option<StructId> {
        let target = self.target_struct(pointer)?;
        self.structs.get(target).element.map(|_| target)
    }

    /// How an array is printed.
    pub(super) fn array_format(&self, pointer: Type) -> Option<ArrayFormat> {
        let array = self.array_of(pointer)?;
        let element = self.structs.get(array).element?;
        Some(ArrayFormat {
            name: self.structs.get(array).name.clone(),
            element: FieldFormat {
                name: "[0]".to_string(),
                offset: self.structs.layout(array).first,
                value: self.value_format(element),
            },
        })
    }
}
