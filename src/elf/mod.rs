//! The executable file: our code, wrapped in what the kernel and the tools want to know.
//!
//! An ELF file tells its story twice. *Program headers* tell the kernel which bytes to put where
//! in memory; it reads nothing else. *Section headers* and symbols tell debuggers and
//! disassemblers what those bytes are. Every number of these headers is a `Field` with a name and
//! a reason, and the file is nothing but fields, code and names, one after another.
//!
//! Source: System V ABI, chapters 4 and 5, and its Intel386 supplement.
mod read;
mod write;

pub use read::{Image, read};
pub use write::executable;

use crate::stage::Violation;

/// Some code of the program, under the name by which tools show it.
pub struct Part<'a> {
    pub name: &'a str,
    pub code: &'a [u8],
    /// How `print` shows the code.
    pub listing: &'a str,
}

/// A static executable for IA-32 Linux.
pub struct Executable {
    /// The file.
    pub bytes: Vec<u8>,
    /// The parts, in the order of their addresses.
    pub symbols: Vec<Symbol>,
    chunks: Vec<Chunk>,
}

/// A function and the addresses it occupies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub address: u32,
    /// In bytes.
    pub size: u32,
}

/// A stretch of the file that is shown together.
struct Chunk {
    title: String,
    offset: usize,
    content: Content,
}

enum Content {
    Fields(Vec<Field>),
    Code { listing: String },
    Names(Vec<String>),
}

/// A little-endian number of the file.
struct Field {
    name: &'static str,
    /// In bytes.
    size: usize,
    value: u32,
    why: &'static str,
}

impl Executable {
    /// Every field with its offset, value and reason, and the listings of the parts.
    pub fn print(&self) -> String {
        let mut text = String::new();
        for chunk in &self.chunks {
            text += &format!("{:04x}  {}\n", chunk.offset, chunk.title);
            text += &chunk.print();
        }
        text
    }

    /// Every broken invariant, found by reading the file as the kernel and a debugger would:
    ///
    /// * `readable`: it is an executable for IA-32, and no header points behind its end;
    /// * `same-place-in-page`: file and memory agree, modulo pages, on where a segment begins;
    /// * `write-or-execute`: no segment is both writable and executable;
    /// * `starts-at-first-part`, `symbols-name-parts`, `code-is-executable`: as they say.
    pub fn verify(&self) -> Vec<Violation> {
        let mut broken = Vec::new();
        let mut demand = |invariant, holds: bool, detail: String| {
            if !holds {
                broken.push(Violation { invariant, detail });
            }
        };
        let image = match read(&self.bytes) {
            Ok(image) => image,
            Err(reason) => return vec![Violation { invariant: "readable", detail: reason }],
        };
        for segment in &image.segments {
            let place = format!("segment at {:#010x}", segment.address);
            let offset = segment.offset % write::PAGE;
            demand("same-place-in-page", segment.address % write::PAGE == offset, place.clone());
            demand("write-or-execute", !(segment.writable && segment.executable), place);
        }
        let entry = self.symbols.first().map(|first| first.address);
        demand("starts-at-first-part", entry == Some(image.entry), format!("{:#x}", image.entry));
        demand("symbols-name-parts", image.symbols == self.symbols, format!("{:?}", image.symbols));
        for symbol in &self.symbols {
            let inside = image.segments.iter().any(|segment| segment.holds(symbol));
            demand("code-is-executable", inside, symbol.name.clone());
        }
        broken
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
