//! The bytes of the rows are the instructions of their texts.
use super::*;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter, MemorySizeOptions};

/// The parts of all routines, and whether a compiled function follows.
fn routines() -> impl IntoIterator<Item = (&'static [&'static [Row]], Routine)> {
    [
        (FOR_EACH_WORD, for_each_word()),
        (objects::PARTS, for_each_word_with_heap()),
        (floats::PARTS, for_each_word_with_floats()),
        (values::PARTS, for_each_word_with_heap_and_floats()),
        (arrays::PARTS, for_arrays("int", &Field::Integer { offset: 4 })),
        (wide::PARTS, for_wide_integers()),
        (once::PARTS, once(2, 3)),
        (externals::PRINT_FUNCTION, print_function("write")),
        (externals::TRAP_FUNCTION, trap_function("trap")),
        (reports::PARTS, out_of_bounds_function("index", "a.smp")),
        (reports::PARTS, length_function("length", "a.smp")),
        (reports::WIDE_PARTS, wide_out_of_bounds_function("index", "a.smp")),
        (reports::WIDE_PARTS, wide_length_function("length", "a.smp")),
        (division::QUOTIENT, quotient_function("quotient")),
        (division::REMAINDER, remainder_function("remainder")),
        (stack_guard::FUNCTION, super::stack_guard(false)),
        (stack_guard::FUNCTION_WITH_HEAP, super::stack_guard(true)),
        (stack_guard::WIDE_FUNCTION, wide_stack_guard()),
    ]
}

fn rows(parts: &'static [&'static [Row]]) -> impl Iterator<Item = &'static Row> {
    parts.iter().copied().flatten()
}

#[test]
fn every_row_decodes_to_its_text() {
    for (parts, routine) in routines() {
        let mut offset = 0;
        for row in rows(parts) {
            match row.text.strip_prefix(".ascii ") {
                Some(data) => {
                    assert_eq!(format!("{:?}", str::from_utf8(row.bytes).unwrap()), data);
                    assert_eq!(row.why, format!("{} bytes", row.bytes.len()));
                }
                None => {
                    let bytes = &routine.code[offset..offset + row.bytes.len()];
                    let text = disassemble(bytes, offset, |goal| label(parts, &routine, goal));
                    assert_eq!(text, row.text);
                }
            }
            offset += row.bytes.len();
        }
    }
}

#[test]
fn tables_follow_the_instructions() {
    for (parts, _) in routines() {
        let end: usize = rows(parts).map(|row| row.bytes.len()).sum();
        let mut offset = 0;
        for pair in rows(parts).collect::<Vec<_>>().windows(2) {
            if pair[0].label == "here" {
                let added = pair[1].text.rsplit_once(",0x").map(|it| it.1);
                assert_eq!(added, Some(format!("{:x}", end - offset).as_str()));
            }
            offset += pair[0].bytes.len();
        }
    }
}

#[test]
fn labels_are_unique_and_used() {
    for (parts, _) in routines() {
        let labels: Vec<&str> =
            rows(parts).map(|row| row.label).filter(|it| !it.is_empty()).collect();
        for label in &labels {
            assert_eq!(labels.iter().filter(|it| it == &label).count(), 1, "{label}");
            let used = rows(parts).any(|row| row.text.split(' ').nth(1) == Some(label));
            // External functions only write, and end if that fails.
            assert!(used || *label == "exit", "{label}");
        }
    }
}

#[test]
fn the_stub_initializes_the_heap() {
    let store = format!("mov DWORD PTR [edi],{FIRST_OBJECT:#x}");
    for parts in [objects::PARTS, values::PARTS, arrays::PARTS, wide::PARTS] {
        let texts: Vec<_> = rows(parts).map(|row| row.text).collect();
        let at = texts.iter().position(|text| *text == store).unwrap();
        assert_eq!(texts[at - 1], format!("mov edi,{NEXT_OBJECT:#x}"));
        let request = texts.iter().position(|text| *text == "mov eax,0xc0").unwrap();
        let place = [NEXT_OBJECT, HEAP_SIZE];
        let place = ["ebx", "ecx"].iter().zip(place).map(|(it, at)| format!("mov {it},{at:#x}"));
        assert_eq!(texts[request + 1..][..2], place.collect::<Vec<_>>());
    }
}

#[test]
fn the_listing_shows_every_row() {
    for (parts, routine) in routines() {
        let listing = &routine.listing;
        let lines: Vec<_> = listing.lines().zip(rows(parts)).collect();
        assert_eq!(lines.len(), rows(parts).count());
        assert!(lines.iter().all(|(line, row)| line.contains(row.text)), "{listing}");
    }
    let listing = for_each_word().listing;
    assert!(listing.starts_with("0000                mov ebp,DWORD PTR [esp]"), "{listing}");
    assert!(listing.contains("  next_word:    mov edi,DWORD PTR [esi]"), "{listing}");
}

/// The one instruction in `bytes`, spelled as objdump does, its target by label.
fn disassemble(
    bytes: &[u8],
    offset: usize,
    label: impl Fn(usize) -> Option<&'static str>,
) -> String {
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

/// The label of an offset. A compiled function follows at the end.
fn label(parts: &'static [&'static [Row]], routine: &Routine, goal: usize) -> Option<&'static str> {
    let mut offset = 0;
    for row in rows(parts) {
        if offset == goal && !row.label.is_empty() {
            return Some(row.label);
        }
        offset += row.bytes.len();
    }
    (goal == routine.code.len() && goal.is_multiple_of(16)).then_some("simple")
}
