//! The parts of stubs for integers of two words: their argument, their result, and their fields.
//!
//! The argument is on top of the stack, the low word first. The low word of the result is in eax,
//! the high one on the stack after the argument. Wide integers have two kinds of entries in the
//! table of the stub of objects and arrays:
//!
//! ```text
//! .long   11, offset                  prints the integer of two words there, and a line's end
//! .long   12, offset                  prints the word there, which has no sign, and a line's end
//! ```
//! If the first entry is an integer of two words, there is no object: the result itself is printed.
use super::objects::Entry;
use super::routines::{ENTRY, OUTPUT, PRINT, REFUSED, WRITE};
use super::row::{Row, at, row};
use super::values::{self, END};
use super::{Routine, arrays, floats, memory_guard};

/// A table follows.
pub const PARTS: &[&[Row]] = &[
    ENTRY,
    memory_guard::ROWS,
    values::HERE,
    TABLE,
    EACH_WORD,
    values::EACH_OBJECT,
    arrays::OTHER_KIND,
    values::EACH_ENTRY,
    floats::PRINT_FLOAT,
    READ,
    REFUSED,
    PRINT,
    OUTPUT,
    WRITE,
    arrays::ELEMENTS,
    WIDE_KINDS,
    arrays::SIGNED_HALF,
    WIDE_FIELD,
    PRINT_WIDE,
    WIDE_OUTPUT,
    WRITE_WIDE,
];

/// The stub of programs that return integers of two words.
pub fn for_integers() -> Routine {
    let integer = Entry::Long(11, "an integer of two words");
    Routine::new("_start", PARTS).with_table(&[integer, END, END, END])
}

const TABLE: &[Row] =
    &[row(&[0x81, 0xc3, 0xe5, 0x07, 0x00, 0x00], "add ebx,0x7e5", "the table after the stub")];

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
    row(&[0x83, 0xec, 0x10], "sub esp,0x10", "[esp]: the argument and the high word of the result"),
    row(&[0x31, 0xc0], "xor eax,eax", "without any word the argument is 0"),
    row(&[0x31, 0xd2], "xor edx,edx", ""),
    row(&[0x4d], "dec ebp", "the number of words"),
    row(&[0x7e, 0x00], "jle run", "signed: argc may even be 0"),
    at("next_word", &[0x8b, 0x3e], "mov edi,DWORD PTR [esi]", "the word's text"),
    row(&[0x83, 0xc6, 0x04], "add esi,0x4", "on to the one after it"),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call read", ""),
    at("run", &[0x89, 0x04, 0x24], "mov DWORD PTR [esp],eax", "the argument"),
    row(&[0x89, 0x54, 0x24, 0x04], "mov DWORD PTR [esp+0x4],edx", "its high word"),
    row(&[0x8b, 0x03], "mov eax,DWORD PTR [ebx]", "the distance from the table to the function"),
    row(&[0x01, 0xd8], "add eax,ebx", ""),
    row(&[0xff, 0xd0], "call eax", ""),
    row(&[0x8b, 0x54, 0x24, 0x08], "mov edx,DWORD PTR [esp+0x8]", "the high word of an integer"),
    row(&[0x53], "push ebx", "the next word needs these three"),
    row(&[0x56], "push esi", ""),
    row(&[0x55], "push ebp", ""),
    row(&[0x8d, 0x73, 0x04], "lea esi,[ebx+0x4]", "the first entry"),
    row(&[0x83, 0x3e, 0x02], "cmp DWORD PTR [esi],0x2", "a float?"),
    row(&[0x75, 0x00], "jne no_float", ""),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call print_float", ""),
    row(&[0xe9, 0x00, 0x00, 0x00, 0x00], "jmp next_result", ""),
    at("no_float", &[0x83, 0x3e, 0x0b], "cmp DWORD PTR [esi],0xb", "an integer of two words?"),
    row(&[0x0f, 0x85, 0x00, 0x00, 0x00, 0x00], "jne object", ""),
    row(&[0xb1, 0x0a], "mov cl,0xa", "the line's end"),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call print_wide", ""),
    row(&[0xe9, 0x00, 0x00, 0x00, 0x00], "jmp next_result", ""),
];

