//! A graph in an arena, and the nodes that can be reached from the first.
use arena::{Arena, ListTable, SideTable, id};

id! {
    /// A node of the graph.
    NodeId
}

fn main() {
    let mut names: Arena<NodeId, &str> = Arena::default();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| names.push(name));
    let edges = ListTable::group(names.len(), [(a, b), (b, a), (b, d), (c, a)].into_iter());
    let mut reached: SideTable<NodeId, bool> = SideTable::new(names.len());
    let mut pending = vec![a];
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            pending.extend(&edges[node]);
        }
    }
    let reached: Vec<&str> = names.ids().filter(|&id| reached[id]).map(|id| names[id]).collect();
    println!("{}", reached.join(" "));
    assert_eq!(reached, ["a", "b", "d"]);
    assert!(!edges[c].is_empty());
}

#[test]
fn the_example_holds() {
    main();
}
