//! Tests of `tables.rs`.
use super::*;

#[test]
fn parts_are_concatenated() {
    const PARTS: &[&[u8]] = &[&[1, 2], &[], &[3], &[]];
    const ALL: [u8; total(PARTS)] = concatenated(PARTS);
    assert_eq!(ALL, [1, 2, 3]);
}
