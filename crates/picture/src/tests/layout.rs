//! Tests of the layout.
use super::*;
use crate::{Cell, Kind, Label, Node};

/// A graph of random edges in random clusters, from a linear congruential generator.
fn random_picture(seed: u64, nodes: usize, clusters: usize) -> Picture {
    let mut state = seed;
    let mut random = |limit: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut picture = Picture::new("random");
    for at in 0..clusters {
        let parent = (at > 0 && random(2) == 0).then(|| random(at));
        picture.cluster(format!("cluster {at}"), parent);
    }
    for at in 0..nodes {
        let kind = [Kind::Control, Kind::Data, Kind::Memory, Kind::Scope][random(4)];
        let text = "x".repeat(1 + random(12));
        let mut rows = vec![vec![Cell::new(text, kind)]];
        if random(3) == 0 {
            let port = |port: &str| Cell { port: Some(port.into()), ..Cell::new(port, kind) };
            rows.extend([vec![port("a"), port("b")], vec![port("c")]]);
        }
        let cluster = (clusters > 0 && random(4) > 0).then(|| random(clusters));
        picture.nodes.push(Node { name: format!("n{at}"), kind, rows, cluster });
    }
    for at in 0..nodes * 2 {
        let mut end = || {
            let node = random(nodes);
            let port = ["a", "b", "c", "none"][random(4)].to_string();
            Endpoint { node: format!("n{node}"), port: (random(2) == 0).then_some(port) }
        };
        let (from, to) = (end(), end());
        match at % 4 {
            0 => picture.control_edge(from, to, at % 8 == 0),
            1 => picture.back_edge(from, to, Kind::Data, Label::Tail("1".into())),
            2 => {
                let table = vec![vec![Cell::new("1", Kind::Data), Cell::new("2", Kind::Data)]];
                picture.edge(from, to, Kind::Memory, Label::Table(table));
            }
            _ => picture.edge(from, to, Kind::Data, Label::Tail("0".into())),
        }
    }
    picture
}

use crate::Endpoint;

fn overlap(one: Rectangle, other: Rectangle) -> bool {
    let apart = one.right() <= other.x || other.right() <= one.x;
    !apart && one.y < other.bottom() && other.y < one.bottom()
}

fn contains(outer: Rectangle, inner: Rectangle) -> bool {
    let fits = outer.x <= inner.x && inner.right() <= outer.right();
    fits && outer.y <= inner.y && inner.bottom() <= outer.bottom()
}

#[test]
fn nodes_do_not_overlap_and_are_in_their_clusters() {
    for seed in 0..40 {
        let picture = random_picture(seed, 3 + seed as usize, seed as usize % 6);
        let layout = lay_out(&picture).expect("a small picture");
        let places: Vec<_> = layout.nodes.iter().map(|it| it.place).collect();
        for (at, &one) in places.iter().enumerate() {
            assert!(places[..at].iter().all(|&other| !overlap(one, other)), "seed {seed}");
            let page = Rectangle { x: 0, y: 0, width: layout.width, height: layout.height };
            assert!(contains(page, one), "seed {seed}: {one:?} in {page:?}");
            for (cluster, &outer) in layout.clusters.iter().enumerate() {
                let around = around(&picture, picture.nodes[at].cluster);
                assert_eq!(overlap(outer, one), around.contains(&cluster), "seed {seed}");
                assert_eq!(contains(outer, one), around.contains(&cluster), "seed {seed}");
            }
        }
    }
}

/// The cluster of a node and those around it.
fn around(picture: &Picture, mut cluster: Option<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    while let Some(at) = cluster {
        found.push(at);
        cluster = picture.clusters[at].parent;
    }
    found
}

#[test]
fn edges_connect_their_nodes() {
    for seed in 0..40 {
        let picture = random_picture(seed, 4 + seed as usize, seed as usize % 5);
        let layout = lay_out(&picture).expect("a small picture");
        let place = |name: &str| {
            let at = picture.nodes.iter().position(|node| node.name == name).expect("a node");
            layout.nodes[at].place
        };
        for (edge, route) in picture.edges.iter().zip(&layout.edges) {
            let route = route.as_ref().expect("both ends are in the picture");
            let (from, to) = (place(&edge.from.node), place(&edge.to.node));
            let (upper, lower) = if route.is_turned { (from, to) } else { (to, from) };
            let first = route.passages.first().expect("a path");
            let last = route.passages.last().expect("a path");
            let start = route.upper_side.unwrap_or((first.x, first.top));
            let end = route.lower_side.unwrap_or((last.x, last.bottom));
            assert!(touches(upper, start), "seed {seed}: {start:?} at {upper:?}");
            assert!(touches(lower, end), "seed {seed}: {end:?} at {lower:?}");
            let downwards = |pair: &[Passage]| pair[0].bottom <= pair[1].top;
            assert!(route.passages.windows(2).all(downwards), "seed {seed}");
        }
    }
}

fn touches(place: Rectangle, (x, y): (i64, i64)) -> bool {
    place.x <= x && x <= place.right() && place.y <= y && y <= place.bottom()
}

