//! How control flows: from which blocks to which, what dominates what, and who can reach whom.
//!
//! Blocks stand in one order in which all but jumps back lead forwards. Another such order puts
//! what branches off first behind what branches off last. Of two blocks, the one that stands
//! first in both orders can reach the other; where edges do not cross, never otherwise (T.
//! Kameda, On the vector representation of the reachability in planar directed graphs, 1975).
use crate::alloc::loops::Loops;
use crate::ia32::code::{BlockId, Code};
use arena::{Id, ListTable, SideTable};
use flow::Dominators;
use std::iter::repeat_n;

pub struct Flow {
    /// The block of each instruction.
    block_of: Vec<BlockId>,
    /// The first instruction of each block, and the number of all.
    firsts: Vec<u32>,
    /// The blocks that lead to each, in their order.
    pub entries: ListTable<BlockId, BlockId>,
    pub dominators: Dominators<BlockId>,
    pub loops: Loops,
    /// The place of each block in the other order.
    mirrored: SideTable<BlockId, u32>,
}

impl Flow {
    pub fn new(code: &Code) -> Flow {
        let mut firsts = code.blocks.ids().map(|id| code.blocks[id].first).collect::<Vec<_>>();
        firsts.push(code.instructions.len() as u32);
        let count = code.blocks.len();
        let entries = code.entries();
        Flow {
            block_of: code.blocks.ids().flat_map(|id| repeat_n(id, code.range(id).len())).collect(),
            firsts,
            dominators: code.dominators(),
            loops: Loops::new(&entries, count),
            mirrored: mirrored(code),
            entries,
        }
    }

    /// The block of an instruction.
    pub fn block(&self, at: u32) -> BlockId {
        self.block_of[at as usize]
    }

    /// The closest block that control must pass on its way to another.
    pub fn above(&self, block: BlockId) -> BlockId {
        self.dominators.immediate_dominator(block)
    }

    pub fn first(&self, block: BlockId) -> u32 {
        self.firsts[block.index()]
    }

    pub fn end(&self, block: BlockId) -> u32 {
        self.firsts[block.index() + 1]
    }

    /// Where the block stands in an order in which those behind it both here and by number are
    /// the ones it can reach.
    pub fn mirrored(&self, block: BlockId) -> u32 {
        self.mirrored[block]
    }
}

/// Walks in depth, to what stands first first: then that is finished first, and counted last.
fn mirrored(code: &Code) -> SideTable<BlockId, u32> {
    let count = code.blocks.len();
    let mut order = SideTable::new(count);
    let mut seen = vec![false; count];
    let mut left = count as u32;
    let mut pending = vec![(BlockId::from_index(0), false)];
    while let Some((block, finished)) = pending.pop() {
        if finished {
            left -= 1;
            order[block] = left;
        } else if !std::mem::replace(&mut seen[block.index()], true) {
            pending.push((block, true));
            let old = pending.len();
            let forward = code.successors(block).filter(|&target| target > block);
            pending.extend(forward.map(|target| (target, false)));
            pending[old..].sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    order
}
