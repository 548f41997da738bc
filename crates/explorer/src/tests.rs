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

#[test]
fn origins_are_counted_in_units_of_utf_16() {
    let mut picture = graph(&["a", "b"]);
    // "ö" has two bytes and one unit, "𝕩" has four bytes and two units.
    picture.origins = vec![("a".into(), 0..2), ("b".into(), 3..7), ("b:i0".into(), 8..9)];
    let mut page = Page::new("units", "ö 𝕩 c");
    let listing = "a: first\n  b second\nc".to_string();
    page.stages.push(Stage { picture: Some(picture), listing, ..Stage::new("sea", "") });
    let stage = &data(&page.html())["stages"][0];
    assert_eq!(stage["nodes"][0]["origin"], "0-1");
    assert_eq!(stage["nodes"][1]["origin"], "2-4");
    assert_eq!(stage["cells"], json!({ "b:i0": ["5-6"] }));
    assert_eq!(stage["lines"], json!([["0-1"], ["2-4"], []]));
}

#[test]
fn given_lines_replace_the_names_of_nodes() {
    let lines = vec![vec![], vec![0..1, 2..3]];
    let mut page = Page::new("lines", "a b");
    page.stages.push(Stage { lines, ..Stage::new("bytes", "head\nmov") });
    let stage = &data(&page.html())["stages"][0];
    assert_eq!((&stage["lines"], &stage["named"]), (&json!([[], ["0-1", "2-3"]]), &json!(false)));
}

#[test]
fn a_drawing_is_not_repeated() {
    let stage = |name: &str| Stage { picture: Some(graph(&["a", "b"])), ..Stage::new(name, "") };
    let mut page = Page::new("twice", "");
    page.stages.extend([stage("parsed"), stage("sea")]);
    let stages = &data(&page.html())["stages"];
    assert!(stages[0]["svg"].is_string());
    assert_eq!(stages[1]["svg"], json!({ "stage": 0 }));
}

#[test]
fn a_step_is_its_difference_from_the_one_before() {
    let step = |names: &[&str]| Step { picture: Some(graph(names)), ..Step::default() };
    let steps = vec![step(&["a", "b"]), step(&["a", "c"])];
    let mut page = Page::new("steps", "");
    page.stages.push(Stage { steps, ..Stage::new("sea", "") });
    let second = &data(&page.html())["stages"][0]["steps"]["list"][1]["graph"];
    let nodes = json!({ "c": "node c" });
    let expected = json!({ "nodes": nodes, "gone": ["b"], "edges": ["c a"], "cut": ["b a"] });
    assert_eq!(second, &expected);
}

#[test]
fn steps_may_have_other_clusters() {
    let picture = |titles: &[&str]| {
        let mut picture = Picture::new("");
        for title in titles {
            let cluster = picture.cluster(*title, None);
            picture.node(format!("in {title}"), *title, Kind::Data);
            picture.nodes[cluster].cluster = Some(cluster);
        }
        picture
    };
    let step = |titles: &[&str]| Step { picture: Some(picture(titles)), ..Step::default() };
    let steps = vec![step(&["b1", "b2", "b3"]), step(&["b3"])];
    let mut page = Page::new("blocks", "");
    page.stages.push(Stage { steps, ..Stage::new("firm", "") });
    let svg = data(&page.html())["stages"][0]["steps"]["svg"].to_string();
    assert_eq!(svg.matches("cluster-title").count(), 3);
    for title in ["b1", "b2", "b3"] {
        assert_eq!(svg.matches(&format!("in {title}\\\"")).count(), 1, "{title}");
    }
}
