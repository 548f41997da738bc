//! Errors and stages as JSON.
use crate::sandbox::{Row, Sandbox, check, since};
use serde_json::{Value, json};

const fn row(line: &'static str, status: i32, out: &'static str, err: &'static str) -> Row {
    Row { chapters: since(28), line, status, out, err }
}

#[test]
fn programs_are_checked() {
    const ROWS: &[Row] = &[
        row("check answer.smp", 0, "", ""),
        row("check difference.rv", 0, "", ""),
        row("check answer.smp --message-format json", 0, "", ""),
        row("check wrong.smp", 1, "", "wrong.smp:2:8"),
        row("check wrong.smp --message-format json", 1, r#""code":"E04","file":"wrong.smp""#, ""),
        row("check wrong.smp --message-format xml", 2, "", "possible values: text, json"),
        row("check missing.smp --message-format json", 1, "", "cannot read `missing.smp`"),
        row("check answer.smp --target tr", 2, "", "selected"),
    ];
    let sandbox = Sandbox::new();
    sandbox.write("wrong.smp", b"int count = 1;\nreturn cuont;");
    check(&sandbox, ROWS);
}

/// What beginners write. Each has one error.
pub const MISTAKES: [&str; 18] = [
    "return 1",
    "retrun 1;",
    "int x = 1; return y;",
    "int count = 1; return cuont;",
    "int x = 1; int x = 2; return x;",
    "return 1 +;",
    "if arg return 1; return 2;",
    "while (arg { arg = arg - 1; } return arg;",
    "break; return 1;",
    "return 99999999999;",
    "struct P { int x; } P p = new P; return p.y;",
    "struct P { int x; } P? p = null; return p.x;",
    "val f = { int x -> x + 1; }; return f(1, 2);",
    "val f = { int x x + 1; }; return f(1);",
    "int f = 1; return f(3);",
    "var fact = { int n -> n < 2 ? 1 : n * fact(n - 1); }; return fact(5);",
    "val next = { int n -> n + 1; }; return nxt(1);",
    "val f = { int x, int x -> x; }; return f(1, 2);",
];

#[test]
fn mistakes_have_the_same_words_and_places_as_json() {
    let sandbox = Sandbox::new();
    for mistake in MISTAKES {
        let text = format!("// ö\n{mistake}\n");
        sandbox.write("mistake.smp", text.as_bytes());
        let report = sandbox.sonc(&["check", "mistake.smp"]);
        let done = sandbox.sonc(&["check", "mistake.smp", "--message-format", "json"]);
        assert_eq!([report.status, done.status], [Some(1); 2], "{mistake}: {report:?} {done:?}");
        assert_eq!(done.out.lines().count(), 1, "{mistake}: {done:?}");
        let error: Value = serde_json::from_str(&done.out).expect("an object");
        let span = &error["span"];
        let place = format!("mistake.smp:{}:{}", span["line"], span["column"]);
        let words = ["code", "message", "label", "help"].map(|it| error[it].as_str());
        for part in words.into_iter().flatten().chain([place.as_str()]) {
            assert!(report.err.contains(part), "{part}: {report:?} {done:?}");
        }
        let [start, end] = ["start", "end"].map(|it| span[it].as_u64().expect("a number"));
        assert!(6 <= start && start <= end && end <= text.len() as u64, "{done:?}");
    }
}

#[test]
fn stages_are_objects() {
    let sandbox = Sandbox::new();
    let stages = |words: &[&str]| {
        let done = sandbox.sonc(&[&["ir", "affine.smp", "--format", "json"], words].concat());
        assert_eq!((done.status, done.err.as_str()), (Some(0), ""), "{words:?}");
        let value: Value = serde_json::from_str(&done.out).expect("an object");
        assert_eq!(value["file"], "affine.smp");
        value["stages"].as_array().expect("a list").clone()
    };
    let all = stages(&[]);
    let names: Vec<_> = all.iter().filter_map(|it| it["name"].as_str()).collect();
    let others = ["tokens", "sea", "firm", "allocated", "elf"];
    assert!(others.iter().all(|it| names.contains(it)), "{names:?}");
    for stage in &all {
        let name = stage["name"].as_str().expect("a name");
        let of_text = sandbox.sonc(&["ir", "affine.smp", "--stage", name]).out;
        let text = stage["text"].as_str().expect("a text");
        assert_eq!(text.trim_end_matches('\n'), of_text.trim_end_matches('\n'), "{name}");
        assert_eq!(stages(&["--stage", name]), std::slice::from_ref(stage), "{name}");
        let list = |it: &str| stage["graph"][it].as_array().cloned().unwrap_or_default();
        let nodes: Vec<Value> = list("nodes").iter().map(|it| it["name"].clone()).collect();
        for edge in list("edges") {
            for end in ["from", "to"] {
                let node = edge[end].as_str().and_then(|it| it.split(':').next());
                assert!(nodes.contains(&json!(node)), "{name}: {edge}");
            }
        }
    }
    let last = stages(&["--target", "tr"]);
    assert_eq!(last.last().expect("a stage")["name"], "selected");
}
