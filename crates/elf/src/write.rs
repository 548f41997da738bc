//! Writes an executable: the layout first, then every field in the order of the file.
use super::{Chunk, Content, Executable, Field, Function, Symbol, Target};
use std::collections::HashMap;

/// The address of the file's first byte in memory, by convention.
const BASE: u32 = 0x0804_8000;
/// The size of a page: memory is mapped in such units.
pub const PAGE: u32 = 4096;
/// The sizes of the headers, in bytes.
const FILE_HEADER: u32 = 52;
const PROGRAM_HEADER: u32 = 32;
const SECTION_HEADER: u32 = 40;
const SYMBOL: u32 = 16;
/// The numbers of headers.
const PROGRAM_HEADERS: u32 = 2;
const SECTION_HEADERS: u32 = 5;

/// An executable of `functions`, which are laid out in this order without gaps, so a call from one
/// to another keeps its distance. Execution starts at the first byte of the first function.
///
/// # Panics
/// If a relocation names no function, or is not inside its function.
pub fn executable(functions: &[Function]) -> Executable {
    let layout = Layout::new(functions);
    let (symbols, text) = place(functions, BASE + layout.text);
    let mut file = File::default();
    file.fields("file header", layout.file_header());
    file.fields("program header: the text", layout.text_segment());
    file.fields("program header: the stack", stack_segment());
    file.align(layout.text);
    for (function, symbol) in functions.iter().zip(&symbols) {
        let first = (symbol.address - symbols[0].address) as usize;
        file.code(function, symbol, &text[first..first + symbol.size as usize]);
    }
    file.align(layout.symbols);
    file.fields("no symbol", unused(SYMBOL));
    for (symbol, name) in symbols.iter().zip(&layout.symbol_names.starts) {
        file.fields(format!("symbol {}", symbol.name), symbol_fields(symbol, *name));
    }
    file.names("names of symbols", &layout.symbol_names);
    file.names("names of sections", &layout.section_names);
    file.align(layout.sections);
    file.fields("no section", unused(SECTION_HEADER));
    for (section, name) in layout.section_rows().iter().zip(&layout.section_names.starts) {
        file.fields(format!("section {}", section.name), section.fields(*name));
    }
    Executable { bytes: file.bytes, symbols, chunks: file.chunks }
}

/// Offsets and sizes of all parts of the file, in bytes.
struct Layout {
    text: u32,
    text_size: u32,
    symbols: u32,
    symbols_size: u32,
    symbol_names: StringTable,
    section_names: StringTable,
    sections: u32,
}

impl Layout {
    fn new(functions: &[Function]) -> Layout {
        let text = (FILE_HEADER + PROGRAM_HEADERS * PROGRAM_HEADER).next_multiple_of(16);
        let text_size: u32 = functions.iter().map(|function| size(function.code)).sum();
        let symbols = (text + text_size).next_multiple_of(4);
        let symbols_size = SYMBOL * (1 + size(functions));
        let symbol_names = StringTable::new(functions.iter().map(|function| function.name));
        let section_names = StringTable::new([".text", ".symtab", ".strtab", ".shstrtab"]);
        let names_size = symbol_names.size() + section_names.size();
        let sections = (symbols + symbols_size + names_size).next_multiple_of(4);
        Layout { text, text_size, symbols, symbols_size, symbol_names, section_names, sections }
    }

