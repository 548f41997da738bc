//! Tests of `definite.rs`.
use super::Access::{New, Read, Write};
use super::*;

/// The reads that may be of unwritten words; word 0 is written at the entry. The accesses of each
/// block, and its successors.
fn unwritten(blocks: &[(&[Access], &[usize])]) -> Vec<u32> {
    let mut words = DefiniteAssignment::new(blocks.len());
    let mut place = 0;
    for (block, (accesses, successors)) in blocks.iter().enumerate() {
        successors.iter().for_each(|&next| words.add_edge(block, next));
        words.begin(block);
        for &access in *accesses {
            words.add(block, place, access);
            place += 1;
        }
    }
    words.unwritten(0..1)
}

#[test]
fn a_word_is_written_before_it_is_read() {
    assert_eq!(unwritten(&[(&[Read(0), Read(1), Write(1), Read(1)], &[])]), [1]);
    assert_eq!(unwritten(&[(&[Write(100), Read(100), Read(200)], &[])]), [2]);
}

#[test]
fn new_words_are_not_written() {
    let accesses = &[Write(3), Write(70), New(3), Read(0), Read(3), Read(70)];
    assert_eq!(unwritten(&[(accesses, &[])]), [4, 5]);
}

#[test]
fn every_path_must_write() {
    let join: (&[Access], &[usize]) = (&[Read(1)], &[]);
    let both = [(&[][..], &[1, 2][..]), (&[Write(1)], &[3]), (&[Write(1)], &[3]), join];
    assert_eq!(unwritten(&both), []);
    let one = [(&[][..], &[1, 2][..]), (&[Write(1)], &[3]), (&[], &[3]), join];
    assert_eq!(unwritten(&one), [1]);
}

#[test]
fn a_loop_is_entered_before_it_repeats() {
    assert_eq!(unwritten(&[(&[], &[1]), (&[Read(1), Write(1)], &[1, 2]), (&[Read(1)], &[])]), [0]);
}

#[test]
fn the_last_execution_of_a_block_counts() {
    let mut words = DefiniteAssignment::new(1);
    words.begin(0);
    words.add(0, 0, Read(5));
    words.begin(0);
    words.add(0, 0, Read(0));
    assert_eq!(words.unwritten(0..1), []);
}
