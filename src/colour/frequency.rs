//! The estimated number of executions of each block: a loop has eight iterations, and both sides of
//! a branch are equally likely.
use crate::allocate::intervals::Intervals;
use crate::ia32::code::{BlockId, Code};
use arena::SideTable;

/// The frequency of the entry. Blocks in nested branches have smaller ones.
const ENTRY: u64 = 64;

/// A loop has two to the power of this number of iterations.
const ITERATIONS_LOG2: u32 = 3;

/// Sums of frequencies do not overflow.
const MAX: u64 = 1 << 36;

pub fn frequencies(code: &Code, intervals: &Intervals) -> SideTable<BlockId, u64> {
    let mut frequencies = SideTable::new(code.blocks.len());
    frequencies[BlockId::ENTRY] = ENTRY;
    for block in code.blocks.ids() {
        let is_header = intervals.flow.predecessors[block].iter().any(|from| *from >= block);
        let iterations = if is_header { ITERATIONS_LOG2 } else { 0 };
        let own = (frequencies[block] << iterations).clamp(1, MAX);
        frequencies[block] = own;
        let loops_left = |to| intervals.flow.loops.entered(to, block).count() as u32;
        let inside = code.successors(block).filter(|it| loops_left(*it) == 0).count() as u64;
        for to in code.successors(block).filter(|to| *to > block) {
            let part = match loops_left(to) {
                0 => own / inside,
                left => own.checked_shr(ITERATIONS_LOG2 * left).unwrap_or(0),
            };
            frequencies[to] += part;
        }
    }
    frequencies
}
