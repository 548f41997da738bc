//! The header of a loop dominates the sources of its back edges.
use arena::{Id, ListTable, id};
use flow::{Dominators, reverse_postorder};

id! {
    /// A basic block.
    BlockId
}

fn main() {
    let block = BlockId::from_index;
    let edges = [(0, 1), (1, 2), (2, 1), (1, 3)].map(|(from, to)| (block(from), block(to)));
    let successors = ListTable::group(4, edges.into_iter());
    let predecessors = ListTable::group(4, edges.iter().map(|&(from, to)| (to, from)));
    let order = reverse_postorder(block(0), 4, |it, at| successors[it].get(at).copied());
    let rest = order.into_iter().skip(1);
    let dominators = Dominators::build(block(0), rest, |it| predecessors[it].iter().copied());
    let is_back = |&(from, to): &(BlockId, BlockId)| dominators.dominates(to, from);
    let back_edges: Vec<_> = edges.into_iter().filter(is_back).collect();
    println!("back edges: {back_edges:?}");
    assert_eq!(back_edges, [(block(2), block(1))]);
}

#[test]
fn the_example_holds() {
    main();
}
