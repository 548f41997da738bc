//! The control flow of a loop, as Graphviz text: pipe it into `dot -Tsvg`.
use picture::{Endpoint, Kind, Picture};

fn main() {
    let mut picture = Picture::new("while");
    for block in ["header", "body", "exit"] {
        picture.node(block, block, Kind::Control);
    }
    let at = |block: &str| Endpoint::node(block);
    picture.control_edge(at("header"), at("body"), false);
    picture.control_edge(at("header"), at("exit"), false);
    picture.control_edge(at("body"), at("header"), true);
    let dot = picture.dot();
    print!("{dot}");
    assert_eq!(dot.matches("body -> header").count(), 2);
}

#[test]
fn the_example_holds() {
    main();
}
