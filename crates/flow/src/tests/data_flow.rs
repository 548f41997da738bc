//! Tests of `data_flow.rs`.
use super::*;
use arena::id;

id! {
    /// A block of these tests.
    BlockId
}

/// The bits that are set at the start of each reachable block on every path, if a block sets the
/// bit of its number; and the order of execution.
fn analysed(successors: &[&[usize]], ends: usize) -> (Vec<Option<u32>>, Vec<usize>) {
    let mut starts = vec![None; successors.len()];
    let mut order = Vec::new();
    let next = |block: BlockId| {
        successors[block.index()].iter().map(|&it| BlockId::from_index(it)).collect::<Vec<_>>()
    };
    let execute = |block: BlockId, state: &mut u32| {
        starts[block.index()] = Some(*state);
        order.push(block.index());
        *state |= 1 << block.index();
        block.index() != ends
    };
    execute_all((BlockId::from_index(0), 0), next, |a, b| a & b, execute);
    (starts, order)
}

#[test]
fn a_join_starts_with_the_meet() {
    let (starts, order) = analysed(&[&[1, 2], &[3], &[3], &[], &[3]], 9);
    assert_eq!(starts, [Some(0), Some(0b1), Some(0b1), Some(0b1), None]);
    assert_eq!(order, [0, 1, 2, 3]);
}

#[test]
fn a_block_whose_state_changes_is_executed_again() {
    let (starts, order) = analysed(&[&[2], &[2], &[1, 3], &[]], 9);
    assert_eq!(starts, [Some(0), Some(0b101), Some(0b1), Some(0b101)]);
    assert_eq!(order, [0, 2, 1, 3]);
    let (starts, order) = analysed(&[&[1, 2], &[2], &[], &[1]], 9);
    assert_eq!(starts, [Some(0), Some(0b1), Some(0b1), None]);
    assert_eq!(order, [0, 1, 2]);
}

#[test]
fn a_block_without_an_end_has_no_successors() {
    assert_eq!(analysed(&[&[1], &[2], &[]], 1).1, [0, 1]);
}
