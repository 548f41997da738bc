//! The functions with which compiled code reports a wrong index or length of an array, and ends the
//! program. They follow cdecl. Their arguments are numbers: the first two are the place, a line and
//! a column.
//!
//! A table of data follows the instructions, one entry for each number:
//!
//! ```text
//! .long   the length of a text
//! .ascii  the text; it is printed before the number
//! .long   the character that is printed after the number; a line's end is the last one
//!         256 is added for a number of two words, the low one first
//! ```
use super::Routine;
use super::objects::Entry;
use super::routines::{ERRORS, PRINT, WRITE};
use super::row::{Row, at, row};
use super::wide::{PRINT_WIDE, WIDE_ERRORS, WRITE_WIDE};

/// A table follows.
pub const PARTS: &[&[Row]] = &[REPORT, TABLE, EACH_TEXT, NUMBER, PRINT, ERRORS, WRITE];

/// The same for numbers of one or two words.
pub const WIDE_PARTS: &[&[Row]] = &[
    REPORT,
    WIDE_TABLE,
    EACH_TEXT,
    WIDE_NUMBER,
    PRINT,
    ERRORS,
    WRITE,
    PRINT_WIDE,
    WIDE_ERRORS,
    WRITE_WIDE,
];

/// Reports an index of this number of words, and a length.
pub fn out_of_bounds(name: &'static str, file: &str, words: u32) -> Routine {
    let index = (" index ", ' ', words);
    let length = ("out of bounds for length ", '\n', 1);
    report(name, file, &[index, length])
}

/// Reports a length of this number of words.
pub fn length(name: &'static str, file: &str, words: u32) -> Routine {
    report(name, file, &[(" no array has length ", '\n', words)])
}

/// The routine for these numbers after the place: the text before each, the character after it, and
/// its words.
fn report(name: &'static str, file: &str, numbers: &[(&str, char, u32)]) -> Routine {
    let file = format!("{file}:");
    let place = [(file.as_str(), ':', 1), ("", ':', 1)];
    let is_wide = numbers.iter().any(|&(.., words)| words == 2);
    let entries = place.iter().chain(numbers).flat_map(|&(before, after, words)| {
        let after = u32::from(after) | (words - 1) << 8;
        let after = Entry::Long(after, "the character after the number");
        Entry::text(before).into_iter().chain([after])
    });
    let parts = if is_wide { WIDE_PARTS } else { PARTS };
    Routine::new(name, parts).with_entries(&entries.collect::<Vec<_>>())
}

/// esi points to the table, ebp to the arguments.
const REPORT: &[Row] = &[
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call here", "pushes the address of the next instruction"),
    at("here", &[0x5e], "pop esi", ""),
];

const TABLE: &[Row] =
    &[row(&[0x81, 0xc6, 0xa0, 0x00, 0x00, 0x00], "add esi,0xa0", "the table after the routine")];

const WIDE_TABLE: &[Row] =
    &[row(&[0x81, 0xc6, 0x12, 0x01, 0x00, 0x00], "add esi,0x112", "the table after the routine")];

const EACH_TEXT: &[Row] = &[
    row(&[0x8d, 0x6c, 0x24, 0x04], "lea ebp,[esp+0x4]", "the first argument"),
    at("next_text", &[0x8b, 0x16], "mov edx,DWORD PTR [esi]", "its length"),
    row(&[0x8d, 0x4e, 0x04], "lea ecx,[esi+0x4]", "its bytes"),
    row(&[0x8d, 0x74, 0x11, 0x04], "lea esi,[ecx+edx+0x4]", "after the character"),
    row(&[0x85, 0xd2], "test edx,edx", ""),
    row(&[0x74, 0x0a], "je put_number", "no text between two numbers"),
    row(&[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error"),
    row(&[0xe8, 0x60, 0x00, 0x00, 0x00], "call write", ""),
];

const NUMBER: &[Row] = &[
    at("put_number", &[0x8b, 0x45, 0x00], "mov eax,DWORD PTR [ebp]", "an argument"),
    row(&[0x83, 0xc5, 0x04], "add ebp,0x4", "on to the one after it"),
    row(&[0x8a, 0x56, 0xfc], "mov dl,BYTE PTR [esi-0x4]", "the character after the number"),
    row(&[0xe8, 0x10, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0x80, 0x7e, 0xfc, 0x0a], "cmp BYTE PTR [esi-0x4],0xa", "a line's end is the last one"),
    row(&[0x75, 0xd5], "jne next_text", ""),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "the exit status"),
    row(&[0xe9, 0x59, 0x00, 0x00, 0x00], "jmp exit", ""),
];

const WIDE_NUMBER: &[Row] = &[
    at("put_number", &[0x8b, 0x45, 0x00], "mov eax,DWORD PTR [ebp]", "an argument"),
    row(&[0x83, 0xc5, 0x04], "add ebp,0x4", "on to the one after it"),
    row(&[0x80, 0x7e, 0xfd, 0x00], "cmp BYTE PTR [esi-0x3],0x0", "does it have two words?"),
    row(&[0x75, 0x00], "jne put_wide", ""),
    row(&[0x8a, 0x56, 0xfc], "mov dl,BYTE PTR [esi-0x4]", "the character after the number"),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0xeb, 0x00], "jmp after_number", ""),
    at("put_wide", &[0x8b, 0x55, 0x00], "mov edx,DWORD PTR [ebp]", "its high word"),
    row(&[0x83, 0xc5, 0x04], "add ebp,0x4", ""),
    row(&[0x8a, 0x4e, 0xfc], "mov cl,BYTE PTR [esi-0x4]", "the character after the number"),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call print_wide", ""),
    at(
        "after_number",
        &[0x80, 0x7e, 0xfc, 0x0a],
        "cmp BYTE PTR [esi-0x4],0xa",
        "a line's end is the last one",
    ),
    row(&[0x0f, 0x85, 0x00, 0x00, 0x00, 0x00], "jne next_text", ""),
    row(&[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "the exit status"),
    row(&[0xe9, 0x00, 0x00, 0x00, 0x00], "jmp exit", ""),
];
