//! Tests of `order.rs`.
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
fn loops_and_unreachable_blocks_are_handled() {
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

#[test]
fn every_root_is_visited_once_and_inputs_are_first() {
    let inputs: &[&[usize]] = &[&[], &[0], &[0, 1], &[1, 1], &[]];
    let input = |node: BlockId, at: usize| inputs[node.index()].get(at);
    let roots = [3, 2, 3].map(BlockId::from_index);
    let order = postorder(roots, inputs.len(), |node, at| {
        input(node, at).copied().map(BlockId::from_index)
    });
    assert_eq!(order.into_iter().map(Id::index).collect::<Vec<_>>(), [0, 1, 3, 2]);
}

#[test]
fn cycles_and_their_successors_are_found() {
    let after_cycles = |nodes: &[usize], predecessors: &[&[usize]]| {
        let nodes: Vec<_> = nodes.iter().copied().map(BlockId::from_index).collect();
        let found = nodes_after_cycles(&nodes, |node| {
            predecessors[node.index()].iter().copied().map(BlockId::from_index)
        });
        found.into_iter().map(Id::index).collect::<Vec<_>>()
    };
    assert_eq!(after_cycles(&[0, 1, 2], &[&[], &[0, 0], &[1]]), []);
    assert_eq!(after_cycles(&[3, 2, 1, 0], &[&[], &[0, 2], &[1], &[2]]), [3, 2, 1]);
    assert_eq!(after_cycles(&[0], &[&[0]]), [0]);
    assert_eq!(after_cycles(&[1], &[&[1], &[0]]), [], "node 0 does not count");
}
