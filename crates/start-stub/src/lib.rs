#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
//! # How it works
//!
//! Linux starts a process with a stack only: `argc`, then `argc` pointers to the words of the
//! command line, then a null pointer (System V ABI, Intel386 supplement, "Process Initialization").
//! There is no caller to return to and no library. The stub therefore does the work of a C
//! program's library: it reads numbers, calls `simple(int)`, prints the results, and requests the
//! kernel, by `int 0x80`, to write and to exit.
//!
//! Its bytes are constants. They work at any address, because every jump is relative. The compiled
//! function directly follows them, so the distance of the call is constant.
mod arrays;
mod division;
#[cfg(test)]
mod execution;
mod externals;
mod floats;
mod memory_guard;
mod objects;
mod once;
mod reports;
mod routines;
mod row;
mod stack_guard;
mod values;
mod wide;

pub use values::Field;

use elf::Function;
use routines::{ENTRY, OUTPUT, PRINT, READ, REFUSED, WRITE};
use row::{Row, at, row};
use std::collections::HashMap;

/// The address of the word with the address of the next object, where a heap begins. The stubs of
/// programs with a heap initialize this word before each call.
pub const NEXT_OBJECT: u32 = 0x1000_0000;

/// The bytes of the heap, which begins with this word. The stubs request them from the kernel.
pub const HEAP_SIZE: u32 = 0x1000_0000;

/// The address of the first object.
pub const FIRST_OBJECT: u32 = 0x1000_0010;

/// Machine code that is no compiled function.
pub struct Routine {
    name: &'static str,
    code: Vec<u8>,
    /// Its offsets, instructions and reasons, one line a row.
    listing: String,
    /// The ends of the calls of the compiled function, which is at the end.
    calls: Vec<usize>,
}

/// The stub that calls the function for each word of the command line. The function must start at
/// its end.
#[must_use]
pub fn for_each_word() -> Routine {
    Routine::new("_start", FOR_EACH_WORD).aligned()
}

/// The same for a function that returns a floating-point number, in xmm0.
#[must_use]
pub fn for_each_word_with_floats() -> Routine {
    Routine::new("_start", floats::PARTS).aligned()
}

/// The same for a program with a heap whose function returns an integer.
#[must_use]
pub fn for_each_word_with_heap() -> Routine {
    for_objects(&[])
}

/// The same for a program with a heap whose function returns a floating-point number.
#[must_use]
pub fn for_each_word_with_heap_and_floats() -> Routine {
    values::for_floats()
}

/// The same for a function that returns the address of an object, or 0, which is printed as `null`.
/// The fields are integers, one word each, and printed between these texts, each with a line's end.
#[must_use]
pub fn for_objects(texts: &[String]) -> Routine {
    objects::with_texts(texts)
}

/// The same for objects with these fields. The first text is printed before the fields, the others
/// after one each; a line's end follows each field.
#[must_use]
pub fn for_objects_with_fields(texts: &[String], fields: &[Field]) -> Routine {
    values::for_objects(texts, fields)
}

/// The same for a function that returns the address of an array, or 0, which is printed as `null`.
/// The array begins with its length. The elements follow one another from `element`'s offset on.
/// The type of the elements has the name `element_name`.
#[must_use]
pub fn for_arrays(element_name: &str, element: &Field) -> Routine {
    arrays::with_elements(arrays::PARTS, element_name, element)
}

/// The same for an array of bytes: a text of as many characters, which a line's end follows.
#[must_use]
pub fn for_texts() -> Routine {
    arrays::text_with(arrays::PARTS)
}

/// The stub for a program with a heap whose argument has two words, as its result.
#[must_use]
pub fn for_wide_integers() -> Routine {
    wide::for_integers()
}

/// The same for a result that is a floating-point number.
#[must_use]
pub fn for_wide_floats() -> Routine {
    values::floats_with(wide::PARTS)
}

/// The same for objects, as `for_objects_with_fields`.
#[must_use]
pub fn for_wide_objects(texts: &[String], fields: &[Field]) -> Routine {
    values::objects_with(wide::PARTS, texts, fields)
}

/// The same for arrays, as `for_arrays`.
#[must_use]
pub fn for_wide_arrays(element_name: &str, element: &Field) -> Routine {
    arrays::with_elements(wide::PARTS, element_name, element)
}

/// The same for texts, as `for_texts`.
#[must_use]
pub fn for_wide_texts() -> Routine {
    arrays::text_with(wide::PARTS)
}

/// The stub that calls a function once, with the words of the command line. The function must start
/// at its end.
#[must_use]
pub fn once(parameters: u32, results: u32) -> Routine {
    let mut stub = Routine::new("_start", once::PARTS);
    let text = format!(".long {parameters},{results}");
    stub.listing += &line(stub.code.len(), "", &text, "parameters and results");
    stub.code.extend([parameters, results].into_iter().flat_map(u32::to_le_bytes));
    stub.aligned()
}

/// A function between the stub and a program whose functions call each other: a full stack is
/// reported, and the program ends with status 1. The program must start at its end.
#[must_use]
pub fn stack_guard(has_heap: bool) -> Routine {
    let parts = if has_heap { stack_guard::FUNCTION_WITH_HEAP } else { stack_guard::FUNCTION };
    Routine::new("guard", parts).aligned()
}

/// The same for a program with a heap whose argument and result have two words.
#[must_use]
pub fn wide_stack_guard() -> Routine {
    Routine::new("guard", stack_guard::WIDE_FUNCTION).aligned()
}

/// A function for compiled code that prints its first argument, a number, and its second one, a
/// character, and returns 0.
#[must_use]
pub fn print_function(name: &'static str) -> Routine {
    Routine::new(name, externals::PRINT_FUNCTION)
}

