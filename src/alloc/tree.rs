//! The dominator tree: each block hangs below the last block that all ways to it have in common.
//!
//! Every block keeps, besides its parent, one ancestor far above it, so that ancestors are found
//! in steps whose number is the logarithm of the height (E. W. Myers, An applicative
//! random-access stack, 1983).
use crate::base::ids::{Id, SideTable};
use crate::ia32::code::BlockId;

#[derive(Clone, Copy)]
struct Node {
    parent: BlockId,
    /// An ancestor whose distance depends on the height alone.
    jump: BlockId,
    height: u32,
}

impl Default for Node {
    fn default() -> Node {
        let root = BlockId::from_index(0);
        Node { parent: root, jump: root, height: 0 }
    }
}

pub struct Tree {
    nodes: SideTable<BlockId, Node>,
}

impl Tree {
    /// The tree of a graph, given the ways to each block from blocks that stand before it.
    pub fn new(entries: &SideTable<BlockId, Vec<BlockId>>, count: usize) -> Tree {
        let mut tree = Tree { nodes: SideTable::new(count) };
        for block in (1..count).map(BlockId::from_index) {
            let forward = entries[block].iter().copied().filter(|way| way.index() < block.index());
            let parent = forward.reduce(|a, b| tree.common(a, b));
            tree.add(block, parent.expect("verified: blocks stand behind one that leads to them"));
        }
        tree
    }

    fn add(&mut self, block: BlockId, parent: BlockId) {
        let above = self.nodes[parent];
        let jump = self.nodes[above.jump];
        let equal = above.height - jump.height == jump.height - self.nodes[jump.jump].height;
        let jump = if equal { jump.jump } else { parent };
        self.nodes[block] = Node { parent, jump, height: above.height + 1 };
    }

    pub fn parent(&self, block: BlockId) -> BlockId {
        self.nodes[block].parent
    }

    pub fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        self.common(above, block) == above
    }

    /// The last block on all ways to either.
    pub fn common(&self, a: BlockId, b: BlockId) -> BlockId {
        let height = self.nodes[a].height.min(self.nodes[b].height);
        let (mut a, mut b) = (self.ancestor(a, height), self.ancestor(b, height));
        while a != b {
            let [x, y] = [self.nodes[a], self.nodes[b]];
            (a, b) = if x.jump == y.jump { (x.parent, y.parent) } else { (x.jump, y.jump) };
        }
        a
    }

    fn ancestor(&self, mut block: BlockId, height: u32) -> BlockId {
        while self.nodes[block].height > height {
            let Node { parent, jump, .. } = self.nodes[block];
            block = if self.nodes[jump].height >= height { jump } else { parent };
        }
        block
    }
}
