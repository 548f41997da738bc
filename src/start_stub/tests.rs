//! Tests of `start_stub`.
use super::*;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter, MemorySizeOptions};

#[test]
fn every_row_decodes_to_its_text() {
    let mut offset = 0;
    for row in rows() {
        match row.text.strip_prefix(".ascii ") {
            Some(data) => assert_eq!(format!("{:?}", str::from_utf8(row.bytes).unwrap()), data),
            None => assert_eq!(disassemble(row.bytes, offset), row.text),
        }
        offset += row.bytes.len();
    }
}

#[test]
fn the_call_reaches_the_function() {
    assert_eq!(target("simple"), Some(code().len()));
    assert_eq!(code().len() % ALIGN, 0);
}

#[test]
fn labels_are_unique_and_used() {
    let labels: Vec<&str> = rows().map(|row| row.label).filter(|it| !it.is_empty()).collect();
    for label in &labels {
        assert_eq!(labels.iter().filter(|it| it == &label).count(), 1, "{label}");
        let used = rows().any(|row| row.text.split(' ').nth(1) == Some(label));
        assert!(used, "{label}");
    }
}

#[test]
fn the_listing_shows_every_row() {
    let listing = listing();
    assert_eq!(listing.lines().count(), rows().count());
    assert!(listing.starts_with("0000                mov ebp,DWORD PTR [esp]"), "{listing}");
    assert!(listing.contains("  next_word:    mov edi,DWORD PTR [esi]"), "{listing}");
}

/// The one instruction in `bytes`, spelled as objdump does, its target by label.
fn disassemble(bytes: &[u8], offset: usize) -> String {
    let mut decoder = Decoder::with_ip(32, bytes, offset as u64, DecoderOptions::NONE);
    let instruction = decoder.decode();
    assert_eq!(instruction.len(), bytes.len(), "one instruction a row: {bytes:02x?}");
    let mut text = String::new();
    objdump_style().format(&instruction, &mut text);
    if instruction.near_branch_target() == 0 {
        return text;
    }
    let goal = instruction.near_branch_target() as usize;
    let (mnemonic, _) = text.split_once(' ').unwrap();
    format!("{mnemonic} {}", label(goal).unwrap_or_else(|| panic!("no label at {goal:#x}")))
}

fn objdump_style() -> IntelFormatter {
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_small_hex_numbers_in_decimal(false);
    options.set_uppercase_keywords(true);
    options.set_use_pseudo_ops(false); // `imul eax,eax,0xa`, all three operands
    options.set_memory_size_options(MemorySizeOptions::Always);
    formatter
}

fn label(goal: usize) -> Option<&'static str> {
    let mut offset = 0;
    for row in rows() {
        if offset == goal && !row.label.is_empty() {
            return Some(row.label);
        }
        offset += row.bytes.len();
    }
    (goal == code().len()).then_some("simple")
}

/// The target of the jump or call to `name`.
fn target(name: &str) -> Option<usize> {
    let at = rows().position(|row| row.text.split(' ').nth(1) == Some(name))?;
    let offset: usize = rows().take(at).map(|row| row.bytes.len()).sum();
    let bytes = rows().nth(at)?.bytes;
    let mut decoder = Decoder::with_ip(32, bytes, offset as u64, DecoderOptions::NONE);
    Some(decoder.decode().near_branch_target() as usize)
}