/// A function for compiled code that reports a division that is not defined, and ends the program.
#[must_use]
pub fn trap_function(name: &'static str) -> Routine {
    Routine::new(name, externals::TRAP_FUNCTION)
}

/// A function for compiled code that reports an index outside of an array, and ends the program.
/// Its arguments are a line and a column of `file`, the index, and the length of the array.
#[must_use]
pub fn out_of_bounds_function(name: &'static str, file: &str) -> Routine {
    reports::out_of_bounds(name, file, 1)
}

/// The same for an index of two words, the low one first.
#[must_use]
pub fn wide_out_of_bounds_function(name: &'static str, file: &str) -> Routine {
    reports::out_of_bounds(name, file, 2)
}

/// A function for compiled code that reports a length that no array has, and ends the program. Its
/// arguments are a line and a column of `file`, and the length.
#[must_use]
pub fn length_function(name: &'static str, file: &str) -> Routine {
    reports::length(name, file, 1)
}

/// The same for a length of two words, the low one first.
#[must_use]
pub fn wide_length_function(name: &'static str, file: &str) -> Routine {
    reports::length(name, file, 2)
}

/// A function for compiled code: the quotient of two integers of two words each, the low one first.
/// The high word of the result is in the caller's word after the arguments.
#[must_use]
pub fn quotient_function(name: &'static str) -> Routine {
    Routine::new(name, division::QUOTIENT)
}

/// The remainder of the same division, with the sign of the dividend.
#[must_use]
pub fn remainder_function(name: &'static str) -> Routine {
    Routine::new(name, division::REMAINDER)
}

/// Code begins at multiples of 16, the size in which processors fetch it.
const ALIGNMENT: usize = 16;

/// The label of the compiled function.
const COMPILED: &str = "simple";

impl Routine {
    /// The instructions of all parts, with the distances to the targets of jumps.
    fn new(name: &'static str, parts: &[&'static [Row]]) -> Routine {
        let rows = || parts.iter().copied().flatten();
        let (mut labels, mut end) = (HashMap::new(), 0);
        for row in rows() {
            labels.insert(row.label, end);
            end += row.bytes.len();
        }
        let (mut code, mut listing, mut calls) = (Vec::new(), String::new(), Vec::new());
        for row in rows() {
            listing += &line(code.len(), row.label, row.text, row.why);
            code.extend(row.bytes);
            match row.target().map(|it| (it, labels.get(it))) {
                Some((_, Some(&target))) => {
                    let bytes = if row.bytes.len() == 2 { 1 } else { 4 };
                    set_distance(&mut code, bytes, target);
                }
                Some((COMPILED, None)) => calls.push(code.len()),
                _ => {}
            }
        }
        Routine { name, code, listing, calls }
    }

    /// The routine up to the next multiple of `ALIGNMENT`, where the compiled function starts.
    fn aligned(mut self) -> Routine {
        const NOP: u8 = 0x90;
        let end = self.code.len().next_multiple_of(ALIGNMENT);
        for &after in &self.calls {
            set_distance(&mut self.code[..after], 4, end);
        }
        self.code.resize(end, NOP);
        self
    }

    /// The routine as a part of an executable.
    #[must_use]
    pub fn function(&self) -> Function<'_> {
        Function { listing: &self.listing, ..Function::new(self.name, &self.code) }
    }
}

/// Sets the distance from the end of an instruction to its target, the last bytes of it.
fn set_distance(code: &mut [u8], bytes: usize, target: usize) {
    let distance = (target as i32 - code.len() as i32).to_le_bytes();
    let at = code.len() - bytes;
    code[at..].copy_from_slice(&distance[..bytes]);
}

fn line(offset: usize, label: &str, text: &str, why: &str) -> String {
    let label = if label.is_empty() { "" } else { &format!("{label}:") };
    let line = format!("{offset:04x}  {label:<13} {text:<30} {why}");
    format!("{}\n", line.trim_end())
}

const FOR_EACH_WORD: &[&[Row]] = &[ENTRY, EACH_WORD, READ, REFUSED, PRINT, OUTPUT, WRITE];

/// `simple` must preserve esi, ebp, ebx and edi.
const EACH_WORD: &[Row] = &[
    row(&[0x83, 0xec, 0x10], "sub esp,0x10", "[esp]: the argument"),
    row(&[0x31, 0xc0], "xor eax,eax", "without any word the argument is 0"),
    row(&[0x4d], "dec ebp", "the number of words"),
    row(&[0x7e, 0x0a], "jle run", "signed: argc may even be 0"),
    at("next_word", &[0x8b, 0x3e], "mov edi,DWORD PTR [esi]", "the word's text"),
    row(&[0x83, 0xc6, 0x04], "add esi,0x4", "on to the one after it"),
    row(&[0xe8, 0x19, 0x00, 0x00, 0x00], "call read", ""),
    // Call the compiled function: cdecl, its argument is on top of the stack.
    at("run", &[0x89, 0x04, 0x24], "mov DWORD PTR [esp],eax", "the argument"),
    row(&[0xe8, 0xfc, 0x00, 0x00, 0x00], "call simple", "it is directly after the stub"),
    row(&[0xb2, 0x0a], "mov dl,0xa", "the line's end"),
    row(&[0xe8, 0x86, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0x4d], "dec ebp", ""),
    row(&[0x7f, 0xe4], "jg next_word", ""),
    row(&[0x31, 0xdb], "xor ebx,ebx", "all is well"),
    row(&[0xe9, 0xd5, 0x00, 0x00, 0x00], "jmp exit", ""),
];

#[cfg(test)]
mod tests;
