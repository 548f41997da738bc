//! Tests of `write.rs`.
use super::*;
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

const RETURN_42: &[u8] = &[0xb8, 42, 0, 0, 0, 0xc3];

fn sample() -> Executable {
    let start = Function { listing: "nop", ..Function::new("_start", &[0x90; 16]) };
    executable(&[start, Function { listing: "mov\nret", ..Function::new("simple", RETURN_42) }])
}

#[test]
fn another_reader_finds_text_and_symbols() {
    let executable = sample();
    let file: ElfFile32 = ElfFile32::parse(&executable.bytes[..]).unwrap();
    let text = file.section_by_name(".text").unwrap();
    assert_eq!(text.kind(), SectionKind::Text);
    assert_eq!(text.address(), file.entry());
    assert_eq!(text.data().unwrap(), [&[0x90; 16], RETURN_42].concat());
    let symbols: Vec<_> = file.symbols().filter(|it| it.kind() == SymbolKind::Text).collect();
    let simple = symbols.iter().find(|it| it.name() == Ok("simple")).unwrap();
    assert_eq!((simple.address(), simple.size()), (file.entry() + 16, 6));
    assert!(simple.is_global() && simple.is_definition());
    assert_eq!(symbols.len(), 2);
    assert_eq!(file.sections().count(), 4);
}

#[test]
fn another_reader_finds_no_segment_that_is_writable_and_executable() {
    let executable = sample();
    let file: ElfFile32 = ElfFile32::parse(&executable.bytes[..]).unwrap();
    let rows: Vec<_> = file
        .elf_program_headers()
        .iter()
        .map(|it| (it.p_type(file.endian()), it.p_flags(file.endian())))
        .collect();
    let (read, write, execute) = (object::elf::PF_R, object::elf::PF_W, object::elf::PF_X);
    let load = (object::elf::PT_LOAD, read | execute);
    assert_eq!(rows, [load, (object::elf::PT_GNU_STACK, read | write)]);
}

#[test]
fn headers_have_the_sizes_of_the_abi() {
    let executable = sample();
    let sizes: Vec<u32> = executable
        .chunks
        .iter()
        .filter_map(|chunk| match &chunk.content {
            Content::Fields(fields) => Some(fields.iter().map(|it| it.size as u32).sum()),
            Content::Code { .. } | Content::Names(_) => None,
        })
        .collect();
    let expected = [
        &[FILE_HEADER][..],
        &[PROGRAM_HEADER; PROGRAM_HEADERS as usize],
        &[SYMBOL; 3],
        &[SECTION_HEADER; SECTION_HEADERS as usize],
    ];
    assert_eq!(sizes, expected.concat());
}

#[test]
fn the_print_shows_fields_and_code() {
    let text = sample().print();
    for line in [
        "0000  file header",
        "0018    e_entry       0x08048080  the address of the first instruction",
        "0090  simple, at 0x8048090 in memory\n      mov\n      ret",
        "      \"_start\"",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn defects_are_found() {
    assert_eq!(sample().verify(), []);
    let mut executable = sample();
    executable.symbols[1].size += 1;
    let defects: Vec<_> = executable.verify().iter().map(|it| it.invariant).collect();
    assert_eq!(defects, ["symbols-name-functions", "code-is-executable"]);
    executable.bytes[52 + 24] = 7; // p_flags of the first program header
    assert_eq!(executable.verify()[0].invariant, "write-or-execute");
    executable.bytes.truncate(100);
    assert_eq!(executable.verify()[0].invariant, "readable");
}
