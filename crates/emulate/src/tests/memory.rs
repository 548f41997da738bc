//! Tests of `memory.rs`.
use super::*;

fn memory() -> Memory {
    let text = Segment::new(0x1000, vec![1, 2, 3, 4, 5], false);
    let top = Segment::new(0xffff_fff0, vec![0; 16], true);
    Memory::new(vec![text, top]).unwrap()
}

#[test]
fn numbers_are_little_endian() {
    assert_eq!(memory().read(0x1001, 4), Ok(0x0504_0302));
    assert_eq!(memory().read(0x1004, 1), Ok(5));
}

#[test]
fn an_access_lies_in_one_segment() {
    let reason = memory().read(0x1002, 4).unwrap_err().to_string();
    assert_eq!(reason, "read of 4 bytes at 0x00001002 outside any segment");
    assert!(memory().read(0xffff_fffd, 4).is_err());
    assert!(memory().write(0xfff, 1, 0).is_err());
}

#[test]
fn only_writable_segments_are_written() {
    let mut memory = memory();
    assert_eq!(memory.write(0xffff_fffc, 4, 0x1234_5678), Ok(()));
    assert_eq!(memory.read(0xffff_fffe, 2), Ok(0x1234));
    let reason = memory.write(0x1000, 2, 0).unwrap_err().to_string();
    assert_eq!(reason, "write of 2 bytes at 0x00001000 in a read-only segment");
}

#[test]
fn segments_do_not_overlap() {
    let segment = |start| Segment::new(start, vec![0; 8], true);
    assert!(Memory::new(vec![segment(8), segment(0)]).is_ok());
    assert!(Memory::new(vec![segment(7), segment(0)]).is_err());
    assert!(Memory::new(vec![segment(0xffff_fff9)]).is_err());
}

#[test]
fn a_stack_grows_to_its_limit() {
    let bytes = vec![7; 16];
    let stack = Segment::stack(0x1000, 0x9000, bytes);
    let mut memory = Memory::new(vec![stack]).unwrap();
    assert_eq!(memory.write(0x8ff0, 4, 5), Ok(()));
    assert_eq!(memory.read(0x5000, 4), Ok(0));
    assert_eq!(memory.read(0x1000, 1), Ok(0));
    assert!(memory.read(0xfff, 4).is_err());
    assert_eq!((memory.read(0x8ff0, 4), memory.read(0x9000, 2)), (Ok(5), Ok(0x707)));
}
