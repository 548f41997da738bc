//! Tests of `loops.rs`.
use super::*;
use arena::id;

id! {
    /// A basic block.
    BlockId
}

/// The order of the blocks, each with the headers of the loops around it, for the successors of
/// each block.
fn ordered(successors: &[&[usize]]) -> String {
    let ids = |list: &[usize]| list.iter().map(|&it| BlockId::from_index(it)).collect::<Vec<_>>();
    let (mut forwards, mut edges) = (ListTable::default(), Vec::new());
    for (from, list) in successors.iter().enumerate() {
        forwards.push(ids(list));
        edges.extend(ids(list).into_iter().map(|to| (to, BlockId::from_index(from))));
    }
    let count = successors.len();
    let predecessors = ListTable::group(count, edges.into_iter());
    let (order, loops) = order_with_loops(&predecessors, &forwards, count);
    let text = |block: &BlockId| {
        let around: Vec<_> = loops.around(*block).map(|it| it.index().to_string()).collect();
        assert_eq!(around.len() as u32, loops.depth(*block));
        format!("{}({})", block.index(), around.join(","))
    };
    order.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn code_without_loops_is_in_reverse_postorder() {
    assert_eq!(ordered(&[&[1, 2], &[3], &[3], &[]]), "0() 1() 2() 3()");
    assert_eq!(ordered(&[&[2], &[], &[3], &[]]), "0() 2() 3()");
}

#[test]
fn a_loop_is_together_and_its_exit_is_after_it() {
    // 1 is the header of 1 and 3; 2 follows.
    assert_eq!(ordered(&[&[1], &[2, 3], &[], &[1]]), "0() 1(1) 3(1) 2()");
    // A block that jumps to itself.
    assert_eq!(ordered(&[&[1], &[1, 2], &[]]), "0() 1(1) 2()");
}

#[test]
fn loops_nest() {
    // 2 is the header of an inner loop with 3, 1 of the outer loop, and 3 leaves both.
    let nested: &[&[usize]] = &[&[1], &[2, 5], &[3, 4], &[2, 5], &[1], &[]];
    assert_eq!(ordered(nested), "0() 1(1) 2(2,1) 3(2,1) 4(1) 5()");
}

#[test]
fn loops_with_several_headers_are_reported() {
    let is_reducible = |successors: &[(usize, usize)], count: usize| {
        let [from, to] = [0, 1].map(|end| {
            let pairs = successors.iter().map(|&(from, to)| [from, to].map(BlockId::from_index));
            let pairs: Vec<_> = pairs.map(|it| (it[end], it[1 - end])).collect();
            ListTable::group(count, pairs.into_iter())
        });
        let successor = |block: BlockId, at: usize| from[block].get(at).copied();
        let order = reverse_postorder(BlockId::from_index(0), count, successor);
        Loops::find(&to, &order, count).is_reducible()
    };
    assert!(is_reducible(&[(0, 1), (1, 2), (2, 1), (2, 3), (3, 0)], 4));
    // 1 and 2 are a loop that control enters at both.
    assert!(!is_reducible(&[(0, 1), (0, 2), (1, 2), (2, 1)], 3));
    // 3 and 4 are one inside of another loop, whose header is 1.
    assert!(!is_reducible(&[(0, 1), (1, 3), (1, 4), (3, 4), (4, 3), (4, 1)], 5));
}
