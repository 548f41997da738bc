//! Dominators: what lies on every way to a block.
//!
//! Whatever dominates a block dominates one thing right above it too, its immediate dominator; so
//! dominators are a tree. It grows by leaves, a block after all the blocks that lead to it except
//! from behind: what dominates all of these, and nearest, is its immediate dominator.
//!
//! Besides the way to its parent every leaf remembers a jump far up, chosen such that any
//! ancestor is a logarithmic number of steps away. Source: E. W. Myers, "An Applicative
//! Random-Access Stack", Information Processing Letters 17, 1983.
use super::ids::{Id, SideTable};

/// What can be reached from `root`, each behind all that lead to it from before; `next` gives the
/// way with a number out of a block. There are `count` ids.
pub fn reverse_postorder<I: Id>(
    root: I,
    count: usize,
    next: impl Fn(I, usize) -> Option<I>,
) -> Vec<I> {
    let mut seen: SideTable<I, bool> = SideTable::new(count);
    let mut order = Vec::new();
    let mut open = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, visited)) = open.last_mut() {
        let next = next(*block, *visited);
        *visited += 1;
        match next {
            Some(next) if std::mem::replace(&mut seen[next], true) => {}
            Some(next) => open.push((next, 0)),
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}

/// A tree of dominators; `I` are the ids of the blocks.
pub struct Dominators<I> {
    places: SideTable<I, Option<Place<I>>>,
}

#[derive(Clone, Copy)]
struct Place<I> {
    depth: u32,
    /// The immediate dominator; the root's is the root.
    parent: I,
    /// Some dominator further up.
    jump: I,
}

impl<I: Id> Dominators<I> {
    /// A tree of nothing but its root: the block that every way begins with.
    fn new(root: I) -> Dominators<I> {
        let mut places = SideTable::new(0);
        places[root] = Some(Place { depth: 0, parent: root, jump: root });
        Dominators { places }
    }

    /// The tree over blocks in an order in which each stands behind all that lead to it, except
    /// from behind. What nothing leads to from before has no place in the tree.
    pub fn grow<F: Iterator<Item = I>>(
        root: I,
        order: impl Iterator<Item = I>,
        from: impl Fn(I) -> F,
    ) -> Dominators<I> {
        let mut tree = Dominators::new(root);
        for block in order {
            let before = from(block).filter(|&it| tree.has(it));
            if let Some(parent) = before.reduce(|a, b| tree.meet(a, b)) {
                tree.add(block, parent);
            }
        }
        tree
    }

    /// Adds a block whose immediate dominator is known.
    fn add(&mut self, block: I, parent: I) {
        let above = self.place(parent);
        let jump = self.place(above.jump);
        let as_far = above.depth - jump.depth == jump.depth - self.place(jump.jump).depth;
        let jump = if as_far { jump.jump } else { parent };
        self.places[block] = Some(Place { depth: above.depth + 1, parent, jump });
    }

    /// The nearest block that dominates both.
    pub fn meet(&self, a: I, b: I) -> I {
        let depth = self.depth(a).min(self.depth(b));
        let (mut a, mut b) = (self.ancestor(a, depth), self.ancestor(b, depth));
        while a != b {
            let (here, there) = (self.place(a), self.place(b));
            let far = here.jump != there.jump;
            (a, b) = if far { (here.jump, there.jump) } else { (here.parent, there.parent) };
        }
        a
    }

    /// Whether every way to `below` passes `above`, or ends there; no, if one has no place.
    pub fn dominates(&self, above: I, below: I) -> bool {
        self.has(above)
            && self.has(below)
            && self.depth(above) <= self.depth(below)
            && self.ancestor(below, self.depth(above)) == above
    }

    /// The blocks that do not stand where they should, and why: each stands behind one that leads
    /// to it, and ways back lead to blocks passed on every way there, but not to the root.
    pub fn misplaced<S: Iterator<Item = I>>(
        &self,
        blocks: impl Iterator<Item = I>,
        successors: impl Fn(I) -> S,
    ) -> Vec<(I, &'static str)> {
        let mut misplaced = Vec::new();
        for block in blocks {
            if !self.has(block) {
                misplaced.push((block, "no block before it leads to it"));
            }
            let is_head = |next| self.dominates(next, block) && self.depth(next) > 0;
            let back =
                successors(block).filter(|next| next.index() <= block.index() && !is_head(*next));
            misplaced.extend(back.map(|_| (block, "it jumps back into the middle of a loop")));
        }
        misplaced
    }

    /// Whether the block has a place in the tree.
    pub fn has(&self, block: I) -> bool {
        self.places[block].is_some()
    }

    /// How many other blocks dominate it.
    pub fn depth(&self, block: I) -> u32 {
        self.place(block).depth
    }

    /// The immediate dominator of a block other than the root.
    pub fn parent(&self, block: I) -> I {
        self.place(block).parent
    }

    /// What dominates `block` at this depth, which is not below its own.
    fn ancestor(&self, mut block: I, depth: u32) -> I {
        while self.depth(block) > depth {
            let Place { parent, jump, .. } = self.place(block);
            block = if self.depth(jump) < depth { parent } else { jump };
        }
        block
    }

    fn place(&self, block: I) -> Place<I> {
        self.places[block].expect("a block of the tree")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::id;

    id! {
        /// A block of these tests.
        BlockId
    }

    /// The chain of dominators of `block`, up to the root, by parents alone.
    fn chain(parents: &[usize], block: usize) -> Vec<usize> {
        let above = |&block: &usize| (block > 0).then(|| parents[block]);
        std::iter::successors(Some(block), above).collect()
    }

    #[test]
    fn jumps_find_what_parents_find() {
        let mut seed = 1u32;
        for shape in 0..60 {
            let mut parents = vec![0];
            let mut tree = Dominators::new(BlockId::from_index(0));
            for block in 1..80 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let near = (seed >> 8) as usize % (1 + shape % 12);
                let parent = block - 1 - near.min(block - 1);
                parents.push(parent);
                tree.add(BlockId::from_index(block), BlockId::from_index(parent));
            }
            for (a, b) in (0..80).flat_map(|a| (0..80).map(move |b| (a, b))) {
                let (above_a, above_b) = (chain(&parents, a), chain(&parents, b));
                let meet = above_a.iter().find(|it| above_b.contains(it));
                let [first, second] = [a, b].map(BlockId::from_index);
                assert_eq!(Some(&tree.meet(first, second).index()), meet);
                assert_eq!(tree.dominates(first, second), above_b.contains(&a));
                assert_eq!(tree.depth(first) as usize + 1, above_a.len());
            }
        }
    }
}
