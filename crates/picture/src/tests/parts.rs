//! Tests of `parts`.
use crate::{Endpoint, Kind, Label, Picture};

fn part(cluster: Option<&str>) -> Picture {
    let mut picture = Picture::new("part");
    picture.node("a", "a", Kind::Data);
    picture.node("b", "b", Kind::Data);
    picture.edge(Endpoint::node("b"), Endpoint::node("a"), Kind::Data, Label::None);
    let cluster = cluster.map(|title| picture.cluster(title, None));
    for node in &mut picture.nodes {
        node.cluster = cluster;
    }
    picture
}

#[test]
fn parts_have_different_names_and_clusters() {
    let parts = [("f".into(), part(Some("block"))), ("g".into(), part(None))];
    let picture = Picture::of_parts("both", parts);
    let clusters: Vec<_> = picture.clusters.iter().map(|it| (&it.title[..], it.parent)).collect();
    assert_eq!(clusters, [("f", None), ("block", Some(0)), ("g", None)]);
    let nodes: Vec<_> = picture.nodes.iter().map(|it| (&it.name[..], it.cluster)).collect();
    let expected = [("f0_a", Some(1)), ("f0_b", Some(1)), ("f1_a", Some(2)), ("f1_b", Some(2))];
    assert_eq!(nodes, expected);
    let edges = picture.edges.iter().map(|it| (&it.from.node[..], &it.to.node[..]));
    assert_eq!(edges.collect::<Vec<_>>(), [("f0_b", "f0_a"), ("f1_b", "f1_a")]);
}
