//! Tests of `lib.rs`.
use super::*;

#[test]
fn lines_and_columns_count_from_1() {
    let text = "a\né\u{1F600}b\n".to_string();
    let source = Source { name: "t".into(), text };
    let position = |start| source.position(Span::new(start, start));
    let rows = [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (4, (2, 2)), (8, (2, 3)), (10, (3, 1))];
    assert_eq!(rows.map(|(start, _)| position(start)), rows.map(|(_, expected)| expected));
}

#[test]
fn every_offset_has_a_position() {
    let source = Source { name: "t".into(), text: "é".into() };
    let positions = [0, 1, 2, 3, 1000].map(|start| source.position(Span::new(start, 1000)));
    assert_eq!(positions, [(1, 1), (1, 1), (1, 2), (1, 2), (1, 2)]);
}
