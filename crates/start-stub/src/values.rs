//! The stub of programs with a heap that return floats, or objects whose fields are not only
//! integers.
//!
//! A table of data follows the instructions:
//!
//! ```text
//! .long   the distance from the table to the compiled function
//! .long   1, offset                   prints the integer there in the object, and a line's end
//! .long   2, offset                   prints the float there, and a line's end
//! .long   3, length; .ascii           prints the text
//! .long   4, offset, length; .ascii   prints the text; for a word 0 there, "null" and a line's end
//! .long   0, 0                        the end
//! ```
//! If the first entry is a float, there is no object: the result itself is printed.
use super::floats::PRINT_FLOAT;
use super::objects::Entry;
use super::routines::{ENTRY, OUTPUT, PRINT, READ, REFUSED, WRITE};
use super::row::{Row, at, row};
use super::{Routine, arrays, memory_guard};

/// A table follows. The stub of arrays has most of these parts too.
pub const PARTS: &[&[Row]] = &[
    ENTRY,
    memory_guard::ROWS,
    HERE,
    TABLE,
    EACH_WORD,
    EACH_OBJECT,
    REFERENCE,
    EACH_ENTRY,
    PRINT_FLOAT,
    READ,
    REFUSED,
    PRINT,
    OUTPUT,
    WRITE,
];

/// The stub of programs that return floats.
pub fn for_floats() -> Routine {
    floats_with(PARTS)
}

/// A stub with these parts that prints floats.
pub fn floats_with(parts: &[&'static [Row]]) -> Routine {
    Routine::new("_start", parts).with_table(&[Entry::Long(2, "a float"), END, END, END])
}

/// A field of an object; `offset` is its distance from the start of the object, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Field {
    /// An integer of one word.
    Integer {
        /// Its place.
        offset: u32,
    },
    /// An integer of two words, the low one first.
    Wide {
        /// Its place.
        offset: u32,
    },
    /// An integer of a form that the program declares.
    Narrow {
        /// Its place.
        offset: u32,
        /// 1, 2 or 4. Four bytes without a sign need a stub for wide integers.
        bytes: u32,
        /// Whether its highest bit is a sign.
        has_sign: bool,
    },
    /// A floating-point number of two words.
    Float {
        /// Its place.
        offset: u32,
    },
    /// A floating-point number of one word.
    Single {
        /// Its place.
        offset: u32,
    },
    /// The address of an object; 0 is printed as `null`.
    Reference {
        /// Its place.
        offset: u32,
        /// The text of any object; its own fields are not printed.
        text: String,
    },
}

/// The stub of programs that return objects.
pub fn for_objects(texts: &[String], fields: &[Field]) -> Routine {
    let is_narrow = |field: &Field| matches!(field, Field::Narrow { .. } | Field::Single { .. });
    let parts = if fields.iter().any(is_narrow) { arrays::PARTS } else { PARTS };
    objects_with(parts, texts, fields)
}

