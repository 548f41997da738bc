//! Tests of `read.rs`.
use super::super::{Function, executable};
use super::*;

fn sample() -> Vec<u8> {
    let first = Function::new("_start", &[0x90; 16]);
    executable(&[first, Function::new("simple", &[0xc3])]).bytes
}

#[test]
fn the_reader_reads_the_written_file() {
    let file = sample();
    let image = read(&file).unwrap();
    assert_eq!(image.segments.len(), 1);
    assert_eq!(image.segments[0].address, image.entry);
    assert_eq!(image.segments[0].bytes.len(), 17);
    let names: Vec<_> = image.symbols.iter().map(|it| (&it.name[..], it.size)).collect();
    assert_eq!(names, [("_start", 16), ("simple", 1)]);
}

#[test]
fn a_truncated_file_is_an_error_or_has_no_symbols() {
    let file = sample();
    for end in 0..file.len() {
        if let Ok(image) = read(&file[..end]) {
            assert!(end >= 128 + 17 && image.symbols.is_empty(), "{end}");
        }
    }
}

#[test]
fn no_changed_byte_makes_the_reader_panic() {
    let file = sample();
    for at in 0..file.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[at] = byte;
            if let Ok(image) = read(&changed) {
                assert!(image.segments.len() <= 2, "{at}");
            }
        }
    }
}
