//! Tests of pages.
use super::*;
use picture::{Cell, Endpoint, Kind, Label, Node};

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

/// The content of the element with this name.
fn content<'h>(html: &'h str, name: &str) -> &'h str {
    let (_, rest) = html.split_once(&format!("id=\"{name}\">")).expect("an element");
    rest.split_once("</script>").expect("an end").0
}

/// The stages of a page.
fn stages(html: &str) -> Value {
    serde_json::from_str(&pack::unpack(content(html, "stages"))).expect("JSON")
}

/// The drawing of this number.
fn drawing(html: &str, number: &Value) -> String {
    pack::unpack(content(html, &format!("part-{number}")))
}

#[test]
fn texts_cannot_leave_their_element() {
    let mut page = Page::new("</title>{{data}}", "</script><script>{{script}}");
    page.stages.push(Stage::new("sea", "<!-- \" ' & \\ \u{2028} -->"));
    let html = page.html();
    assert_eq!(html.matches("</title>").count(), 1);
    assert_eq!(html.matches("</script>").count(), 3);
    let data: Value = serde_json::from_str(content(&html, "data")).expect("JSON");
    assert_eq!(data["source"], "</script><script>{{script}}");
    assert_eq!(stages(&html)[0]["listing"], "<!-- \" ' & \\ \u{2028} -->");
}

#[test]
fn a_report_is_a_text_of_the_script() {
    let reload = Reload { version: 7, stamp: "page.js".into() };
    assert_eq!(reload.script(None), "window.pageVersion = 7;\n");
    let expected = "window.pageVersion = 7;\nwindow.pageReport = \"a \\\"b\\\"\\n\";\n";
    assert_eq!(reload.script(Some("a \"b\"\n")), expected);
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
    let html = page.html();
    let steps = &stages(&html)[0]["steps"];
    let svg = drawing(&html, &steps["drawing"]);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(svg.matches(&format!("data-node=\"{name}\"")).count(), 1, "{name}");
    }
    assert_eq!(svg.matches("data-from=\"c\" data-to=\"a\"").count(), 1);
    assert_eq!(steps["list"][0]["graph"]["edges"], json!({ "b a": "" }));
}

