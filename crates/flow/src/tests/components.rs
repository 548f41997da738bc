//! Tests of `components.rs`.
use super::*;
use arena::id;

id! {
    /// A node of these tests.
    NodeId
}

/// The nodes of each component, in the order of their first nodes.
fn found(successors: &[&[usize]]) -> Vec<Vec<usize>> {
    let next =
        |node: NodeId, at: usize| successors[node.index()].get(at).copied().map(NodeId::from_index);
    let component = components(successors.len(), next);
    let mut members: Vec<Vec<usize>> = Vec::new();
    for node in component.ids() {
        let is_same =
            |it: &&mut Vec<usize>| component[NodeId::from_index(it[0])] == component[node];
        match members.iter_mut().find(is_same) {
            Some(known) => known.push(node.index()),
            None => members.push(vec![node.index()]),
        }
        assert_eq!(component[NodeId::from_index(component[node] as usize)], component[node]);
    }
    members
}

#[test]
fn nodes_on_one_cycle_are_in_one_component() {
    assert_eq!(found(&[&[1], &[2], &[0], &[0]]), [vec![0, 1, 2], vec![3]]);
    assert_eq!(found(&[&[1, 2], &[0], &[3], &[2], &[4]]), [vec![0, 1], vec![2, 3], vec![4]]);
    assert_eq!(found(&[&[1], &[2], &[3], &[1, 0]]), [vec![0, 1, 2, 3]]);
}

#[test]
fn without_cycles_every_node_is_alone() {
    assert_eq!(found(&[&[1, 2], &[3], &[3], &[]]), [vec![0], vec![1], vec![2], vec![3]]);
    assert!(found(&[]).is_empty());
}

#[test]
fn a_long_path_does_not_recurse() {
    let count = 200_000;
    let next = |node: NodeId, at: usize| {
        let to = (node.index() + 1) % count;
        (at == 0).then(|| NodeId::from_index(to))
    };
    let component = components(count, next);
    assert!(component.ids().all(|node| component[node] == component[NodeId::from_index(0)]));
}

#[test]
fn a_search_finds_what_it_can_reach_and_forgets() {
    let successors: [&[usize]; 5] = [&[1], &[2], &[1, 3], &[], &[4, 0]];
    let next = |node: NodeId, at: usize| {
        successors[node.index()].get(at).map(|&it| NodeId::from_index(it))
    };
    let mut search = ComponentSearch::default();
    let mut run = |root: usize, forgotten: &[usize]| {
        search.forget(forgotten.iter().map(|&it| NodeId::from_index(it)));
        let mut found: Vec<Vec<usize>> = Vec::new();
        search.run(Id::from_index(root), next, |it| {
            found.push(it.iter().map(|it| it.index()).collect());
        });
        found
    };
    assert_eq!(run(1, &[]), [vec![3], vec![1, 2]]);
    assert_eq!(run(4, &[]), [vec![0], vec![4]]);
    assert!(run(2, &[]).is_empty());
    assert_eq!(run(2, &[1, 2, 3]), [vec![3], vec![2, 1]]);
}
