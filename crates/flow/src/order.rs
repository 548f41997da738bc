//! An order of the blocks: reverse postorder of a depth-first search.
//!
//! Source: A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, "Compilers: Principles, Techniques, and
//! Tools", 2nd edition, 2006, section 9.6.
use arena::{Id, SideTable};

/// The blocks that are reachable from `root`. Each is after all its predecessors, except for those
/// that jump back to it.
///
/// `successor(block, k)` is the successor with the number `k` of a block, `None` if there are
/// fewer. The blocks are numbered `0..count`. Takes linear time and no recursion.
pub fn reverse_postorder<I: Id>(
    root: I,
    count: usize,
    successor: impl Fn(I, usize) -> Option<I>,
) -> Vec<I> {
    let mut seen: SideTable<I, bool> = SideTable::new(count);
    let mut order = Vec::new();
    let mut open = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, visited)) = open.last_mut() {
        let next = successor(*block, *visited);
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

#[cfg(test)]
mod tests {
    use super::*;
    use arena::id;

    id! {
        /// A block of these tests.
        BlockId
    }

    fn order(successors: &[&[usize]]) -> Vec<usize> {
        let successor = |block: BlockId, at: usize| successors[block.index()].get(at);
        let root = BlockId::from_index(0);
        let order = reverse_postorder(root, successors.len(), |block, at| {
            successor(block, at).copied().map(BlockId::from_index)
        });
        order.into_iter().map(Id::index).collect()
    }

    #[test]
    fn a_block_is_after_its_predecessors() {
        assert_eq!(order(&[&[]]), [0]);
        assert_eq!(order(&[&[3], &[2], &[], &[1, 2]]), [0, 3, 1, 2]);
    }

    #[test]
    fn the_first_successor_is_last() {
        assert_eq!(order(&[&[1, 2], &[], &[]]), [0, 2, 1]);
    }

    #[test]
    fn loops_and_unreachable_blocks_do_no_harm() {
        assert_eq!(order(&[&[1], &[1, 0, 2], &[1], &[0]]), [0, 1, 2]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let count = 200_000;
        let next = |block: BlockId, at: usize| {
            (at == 0 && block.index() + 1 < count).then(|| BlockId::from_index(block.index() + 1))
        };
        let order = reverse_postorder(BlockId::from_index(0), count, next);
        assert!(order.into_iter().map(Id::index).eq(0..count));
    }
}
