//! Tests of `memory.rs`.
use super::*;

const ALL: [Size; 4] = [Size::Byte, Size::Half, Size::Word, Size::Double];

fn segment(start: u32, size: u64, content: Content) -> Segment {
    Segment { start, size, content, writable: true }
}

fn memory(segments: &[Segment]) -> Memory {
    Memory::new(segments.to_vec()).expect("they do not overlap")
}

#[track_caller]
fn faults<T: fmt::Debug>(result: Result<T, Fault>, expected: &str) {
    assert_eq!(result.expect_err("a fault").to_string(), expected);
}

#[test]
fn numbers_are_little_endian() {
    let mut memory = memory(&[segment(0x1000, 5, Content::Zero)]);
    memory.fill(0x1000, &[1, 2, 3, 4, 0x85]).expect("it fits");
    assert_eq!(memory.load(0x1001, Size::Word), Ok(0x8504_0302));
    assert_eq!(memory.load_signed(0x1001, Size::Word), Ok(0x8504_0302 - (1 << 32)));
    assert_eq!(memory.load(0x1004, Size::Byte), Ok(0x85));
    assert_eq!(memory.load_signed(0x1004, Size::Byte), Ok(-123));
    assert_eq!(memory.bytes(0x1002, 3), Ok(vec![3, 4, 0x85]));
}

#[test]
fn an_access_is_in_one_segment() {
    let mut memory =
        memory(&[segment(0x1000, 5, Content::Zero), segment(0xffff_fff0, 16, Content::Zero)]);
    faults(memory.load(0x1002, Size::Word), "read of 4 bytes at 0x00001002 outside any segment");
    faults(
        memory.load(0xffff_fffd, Size::Word),
        "read of 4 bytes at 0xfffffffd outside any segment",
    );
    faults(memory.store(0xfff, Size::Byte, 0), "write of 1 byte at 0x00000fff outside any segment");
    faults(memory.bytes(0, u32::MAX), "read of 4294967295 bytes at 0x00000000 outside any segment");
    assert!(memory.fill(0xffff_fff8, &[0; 9]).is_err());
    assert!(memory.clear(0x1000, 6).is_err());
}

#[test]
fn adjacent_segments_are_two() {
    let memory = memory(&[segment(0, 8, Content::Zero), segment(8, 8, Content::Zero)]);
    assert_eq!(memory.load(4, Size::Word), Ok(0));
    assert!(memory.load(6, Size::Word).is_err());
}

#[test]
fn segments_do_not_overlap() {
    let is_memory = |segments: &[(u32, u64)]| {
        let segments = segments.iter().map(|&(start, size)| segment(start, size, Content::Zero));
        Memory::new(segments.collect()).is_ok()
    };
    assert!(is_memory(&[(8, 8), (0, 8)]));
    assert!(!is_memory(&[(7, 8), (0, 8)]));
    assert!(is_memory(&[(0xffff_fff8, 8)]) && !is_memory(&[(0xffff_fff9, 8)]));
    assert!(is_memory(&[(0, 1 << 32)]) && !is_memory(&[(0, u64::MAX)]));
}

#[test]
fn only_writable_segments_are_stored_to() {
    let text = Segment { writable: false, ..segment(0x1000, 8, Content::Zero) };
    let mut memory = memory(&[text]);
    faults(
        memory.store(0x1000, Size::Half, 0),
        "write of 2 bytes at 0x00001000 in a read-only segment",
    );
    assert_eq!(memory.fill(0x1000, &[7; 8]), Ok(()));
    assert_eq!(memory.load(0x1004, Size::Byte), Ok(7));
}

#[test]
fn unwritten_bytes_are_not_loaded() {
    let mut memory = memory(&[segment(0x1000, 0x2000, Content::Unwritten)]);
    memory.store(0x1ffe, Size::Half, 0x1234).expect("it exists");
    assert_eq!(memory.load(0x1ffe, Size::Half), Ok(0x1234));
    faults(
        memory.load(0x1ffe, Size::Word),
        "read of 4 bytes at 0x00001ffe that were never written",
    );
    faults(memory.load(0x1ffd, Size::Byte), "read of 1 byte at 0x00001ffd that was never written");
    memory.store(0x2000, Size::Half, 0x5678).expect("it exists");
    assert_eq!(memory.load(0x1ffe, Size::Word), Ok(0x5678_1234));
    memory.clear(0x1fff, 2).expect("it exists");
    assert!(memory.load(0x1ffe, Size::Half).is_err());
    assert_eq!(memory.load(0x1ffe, Size::Byte), Ok(0x34));
    assert_eq!(memory.load(0x2001, Size::Byte), Ok(0x56));
}

#[test]
fn the_content_may_follow_from_the_address() {
    let mut memory = memory(&[segment(0, 1 << 32, Content::Of(|address| address as u8))]);
    assert_eq!(memory.load(0x7fff_fffe, Size::Word), Ok(0x0100_fffe));
    memory.store(0x7fff_ffff, Size::Half, 0xaabb).expect("it exists");
    assert_eq!(memory.load(0x7fff_fffe, Size::Word), Ok(0x01aa_bbfe));
    memory.clear(0x7fff_ffff, 2).expect("it exists");
    assert_eq!(memory.load(0x7fff_fffe, Size::Double), Ok(0x0504_0302_0100_fffe));
}

#[test]
fn the_whole_address_space_is_a_ring() {
    let mut memory = memory(&[segment(0, 1 << 32, Content::Zero)]);
    assert_eq!(memory.store(0xffff_ffff, Size::Word, 0x0403_0201), Ok(()));
    assert_eq!(memory.load(0xffff_fffe, Size::Half), Ok(0x0100));
    assert_eq!(memory.bytes(0, 4), Ok(vec![2, 3, 4, 0]));
}

/// Random accesses to a few bytes around the end of a page, compared with an array.
#[test]
fn random_accesses_agree_with_an_array() {
    const START: u32 = 4096 - 20;
    for content in [Content::Zero, Content::Unwritten, Content::Of(|address| !address as u8)] {
        let mut memory = memory(&[segment(START, 40, content)]);
        let initial = |at: usize| match content {
            Content::Zero => Some(0),
            Content::Unwritten => None,
            Content::Of(of) => Some(of(START + at as u32)),
        };
        let mut expected: Vec<Option<u8>> = (0..40).map(initial).collect();
        let mut word = 1u64;
        for _ in 0..20_000 {
            // Knuth's linear congruential generator.
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let (at, size) = ((word >> 33) as usize % 44, ALL[(word >> 40) as usize % 4]);
            let (address, range) = (START + at as u32, at..at + size.bytes() as usize);
            let exists = range.end <= 40;
            match word >> 62 {
                0 => {
                    let value = word >> 7;
                    assert_eq!(memory.store(address, size, value).is_ok(), exists);
                    let bytes = value.to_le_bytes();
                    let own = expected.get_mut(range).into_iter().flatten();
                    own.zip(bytes).for_each(|(old, new)| *old = Some(new));
                }
                1 => {
                    assert_eq!(memory.clear(address, size.bytes()).is_ok(), exists);
                    let own = expected.get_mut(range.clone()).into_iter().flatten();
                    own.zip(range).for_each(|(old, at)| *old = initial(at));
                }
                _ => {
                    let bytes = expected.get(range).and_then(|it| it.iter().copied().collect());
                    let number = |bytes: Vec<u8>| {
                        bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
                    };
                    assert_eq!(memory.load(address, size).ok(), bytes.map(number));
                }
            }
        }
    }
}
