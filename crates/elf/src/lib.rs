#![doc = include_str!("../README.md")]
//!
//! An ELF file describes itself twice. *Program headers* say which bytes the kernel maps at which
//! address; it reads nothing else. *Section headers* and symbols say to debuggers and
//! disassemblers which bytes are code and which names they have.
//!
//! Source: System V ABI, chapters 4 and 5, and its Intel386 supplement.
#![warn(missing_docs)]
mod read;
mod write;

pub use read::{Image, ReadError, Segment, read};
pub use write::{executable, place};

/// Machine code, and the name under which tools show it.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The name of its symbol.
    pub name: &'a str,
    /// The bytes.
    pub code: &'a [u8],
    /// The lines that [`Executable::print`] shows for the code.
    pub listing: &'a str,
    /// The bytes that depend on the addresses of functions.
    pub relocations: &'a [Relocation<'a>],
}

impl<'a> Function<'a> {
    /// A function without a listing and without relocations.
    pub fn new(name: &'a str, code: &'a [u8]) -> Function<'a> {
        Function { name, code, listing: "", relocations: &[] }
    }
}

/// Four bytes of a function that depend on the address of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation<'a> {
    /// The offset of the first of the four bytes in the code.
    pub offset: u32,
    /// The name of the function that they refer to.
    pub symbol: &'a str,
    /// The number that they hold.
    pub kind: Target,
}

/// The number that refers to a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Its address, plus the number that the bytes hold before: `R_386_32`.
    Address,
    /// The distance to it from the end of the four bytes: `R_386_PC32` with the addend -4.
    Distance,
}

/// A static executable for IA-32 Linux.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The file.
    pub bytes: Vec<u8>,
    /// The functions, in the order of their addresses.
    pub symbols: Vec<Symbol>,
    chunks: Vec<Chunk>,
}

/// A function and the addresses it occupies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name of the function.
    pub name: String,
    /// The address of its first instruction.
    pub address: u32,
    /// Its size in bytes.
    pub size: u32,
}

/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Defect {
    /// The name of the invariant, as [`Executable::verify`] lists it.
    pub invariant: &'static str,
    /// The values that violate it.
    pub detail: String,
}

/// A range of the file that is printed under one title.
#[derive(Clone, Debug)]
struct Chunk {
    title: String,
    offset: usize,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Fields(Vec<Field>),
    Code { listing: String },
    Names(Vec<String>),
}

/// A little-endian number of the file.
#[derive(Clone, Copy, Debug)]
struct Field {
    name: &'static str,
    /// In bytes.
    size: usize,
    value: u32,
    why: &'static str,
}

impl Executable {
    /// Every field with its offset, value and reason, and the listings of the functions.
    pub fn print(&self) -> String {
        let mut text = String::new();
        for chunk in &self.chunks {
            text += &format!("{:04x}  {}\n", chunk.offset, chunk.title);
            text += &chunk.print();
        }
        text
    }

    /// Every violated invariant, found by reading the file as the kernel and a debugger would:
    ///
    /// * `readable`: it is an executable for IA-32, and no header points after its end;
    /// * `same-place-in-page`: file offset and address of a segment are equal modulo pages;
    /// * `write-or-execute`: no segment is both writable and executable;
    /// * `starts-at-first-function`: the entry is the address of the first function;
    /// * `symbols-name-functions`: the symbol table holds exactly the functions;
    /// * `code-is-executable`: each function is in an executable segment.
    pub fn verify(&self) -> Vec<Defect> {
        let mut defects = Vec::new();
        let mut check = |invariant, holds: bool, detail: String| {
            if !holds {
                defects.push(Defect { invariant, detail });
            }
        };
        let image = match read(&self.bytes) {
            Ok(image) => image,
            Err(error) => {
                return vec![Defect { invariant: "readable", detail: error.to_string() }];
            }
        };
        for segment in &image.segments {
            let detail = format!("segment at {:#010x}", segment.address);
            let offset = segment.offset % write::PAGE;
            check("same-place-in-page", segment.address % write::PAGE == offset, detail.clone());
            check("write-or-execute", !(segment.writable && segment.executable), detail);
        }
        let entry = self.symbols.first().map(|first| first.address);
        let symbols = image.symbols == self.symbols;
        check(
            "starts-at-first-function",
            entry == Some(image.entry),
            format!("{:#x}", image.entry),
        );
        check("symbols-name-functions", symbols, format!("{:?}", image.symbols));
        for symbol in &self.symbols {
            let inside = image.segments.iter().any(|segment| segment.holds(symbol));
            check("code-is-executable", inside, symbol.name.clone());
        }
        defects
    }
}

impl Chunk {
    fn print(&self) -> String {
        match &self.content {
            Content::Fields(fields) => {
                let mut offset = self.offset;
                let mut text = String::new();
                for field in fields {
                    text += &field.print(offset);
                    offset += field.size;
                }
                text
            }
            Content::Code { listing } => {
                listing.lines().map(|line| format!("      {line}\n")).collect()
            }
            Content::Names(names) => names.iter().map(|name| format!("      {name:?}\n")).collect(),
        }
    }
}

impl Field {
    fn print(&self, offset: usize) -> String {
        let value = format!("{:#0width$x}", self.value, width = 2 + 2 * self.size.min(4));
        let line = format!("{offset:04x}    {:<13} {value:<10}  {}", self.name, self.why);
        format!("{}\n", line.trim_end())
    }
}
