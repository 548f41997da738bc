//! The estimated number of executions of each block, and of each edge.
//!
//! A loop has eight iterations, and an equality rarely holds: that of a number and a constant in 16
//! of 100 cases (Y. Wu, J. R. Larus, "Static Branch Frequency and Program Profile Analysis", MICRO
//! 1994). Other branches take both sides equally often.
use super::code::BlockId;
use super::terminator::Terminator;
use crate::arith::Relation;
use arena::SideTable;
use std::cmp::Ordering;

/// The frequency of the entry. Blocks in nested branches have smaller ones.
const ENTRY: u64 = 1 << 16;

/// A loop has two to the power of this number of iterations.
const ITERATIONS_LOG2: u32 = 3;

/// Sums of frequencies do not overflow.
const MAX: u64 = 1 << 48;

/// The percentage of comparisons for equality that hold.
const EQUALITIES: u64 = 16;

/// The frequencies of the blocks in `order`: the reachable ones, each after all its predecessors,
/// except for the sources of back edges. `block` is the terminator of a block, and the number of
/// loops around it.
pub fn frequencies(
    order: &[BlockId],
    block: impl Fn(BlockId) -> (Terminator, u32),
) -> SideTable<BlockId, u64> {
    let depth = |id| block(id).1;
    let (mut is_seen, mut is_header) = (SideTable::<_, bool>::new(0), SideTable::<_, bool>::new(0));
    for &id in order {
        is_seen[id] = true;
        block(id).0.targets().for_each(|to| is_header[to] |= is_seen[to]);
    }
    let mut frequencies = SideTable::<BlockId, u64>::new(0);
    frequencies[BlockId::ENTRY] = ENTRY;
    for &id in order {
        is_seen[id] = false;
        let iterations = if is_header[id] { ITERATIONS_LOG2 } else { 0 };
        frequencies[id] = (frequencies[id] << iterations).clamp(1, MAX);
        for (to, times) in edges(block(id).0, depth, frequencies[id]) {
            frequencies[to] += if is_seen[to] { times } else { 0 };
        }
    }
    frequencies
}

/// The edges from the end of a block that is executed `times` times, each with its number of
/// executions. `depth` is the number of loops around a block.
pub fn edges(
    terminator: Terminator,
    depth: impl Fn(BlockId) -> u32,
    times: u64,
) -> impl Iterator<Item = (BlockId, u64)> {
    let edges = match terminator {
        Terminator::Return => [None, None],
        Terminator::Goto(to) => [Some((to, times)), None],
        Terminator::Branch(relation, yes, no) => {
            let left = |loops: u32| times.checked_shr(ITERATIONS_LOG2 * loops).unwrap_or(0);
            let [depth_yes, depth_no] = [yes, no].map(depth);
            let yes_times = match (depth_yes.cmp(&depth_no), relation) {
                (Ordering::Less, _) => left(depth_no - depth_yes),
                (Ordering::Greater, _) => times - left(depth_yes - depth_no),
                (Ordering::Equal, Relation::Equal) => times * EQUALITIES / 100,
                (Ordering::Equal, Relation::NotEqual) => times - times * EQUALITIES / 100,
                (Ordering::Equal, _) => times / 2,
            };
            [Some((yes, yes_times)), Some((no, times - yes_times))]
        }
    };
    edges.into_iter().flatten()
}