/// A stub with these parts that prints objects.
pub fn objects_with(parts: &[&'static [Row]], texts: &[String], fields: &[Field]) -> Routine {
    let mut entries = text(&texts[0]);
    for (field, after) in fields.iter().zip(&texts[1..]) {
        entries.extend(entries_of(field));
        if !after.is_empty() {
            entries.extend(text(after));
        }
    }
    entries.extend([END, END]);
    Routine::new("_start", parts).with_table(&entries)
}

/// The first word of the end, and the second one, which has no meaning.
pub const END: Entry = Entry::Long(0, "the end");

/// The entry of a text.
pub fn text(text: &str) -> Vec<Entry> {
    std::iter::once(Entry::Long(3, "a text")).chain(Entry::text(text)).collect()
}

/// The entry of a field.
pub fn entries_of(field: &Field) -> Vec<Entry> {
    let at = |offset| Entry::Long(offset, "its offset");
    match field {
        Field::Integer { offset } => vec![Entry::Long(1, "an integer"), at(*offset)],
        &Field::Narrow { offset, bytes, has_sign } => {
            let (kind, why) = match (bytes, has_sign) {
                (1, false) => (7, "a byte"),
                (1, true) => (9, "a byte with a sign"),
                (2, false) => (8, "a half word"),
                (2, true) => (10, "a half word with a sign"),
                (_, false) => (12, "a word without a sign"),
                (_, true) => (1, "an integer"),
            };
            vec![Entry::Long(kind, why), at(offset)]
        }
        Field::Wide { offset } => vec![Entry::Long(11, "an integer of two words"), at(*offset)],
        Field::Single { offset } => vec![Entry::Long(14, "a float of one word"), at(*offset)],
        Field::Float { offset } => vec![Entry::Long(2, "a float"), at(*offset)],
        Field::Reference { offset, text } => {
            let entry = [Entry::Long(4, "a reference"), at(*offset)];
            entry.into_iter().chain(Entry::text(&format!("{text}\n"))).collect()
        }
    }
}

/// ebx is the address of the second row.
pub const HERE: &[Row] = &[
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call here", "pushes the address of the next instruction"),
    at("here", &[0x5b], "pop ebx", ""),
];

const TABLE: &[Row] =
    &[row(&[0x81, 0xc3, 0x74, 0x06, 0x00, 0x00], "add ebx,0x674", "the table after the stub")];

/// ebx points to the table. `simple` must preserve esi, ebp, ebx and edi.
pub const EACH_WORD: &[Row] = &[
    row(
        &[0xbf, 0x00, 0x00, 0x00, 0x10],
        "mov edi,0x10000000",
        "the word with the address of the next object",
    ),
    row(
        &[0xc7, 0x07, 0x10, 0x00, 0x00, 0x10],
        "mov DWORD PTR [edi],0x10000010",
        "the first object",
    ),
    row(&[0x83, 0xec, 0x10], "sub esp,0x10", "[esp]: the argument"),
    row(&[0x31, 0xc0], "xor eax,eax", "without any word the argument is 0"),
    row(&[0x4d], "dec ebp", "the number of words"),
    row(&[0x7e, 0x0a], "jle run", "signed: argc may even be 0"),
    at("next_word", &[0x8b, 0x3e], "mov edi,DWORD PTR [esi]", "the word's text"),
    row(&[0x83, 0xc6, 0x04], "add esi,0x4", "on to the one after it"),
    row(&[0xe8, 0x74, 0x05, 0x00, 0x00], "call read", ""),
    at("run", &[0x89, 0x04, 0x24], "mov DWORD PTR [esp],eax", "the argument"),
    row(&[0x8b, 0x03], "mov eax,DWORD PTR [ebx]", "the distance from the table to the function"),
    row(&[0x01, 0xd8], "add eax,ebx", ""),
    row(&[0xff, 0xd0], "call eax", ""),
    row(&[0x53], "push ebx", "the next word needs these three"),
    row(&[0x56], "push esi", ""),
    row(&[0x55], "push ebp", ""),
    row(&[0x8d, 0x73, 0x04], "lea esi,[ebx+0x4]", "the first entry"),
    row(&[0x83, 0x3e, 0x02], "cmp DWORD PTR [esi],0x2", "a float?"),
    row(&[0x75, 0x07], "jne object", ""),
    row(&[0xe8, 0x8d, 0x00, 0x00, 0x00], "call print_float", ""),
    row(&[0xeb, 0x7a], "jmp next_result", ""),
];

/// The rest of `EACH_WORD`: the object in eax.
pub const EACH_OBJECT: &[Row] = &[
    at("object", &[0x85, 0xc0], "test eax,eax", ""),
    row(&[0x74, 0x71], "je no_object", ""),
    row(&[0x89, 0xc5], "mov ebp,eax", "the object"),
    at("next_entry", &[0x8b, 0x56, 0x04], "mov edx,DWORD PTR [esi+0x4]", "an offset, or a length"),
    row(&[0x83, 0xc6, 0x08], "add esi,0x8", "after the entry's two words"),
    row(&[0x8b, 0x4e, 0xf8], "mov ecx,DWORD PTR [esi-0x8]", "its kind"),
    row(&[0x49], "dec ecx", ""),
    row(&[0x78, 0x68], "js next_result", "0: the end"),
    row(&[0x74, 0x2c], "je integer_field", ""),
    row(&[0x49], "dec ecx", ""),
    row(&[0x74, 0x36], "je float_field", ""),
    row(&[0x49], "dec ecx", ""),
    row(&[0x74, 0x16], "je field_text", ""),
];

const REFERENCE: &[Row] =
    &[row(&[0x83, 0x7c, 0x15, 0x00, 0x00], "cmp DWORD PTR [ebp+edx],0x0", "a reference: null?")];

/// The rest of `EACH_OBJECT`.
pub const EACH_ENTRY: &[Row] = &[
    row(&[0x8b, 0x16], "mov edx,DWORD PTR [esi]", "the length of its struct's name"),
    row(&[0x8d, 0x4e, 0x04], "lea ecx,[esi+0x4]", ""),
    row(&[0x8d, 0x34, 0x11], "lea esi,[ecx+edx]", "after the name"),
    row(&[0x75, 0x0b], "jne put_field_text", ""),
    row(&[0xe8, 0x2c, 0x00, 0x00, 0x00], "call put_null", ""),
    row(&[0xeb, 0xd6], "jmp next_entry", ""),
    at("field_text", &[0x89, 0xf1], "mov ecx,esi", ""),
    row(&[0x01, 0xd6], "add esi,edx", ""),
    at("put_field_text", &[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output"),
    row(&[0xe8, 0xd9, 0x05, 0x00, 0x00], "call write", ""),
    row(&[0xeb, 0xc6], "jmp next_entry", ""),
    at("integer_field", &[0x8b, 0x44, 0x15, 0x00], "mov eax,DWORD PTR [ebp+edx]", ""),
    row(&[0xb2, 0x0a], "mov dl,0xa", "the line's end"),
    row(&[0xe8, 0x8a, 0x05, 0x00, 0x00], "call print", ""),
    row(&[0xeb, 0xb9], "jmp next_entry", ""),
    at("float_field", &[0xf2, 0x0f, 0x10, 0x44, 0x15, 0x00], "movsd xmm0,QWORD PTR [ebp+edx]", ""),
    row(&[0xe8, 0x33, 0x00, 0x00, 0x00], "call print_float", ""),
    row(&[0xeb, 0xac], "jmp next_entry", ""),
    at("put_null", &[0xe8, 0x05, 0x00, 0x00, 0x00], "call after_null", "pushes the text's address"),
    row(b"null\n", r#".ascii "null\n""#, "5 bytes"),
    at("after_null", &[0x59], "pop ecx", "the address of the 5 bytes"),
    row(&[0xba, 0x05, 0x00, 0x00, 0x00], "mov edx,0x5", "5"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output"),
    row(&[0xe8, 0xa3, 0x05, 0x00, 0x00], "call write", ""),
    row(&[0xc3], "ret", ""),
    at("no_object", &[0xe8, 0xe0, 0xff, 0xff, 0xff], "call put_null", ""),
    at("next_result", &[0x5d], "pop ebp", ""),
    row(&[0x5e], "pop esi", ""),
    row(&[0x5b], "pop ebx", ""),
    row(&[0x4d], "dec ebp", ""),
    row(&[0x0f, 0x8f, 0x57, 0xff, 0xff, 0xff], "jg next_word", ""),
    row(&[0x31, 0xdb], "xor ebx,ebx", "all is well"),
    row(&[0xe9, 0xa3, 0x05, 0x00, 0x00], "jmp exit", ""),
];
