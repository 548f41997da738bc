//! The start stub: the few instructions between the kernel and the compiled function.
//!
//! Linux starts a process with a stack only: `argc`, then `argc` pointers to the words of the
//! command line, then a null pointer (System V ABI, Intel386 supplement, "Process Initialization").
//! There is no caller to return to and no library. The stub therefore does the work of a C
//! program's library: it reads numbers, calls `simple(int)`, prints the results, and requests the
//! kernel, by `int 0x80`, to write and to exit.
//!
//! Its bytes are constants. They work at any address, because every jump is relative. The compiled
//! function directly follows them, so the distance of the call is constant.
#[cfg(test)]
mod execution;
#[cfg(feature = "ch26")]
mod externals;
#[cfg(feature = "ch12")]
mod floats;
#[cfg(feature = "ch10")]
mod memory_guard;
#[cfg(feature = "ch10")]
mod objects;
#[cfg(feature = "ch26")]
mod once;
mod routines;
mod row;
#[cfg(feature = "ch26")]
mod stack_guard;
#[cfg(feature = "ch12")]
mod values;

#[cfg(feature = "ch26")]
use crate::firm::{External, Signature};
#[cfg(feature = "ch10")]
use crate::heap::ResultFormat;
use elf::Function;
use routines::{ENTRY, PRINT, READ};
use row::{Row, at, row};

/// Machine code that is no compiled function.
pub struct Routine {
    name: &'static str,
    code: Vec<u8>,
    /// Its offsets, instructions and reasons, one line a row.
    listing: String,
}

/// The stub that calls the function for each word of the command line. The function must start at
/// its end.
pub fn for_each_word() -> Routine {
    Routine::new("_start", FOR_EACH_WORD).aligned()
}

/// The same for a program with a heap. The result may be an object.
#[cfg(feature = "ch10")]
pub fn for_each_word_with_heap(result: &ResultFormat) -> Routine {
    match result {
        ResultFormat::Integer => objects::with_texts(&[]),
        #[cfg(feature = "ch12")]
        ResultFormat::Float => values::for_floats(),
        #[cfg(feature = "ch12")]
        ResultFormat::Object(format) if !format.has_integers_only() => values::for_objects(format),
        ResultFormat::Object(format) => objects::with_texts(&objects::texts(format)),
    }
}

/// The same for a program without a heap that returns floats.
#[cfg(feature = "ch12")]
pub fn for_each_word_with_floats() -> Routine {
    Routine::new("_start", floats::PARTS).aligned()
}

/// The stub that calls the function once, with the words of the command line. The function must
/// start at its end.
#[cfg(feature = "ch26")]
pub fn once(signature: Signature) -> Routine {
    let Signature { parameters, results } = signature;
    let mut stub = Routine::new("_start", once::PARTS);
    let text = format!(".long {parameters},{results}");
    stub.listing += &line(stub.code.len(), "", &text, "parameters and results");
    stub.code.extend([parameters, results].into_iter().flat_map(u32::to_le_bytes));
    stub.aligned()
}

/// An external function.
#[cfg(feature = "ch26")]
pub fn external(external: External) -> Routine {
    Routine::new(external.name(), externals::parts(external))
}

impl Routine {
    fn new(name: &'static str, parts: &[&'static [Row]]) -> Routine {
        let (mut code, mut listing) = (Vec::new(), String::new());
        for row in parts.iter().copied().flatten() {
            listing += &line(code.len(), row.label, row.text, row.why);
            code.extend(row.bytes);
        }
        Routine { name, code, listing }
    }

    /// Code begins at multiples of 16, the size in which processors fetch it.
    fn aligned(mut self) -> Routine {
        const NOP: u8 = 0x90;
        self.code.resize(self.code.len().next_multiple_of(16), NOP);
        self
    }

    pub fn function(&self) -> Function<'_> {
        Function { listing: &self.listing, ..Function::new(self.name, &self.code) }
    }
}

fn line(offset: usize, label: &str, text: &str, why: &str) -> String {
    let label = if label.is_empty() { "" } else { &format!("{label}:") };
    let line = format!("{offset:04x}  {label:<13} {text:<30} {why}");
    format!("{}\n", line.trim_end())
}

const FOR_EACH_WORD: &[&[Row]] = &[ENTRY, EACH_WORD, READ, PRINT];

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
    row(&[0xe8, 0xec, 0x00, 0x00, 0x00], "call simple", "it is directly after the stub"),
    row(&[0xb2, 0x0a], "mov dl,0xa", "the line's end"),
    row(&[0xe8, 0x81, 0x00, 0x00, 0x00], "call print", ""),
    row(&[0x4d], "dec ebp", ""),
    row(&[0x7f, 0xe4], "jg next_word", ""),
    row(&[0x31, 0xdb], "xor ebx,ebx", "all is well"),
    row(&[0xe9, 0xd0, 0x00, 0x00, 0x00], "jmp exit", ""),
];

#[cfg(test)]
mod tests;
