//! Tests of `svg.rs`.
use super::*;
use crate::Endpoint;

fn picture() -> Picture {
    let mut picture = Picture::new("a < b & \"c\"");
    let block = picture.cluster("block <1>", None);
    picture.node("n1", "Add\nint & more", Kind::Data);
    picture.node("n2", "Start", Kind::Control);
    picture.nodes[0].cluster = Some(block);
    picture.edge(Endpoint::node("n1"), Endpoint::node("n2"), Kind::Data, Label::Tail("0".into()));
    picture.edge(Endpoint::node("n1"), Endpoint::node("n2"), Kind::Memory, Label::Tail("1".into()));
    picture
}

#[test]
fn texts_are_escaped() {
    let svg = picture().svg().expect("a small picture");
    assert!(svg.contains(">a &lt; b &amp; &quot;c&quot;</text>"), "{svg}");
    assert!(svg.contains(">block &lt;1&gt;</text>"), "{svg}");
    assert!(svg.contains(">int &amp; more</text>"), "{svg}");
}

#[test]
fn elements_are_closed() {
    let svg = picture().svg().expect("a small picture");
    for (open, close) in [("<g ", "</g>"), ("<text ", "</text>"), ("<svg ", "</svg>")] {
        assert_eq!(svg.matches(open).count(), svg.matches(close).count(), "{open}");
    }
}

#[test]
fn edges_of_different_kinds_differ_without_colour() {
    let svg = picture().svg().expect("a small picture");
    assert!(svg.contains("<g class=\"edge data\" data-from=\"n1\" data-to=\"n2\">"), "{svg}");
    assert!(svg.contains("<g class=\"edge memory\" data-from=\"n1\" data-to=\"n2\">"), "{svg}");
    assert!(
        STYLE.contains(".memory > .line { stroke: #1f4f9e; stroke-width: 1.5; stroke-dasharray")
    );
    let legend = svg.matches("<g class=\"edge legend").count();
    assert_eq!(legend, 2, "one row for each kind: {svg}");
}

#[test]
fn nodes_and_clusters_name_the_cluster_around_them() {
    let mut picture = picture();
    let inner = picture.cluster("inner", Some(0));
    picture.nodes[1].cluster = Some(inner);
    let svg = picture.svg().expect("a small picture");
    for element in [
        "<rect class=\"cluster\" data-cluster=\"0\" x=",
        "<rect class=\"cluster\" data-cluster=\"1\" data-in=\"0\" x=",
        "<text class=\"cluster-title\" data-cluster=\"1\" x=",
        "data-node=\"n1\" data-in=\"0\">",
        "data-node=\"n2\" data-in=\"1\">",
    ] {
        assert!(svg.contains(element), "{element}: {svg}");
    }
}

#[test]
fn the_meaning_of_highlighted_cells_is_in_the_legend() {
    let mut picture = picture().with_highlight("chosen");
    let has_entry = |picture: &Picture| picture.svg().is_ok_and(|it| it.contains(">chosen</text>"));
    assert!(!has_entry(&picture), "no cell is highlighted");
    picture.nodes[0].rows[0][0].highlighted = true;
    assert!(has_entry(&picture));
    assert!(has_entry(&Picture::of_parts("all", [("first".into(), picture)])));
}

#[test]
fn only_a_file_has_a_style_of_its_own() {
    let picture = picture();
    assert!(picture.svg().is_ok_and(|svg| svg.contains("prefers-color-scheme: dark")));
    assert!(picture.svg_element().is_ok_and(|svg| !svg.contains("<style>")));
}

#[test]
fn characters_that_xml_does_not_have_are_replaced() {
    let mut picture = Picture::new("a\u{fffe}b\u{ffff}c\u{1}d");
    let rows = vec![vec![Cell::new("x\u{fffe}", Kind::Data)]];
    picture.nodes.push(Node { name: "n\u{ffff}".into(), kind: Kind::Data, rows, cluster: None });
    let svg = picture.svg().expect("a small picture");
    assert!(svg.contains("a\u{fffd}b\u{fffd}c\u{fffd}d") && svg.contains("x\u{fffd}"), "{svg}");
    assert!(!svg.contains(['\u{fffe}', '\u{ffff}', '\u{1}']), "{svg}");
}
