//! Block layout: an order of the blocks in which the most frequent edges fall through.
//!
//! Blocks are joined into chains: an edge from the last block of one chain to the first of another
//! joins the two (K. Pettis and R. C. Hansen, Profile guided code positioning, 1990). Edges whose
//! jump is executed most often are first. An unconditional jump always costs, while one edge of a
//! branch is taken by its condition anyway. So the back edge to a loop's test is joined before the
//! edge from the test into the loop, and the test is at the bottom of the loop: one jump per
//! iteration.
use super::control_flow::ControlFlow;
use crate::ia32::code::BlockId;
use crate::ia32::terminator::Terminator;
use arena::SideTable;
use std::cmp::Reverse;

/// The reachable blocks, the entry first.
pub fn lay_out(
    flow: &ControlFlow,
    mut blocks: Vec<BlockId>,
    frequencies: &SideTable<BlockId, u64>,
) -> Vec<BlockId> {
    blocks.sort_unstable();
    let mut chains = Chains::new(flow.blocks.len());
    chains.join_all(goto_edges(flow, frequencies, &blocks));
    let branches = branch_edges(flow, frequencies, &blocks, &chains);
    chains.join_all(branches);
    chains.concatenated(&blocks)
}

type Edge = (BlockId, BlockId);

/// The edges of unconditional jumps. Of several to one block, the one from the closest block before
/// it is first, so that the other jumps are short.
fn goto_edges(
    flow: &ControlFlow,
    frequencies: &SideTable<BlockId, u64>,
    blocks: &[BlockId],
) -> Vec<Edge> {
    let goto = |&from: &BlockId| {
        let Terminator::Goto(to) = flow.blocks[from].terminator else { return None };
        Some((from, to))
    };
    let mut edges = blocks.iter().filter_map(goto).collect::<Vec<_>>();
    edges.sort_by_key(|&(from, to)| (Reverse(frequencies[from]), to, Reverse(from)));
    edges
}

/// The edges of branches. The saved jump is that of the edge that is taken less often.
fn branch_edges(
    flow: &ControlFlow,
    frequencies: &SideTable<BlockId, u64>,
    blocks: &[BlockId],
    chains: &Chains,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for &from in blocks {
        let mut sides: Vec<_> = flow.edges(from, frequencies[from]).collect();
        sides.sort_by_key(|&(to, times)| (times, Reverse(to)));
        let [(seldom, saved), (often, _)] = sides[..] else { continue };
        // The loop body follows its test, unless the test is at the bottom.
        let at_bottom = chains.previous[from].is_some_and(|previous| previous > from);
        let best = if at_bottom { seldom } else { often };
        for to in [seldom, often] {
            edges.push((Reverse(saved), to != best, from, to));
        }
    }
    edges.sort_unstable();
    edges.into_iter().map(|(_, _, from, to)| (from, to)).collect()
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

    /// Joins two chains. No block is before the entry.
    fn join(&mut self, (from, to): Edge) {
        let first = self.other_end[from].unwrap_or(from);
        let last = self.other_end[to].unwrap_or(to);
        let free = self.next[from].is_none() && self.previous[to].is_none();
        if free && first != to && to != BlockId::ENTRY {
            (self.next[from], self.previous[to]) = (Some(to), Some(from));
            (self.other_end[first], self.other_end[last]) = (Some(last), Some(first));
        }
    }

    /// The chains in the order of their first blocks, the entry first.
    fn concatenated(&self, blocks: &[BlockId]) -> Vec<BlockId> {
        let firsts = blocks.iter().filter(|&&block| self.previous[block].is_none());
        let chain = |&first| std::iter::successors(Some(first), |&block| self.next[block]);
        firsts.flat_map(chain).collect()
    }
}
