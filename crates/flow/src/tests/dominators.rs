//! Tests of `dominators.rs`.
use super::*;
use arena::id;

id! {
    /// A block of these tests.
    BlockId
}

/// A graph of the blocks 0, 1, … by their predecessors, and its tree.
fn tree(predecessors: &[&[usize]]) -> Dominators<BlockId> {
    let mut table = ListTable::default();
    for list in predecessors {
        table.push(list.iter().copied().map(BlockId::from_index));
    }
    Dominators::of(&table)
}

#[test]
fn a_join_is_dominated_by_the_branch() {
    // 0 branches to 1 and 2; 1 is the header of a loop; all join in 4; 5 is unreachable.
    let tree = tree(&[&[], &[0, 3], &[0], &[1], &[2, 3], &[5]]);
    let parent = |at| tree.immediate_dominator(BlockId::from_index(at)).index();
    assert_eq!([0, 1, 2, 3, 4].map(parent), [0, 0, 0, 1, 0]);
    let [root, header, unreachable] = [0, 1, 5].map(BlockId::from_index);
    assert!(tree.dominates(root, header) && !tree.contains(unreachable));
    assert!(!tree.dominates(root, unreachable) && !tree.dominates(unreachable, root));
}

#[test]
fn violations_of_the_order_are_found() {
    let check = |predecessors: &[&[usize]], expected: &[(usize, &str)]| {
        let tree = tree(predecessors);
        let block = BlockId::from_index;
        let successors = |from: BlockId| {
            let ends = (0..predecessors.len()).map(block);
            ends.filter(move |to| predecessors[to.index()].contains(&from.index()))
        };
        let found = tree.order_violations((0..predecessors.len()).map(block), successors);
        let found = found.into_iter().map(|(block, reason)| (block.index(), reason));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    };
    let (middle, first) =
        ("it jumps back into the middle of a loop", "no predecessor is before it");
    check(&[&[], &[0, 2], &[1]], &[]);
    check(&[&[1], &[0]], &[(1, middle)]);
    check(&[&[], &[0, 2], &[0, 1]], &[(2, middle)]);
    check(&[&[], &[2], &[0]], &[(1, first), (2, middle)]);
}

/// The chain of dominators of `block`, up to the root, by parents alone.
fn chain(parents: &[usize], block: usize) -> Vec<usize> {
    let parent = |&block: &usize| (block > 0).then(|| parents[block]);
    std::iter::successors(Some(block), parent).collect()
}

#[test]
fn queries_agree_with_the_chains_of_parents() {
    let mut seed = 1u32;
    for shape in 0..60 {
        let mut parents = vec![0];
        let mut tree = Dominators::new(BlockId::from_index(0), 0);
        for block in 1..80 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let near = (seed >> 8) as usize % (1 + shape % 12);
            let parent = block - 1 - near.min(block - 1);
            parents.push(parent);
            tree.add(BlockId::from_index(block), BlockId::from_index(parent));
        }
        for (a, b) in (0..80).flat_map(|a| (0..80).map(move |b| (a, b))) {
            let (chain_a, chain_b) = (chain(&parents, a), chain(&parents, b));
            let nearest = chain_a.iter().find(|it| chain_b.contains(it));
            let [first, second] = [a, b].map(BlockId::from_index);
            assert_eq!(Some(&tree.nearest_common_dominator(first, second).index()), nearest);
            assert_eq!(tree.dominates(first, second), chain_b.contains(&a));
            assert_eq!(tree.depth(first) as usize + 1, chain_a.len());
        }
    }
}
