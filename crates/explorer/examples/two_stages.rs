//! A page with two stages, the second with a graph.
use explorer::{Page, Stage, Step};
use picture::{Endpoint, Kind, Label, Picture};

fn main() {
    let mut picture = Picture::new("sea");
    picture.node("n1", "Return", Kind::Control);
    picture.node("n2", "42", Kind::Data);
    let label = Label::Tail("0".into());
    picture.edge(Endpoint::node("n1"), Endpoint::node("n2"), Kind::Data, label);
    let mut page = Page::new("answer", "return 40 + 2;");
    page.stages.push(Stage::new("tokens", "return 40 + 2 ;"));
    let rule = "fold".to_string();
    let step = Step { rule, before: "40+2".into(), after: "42".into(), ..Step::default() };
    let sea =
        Stage { picture: Some(picture), steps: vec![step], ..Stage::new("sea", "return 42;") };
    page.stages.push(sea);
    let html = page.html();
    println!("{html}");
    assert!(html.contains("return 40 + 2;") && html.contains("id=\"stages\""));
}

#[test]
fn the_example_holds() {
    main();
}
