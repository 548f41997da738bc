//! Builds a linked list in memory and sums its elements.
use memory::{Content, Fault, Memory, Segment, Size};

/// A node is a number and the address of the next node; 0 ends the list.
fn sum(memory: &Memory, mut node: u32) -> Result<i64, Fault> {
    let mut sum = 0;
    while node != 0 {
        sum += memory.load_signed(node, Size::Word)?;
        node = memory.load(node + 4, Size::Word)? as u32;
    }
    Ok(sum)
}

fn main() {
    let heap = Segment { start: 0x1000, size: 1 << 20, content: Content::Zero, writable: true };
    let mut memory = Memory::new(vec![heap]).expect("one segment");
    let mut first = 0u32;
    for number in -10..100 {
        let node = 0x1000 + 8 * (number + 10) as u32;
        memory.store(node, Size::Word, number as u64).expect("in the heap");
        memory.store(node + 4, Size::Word, first.into()).expect("in the heap");
        first = node;
    }
    let sum = sum(&memory, first);
    println!("{sum:?}");
    assert_eq!(sum, Ok((-10..100).sum()));
}

#[test]
fn the_example_holds() {
    main();
}
