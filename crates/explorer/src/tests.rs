//! Tests of pages.
use super::*;
use picture::{Endpoint, Kind, Label};

fn graph(names: &[&str]) -> Picture {
    let mut picture = Picture::new("graph");
    for name in names {
        picture.node(*name, format!("node {name}"), Kind::Data);
    }
    for pair in names.windows(2) {
        let ends = (Endpoint::node(pair[1]), Endpoint::node(pair[0]));
        picture.edge(ends.0, ends.1, Kind::Data, Label::None);
    }
    picture
}

fn data(html: &str) -> Value {
    let (_, rest) =
        html.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
    let (text, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn texts_cannot_leave_their_element() {
    let mut page = Page::new("</title>{{data}}", "</script><script>{{script}}");
    page.stages.push(Stage::new("sea", "<!-- \" ' & \\ \u{2028} -->"));
    let html = page.html();
    assert_eq!(html.matches("</title>").count(), 1);
    assert_eq!(html.matches("</script>").count(), 2);
    let data = data(&html);
    assert_eq!(data["source"], "</script><script>{{script}}");
    assert_eq!(data["stages"][0]["text"], "<!-- \" ' & \\ \u{2028} -->");
}

#[test]
fn a_page_loads_nothing() {
    let mut page = Page::new("answer", "return 42;");
    page.stages.push(Stage { picture: Some(graph(&["a", "b"])), ..Stage::new("sea", "x") });
    let html = page.html().replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "src=", "<link", "@import", "url("] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn the_steps_of_a_stage_share_a_layout() {
    let step = |names: &[&str]| Step { picture: Some(graph(names)), ..Step::default() };
    let steps = vec![step(&["a", "b"]), step(&["a", "c"]), step(&["a", "c", "d"])];
    let mut page = Page::new("steps", "");
    page.stages.push(Stage { steps, ..Stage::new("sea", "") });
    let steps = &data(&page.html())["stages"][0]["steps"];
    let svg = steps["svg"].as_str().expect("a drawing");
    for name in ["a", "b", "c", "d"] {
        assert_eq!(svg.matches(&format!("data-node=\"{name}\"")).count(), 1, "{name}");
    }
    assert_eq!(svg.matches("data-from=\"c\" data-to=\"a\"").count(), 1);
    assert_eq!(steps["list"][0]["graph"]["edges"], json!(["b a"]));
}

#[test]
fn a_graph_that_is_too_large_is_named() {
    let names: Vec<String> = (0..5_000).map(|at| format!("n{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut page = Page::new("large", "");
    page.stages.push(Stage { picture: Some(graph(&names)), ..Stage::new("sea", "") });
    let stage = &data(&page.html())["stages"][0];
    assert_eq!(stage["reason"], "too large to draw: 5000 nodes and 4999 edges");
    assert_eq!(stage["svg"], Value::Null);
}