#[test]
fn a_graph_that_is_too_large_is_named() {
    let names: Vec<String> = (0..5_000).map(|at| format!("n{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut page = Page::new("large", "");
    page.stages.push(Stage { picture: Some(graph(&names)), ..Stage::new("sea", "") });
    let stage = &stages(&page.html())[0];
    assert_eq!(stage["reason"], "too large to draw: 5000 nodes and 4999 edges");
    assert_eq!(stage["drawing"], Value::Null);
}

#[test]
fn origins_are_counted_in_units_of_utf_16() {
    let mut picture = graph(&["a", "b"]);
    // "ö" has two bytes and one unit, "𝕩" has four bytes and two units.
    picture.origins = vec![("a".into(), 0..2), ("b".into(), 3..7), ("b:i0".into(), 8..9)];
    let mut page = Page::new("units", "ö 𝕩 c");
    let listing = "a: first\n  b second\nb:i0 third\nc".to_string();
    page.stages.push(Stage { picture: Some(picture), listing, ..Stage::new("sea", "") });
    let stage = &stages(&page.html())[0];
    assert_eq!(stage["nodes"][0]["origin"], "0-1");
    assert_eq!(stage["nodes"][1]["origin"], "2-4");
    assert_eq!(stage["cells"], json!({ "b:i0": ["5-6"] }));
    assert_eq!(stage["lines"], json!([["0-1"], ["2-4"], ["5-6"], []]));
}

#[test]
fn given_lines_replace_the_names_of_nodes() {
    let lines = vec![vec![], vec![0..1, 2..3]];
    let mut page = Page::new("lines", "a b");
    page.stages.push(Stage { lines, ..Stage::new("bytes", "head\nmov") });
    let stage = &stages(&page.html())[0];
    assert_eq!((&stage["lines"], &stage["named"]), (&json!([[], ["0-1", "2-3"]]), &json!(false)));
}

#[test]
fn a_drawing_is_not_repeated() {
    let stage = |name: &str| Stage { picture: Some(graph(&["a", "b"])), ..Stage::new(name, "") };
    let mut page = Page::new("twice", "");
    page.stages.extend([stage("parsed"), stage("sea")]);
    let html = page.html();
    let stages = stages(&html);
    assert_eq!([&stages[0]["drawing"], &stages[1]["drawing"]], [&json!(0), &json!(0)]);
    assert_eq!([&stages[0]["dot"], &stages[1]["dot"]], [&json!(1), &json!(1)]);
    assert!(drawing(&html, &json!(0)).starts_with("<svg "));
    assert!(!html.contains("id=\"part-2\""));
}

#[test]
fn a_step_is_its_difference_from_the_one_before() {
    let step = |names: &[&str]| Step { picture: Some(graph(names)), ..Step::default() };
    let steps = vec![step(&["a", "b"]), step(&["a", "c"])];
    let mut page = Page::new("steps", "");
    page.stages.push(Stage { steps, ..Stage::new("sea", "") });
    let second = &stages(&page.html())[0]["steps"]["list"][1]["graph"];
    let nodes = json!({ "c": "node c" });
    let expected = json!({ "nodes": nodes, "gone": ["b"], "edges": { "c a": "" }, "cut": ["b a"] });
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
    let html = page.html();
    let svg = drawing(&html, &stages(&html)[0]["steps"]["drawing"]);
    assert_eq!(svg.matches("cluster-title").count(), 3);
    for title in ["b1", "b2", "b3"] {
        assert_eq!(svg.matches(&format!("in {title}\"")).count(), 1, "{title}");
    }
}

#[test]
fn the_tables_of_edges_are_steps_too() {
    let step = |cost: &str| {
        let mut picture = graph(&["a", "b"]);
        let rows = vec![vec![Cell::new("0", Kind::Data), Cell::new(cost, Kind::Data)]];
        picture.edges[0].label = Label::Table(rows);
        Step { picture: Some(picture), ..Step::default() }
    };
    let mut page = Page::new("matrices", "");
    let picture = step("9").picture;
    let steps = vec![step("1"), step("2")];
    page.stages.push(Stage { steps, picture, ..Stage::new("pbqp", "") });
    let html = page.html();
    let stage = &stages(&html)[0];
    assert_eq!(stage["tables"], json!({ "b a": "0 · 9" }));
    let second = &stage["steps"]["list"][1]["graph"];
    let expected = json!({ "nodes": {}, "gone": [], "edges": { "b a": "0 · 2" }, "cut": [] });
    assert_eq!(second, &expected);
    let svg = drawing(&html, &stage["steps"]["drawing"]);
    assert_eq!(svg.matches("class=\"label\" data-from=\"b\" data-to=\"a\"").count(), 1);
}

#[test]
fn changes_count_lines() {
    let page = |listing: &str| {
        let mut page = Page::new("t", "t");
        page.stages.push(Stage { listing: listing.to_string(), ..Stage::new("sea", "") });
        page.stages.push(Stage::new("firm", "the same"));
        page
    };
    assert_eq!(page("a\nb\nc").changes(&page("b\nb\na")), "sea        +1 −1 lines\n");
}

#[test]
fn instructions_have_places() {
    let mut cell = Cell::new("mov eax,1", Kind::Data);
    cell.port = Some("i1".into());
    let table = |name: &str| Node {
        name: name.into(),
        kind: Kind::Control,
        rows: vec![vec![Cell::new("b0", Kind::Control)], vec![cell.clone()]],
        cluster: None,
    };
    let mut picture = Picture::new("code");
    picture.nodes.extend(["f0_b0", "f1_b0", "f2_b0"].map(table));
    let functions = [vec![vec![0..1], vec![2..3, 4..5]], vec![vec![6..7]]];
    add_instructions(&mut picture, &functions);
    // The other functions have no instruction 1.
    let expected = [2..3, 4..5].map(|place| ("f0_b0:i1".to_string(), place));
    assert_eq!(picture.origins, expected);
}

#[test]
fn two_compilations_are_side_by_side() {
    let drawn = |name: &str, text: &str, names: &[&str]| Stage {
        picture: Some(graph(names)),
        is_linked: true,
        ..Stage::new(name, text)
    };
    let mut page = Page::new("answer", "return 42;");
    page.stages = vec![drawn("sea", "now", &["a", "b"]), Stage::new("flow", "alone")];
    page.comparison = Some(Comparison {
        name: "greedy".into(),
        stages: vec![drawn("sea", "old", &["a", "c"]), Stage::new("elf", "other")],
        columns: vec!["greedy".into(), "pbqp".into()],
        rows: vec![("bytes".into(), vec!["7".into(), "5".into()])],
    });
    let html = page.html();
    let stages = stages(&html);
    let names: Vec<_> = stages.as_array().expect("a list").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["sea", "flow", "sea (greedy)", "elf (greedy)"]);
    assert_eq!(
        (&stages[0]["beside"], &stages[0]["isOther"]),
        (&json!("sea (greedy)"), &Value::Null)
    );
    assert_eq!((&stages[1]["beside"], &stages[2]["isOther"]), (&Value::Null, &json!(true)));
    assert_eq!((&stages[0]["linked"], &stages[2]["linked"]), (&json!(true), &json!(false)));
    assert!(drawing(&html, &stages[2]["drawing"]).contains("node c"));
    let data: Value = serde_json::from_str(content(&html, "data")).expect("JSON");
    let numbers = json!({ "columns": ["greedy", "pbqp"], "rows": [["bytes", ["7", "5"]]] });
    assert_eq!(data["numbers"], numbers);
}