    fn file_header(&self) -> Vec<Field> {
        vec![
            field("EI_MAG", 4, u32::from_le_bytes(*b"\x7fELF"), "\"\\x7fELF\", backwards"),
            field("EI_CLASS", 1, 1, "32 bits"),
            field("EI_DATA", 1, 1, "little-endian"),
            field("EI_VERSION", 1, 1, "there is only one"),
            field("EI_OSABI", 1, 0, "System V"),
            field("EI_PAD", 8, 0, "unused"),
            field("e_type", 2, 2, "an executable whose addresses are fixed"),
            field("e_machine", 2, 3, "IA-32"),
            field("e_version", 4, 1, "there is only one"),
            field("e_entry", 4, BASE + self.text, "the address of the first instruction"),
            field("e_phoff", 4, FILE_HEADER, "the offset of the program headers"),
            field("e_shoff", 4, self.sections, "the offset of the section headers"),
            field("e_flags", 4, 0, "IA-32 has none"),
            field("e_ehsize", 2, FILE_HEADER, "the size of this header"),
            field("e_phentsize", 2, PROGRAM_HEADER, "the size of a program header"),
            field("e_phnum", 2, PROGRAM_HEADERS, "how many there are"),
            field("e_shentsize", 2, SECTION_HEADER, "the size of a section header"),
            field("e_shnum", 2, SECTION_HEADERS, "how many there are"),
            field("e_shstrndx", 2, 4, "the section with the sections' names"),
        ]
    }

    fn text_segment(&self) -> Vec<Field> {
        vec![
            field("p_type", 4, 1, "load this part of the file"),
            field("p_offset", 4, self.text, "its offset in the file"),
            field("p_vaddr", 4, BASE + self.text, "its address, at the same offset in its page"),
            field("p_paddr", 4, BASE + self.text, "unused"),
            field("p_filesz", 4, self.text_size, "its size in the file"),
            field("p_memsz", 4, self.text_size, "its size in memory"),
            field("p_flags", 4, 5, "readable (4) and executable (1), not writable (2)"),
            field("p_align", 4, PAGE, "the size of a page"),
        ]
    }

    fn section_rows(&self) -> [Section; 4] {
        let symbol_names = self.symbols + self.symbols_size;
        let section_names = symbol_names + self.symbol_names.size();
        let symbols = Section {
            link: 3, // the section with the symbols' names
            info: 1, // the first symbol that other files may see
            align: 4,
            entry_size: SYMBOL,
            ..Section::new(".symtab", 2, self.symbols, self.symbols_size)
        };
        [
            Section {
                flags: 6, // in memory (2), executable (4)
                address: BASE + self.text,
                align: 16,
                ..Section::new(".text", 1, self.text, self.text_size)
            },
            symbols,
            Section::new(".strtab", 3, symbol_names, self.symbol_names.size()),
            Section::new(".shstrtab", 3, section_names, self.section_names.size()),
        ]
    }
}

/// A stack that is not executable. Without this header, older kernels make it executable.
fn stack_segment() -> Vec<Field> {
    vec![
        field("p_type", 4, 0x6474_e551, "the properties of the stack"),
        field("p_offset ...", 20, 0, "no bytes of the file"),
        field("p_flags", 4, 6, "readable (4) and writable (2), not executable (1)"),
        field("p_align", 4, 16, "as the ABI guarantees anyway"),
    ]
}

struct Section {
    name: &'static str,
    kind: u32,
    flags: u32,
    address: u32,
    offset: u32,
    size: u32,
    link: u32,
    info: u32,
    align: u32,
    entry_size: u32,
}

impl Section {
    fn new(name: &'static str, kind: u32, offset: u32, size: u32) -> Section {
        let (flags, address, link, info, align, entry_size) = (0, 0, 0, 0, 1, 0);
        Section { name, kind, flags, address, offset, size, link, info, align, entry_size }
    }

    fn fields(&self, name: u32) -> Vec<Field> {
        vec![
            field("sh_name", 4, name, "the offset of its name"),
            field("sh_type", 4, self.kind, "1: bytes of the program, 2: symbols, 3: names"),
            field("sh_flags", 4, self.flags, "2: is in memory, 4: is executable"),
            field("sh_addr", 4, self.address, "its address"),
            field("sh_offset", 4, self.offset, "its offset in the file"),
            field("sh_size", 4, self.size, "its size"),
            field("sh_link", 4, self.link, "of symbols: the section with their names"),
            field("sh_info", 4, self.info, "of symbols: the first that is global"),
            field("sh_addralign", 4, self.align, "its address is divisible by this"),
            field("sh_entsize", 4, self.entry_size, "of symbols: the size of one"),
        ]
    }
}

