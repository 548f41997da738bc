//! Tests of `def_use.rs`.
use super::*;
use crate::id;

id! {
    /// A node of these tests.
    NodeId
}

/// Inputs of each node, and for each node its users; both from a plain table of inputs.
fn check(graph: &DefUse<NodeId>, inputs: &[Vec<usize>]) {
    for (at, expected) in inputs.iter().enumerate() {
        let id = NodeId::from_index(at);
        let found: Vec<usize> = graph.inputs(id).map(Id::index).collect();
        assert_eq!(found, *expected, "the inputs of {at}");
        if let Some(first) = expected.first_chunk::<2>() {
            assert_eq!(graph.first_inputs::<2>(id).map(Id::index), *first, "the first two of {at}");
        }
        let mut users: Vec<usize> = graph.users(id).map(Id::index).collect();
        users.sort_unstable();
        let uses = |(user, list): (usize, &Vec<usize>)| {
            vec![user; list.iter().filter(|it| **it == at).count()]
        };
        let expected: Vec<usize> = inputs.iter().enumerate().flat_map(uses).collect();
        assert_eq!(users, expected, "the users of {at}");
        assert_eq!(graph.uses(id), expected.len());
        if let Some((user, position)) = graph.last_use(id) {
            assert_eq!(graph.input(user, position), id);
        } else {
            assert!(expected.is_empty());
        }
    }
}

/// A graph of ten nodes without inputs.
fn ten() -> (DefUse<NodeId>, Vec<NodeId>) {
    let mut graph = DefUse::default();
    let ids = (0..10).map(|_| graph.push(&[], 1)).collect();
    (graph, ids)
}

#[test]
fn edges_agree_with_a_plain_table() {
    let (mut graph, ids) = ten();
    let mut table = vec![Vec::new(); ids.len()];
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for _ in 0..3000 {
        let (user, def, count) = (random(10), random(10), table[random(10)].len());
        match random(3) {
            0 => {
                graph.add(ids[user], ids[def]);
                table[user].push(def);
            }
            1 => assert_eq!(graph.pop(ids[user]).map(Id::index), table[user].pop()),
            _ if table[user].is_empty() => {}
            _ => {
                let at = count % table[user].len();
                let old = std::mem::replace(&mut table[user][at], def);
                assert_eq!(graph.set(ids[user], at, ids[def]).index(), old);
            }
        }
        check(&graph, &table);
    }
}

#[test]
fn the_latest_user_is_first() {
    let (mut graph, ids) = ten();
    (1..5).for_each(|user| graph.add(ids[user], ids[0]));
    graph.set(ids[2], 0, ids[0]);
    assert_eq!(graph.users(ids[0]).map(Id::index).collect::<Vec<_>>(), [2, 4, 3, 1]);
    assert_eq!(graph.last_use(ids[0]), Some((ids[2], 0)));
}

#[test]
fn a_held_node_has_a_use_without_a_user() {
    let (mut graph, ids) = ten();
    graph.hold(ids[0]);
    assert_eq!((graph.uses(ids[0]), graph.users(ids[0]).count()), (1, 0));
    graph.release(ids[0]);
    assert_eq!(graph.uses(ids[0]), 0);
}

#[test]
#[should_panic(expected = "node 1 has no input 0")]
fn a_missing_input_is_a_bug() {
    let (graph, ids) = ten();
    graph.input(ids[1], 0);
}
