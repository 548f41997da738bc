//! The estimated number of executions of each block, and of each edge: one model for the selection
//! of instructions, the allocation of registers and the order of the blocks.
//!
//! A loop has eight iterations, and an equality rarely holds: that of a number and a constant in 16
//! of 100 cases (Y. Wu, J. R. Larus, "Static Branch Frequency and Program Profile Analysis", MICRO
//! 1994). Other branches take both sides equally often.
//! @ch15 A block whose end does not return is cold: no branch takes it.
use crate::arith::Relation;
use arena::{Id, SideTable};
use std::cmp::Ordering;

/// The terminator of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminator<B> {
    Return,
    /// A call of a function that does not return.
    #[cfg(feature = "ch15")]
    NoReturn,
    Goto(B),
    /// To the first block if the relation holds, else to the second.
    Branch(Relation, B, B),
}

impl<B: Clone> Terminator<B> {
    /// The blocks that control may go to.
    pub fn targets(self) -> impl Iterator<Item = B> + Clone {
        let targets = match self {
            Terminator::Return => [None, None],
            #[cfg(feature = "ch15")]
            Terminator::NoReturn => [None, None],
            Terminator::Goto(target) => [Some(target), None],
            Terminator::Branch(_, yes, no) => [Some(yes), Some(no)],
        };
        targets.into_iter().flatten()
    }
}

/// The frequency of an entry outside of loops. Blocks in nested branches have smaller ones.
pub const ENTRY: u64 = 1 << 16;

/// A loop has two to the power of this number of iterations.
const ITERATIONS_LOG2: u32 = 3;

/// The frequency of a block is at most so many powers of two above that of the entry, so that sums
/// do not overflow.
const MAX_LOG2: u32 = 32;
const MAX: u64 = ENTRY << MAX_LOG2;

/// The percentage of comparisons for equality that hold.
const EQUALITIES: u64 = 16;

/// The frequencies of the blocks in `order`: the reachable ones, the entry first, each after all
/// its predecessors, except for the sources of back edges. `block` is the terminator of a block,
/// and the number of loops around it. The entry may be in loops, too: they are around the graph.
pub fn frequencies<B: Id>(
    order: &[B],
    block: impl Fn(B) -> (Terminator<B>, u32),
) -> SideTable<B, u64> {
    let depth = |id| block(id).1;
    let (mut is_seen, mut is_header) = (SideTable::<_, bool>::new(0), SideTable::<_, bool>::new(0));
    for &id in order {
        is_seen[id] = true;
        block(id).0.targets().for_each(|to| is_header[to] |= is_seen[to]);
    }
    #[cfg(feature = "ch15")]
    let is_cold = cold_blocks(order, &block);
    let mut frequencies = SideTable::<B, u64>::new(0);
    for &entry in order.iter().take(1) {
        let outer = depth(entry).saturating_sub(u32::from(is_header[entry]));
        frequencies[entry] = ENTRY << (ITERATIONS_LOG2 * outer).min(MAX_LOG2);
    }
    for &id in order {
        is_seen[id] = false;
        let is_loop = is_header[id] && depth(id) > 0;
        let iterations = if is_loop { ITERATIONS_LOG2 } else { 0 };
        frequencies[id] = (frequencies[id] << iterations).clamp(1, MAX);
        let edges = edges(block(id).0, depth, frequencies[id]);
        #[cfg(feature = "ch15")]
        let edges = without_cold(edges, |to| is_cold[to]);
        for (to, times) in edges {
            frequencies[to] += if is_seen[to] { times } else { 0 };
        }
    }
    frequencies
}

/// The edges from the end of a block that is executed `times` times, each with its number of
/// executions. `depth` is the number of loops around a block.
pub fn edges<B: Id>(
    terminator: Terminator<B>,
    depth: impl Fn(B) -> u32,
    times: u64,
) -> impl Iterator<Item = (B, u64)> {
    let edges = match terminator {
        Terminator::Return => [None, None],
        #[cfg(feature = "ch15")]
        Terminator::NoReturn => [None, None],
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

/// The blocks from which all paths end in a call that does not return.
#[cfg(feature = "ch15")]
fn cold_blocks<B: Id>(
    order: &[B],
    block: impl Fn(B) -> (Terminator<B>, u32),
) -> SideTable<B, bool> {
    let mut is_cold = SideTable::<B, bool>::new(0);
    for &id in order.iter().rev() {
        let terminator = block(id).0;
        let leads_there = terminator.targets().next().is_some()
            && terminator.targets().all(|target| is_cold[target]);
        is_cold[id] = terminator == Terminator::NoReturn || leads_there;
    }
    is_cold
}

/// The edges from the end of a block. A cold block is not entered if another one may be.
#[cfg(feature = "ch15")]
pub fn without_cold<B: Id>(
    edges: impl Iterator<Item = (B, u64)>,
    is_cold: impl Fn(B) -> bool,
) -> impl Iterator<Item = (B, u64)> {
    let mut sides = [None; 2];
    sides.iter_mut().zip(edges).for_each(|(side, edge)| *side = Some(edge));
    if let [Some((yes, taken)), Some((no, others))] = &mut sides {
        match [is_cold(*yes), is_cold(*no)] {
            [true, false] => *others += std::mem::take(taken),
            [false, true] => *taken += std::mem::take(others),
            [true, true] | [false, false] => {}
        }
    }
    sides.into_iter().flatten()
}