/// The symbols and the bytes of `functions`, laid out without gaps from an address on.
///
/// # Panics
/// If a relocation names no function, or is not inside its function.
pub fn place(functions: &[Function], mut address: u32) -> (Vec<Symbol>, Vec<u8>) {
    let (mut symbols, mut text) = (Vec::new(), Vec::new());
    for function in functions {
        let size = size(function.code);
        symbols.push(Symbol { name: function.name.into(), address, size });
        text.extend_from_slice(function.code);
        address += size;
    }
    let addresses: HashMap<&str, u32> =
        symbols.iter().map(|symbol| (&symbol.name[..], symbol.address)).collect();
    let mut first = 0;
    for (function, symbol) in functions.iter().zip(&symbols) {
        let code = &mut text[first..first + function.code.len()];
        for relocation in function.relocations {
            let target = addresses[relocation.symbol];
            let offset = relocation.offset as usize;
            let bytes = &mut code[offset..offset + 4];
            let number = match relocation.kind {
                Target::Address => {
                    let addend = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                    target.wrapping_add(addend)
                }
                Target::Distance => target.wrapping_sub(symbol.address + relocation.offset + 4),
            };
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        first += code.len();
    }
    (symbols, text)
}

fn symbol_fields(symbol: &Symbol, name: u32) -> Vec<Field> {
    vec![
        field("st_name", 4, name, "the offset of its name"),
        field("st_value", 4, symbol.address, "its address"),
        field("st_size", 4, symbol.size, "its size"),
        field("st_info", 1, 0x12, "a function (2), global (1)"),
        field("st_other", 1, 0, "visible to all"),
        field("st_shndx", 2, 1, "in section 1, .text"),
    ]
}

/// The first entry of a table, which means "none".
fn unused(size: u32) -> Vec<Field> {
    vec![field("...", size as usize, 0, "entry 0 of the table means none")]
}

const fn field(name: &'static str, size: usize, value: u32, why: &'static str) -> Field {
    Field { name, size, value, why }
}

/// Strings that end with a zero byte. Headers refer to them by their offsets.
struct StringTable {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl StringTable {
    /// The first string is empty: offset 0 means no name.
    fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> StringTable {
        let mut table = StringTable { bytes: vec![0], starts: Vec::new() };
        for name in names {
            table.starts.push(table.size());
            table.bytes.extend(name.bytes().chain([0]));
        }
        table
    }

    fn size(&self) -> u32 {
        size(&self.bytes)
    }
}

fn size<T>(values: &[T]) -> u32 {
    u32::try_from(values.len()).expect("a program is smaller than its address space")
}

/// The bytes written so far.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    chunks: Vec<Chunk>,
}

impl File {
    fn fields(&mut self, title: impl Into<String>, fields: Vec<Field>) {
        let offset = self.bytes.len();
        for field in &fields {
            let end = self.bytes.len() + field.size;
            let digits = field.value.to_le_bytes();
            self.bytes.extend(&digits[..field.size.min(digits.len())]);
            self.bytes.resize(end, 0);
        }
        self.chunk(title.into(), offset, Content::Fields(fields));
    }

    fn code(&mut self, function: &Function, symbol: &Symbol, code: &[u8]) {
        let title = format!("{}, at {:#x} in memory", function.name, symbol.address);
        let listing = function.listing.into();
        self.chunk(title, self.bytes.len(), Content::Code { listing });
        self.bytes.extend(code);
    }

    fn names(&mut self, title: &str, names: &StringTable) {
        let text = String::from_utf8_lossy(&names.bytes);
        let content = text.split_terminator('\0').map(String::from).collect();
        self.chunk(title.into(), self.bytes.len(), Content::Names(content));
        self.bytes.extend(&names.bytes);
    }

    fn align(&mut self, offset: u32) {
        self.bytes.resize(offset as usize, 0);
    }

    fn chunk(&mut self, title: String, offset: usize, content: Content) {
        self.chunks.push(Chunk { title, offset, content });
    }
}

#[cfg(test)]
#[path = "tests/write.rs"]
mod tests;
