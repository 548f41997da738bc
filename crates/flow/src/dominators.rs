//! The dominator tree, in linear memory, with queries in logarithmic time.
//!
//! Block *a* dominates block *b* if every path from the root to *b* contains *a*. Every strict
//! dominator of a block also dominates its immediate dominator, so the immediate dominators form a
//! tree. Blocks are added in an order in which each is after its predecessors, back edges
//! excepted; its immediate dominator is the nearest common dominator of the predecessors before
//! it. One pass is enough if control enters each loop at its header only (the graph is reducible);
//! `order_violations` finds the edges that break this rule.
//!
//! Each block stores, besides its parent, a second ancestor further up, such that every ancestor
//! is a logarithmic number of steps away. Source: E. W. Myers, "An Applicative Random-Access
//! Stack", Information Processing Letters 17, 1983.
use arena::{Id, ListTable, SideTable};

/// A dominator tree; `I` are the ids of the blocks.
pub struct Dominators<I> {
    nodes: SideTable<I, Option<TreeNode<I>>>,
}

#[derive(Clone, Copy)]
struct TreeNode<I> {
    depth: u32,
    /// The immediate dominator; the root is its own.
    parent: I,
    /// An ancestor: the parent or one further up.
    jump: I,
}

impl<I: Id> Dominators<I> {
    /// The tree over blocks whose numbers are in the order that [`Dominators::build`] requires; the
    /// first is the root.
    pub fn of(predecessors: &ListTable<I, I>) -> Dominators<I> {
        let order = (1..predecessors.len()).map(I::from_index);
        Dominators::build(I::from_index(0), order, |block| predecessors[block].iter().copied())
    }

    /// The tree over `root` and the blocks of `order`, in which each block is after its
    /// predecessors, back edges excepted. A block without a predecessor before it is not in the
    /// tree.
    pub fn build<F: Iterator<Item = I>>(
        root: I,
        order: impl Iterator<Item = I> + Clone,
        predecessors: impl Fn(I) -> F,
    ) -> Dominators<I> {
        let last = order.clone().map(I::index).max();
        let mut tree = Dominators::new(root, last.map_or(0, |last| last + 1));
        for block in order {
            let before = predecessors(block).filter(|&it| tree.contains(it));
            let parent = before.reduce(|a, b| tree.nearest_common_dominator(a, b));
            parent.into_iter().for_each(|parent| tree.add(block, parent));
        }
        tree
    }

    /// A tree of its root alone, with memory for so many blocks.
    fn new(root: I, count: usize) -> Dominators<I> {
        let mut nodes = SideTable::new(count);
        nodes[root] = Some(TreeNode { depth: 0, parent: root, jump: root });
        Dominators { nodes }
    }

    /// Adds a block whose immediate dominator is known.
    fn add(&mut self, block: I, parent: I) {
        let parent_node = self.node(parent);
        let jump = self.node(parent_node.jump);
        let same_distance =
            parent_node.depth - jump.depth == jump.depth - self.node(jump.jump).depth;
        let jump = if same_distance { jump.jump } else { parent };
        self.nodes[block] = Some(TreeNode { depth: parent_node.depth + 1, parent, jump });
    }

    /// The deepest block that dominates both.
    ///
    /// # Panics
    /// If one of them is not in the tree.
    pub fn nearest_common_dominator(&self, a: I, b: I) -> I {
        if a == b {
            return a;
        }
        let [depth, other] = [a, b].map(|block| self.depth(block));
        let mut a = if depth > other { self.ancestor(a, other) } else { a };
        let mut b = if depth < other { self.ancestor(b, depth) } else { b };
        while a != b {
            let (left, right) = (self.node(a), self.node(b));
            let far = left.jump != right.jump;
            (a, b) = if far { (left.jump, right.jump) } else { (left.parent, right.parent) };
        }
        a
    }

    /// Whether every path from the root to `below` contains `above`; each block dominates itself.
    /// `false` if one of them is not in the tree.
    pub fn dominates(&self, above: I, below: I) -> bool {
        let (Some(upper), Some(lower)) = (self.nodes[above], self.nodes[below]) else {
            return false;
        };
        upper.depth <= lower.depth && self.ancestor(below, upper.depth) == above
    }

    /// The violations of the order that [`Dominators::build`] requires, for the order of the
    /// blocks' numbers: a block without a predecessor before it, and an edge back to the root or to
    /// a block that does not dominate its source. Each violation has its reason in words.
    pub fn order_violations<S: Iterator<Item = I>>(
        &self,
        blocks: impl Iterator<Item = I>,
        successors: impl Fn(I) -> S,
    ) -> Vec<(I, &'static str)> {
        let mut violations = Vec::new();
        for block in blocks {
            if !self.contains(block) {
                violations.push((block, "no predecessor is before it"));
            }
            let is_header = |next| self.dominates(next, block) && self.depth(next) > 0;
            let is_back = |next: &I| next.index() <= block.index();
            let wrong = successors(block).filter(|next| is_back(next) && !is_header(*next));
            violations.extend(wrong.map(|_| (block, "it jumps back into the middle of a loop")));
        }
        violations
    }

    /// Whether the block is in the tree.
    pub fn contains(&self, block: I) -> bool {
        self.nodes[block].is_some()
    }

    /// The number of strict dominators.
    ///
    /// # Panics
    /// If it is not in the tree.
    pub fn depth(&self, block: I) -> u32 {
        self.node(block).depth
    }

    /// The deepest strict dominator. For the root, the root.
    ///
    /// # Panics
    /// If it is not in the tree.
    pub fn immediate_dominator(&self, block: I) -> I {
        self.node(block).parent
    }

    /// The dominator of `block` at this depth, which is at most its own.
    ///
    /// # Panics
    /// If it is not in the tree.
    pub fn ancestor(&self, mut block: I, depth: u32) -> I {
        loop {
            let TreeNode { depth: own, parent, jump } = self.node(block);
            if own <= depth {
                return block;
            }
            block = if self.depth(jump) < depth { parent } else { jump };
        }
    }

    fn node(&self, block: I) -> TreeNode<I> {
        self.nodes[block].expect("a block of the tree")
    }
}

#[cfg(test)]
#[path = "tests/dominators.rs"]
mod tests;
