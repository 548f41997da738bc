//! The stub of programs that return arrays, or objects with integers of one or two bytes.
//!
//! It is the stub of objects with more kinds of entries in its table, two of them for a loop:
//!
//! ```text
//! .long   5, size, distance           begins the loop over the elements of this size
//! ...                                 entries for an element
//! .long   6, size, distance           the loop's end
//! .long   7, offset                   prints the byte there in the object, and a line's end
//! .long   8, offset                   the same for a half word
//! .long   9, offset                   the same for a byte with a sign
//! .long   10, offset                  the same for a half word with a sign
//! .long   13, offset                  prints the bytes from there on, as many as the word at the
//!                                     start of the object
//! .long   14, offset                  the same as 7 for a floating-point number of one word
//! ```
//! In the loop, the offsets of entries count from the address of the array + the index * the size.
//! Each element begins with its index in brackets. The distances lead from their own words: the
//! first one to the second one, which leads back to the entry that is the first of the loop.
use super::objects::{Entry, WORD};
use super::routines::{ENTRY, OUTPUT, PRINT, READ, REFUSED, WRITE};
use super::row::{Row, at, row};
use super::values::{self, END, Field};
use super::{Routine, floats, memory_guard};

/// A table follows.
pub const PARTS: &[&[Row]] = &[
    ENTRY,
    memory_guard::ROWS,
    values::HERE,
    TABLE,
    values::EACH_WORD,
    values::EACH_OBJECT,
    OTHER_KIND,
    values::EACH_ENTRY,
    floats::PRINT_FLOAT,
    READ,
    REFUSED,
    PRINT,
    OUTPUT,
    WRITE,
    ELEMENTS,
    SIGNED_HALF,
];

