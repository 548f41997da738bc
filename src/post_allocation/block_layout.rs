//! An order of the blocks in which control falls through where it comes most often.
//!
//! Blocks grow into chains: an edge from the last block of one chain to the first of another joins
//! the two (K. Pettis and R. C. Hansen, Profile guided code positioning, 1990). First come the
//! edges whose jump is saved most often. A jump that is always taken costs each time, while of a
//! block with two ways on, one is taken by its condition anyway; so the way back to a loop's test
//! is joined before the way from the test into the loop, and the test comes to stand at the
//! bottom: one jump a turn.
use super::control_flow::{ControlFlow, Terminator};
use crate::ia32::code::BlockId;
use arena::SideTable;
use std::cmp::Reverse;

/// The blocks that control comes to, the entry first.
pub fn lay_out(flow: &ControlFlow) -> Vec<BlockId> {
    let reached = flow.reached();
    let blocks = flow.blocks.ids().filter(|&id| reached[id]).collect::<Vec<_>>();
    let mut chains = Chains::new(flow.blocks.len());
    chains.join_all(gotos(flow, &blocks));
    let branches = branches(flow, &blocks, &chains);
    chains.join_all(branches);
    chains.one_after_the_other(&blocks)
}

type Edge = (BlockId, BlockId);

/// In how many loops control is on an edge.
fn depth(flow: &ControlFlow, (from, to): Edge) -> u32 {
    flow.blocks[from].depth.min(flow.blocks[to].depth)
}

/// The edges that are always taken. Of several to one block, the one from the block that stands
/// closest before it is the best: the others' jumps are short.
fn gotos(flow: &ControlFlow, blocks: &[BlockId]) -> Vec<Edge> {
    let goto = |&from: &BlockId| match flow.blocks[from].end {
        Terminator::Goto(to) => Some((from, to)),
        Terminator::Return | Terminator::Branch(..) => None,
    };
    let mut edges = blocks.iter().filter_map(goto).collect::<Vec<_>>();
    edges.sort_by_key(|&(from, to)| (Reverse(depth(flow, (from, to))), to, Reverse(from)));
    edges
}

/// The edges of conditions. What is saved is the jump on the way that is taken less often.
fn branches(flow: &ControlFlow, blocks: &[BlockId], chains: &Chains) -> Vec<Edge> {
    let mut edges = Vec::new();
    for &from in blocks {
        let Terminator::Branch(_, yes, no) = flow.blocks[from].end else { continue };
        let [inner, outer] = inner_first(flow, yes, no);
        // A loop goes on behind its test, unless the test stands at its bottom.
        let at_bottom = chains.previous[from].is_some_and(|previous| previous > from);
        let best = if at_bottom { outer } else { inner };
        let saved = depth(flow, (from, yes)).min(depth(flow, (from, no)));
        for to in [yes, no] {
            edges.push((Reverse(saved), to != best, from, to));
        }
    }
    edges.sort_unstable();
    edges.into_iter().map(|(_, _, from, to)| (from, to)).collect()
}

/// The two sides of a condition, the one in more loops first, else the one that came first.
pub fn inner_first(flow: &ControlFlow, yes: BlockId, no: BlockId) -> [BlockId; 2] {
    let key = |&id: &BlockId| (Reverse(flow.blocks[id].depth), id);
    let mut sides = [yes, no];
    sides.sort_by_key(key);
    sides
}

struct Chains {
    previous: SideTable<BlockId, Option<BlockId>>,
    next: SideTable<BlockId, Option<BlockId>>,
    /// For the first and the last block of a chain, the block at its other end.
    other_end: SideTable<BlockId, Option<BlockId>>,
}

impl Chains {
    fn new(blocks: usize) -> Chains {
        Chains {
            previous: SideTable::new(blocks),
            next: SideTable::new(blocks),
            other_end: SideTable::new(blocks),
        }
    }

    fn join_all(&mut self, edges: Vec<Edge>) {
        edges.into_iter().for_each(|edge| self.join(edge));
    }

    /// Control enters at the entry, so nothing stands before it.
    fn join(&mut self, (from, to): Edge) {
        let first = self.other_end[from].unwrap_or(from);
        let last = self.other_end[to].unwrap_or(to);
        let free = self.next[from].is_none() && self.previous[to].is_none();
        if free && first != to && to != BlockId::ENTRY {
            (self.next[from], self.previous[to]) = (Some(to), Some(from));
            (self.other_end[first], self.other_end[last]) = (Some(last), Some(first));
        }
    }

    /// The chains in the order of their first blocks, which begins with the entry.
    fn one_after_the_other(&self, blocks: &[BlockId]) -> Vec<BlockId> {
        let firsts = blocks.iter().filter(|&&block| self.previous[block].is_none());
        let chain = |&first| std::iter::successors(Some(first), |&block| self.next[block]);
        firsts.flat_map(chain).collect()
    }
}
