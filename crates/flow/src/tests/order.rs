//! Tests of `order.rs`.
use super::*;
use arena::id;

id! {
    /// A block of these tests.
    BlockId
}

fn order(successors: &[&[usize]]) -> Vec<usize> {
    let successor = |block: BlockId, at: usize| successors[block.index()].get(at);
    let root = BlockId::from_index(0);
    let order = reverse_postorder(root, successors.len(), |block, at| {
        successor(block, at).copied().map(BlockId::from_index)
    });
    order.into_iter().map(Id::index).collect()
}

#[test]
fn a_block_is_after_its_predecessors() {
    assert_eq!(order(&[&[]]), [0]);
    assert_eq!(order(&[&[3], &[2], &[], &[1, 2]]), [0, 3, 1, 2]);
}

#[test]
fn the_first_successor_is_last() {
    assert_eq!(order(&[&[1, 2], &[], &[]]), [0, 2, 1]);
}

#[test]
fn loops_and_unreachable_blocks_are_handled() {
    assert_eq!(order(&[&[1], &[1, 0, 2], &[1], &[0]]), [0, 1, 2]);
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let count = 200_000;
    let next = |block: BlockId, at: usize| {
        (at == 0 && block.index() + 1 < count).then(|| BlockId::from_index(block.index() + 1))
    };
    let order = reverse_postorder(BlockId::from_index(0), count, next);
    assert!(order.into_iter().map(Id::index).eq(0..count));
}