#[test]
fn the_first_node_of_a_loop_is_on_top() {
    let mut picture = Picture::new("loop");
    for name in ["start", "header", "body", "exit"] {
        picture.node(name, name, Kind::Control);
    }
    let at = |name: &str| Endpoint::node(name);
    for (user, operand) in
        [("header", "start"), ("body", "header"), ("header", "body"), ("exit", "header")]
    {
        picture.edge(at(user), at(operand), Kind::Control, Label::None);
    }
    let layout = lay_out(&picture).expect("a small picture");
    let y: Vec<_> = layout.nodes.iter().map(|node| node.place.y).collect();
    assert!(y[0] < y[1] && y[1] < y[2] && y[1] < y[3], "{y:?}");
    let turned: Vec<_> = layout.edges.iter().flatten().map(|edge| edge.is_turned).collect();
    assert_eq!(turned, [false, false, true, false]);
}

/// A switch with two cells, which jump to a block above, below, or to the switch itself.
#[test]
fn back_edges_end_at_the_side_of_their_cell() {
    let cell = |port: &str| Cell { port: Some(port.into()), ..Cell::new(port, Kind::Control) };
    for (port, target) in [("left", "head"), ("right", "head"), ("left", "at"), ("right", "at")] {
        let mut picture = Picture::new("loop");
        picture.node("head", "head", Kind::Control);
        let rows = vec![vec![Cell::new("at", Kind::Control)], vec![cell("left"), cell("right")]];
        picture.nodes.push(Node { name: "at".into(), kind: Kind::Control, rows, cluster: None });
        picture.control_edge(Endpoint::node("head"), Endpoint::node("at"), false);
        let from = Endpoint { node: "at".into(), port: Some(port.into()) };
        picture.control_edge(from, Endpoint::node(target), true);
        let layout = lay_out(&picture).expect("a small picture");
        let place = layout.nodes[1].place;
        let route = layout.edges[1].as_ref().expect("an edge");
        let side = if port == "right" { place.right() } else { place.x };
        assert_eq!(route.lower_side.map(|(x, _)| x), Some(side), "{port} to {target}");
        let outside = |it: &Passage| it.x < place.x || place.right() < it.x;
        assert!(route.passages.last().is_some_and(outside), "{port} to {target}");
    }
}

#[test]
fn operands_are_in_their_order() {
    let mut picture = Picture::new("a - b - c");
    for name in ["a", "b", "c", "sum"] {
        picture.node(name, name, Kind::Data);
    }
    // The list of nodes has another order than the operands.
    for (number, operand) in ["c", "a", "b"].into_iter().enumerate() {
        let label = Label::Tail(number.to_string());
        picture.edge(Endpoint::node("sum"), Endpoint::node(operand), Kind::Data, label);
    }
    let layout = lay_out(&picture).expect("a small picture");
    let x: Vec<_> = layout.nodes.iter().map(|node| node.place.x).collect();
    assert!(x[2] < x[0] && x[0] < x[1], "{x:?}");
    let end =
        |at: usize| layout.edges[at].as_ref().expect("an edge").passages.last().map(|it| it.x);
    assert!(end(0) < end(1) && end(1) < end(2));
}

#[test]
fn operands_of_a_cell_are_in_their_order() {
    let mut picture = Picture::new("two forms");
    for name in ["a", "b"] {
        picture.node(name, name, Kind::Data);
    }
    let cell = |port: &str| Cell { port: Some(port.into()), ..Cell::new("form", Kind::Data) };
    let rows = vec![vec![cell("f0"), cell("f1")], vec![Cell::new("class", Kind::Scope)]];
    picture.nodes.push(Node { name: "c".into(), kind: Kind::Data, rows, cluster: None });
    for (port, operand) in [("f0", "b"), ("f1", "a"), ("f0", "a"), ("f0", "b")] {
        let from = Endpoint { node: "c".into(), port: Some(port.into()) };
        picture.edge(from, Endpoint::node(operand), Kind::Data, Label::None);
    }
    let layout = lay_out(&picture).expect("a small picture");
    let table = &layout.nodes[2];
    let end = |at: usize| {
        let last = layout.edges[at].as_ref().and_then(|route| route.passages.last());
        last.expect("the edge has an end").x - table.place.x
    };
    let [first, second] = [0, 1].map(|column| table.rows[0][column].place);
    assert!(first.x < end(0) && end(0) < end(2) && end(2) < end(3) && end(3) < first.right());
    assert_eq!(end(1), second.x + second.width / 2);
}

#[test]
fn nodes_beside_a_high_box_are_near_their_neighbours() {
    let mut picture = Picture::new("a constant and an unused value");
    for name in ["root", "constant", "unused", "user"] {
        picture.node(name, name, Kind::Data);
    }
    picture.node("high", "1\n2\n3\n4\n5\n6", Kind::Data);
    for (user, operand) in
        [("high", "root"), ("unused", "root"), ("user", "high"), ("user", "constant")]
    {
        picture.edge(Endpoint::node(user), Endpoint::node(operand), Kind::Data, Label::None);
    }
    let layout = lay_out(&picture).expect("a small picture");
    let [constant, unused, high] = [1, 2, 4].map(|at| layout.nodes[at].place);
    let bottom = |place: Rectangle| place.y + place.height;
    assert_eq!((unused.y, bottom(constant)), (high.y, bottom(high)));
}

#[test]
fn a_picture_with_too_many_nodes_is_rejected() {
    let mut picture = Picture::new("many");
    for at in 0..=MAX_NODES {
        picture.node(format!("n{at}"), "x", Kind::Data);
    }
    let reason = picture.svg().expect_err("too many nodes");
    assert_eq!(
        reason.to_string(),
        format!("too large to draw: {} nodes and 0 edges", MAX_NODES + 1)
    );
}