/// The stub with these parts for arrays of such elements.
pub fn with_elements(parts: &[&'static [Row]], name: &str, element: &Field) -> Routine {
    let size = match element {
        Field::Integer { .. } | Field::Single { .. } | Field::Reference { .. } => WORD,
        Field::Narrow { bytes, .. } => *bytes as usize,
        Field::Float { .. } | Field::Wide { .. } => 2 * WORD,
    };
    let mut body = values::text("=");
    body.extend(values::entries_of(element));
    let to_start = (body.iter().map(Entry::size).sum::<usize>() + 2 * WORD) as u32;
    let size = Entry::Long(size as u32, "their size");
    let mut entries = values::text(&format!("Obj<{name}[]> {{\n  #="));
    entries.extend(values::entries_of(&Field::Integer { offset: 0 }));
    entries.extend([Entry::Long(5, "elements"), size.clone()]);
    entries.push(Entry::Long(to_start + WORD as u32, "the distance to the loop's end"));
    entries.extend(body);
    entries.extend([Entry::Long(6, "the loop's end"), size]);
    entries.push(Entry::Long(to_start, "the distance to the loop's start"));
    entries.extend(values::text("}\n"));
    entries.extend([END, END]);
    Routine::new("_start", parts).with_table(&entries)
}

/// The stub with these parts for arrays of characters.
pub fn text_with(parts: &[&'static [Row]]) -> Routine {
    let mut entries = vec![Entry::Long(13, "characters"), Entry::Long(WORD as u32, "the first")];
    entries.extend(values::text("\n"));
    entries.extend([END, END]);
    Routine::new("_start", parts).with_table(&entries)
}

const TABLE: &[Row] =
    &[row(&[0x81, 0xc3, 0x26, 0x07, 0x00, 0x00], "add ebx,0x726", "the table after the stub")];

pub const OTHER_KIND: &[Row] =
    &[row(&[0xe8, 0x16, 0x06, 0x00, 0x00], "call other_kind", "a reference: null?")];

/// The kinds after texts: references and elements. In the loop, the index of the element is on the
/// stack.
pub const ELEMENTS: &[Row] = &[
    at("other_kind", &[0x49], "dec ecx", "1 for a reference"),
    row(&[0x75, 0x06], "jne elements", ""),
    row(&[0x83, 0x7c, 0x15, 0x00, 0x00], "cmp DWORD PTR [ebp+edx],0x0", "null?"),
    row(&[0xc3], "ret", ""),
    at("elements", &[0x58], "pop eax", "entries of elements do not continue after the call"),
    row(&[0x49], "dec ecx", ""),
    row(&[0x83, 0xf9, 0x01], "cmp ecx,0x1", "0 begins the loop, 1 is its end"),
    row(&[0x77, 0x4a], "ja narrow", ""),
    row(&[0x74, 0x06], "je next_element", ""),
    row(&[0x6a, 0xff], "push 0xffffffff", "the index before the first one"),
    row(&[0x29, 0xd5], "sub ebp,edx", ""),
    row(
        &[0x03, 0x36],
        "add esi,DWORD PTR [esi]",
        "to the same word of the entry at the loop's end",
    ),
    at("next_element", &[0x58], "pop eax", "the index of the element before"),
    row(&[0x40], "inc eax", ""),
    row(&[0x01, 0xd5], "add ebp,edx", "the address of the array + the index * the size"),
    row(&[0x89, 0xd1], "mov ecx,edx", ""),
    row(&[0x0f, 0xaf, 0xc8], "imul ecx,eax", ""),
    row(&[0xf7, 0xd9], "neg ecx", ""),
    row(&[0x3b, 0x44, 0x0d, 0x00], "cmp eax,DWORD PTR [ebp+ecx]", "the length of the array"),
    row(&[0x74, 0x29], "je no_element", ""),
    row(&[0x2b, 0x36], "sub esi,DWORD PTR [esi]", "to the loop's first entry"),
    row(&[0x50], "push eax", "the index"),
    row(&[0x68, 0x20, 0x20, 0x5b, 0x00], "push 0x5b2020", "the text '  ['"),
    row(&[0x89, 0xe1], "mov ecx,esp", ""),
    row(&[0xba, 0x03, 0x00, 0x00, 0x00], "mov edx,0x3", "the length of the text"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output"),
    row(&[0xe8, 0xa0, 0xff, 0xff, 0xff], "call write", ""),
    row(&[0x59], "pop ecx", ""),
    row(&[0x8b, 0x04, 0x24], "mov eax,DWORD PTR [esp]", ""),
    row(&[0xb2, 0x5d], "mov dl,0x5d", "']'"),
    row(&[0xe8, 0x53, 0xff, 0xff, 0xff], "call print", ""),
    row(&[0xe9, 0x7f, 0xf9, 0xff, 0xff], "jmp next_entry", ""),
    at("no_element", &[0x83, 0xc6, 0x04], "add esi,0x4", "after the entry's last word"),
    row(&[0xe9, 0x77, 0xf9, 0xff, 0xff], "jmp next_entry", ""),
    at("narrow", &[0x8d, 0x44, 0x15, 0x00], "lea eax,[ebp+edx]", "the address of the field"),
    row(&[0x83, 0xf9, 0x08], "cmp ecx,0x8", "8 for characters"),
    row(&[0x74, 0x00], "je characters", ""),
    row(&[0x83, 0xf9, 0x03], "cmp ecx,0x3", "2 for a byte, 3 for a half word"),
    row(&[0x74, 0x11], "je half", ""),
    row(&[0x72, 0x14], "jb byte", ""),
    row(&[0x83, 0xf9, 0x04], "cmp ecx,0x4", "4 and 5 for those with a sign"),
    row(&[0x74, 0x05], "je signed_byte", ""),
    row(&[0x83, 0xf9, 0x09], "cmp ecx,0x9", "9 for a float of one word"),
    row(&[0x74, 0x00], "je single", ""),
];

/// The rest of `ELEMENTS`.
pub const SIGNED_HALF: &[Row] = &[
    row(&[0x0f, 0xbf, 0x00], "movsx eax,WORD PTR [eax]", ""),
    row(&[0xeb, 0x0d], "jmp put_narrow", ""),
    at("signed_byte", &[0x0f, 0xbe, 0x00], "movsx eax,BYTE PTR [eax]", ""),
    row(&[0xeb, 0x08], "jmp put_narrow", ""),
    at("half", &[0x0f, 0xb7, 0x00], "movzx eax,WORD PTR [eax]", ""),
    row(&[0xeb, 0x03], "jmp put_narrow", ""),
    at("byte", &[0x0f, 0xb6, 0x00], "movzx eax,BYTE PTR [eax]", ""),
    at("put_narrow", &[0xb2, 0x0a], "mov dl,0xa", "the line's end"),
    row(&[0xe8, 0x1d, 0xff, 0xff, 0xff], "call print", ""),
    row(&[0xe9, 0x49, 0xf9, 0xff, 0xff], "jmp next_entry", ""),
    at("single", &[0xf3, 0x0f, 0x5a, 0x00], "cvtss2sd xmm0,DWORD PTR [eax]", ""),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call print_float", ""),
    row(&[0xe9, 0x00, 0x00, 0x00, 0x00], "jmp next_entry", ""),
    at("characters", &[0x89, 0xc1], "mov ecx,eax", ""),
    row(&[0x8b, 0x55, 0x00], "mov edx,DWORD PTR [ebp]", "their number"),
    row(&[0x85, 0xd2], "test edx,edx", "none?"),
    row(&[0x0f, 0x85, 0x00, 0x00, 0x00, 0x00], "jne put_field_text", ""),
    row(&[0xe9, 0x00, 0x00, 0x00, 0x00], "jmp next_entry", ""),
];
