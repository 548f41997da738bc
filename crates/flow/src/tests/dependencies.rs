//! Tests of `dependencies.rs`.
use super::*;
use arena::id;

id! {
    /// A node of these tests.
    NodeId
}

fn found(roots: &[usize], operands: &[&[usize]]) -> Vec<usize> {
    let of = |node: NodeId| operands[node.index()].iter().copied().map(NodeId::from_index);
    let roots = roots.iter().copied().map(NodeId::from_index);
    let found = dependencies(roots, operands.len(), of);
    found.ids().filter(|&it| found[it]).map(Id::index).collect()
}

#[test]
fn operands_of_operands_are_found() {
    assert_eq!(found(&[3], &[&[], &[0], &[], &[1]]), [0, 1, 3]);
    assert_eq!(found(&[0, 2], &[&[], &[0], &[]]), [0, 2]);
    assert!(found(&[], &[&[0], &[0]]).is_empty());
}

#[test]
fn an_operand_may_have_a_larger_number() {
    assert_eq!(found(&[1], &[&[], &[3], &[0], &[2, 1], &[0]]), [0, 1, 2, 3]);
    assert_eq!(found(&[0], &[&[1], &[2], &[0], &[]]), [0, 1, 2]);
}
