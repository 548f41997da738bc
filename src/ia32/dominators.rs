//! Which blocks of code control must pass on its way to a block.
//!
//! Where every block but the heads of loops stands behind all blocks that lead to it, and heads
//! dominate the jumps back to them, one walk finds the tree: a block's parent is what dominates
//! all blocks before it that lead to it. Ways back change nothing.
use crate::base::dominators;
use crate::base::ids::SideTable;
use crate::ia32::code::{BlockId, Code};

pub struct Dominators {
    tree: dominators::Dominators<BlockId>,
    parents: SideTable<BlockId, Option<BlockId>>,
}

impl Dominators {
    pub fn new(code: &Code) -> Dominators {
        let tree = dominators::Dominators::new(BlockId::ENTRY);
        let mut found = Dominators { tree, parents: SideTable::new(code.blocks.len()) };
        for block in code.blocks.ids() {
            if let Some(parent) = found.parents[block] {
                found.tree.add(block, parent);
            }
            for next in code.successors(block).filter(|&next| next > block) {
                found.lead(block, next);
            }
        }
        found
    }

    fn lead(&mut self, from: BlockId, to: BlockId) {
        if self.has(from) {
            let parent = self.parents[to].map_or(from, |other| self.tree.meet(other, from));
            self.parents[to] = Some(parent);
        }
    }

    /// The closest block that control must pass on its way here.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.parents[block]
    }

    /// Whether control passes `above` on every way to `block`, or is there.
    pub fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        self.has(above) && self.has(block) && self.tree.dominates(above, block)
    }

    /// What nothing before it leads to has no place in the tree.
    fn has(&self, block: BlockId) -> bool {
        block == BlockId::ENTRY || self.parents[block].is_some()
    }

    /// The closest block that control must pass on its way to either.
    pub fn common(&self, left: BlockId, right: BlockId) -> BlockId {
        self.tree.meet(left, right)
    }
}
