//! Tests of `data_flow.rs`.
use super::*;
use crate::postorder;
use arena::{ListTable, id};

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

/// The words that may be read after each block before they are written; block n reads and writes
/// the words of the pair n.
fn live_out(successors: &[&[usize]], words: &[(u32, u32)]) -> (Vec<u32>, usize) {
    let [count, mut visits] = [successors.len(), 0];
    let ids = |from: usize, to: usize| (BlockId::from_index(to), BlockId::from_index(from));
    let edges = (0..count).flat_map(|from| successors[from].iter().map(move |&to| ids(from, to)));
    let predecessors = ListTable::group(count, edges);
    let next =
        |block: BlockId, at: usize| successors[block.index()].get(at).map(|&it| Id::from_index(it));
    let order = postorder([BlockId::from_index(0)], count, next);
    let live = solve(
        &order,
        SideTable::new(count),
        |a, b| a | b,
        |block, live, to| {
            let (reads, writes) = words[block.index()];
            predecessors[block].iter().for_each(|&before| to(before, live & !writes | reads));
            visits += 1;
        },
    );
    ((0..count).map(|it| live[BlockId::from_index(it)]).collect(), visits)
}

#[test]
fn information_flows_backwards() {
    let words = [(0, 0b1), (0b1, 0b10), (0b10, 0), (0, 0)];
    assert_eq!(live_out(&[&[1], &[2], &[3], &[]], &words), (vec![0b1, 0b10, 0, 0], 4));
    // Block 2 jumps back to 1, which reads the word again. Only 1 is visited twice.
    assert_eq!(live_out(&[&[1], &[2], &[1, 3], &[]], &words), (vec![0b1, 0b11, 0b1, 0], 6));
}

#[test]
fn blocks_agree_with_their_successors() {
    for seed in 0..200_u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = |limit: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % limit) as usize
        };
        let count = 2 + random(9);
        let jump = |block: usize, other: usize| vec![(block + 1).min(count - 1), other];
        let successors: Vec<_> = (0..count).map(|it| jump(it, random(count as u64))).collect();
        let words: Vec<_> = (0..count).map(|_| (random(64) as u32, random(64) as u32)).collect();
        let slices: Vec<_> = successors.iter().map(Vec::as_slice).collect();
        let (live, _) = live_out(&slices, &words);
        for (block, successors) in successors.iter().enumerate() {
            let start = |&it: &usize| live[it] & !words[it].1 | words[it].0;
            assert_eq!(live[block], successors.iter().map(start).fold(0, |all, it| all | it));
        }
    }
}
