//! The estimated number of executions of each block, and of each edge.
//!
//! A loop has eight iterations, and an equality rarely holds: that of a number and a constant in 16
//! of 100 cases (Y. Wu, J. R. Larus, "Static Branch Frequency and Program Profile Analysis", MICRO
//! 1994). Other branches take both sides equally often.
use super::control_flow::{ControlFlow, Terminator};
use crate::arith::Relation;
use crate::ia32::code::BlockId;
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
/// except for the sources of back edges.
pub fn frequencies(flow: &ControlFlow, order: &[BlockId]) -> SideTable<BlockId, u64> {
    let mut frequencies = SideTable::<BlockId, u64>::new(flow.blocks.len());
    let mut is_done = SideTable::<BlockId, bool>::new(flow.blocks.len());
    let predecessors = flow.predecessors();
    frequencies[BlockId::ENTRY] = ENTRY;
    for &block in order {
        let is_header = predecessors[block].iter().any(|&from| !is_done[from]);
        let iterations = if is_header { ITERATIONS_LOG2 } else { 0 };
        frequencies[block] = (frequencies[block] << iterations).clamp(1, MAX);
        is_done[block] = true;
        for (to, times) in edges(flow, block, frequencies[block]) {
            if !is_done[to] {
                frequencies[to] += times;
            }
        }
    }
    frequencies
}

/// The edges from a block that is executed `times` times, each with its number of executions.
pub fn edges(
    flow: &ControlFlow,
    block: BlockId,
    times: u64,
) -> impl Iterator<Item = (BlockId, u64)> + Clone + use<> {
    let edges = match flow.blocks[block].terminator {
        Terminator::Return => [None, None],
        Terminator::Goto(to) => [Some((to, times)), None],
        Terminator::Branch(relation, yes, no) => {
            let [inside_yes, inside_no] = [yes, no].map(|to| flow.blocks[to].depth);
            let left = |loops: u32| times.checked_shr(ITERATIONS_LOG2 * loops).unwrap_or(0);
            let yes_times = match (inside_yes.cmp(&inside_no), relation) {
                (Ordering::Less, _) => left(inside_no - inside_yes),
                (Ordering::Greater, _) => times - left(inside_yes - inside_no),
                (Ordering::Equal, Relation::Equal) => times * EQUALITIES / 100,
                (Ordering::Equal, Relation::NotEqual) => times - times * EQUALITIES / 100,
                (Ordering::Equal, _) => times / 2,
            };
            [Some((yes, yes_times)), Some((no, times - yes_times))]
        }
    };
    edges.into_iter().flatten()
}
