//! Tests of `dot.rs`.
use super::*;

#[test]
fn texts_are_escaped() {
    let mut picture = Picture::new("say \"hi\"\\");
    picture.node("n1", "a \"b\" \\ c\nd", Kind::Data);
    picture.edge(
        Endpoint::node("n1"),
        Endpoint::node("n1"),
        Kind::Memory,
        Label::Tail("\"".into()),
    );
    let dot = picture.dot();
    assert!(dot.contains(r#"label="say \"hi\"\\""#), "{dot}");
    assert!(dot.contains(r#"label="a \"b\" \\ c\nd""#), "{dot}");
    assert!(dot.contains(r#"taillabel="\"""#), "{dot}");
}

#[test]
fn tables_keep_spaces_and_escape_markup() {
    let mut picture = Picture::new("t");
    let cells = vec![Cell::new("a<b", Kind::Data), Cell::new("&", Kind::Control)];
    picture.nodes.push(Node {
        name: "n".into(),
        kind: Kind::Data,
        rows: vec![cells],
        cluster: None,
    });
    let dot = picture.dot();
    assert!(dot.contains("<TABLE BORDER=\"0\""), "{dot}");
    assert!(dot.contains(">a&lt;b</TD>") && dot.contains(">&amp;</TD>"), "{dot}");
}

#[test]
fn control_edges_point_down_and_back_up() {
    let mut picture = Picture::new("t");
    picture.control_edge(Endpoint::node("upper"), Endpoint::node("lower"), false);
    picture.control_edge(Endpoint::node("lower"), Endpoint::node("upper"), true);
    let dot = picture.dot();
    let edges = dot.lines().filter(|line| line.contains("->")).collect::<Vec<_>>();
    assert!(edges.iter().all(|line| line.contains("lower -> upper")), "{dot}");
    assert!(edges[0].contains("dir=back") && !edges[1].contains("dir"), "{dot}");
}

#[test]
fn a_back_edge_has_its_arrow_and_its_label_at_the_other_end() {
    let mut picture = Picture::new("t");
    let (user, operand) = (Endpoint::node("phi"), Endpoint::node("body"));
    picture.back_edge(user, operand, Kind::Data, Label::Tail("2".into()));
    let dot = picture.dot();
    let edge = dot.lines().find(|line| line.contains("body -> phi")).expect("an edge");
    assert!(edge.contains("dir=back") && edge.contains("headlabel=\"2\""), "{dot}");
}

#[test]
fn a_cell_alone_in_its_row_is_as_wide_as_the_table() {
    let row = |texts: &[&str]| texts.iter().map(|&text| Cell::new(text, Kind::Data)).collect();
    let drawn = table(&[row(&["head"]), row(&["a", "b"])]);
    assert!(drawn.contains(r#" COLSPAN="2">head</TD>"#), "{drawn}");
    assert!(drawn.contains("\">a</TD>"), "{drawn}");
}

#[test]
fn a_highlighted_cell_without_text_has_no_empty_bold_text() {
    let drawn = cell(&Cell { highlighted: true, ..Cell::new("", Kind::Data) }, 1);
    assert!(drawn.ends_with("></TD>"), "{drawn}");
}
