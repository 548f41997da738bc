//! Which blocks control must pass on its way to a block.
//!
//! Where every block but the heads of loops stands behind all blocks that lead to it, and heads
//! dominate the jumps back to them, one walk finds the tree: a block's parent is the lowest common
//! ancestor of the blocks before it that lead to it. Each block also names an ancestor far up, so
//! that a walk through the tree takes a number of steps logarithmic in its depth (E. W. Myers, An
//! applicative random-access stack, 1983).
use crate::base::ids::{Id, SideTable};
use crate::ia32::code::{BlockId, Code};

pub struct Dominators {
    rows: SideTable<BlockId, Option<Row>>,
}

/// A block's place in the tree.
#[derive(Clone, Copy)]
struct Row {
    depth: u32,
    /// The root is its own parent.
    parent: BlockId,
    /// The parent or an ancestor above it, whose depth depends on this one's depth alone.
    far: BlockId,
}

impl Dominators {
    pub fn new(code: &Code) -> Dominators {
        let mut tree = Dominators { rows: SideTable::new(code.blocks.len()) };
        let mut parents = SideTable::<BlockId, Option<BlockId>>::new(code.blocks.len());
        for block in code.blocks.ids() {
            if block.index() == 0 {
                tree.rows[block] = Some(Row { depth: 0, parent: block, far: block });
            } else if let Some(parent) = parents[block] {
                tree.insert(block, parent);
            } else {
                continue; // nothing before it leads to it
            }
            for next in code.successors(block).filter(|&next| next > block) {
                let other = parents[next].unwrap_or(block);
                parents[next] = Some(tree.common(block, other));
            }
        }
        tree
    }

    /// The closest block that control must pass on its way here.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.rows[block].filter(|row| row.depth > 0).map(|row| row.parent)
    }

    /// Whether control passes `above` on every way to `block`, or is there.
    pub fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        let (Some(target), Some(_)) = (self.rows[above], self.rows[block]) else { return false };
        self.ancestor(block, target.depth) == above
    }

    fn row(&self, block: BlockId) -> Row {
        self.rows[block].expect("a block stands behind one that leads to it")
    }

    /// Two far steps of one length are joined by one step of twice that length, and one.
    fn insert(&mut self, block: BlockId, parent: BlockId) {
        let near = self.row(parent);
        let far = self.row(near.far);
        let farther = self.row(far.far);
        let same = near.depth - far.depth == far.depth - farther.depth;
        let far = if same { far.far } else { parent };
        self.rows[block] = Some(Row { depth: near.depth + 1, parent, far });
    }

    /// The ancestor of a block at a depth that is at most its own.
    fn ancestor(&self, mut block: BlockId, depth: u32) -> BlockId {
        while self.row(block).depth > depth {
            let row = self.row(block);
            block = if self.row(row.far).depth < depth { row.parent } else { row.far };
        }
        block
    }

    /// The closest block that control must pass on its way to either.
    pub fn common(&self, left: BlockId, right: BlockId) -> BlockId {
        let depth = self.row(left).depth.min(self.row(right).depth);
        let mut pair = [left, right].map(|block| self.ancestor(block, depth));
        while pair[0] != pair[1] {
            let rows = pair.map(|block| self.row(block));
            let meet = rows[0].far == rows[1].far;
            pair = rows.map(|row| if meet { row.parent } else { row.far });
        }
        pair[0]
    }
}
