//! The stub of programs with a heap: it prints integers or objects.
//!
//! A table of data follows the instructions:
//!
//! ```text
//! .long   the distance from the table to the compiled function
//! .long   the length of a text
//! .ascii  the text; it is printed before the first field
//! .long   the length of the next text
//! .ascii  the text; it is printed after the first field and a line's end
//! ...
//! .long   0
//! ```
use super::memory_guard;
use super::routines::{ENTRY, OUTPUT, PRINT, READ, REFUSED, WRITE};
use super::row::{Row, at, row};
use super::{Routine, line};

/// A table follows.
pub const PARTS: &[&[Row]] =
    &[ENTRY, memory_guard::ROWS, EACH_WORD, READ, REFUSED, PRINT, OUTPUT, WRITE];

impl Routine {
    /// Adds a table, and aligns the end. The compiled function starts there.
    pub fn with_table(mut self, entries: &[Entry]) -> Routine {
        let table = self.code.len();
        let size = WORD + entries.iter().map(Entry::size).sum::<usize>();
        let end = (table + size).next_multiple_of(16);
        self.long((end - table) as u32, "the distance from the table to the function");
        self.with_entries(entries).aligned()
    }

    /// Adds entries.
    pub fn with_entries(mut self, entries: &[Entry]) -> Routine {
        for entry in entries {
            match entry {
                Entry::Long(number, why) => self.long(*number, why),
                Entry::Text(text) => {
                    self.listing += &line(self.code.len(), "", &format!(".ascii {text:?}"), "");
                    self.code.extend(text.bytes());
                }
            }
        }
        self
    }

    fn long(&mut self, number: u32, why: &str) {
        self.listing += &line(self.code.len(), "", &format!(".long {number}"), why);
        self.code.extend(number.to_le_bytes());
    }
}

/// The bytes of a word.
pub const WORD: usize = 4;

/// A part of a table: a number with its reason, or a text.
#[derive(Clone)]
pub enum Entry {
    Long(u32, &'static str),
    Text(String),
}

impl Entry {
    /// A text after its length.
    pub fn text(text: &str) -> [Entry; 2] {
        let length = Entry::Long(text.len() as u32, "the length of the text");
        [length, Entry::Text(text.to_string())]
    }

    pub fn size(&self) -> usize {
        match self {
            Entry::Long(..) => WORD,
            Entry::Text(text) => text.len(),
        }
    }
}

/// The stub for results that are integers, or objects with these texts around their fields.
pub fn with_texts(texts: &[String]) -> Routine {
    let end = Entry::Long(0, "the end of the texts");
    let entries = texts.iter().flat_map(|text| Entry::text(text)).chain([end]);
    Routine::new("_start", PARTS).with_table(&entries.collect::<Vec<_>>())
}

/// ebx points to the table. `simple` must preserve esi, ebp, ebx and edi.
const EACH_WORD: &[Row] = &[
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call here", "pushes the address of the next instruction"),
    at("here", &[0x5b], "pop ebx", ""),
    row(&[0x81, 0xc3, 0x71, 0x01, 0x00, 0x00], "add ebx,0x171", "the table after the stub"),
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
    row(&[0xe8, 0x71, 0x00, 0x00, 0x00], "call read", ""),
    // Call the compiled function: cdecl, its argument is on top of the stack.
    at("run", &[0x89, 0x04, 0x24], "mov DWORD PTR [esp],eax", "the argument"),
    row(&[0x8b, 0x03], "mov eax,DWORD PTR [ebx]", "the distance from the table to the function"),
    row(&[0x01, 0xd8], "add eax,ebx", ""),
    row(&[0xff, 0xd0], "call eax", ""),
    row(&[0x53], "push ebx", "the next word needs these three"),
    row(&[0x56], "push esi", ""),
    row(&[0x55], "push ebp", ""),
    row(&[0x8d, 0x73, 0x04], "lea esi,[ebx+0x4]", "the first text: its length, then its bytes"),
    row(&[0x83, 0x3e, 0x00], "cmp DWORD PTR [esi],0x0", "without a text, the result is an integer"),
    row(&[0x74, 0x49], "je put_integer", ""),
    row(&[0x85, 0xc0], "test eax,eax", ""),
    row(&[0x74, 0x29], "je put_null", ""),
    row(&[0x89, 0xc5], "mov ebp,eax", "the object"),
    at("next_text", &[0x8b, 0x16], "mov edx,DWORD PTR [esi]", "its length"),
    row(&[0x8d, 0x4e, 0x04], "lea ecx,[esi+0x4]", "its bytes"),
    row(&[0x89, 0xce], "mov esi,ecx", ""),
    row(&[0x01, 0xd6], "add esi,edx", "on to the text after it"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output"),
    row(&[0xe8, 0x02, 0x01, 0x00, 0x00], "call write", ""),
    row(&[0x83, 0x3e, 0x00], "cmp DWORD PTR [esi],0x0", "a length of 0 ends the texts"),
    row(&[0x74, 0x32], "je next_result", ""),
    row(&[0x83, 0xc5, 0x04], "add ebp,0x4", "on to the next field"),
    row(&[0x8b, 0x45, 0xfc], "mov eax,DWORD PTR [ebp-0x4]", "the field before it"),
    row(&[0xb2, 0x0a], "mov dl,0xa", "the line's end"),
    row(&[0xe8, 0xae, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0xeb, 0xd9], "jmp next_text", ""),
    at("put_null", &[0xe8, 0x05, 0x00, 0x00, 0x00], "call after_null", "pushes the text's address"),
    row(b"null\n", r#".ascii "null\n""#, "5 bytes"),
    at("after_null", &[0x59], "pop ecx", "the address of the 5 bytes"),
    row(&[0xba, 0x05, 0x00, 0x00, 0x00], "mov edx,0x5", "5"),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output"),
    row(&[0xe8, 0xd4, 0x00, 0x00, 0x00], "call write", ""),
    row(&[0xeb, 0x07], "jmp next_result", ""),
    at("put_integer", &[0xb2, 0x0a], "mov dl,0xa", "the line's end"),
    row(&[0xe8, 0x89, 0x00, 0x00, 0x00], "call print", ""),
    at("next_result", &[0x5d], "pop ebp", ""),
    row(&[0x5e], "pop esi", ""),
    row(&[0x5b], "pop ebx", ""),
    row(&[0x4d], "dec ebp", ""),
    row(&[0x7f, 0x8c], "jg next_word", ""),
    row(&[0x31, 0xdb], "xor ebx,ebx", "all is well"),
    row(&[0xe9, 0xd5, 0x00, 0x00, 0x00], "jmp exit", ""),
];