/// Reads a word of the command line. Its value is built up negated, as that of one word.
pub const READ: &[Row] = &[
    at("read", &[0x31, 0xc0], "xor eax,eax", "minus the value of the digits read"),
    row(&[0x31, 0xd2], "xor edx,edx", ""),
    row(&[0x56], "push esi", "the caller's"),
    row(&[0x53], "push ebx", ""),
    row(&[0x89, 0xfe], "mov esi,edi", "reads the word; edi keeps its start"),
    row(&[0x80, 0x3f, 0x2d], "cmp BYTE PTR [edi],0x2d", "'-'"),
    row(&[0x74, 0x00], "je signed", ""),
    row(&[0x80, 0x3f, 0x2b], "cmp BYTE PTR [edi],0x2b", "'+'"),
    row(&[0x75, 0x00], "jne next_digit", "no sign to skip"),
    at("signed", &[0x46], "inc esi", "skip the sign"),
    at("next_digit", &[0x0f, 0xb6, 0x0e], "movzx ecx,BYTE PTR [esi]", "at least one digit"),
    row(&[0x83, 0xe9, 0x30], "sub ecx,0x30", "'0'"),
    row(&[0x83, 0xf9, 0x09], "cmp ecx,0x9", "is it a digit at all?"),
    row(&[0x77, 0x00], "ja refuse", "unsigned, so a character below '0' is also above 9"),
    row(
        &[0x3d, 0x34, 0x33, 0x33, 0x33],
        "cmp eax,0x33333334",
        "below the tenth part of the least integer?",
    ),
    row(&[0x89, 0xd3], "mov ebx,edx", ""),
    row(&[0x81, 0xdb, 0x33, 0x33, 0x33, 0xf3], "sbb ebx,0xf3333333", ""),
    row(&[0x7c, 0x00], "jl refuse", "more than 64 bits"),
    row(&[0x6b, 0xda, 0x0a], "imul ebx,edx,0xa", "value * 10 ..."),
    row(&[0xba, 0x0a, 0x00, 0x00, 0x00], "mov edx,0xa", ""),
    row(&[0xf7, 0xe2], "mul edx", ""),
    row(&[0x01, 0xda], "add edx,ebx", ""),
    row(&[0x29, 0xc8], "sub eax,ecx", "... - digit"),
    row(&[0x83, 0xda, 0x00], "sbb edx,0x0", ""),
    row(&[0x70, 0x00], "jo refuse", "more than 64 bits"),
    row(&[0x46], "inc esi", "the next character"),
    row(&[0x80, 0x3e, 0x00], "cmp BYTE PTR [esi],0x0", "a zero byte ends the word"),
    row(&[0x75, 0x00], "jne next_digit", ""),
    row(&[0x80, 0x3f, 0x2d], "cmp BYTE PTR [edi],0x2d", "was there a '-'?"),
    row(&[0x74, 0x00], "je read_done", "then the negated value is the value"),
    row(&[0xf7, 0xd8], "neg eax", "else negate it back"),
    row(&[0x83, 0xd2, 0x00], "adc edx,0x0", ""),
    row(&[0xf7, 0xda], "neg edx", ""),
    row(&[0x70, 0x00], "jo refuse", "9223372036854775808 does not fit"),
    at("read_done", &[0x5b], "pop ebx", ""),
    row(&[0x5e], "pop esi", ""),
    row(&[0xc3], "ret", ""),
    at("refuse", &[0xe8, 0x00, 0x00, 0x00, 0x00], "call after_text", "pushes the text's address"),
    row(b"sonc: not a 64-bit integer: ", r#".ascii "sonc: not a 64-bit integer: ""#, "28 bytes"),
];

/// Two more kinds of fields.
pub const WIDE_KINDS: &[Row] = &[
    row(&[0x83, 0xf9, 0x05], "cmp ecx,0x5", "6 and 7 for wide ones"),
    row(&[0x0f, 0x87, 0x00, 0x00, 0x00, 0x00], "ja wide_field", ""),
];

/// Its address is in eax.
pub const WIDE_FIELD: &[Row] = &[
    at("wide_field", &[0x83, 0xf9, 0x06], "cmp ecx,0x6", "an integer of two words?"),
    row(&[0x8b, 0x50, 0x04], "mov edx,DWORD PTR [eax+0x4]", "its high word"),
    row(&[0x74, 0x00], "je both_words", ""),
    row(&[0x31, 0xd2], "xor edx,edx", "a word without a sign"),
    at("both_words", &[0x8b, 0x00], "mov eax,DWORD PTR [eax]", ""),
    row(&[0xb1, 0x0a], "mov cl,0xa", "the line's end"),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call print_wide", ""),
    row(&[0xe9, 0x00, 0x00, 0x00, 0x00], "jmp next_entry", ""),
];

/// Prints edx:eax in decimal and the character cl. It preserves esi and ebp. The file and
/// `WRITE_WIDE` follow.
pub const PRINT_WIDE: &[Row] = &[
    at("print_wide", &[0x55], "push ebp", "the caller's"),
    row(&[0x56], "push esi", ""),
    row(&[0x83, 0xec, 0x20], "sub esp,0x20", "the text"),
    row(&[0x8d, 0x7c, 0x24, 0x1f], "lea edi,[esp+0x1f]", "its last byte"),
    row(&[0x88, 0x0f], "mov BYTE PTR [edi],cl", "the character after the number"),
    row(&[0x89, 0xd5], "mov ebp,edx", "keeps the sign"),
    row(&[0xb9, 0x0a, 0x00, 0x00, 0x00], "mov ecx,0xa", "ten"),
    row(&[0x85, 0xd2], "test edx,edx", ""),
    row(&[0x79, 0x00], "jns put_wide_digit", ""),
    row(&[0xf7, 0xd8], "neg eax", "the least integer stays: unsigned, that is its absolute value"),
    row(&[0x83, 0xd2, 0x00], "adc edx,0x0", ""),
    row(&[0xf7, 0xda], "neg edx", ""),
    at("put_wide_digit", &[0x89, 0xc6], "mov esi,eax", "the low word"),
    row(&[0x89, 0xd0], "mov eax,edx", ""),
    row(&[0x31, 0xd2], "xor edx,edx", ""),
    row(&[0xf7, 0xf1], "div ecx", "the high word first: eax: its tenth part; edx: the rest"),
    row(&[0x96], "xchg esi,eax", ""),
    row(&[0xf7, 0xf1], "div ecx", "the rest and the low word; edx: the last digit"),
    row(&[0x83, 0xc2, 0x30], "add edx,0x30", "'0'"),
    row(&[0x4f], "dec edi", ""),
    row(&[0x88, 0x17], "mov BYTE PTR [edi],dl", "in front of the later ones"),
    row(&[0x89, 0xf2], "mov edx,esi", "edx:eax: the digits before"),
    row(&[0x09, 0xc6], "or esi,eax", ""),
    row(&[0x75, 0x00], "jne put_wide_digit", "until no digits are left; 0 has one"),
    row(&[0x85, 0xed], "test ebp,ebp", ""),
    row(&[0x0f, 0x89, 0x00, 0x00, 0x00, 0x00], "jns put_wide_text", "not negative"),
    row(&[0x4f], "dec edi", ""),
    row(&[0xc6, 0x07, 0x2d], "mov BYTE PTR [edi],0x2d", "'-'"),
];

/// `PRINT_WIDE` prints to this file.
pub const WIDE_OUTPUT: &[Row] =
    &[at("put_wide_text", &[0xbb, 0x01, 0x00, 0x00, 0x00], "mov ebx,0x1", "standard output")];

/// Or to this one.
pub const WIDE_ERRORS: &[Row] =
    &[at("put_wide_text", &[0xbb, 0x02, 0x00, 0x00, 0x00], "mov ebx,0x2", "standard error")];

/// The end of `PRINT_WIDE`.
pub const WRITE_WIDE: &[Row] = &[
    row(&[0x89, 0xf9], "mov ecx,edi", "from the first digit or the sign"),
    row(&[0x8d, 0x54, 0x24, 0x20], "lea edx,[esp+0x20]", "after the last character"),
    row(&[0x29, 0xfa], "sub edx,edi", "the length"),
    row(&[0xe8, 0x00, 0x00, 0x00, 0x00], "call write", ""),
    row(&[0x83, 0xc4, 0x20], "add esp,0x20", ""),
    row(&[0x5e], "pop esi", ""),
    row(&[0x5d], "pop ebp", ""),
    row(&[0xc3], "ret", ""),
];
