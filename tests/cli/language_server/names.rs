//! Names and values: each text has a cursor, `¦`, where an editor asks.
use super::{URI, answer_to, edited, notification, opened, request, session};
use serde_json::{Value, json};

/// The text without the cursor, and the position of the cursor.
fn cursor(marked: &str) -> (String, Value) {
    let (before, _) = marked.split_once('¦').expect("a cursor");
    let before = before.replace("\r\n", "\n").replace('\r', "\n");
    let line = before.rsplit('\n').next().expect("a line");
    let position = json!({
        "line": before.matches('\n').count(),
        "character": line.encode_utf16().count(),
    });
    (marked.replace('¦', ""), position)
}

/// The whole answer to a request at the cursor, with further parameters.
fn answer(marked: &str, method: &str, further: &[(&str, Value)]) -> Value {
    let (text, position) = cursor(marked);
    let mut parameters = json!({ "textDocument": { "uri": URI }, "position": position });
    for (name, value) in further {
        parameters[name] = value.clone();
    }
    let answers = session(vec![opened(&text), request(2, method, parameters)]);
    answer_to(2, &answers).clone()
}

fn hover(marked: &str) -> String {
    let answer = answer(marked, "textDocument/hover", &[]);
    let text = answer["result"]["contents"]["value"].as_str().unwrap_or_default();
    text.replace("```simple\n", "[").replace("\n```", "]").replace("\n\n", " ")
}

/// The text in a range of one line.
fn text_in(text: &str, range: &Value) -> String {
    let [start, end] = ["start", "end"].map(|it| &range[it]);
    assert_eq!(start["line"], end["line"], "{range}");
    let line = text.lines().nth(start["line"].as_u64().expect("a number") as usize);
    let units: Vec<u16> = line.expect("a line").encode_utf16().collect();
    let [start, end] = [start, end].map(|it| it["character"].as_u64().expect("a number") as usize);
    String::from_utf16(&units[start..end]).expect("whole characters")
}

#[test]
fn hover_shows_types_and_values() {
    for (marked, expected) in [
        ("int x = a¦rg; return x;", "[int arg] The argument of the program. Value: any `int`."),
        ("int ¦x = 2 + 3; return x;", "[int x] Value: 5."),
        ("u8 ¦x = arg; return x;", "[u8 x] Value: 0 to 255."),
        ("bool b = arg ¦< 5; return b;", "[int] Value: 0 to 1."),
        ("return 5 ¦!= 5;", "[int] Value: 0. Replaced by `fold-constants`."),
        ("return ¦-arg;", "[int]"),
        ("int x = arg & 7; return x ¦* 1;", "[int] Value: 0 to 7. Replaced by `mul-one`."),
        (
            "if (0) return arg ¦* 7; return 1;",
            "[int] Value: any `int`. The optimized graph does not compute it.",
        ),
        ("return 2¦5;", "[int]"),
        ("flt f¦ = arg; return f;", ""),
        ("flt ¦f = arg; return f;", "[flt f]"),
        ("return arg ¦* 1;", "[int] Value: any `int`. Replaced by `mul-one`."),
        ("int x = arg ¦& 7; return x;", "[int] Value: 0 to 7."),
        (
            "int x = arg ¦* 3; return 1;",
            "[int] Value: any `int`. The optimized graph does not \
          compute it.",
        ),
        ("return arg ¦? 3 : 4;", "[int] Value: 3 to 4."),
        ("val ¦s = new int[4]; return s#;", "[int[] s] The optimized graph does not compute it."),
        (
            "int[] s = new int[4]; return s¦#;",
            "[int] Value: 4. Replaced by `fold-constants`, `value-numbering`.",
        ),
        ("int i = 0; while (i < arg) ¦i = 7; return i;", "[int i] Value: 7."),
        ("int i = 9; ¦i++; return i;", "[int i] Value: 10. Replaced by `fold-constants`."),
        ("int i = 9; ¦i += 2; return i;", "[int i] Value: 11. Replaced by `fold-constants`."),
        (
            "struct S { int x; } S s = new S; s.¦x = 3; return s;",
            "[int x] A field of `S`. \
          Value: 3.",
        ),
        (
            "struct S { int x; S? next; } ¦S s = new S; return s;",
            "[struct S {\n    int x;\n    \
          S? next;\n}]",
        ),
        ("struct S {} S? ¦s = null; return s;", "[S? s]"),
        ("val ¦f = { int x, flt y -> y * x; }; return f(3, 2.5);", "[{ int flt -> flt} f]"),
        ("val f = { int x -> x ¦& 7; }; return f(arg);", "[int] Value: 0 to 7."),
        ("val f = { int x -> x & 7; }; return f¦(arg);", "[int] Value: any `int`."),
        ("val k = 7; val f = { int x -> x + ¦k; }; return f(arg);", "[int k]"),
        // With an error, no program has been compiled.
        ("int ¦x = 3; return y;", "[int x]"),
        ("return ¦ 1;", ""),
    ] {
        assert_eq!(hover(marked), expected, "{marked}");
    }
}

/// In each text, `‹` stands before the declaration.
#[test]
fn definition_finds_the_declaration() {
    for marked in [
        "int ‹x = 1; return ¦x;",
        "int ‹x = 1; return x¦;",
        "int ‹¦x = 1; return x;",
        "int ‹x = 1; { int x = 2; } return ¦x;",
        "int x = 1; { int ‹x = 2; x = ¦x + 1; } return x;",
        "int ‹x = 1; ¦x = 2; return x;",
        "int ‹x = 1; return ¦x++;",
        "int ‹x = 1; return --¦x;",
        "int ‹x = 1; int y = ¦x = 3; return y;",
        "int ‹x = 1; ¦x += 3; return x;",
        "for (int ‹i = 0; i < 3; ¦i++) ; return 1;",
        "struct ‹S { int x; } ¦S s = new S; return s.x;",
        "struct ‹S { int x; } S s = new ¦S; return s.x;",
        "struct T { ¦S? s; } struct ‹S { int x; } return 1;",
        "struct ‹S { ¦S? s; } return 1;",
        "struct ‹S { int x; } S?[] s = new ¦S?[3]; return s#;",
        "struct S { int ‹x; } S s = new S; return s.¦x;",
        "struct S { int ‹x; } S s = new S; s.¦x++; return s.x;",
        "struct S { int ‹x; } int x = 3; S s = new S { ¦x = x + 1; }; return s.x;",
        "struct S { int ‹x = 3; int y = ¦x; } return 1;",
        "struct S { int x; } struct T { int ‹x; } S s = new S; T t = new T; return s.x + t.¦x;",
        "val ‹f = { int x -> x * 2; }; return ¦f(3);",
        "val f = { int ‹x -> ¦x * 2; }; return f(3);",
        "val f = { int x -> int ‹y = x; ¦y * 2; }; return f(3);",
        "int x = 1; val f = { int ‹x -> x + ¦x; }; return f(x);",
        "int ‹x = 1; val f = { int x -> x + x; }; return f(¦x);",
        "val ‹k = 7; val f = { int x -> x + ¦k; }; return f(1);",
        "val ‹f = { int x -> x ? ¦f(x - 1) : 3; }; return f(3);",
        "val f = { int x -> ¦g(x); }; val ‹g = { int x -> x * 2; }; return f(3);",
        "{int -> int} ‹f = { int x -> x; }; return ¦f(3);",
        "struct ‹S { int x; } val f = { ¦S s -> s.x; }; return f(new S);",
        "struct S { int ‹x; } val f = { S s -> s.¦x; }; return f(new S);",
        "int ‹v = arg; val f = { int x -> x + ¦v; }; return f(3);",
        "struct S; { int x; } struct ‹S { int x; } ¦S s = new S; return s;",
        "struct ‹S { int x; } struct S { int y; } ; ¦S s = new S; return s;",
        // The text has errors before, at and after the name.
        "int y = ; int ‹x = 1; return ¦x;",
        "int ‹x = 1; ¦x = ; return x;",
        "int ‹x = 1; int x = 2; return ¦x; } { int",
        "int ‹x = 1; int ¦x = 2;",
        "// 😀\r\nint ‹x = 1;\rreturn ¦x;",
    ] {
        let (_, expected) = cursor(&marked.replace('¦', "").replace('‹', "¦"));
        let answer = answer(&marked.replace('‹', ""), "textDocument/definition", &[]);
        assert_eq!(answer["result"]["range"]["start"], expected, "{marked}: {answer}");
        assert_eq!(answer["result"]["uri"], URI);
    }
}

#[test]
fn other_tokens_have_no_declaration() {
    for marked in ["return ¦arg;", "return ¦unknown;", "¦return 1;", "int x = ¦1;", "¦", "x.¦y"]
    {
        let answer = answer(marked, "textDocument/definition", &[]);
        assert_eq!(answer["result"], Value::Null, "{marked}");
        assert_eq!(answer["error"], Value::Null, "{marked}");
    }
}

#[test]
fn references_are_all_uses_with_or_without_the_declaration() {
    let marked = "int x = 1; { int x = 2; x++; } ¦x = x + 1; return x;";
    for (has_declaration, columns) in [(true, vec![4, 31, 35, 49]), (false, vec![31, 35, 49])] {
        let context = json!({ "includeDeclaration": has_declaration });
        let answer = answer(marked, "textDocument/references", &[("context", context)]);
        let places = answer["result"].as_array().expect("a list").iter();
        let found: Vec<_> = places.map(|it| it["range"]["start"]["character"].clone()).collect();
        assert_eq!(json!(found), json!(columns));
    }
}

/// The text after a rename, or the error.
fn renamed(marked: &str, name: &str) -> Result<String, String> {
    let answer = answer(marked, "textDocument/rename", &[("newName", json!(name))]);
    if let Some(error) = answer["error"]["message"].as_str() {
        return Err(error.to_string());
    }
    Ok(edited(&cursor(marked).0, &answer["result"]["changes"][URI]))
}

#[test]
fn rename_changes_all_mentions_of_one_declaration() {
    for (marked, name, expected) in [
        ("int ¦x = 1; { int x = 2; } return x;", "y", "int y = 1; { int x = 2; } return y;"),
        ("int x = 1; { int x¦ = 2; } return x;", "y", "int x = 1; { int y = 2; } return x;"),
        (
            "int x = 1; // 😀\r\nreturn x +\r¦x;",
            "count",
            "int count = 1; // 😀\r\nreturn count +\rcount;",
        ),
        ("struct ¦S { S? s; } return new S;", "T", "struct T { T? s; } return new T;"),
        (
            "struct S { int x; } int x = 3; return new S { ¦x = x; };",
            "y",
            "struct S { int y; } int x = 3; return new S { y = y; };",
        ),
        ("int ¦x = 1; int y = ; return x;", "z", "int z = 1; int y = ; return z;"),
    ] {
        assert_eq!(renamed(marked, name).as_deref(), Ok(expected), "{marked}");
    }
}

#[test]
fn a_rename_that_changes_the_meaning_is_refused() {
    for (marked, name, expected) in [
        ("int ¦x = 1; return x;", "1x", "is not a name"),
        ("int ¦x = 1; return x;", "while", "is not a name"),
        ("int ¦x = 1; return x;", "x y", "is not a name"),
        ("int ¦x = 1; return x;", "", "is not a name"),
        ("return ¦arg;", "x", "not declared"),
        ("return ¦1;", "x", "no name"),
        // The same block, an inner one that hides the new name, and one that is hidden.
        ("int ¦x = 1; int y = 2; return x;", "y", "another declaration"),
        ("int ¦x = 1; { int y = 2; x = y; } return x;", "y", "another declaration"),
        ("int y = 1; { int ¦x = 2; y = x; } return y;", "y", "another declaration"),
        ("int ¦x = 1; return arg;", "arg", "another declaration"),
        ("struct S { int ¦x; int y; } return 1;", "y", "another declaration"),
        ("struct ¦S { int x; } struct T { int x; } return 1;", "T", "another declaration"),
        ("struct S { int ¦x; } int y = 1; return new S { x = y; };", "y", "another declaration"),
        // An undeclared name would become a use.
        ("int ¦x = 1; return y;", "y", "another declaration"),
    ] {
        let error = renamed(marked, name).expect_err(marked);
        assert!(error.contains(expected), "{marked}: {error}");
    }
}

#[test]
fn a_name_that_can_be_changed_is_offered() {
    for (marked, expected) in
        [("int x = 1; return x¦;", Some("x")), ("return ¦arg;", None), ("return ¦1;", None)]
    {
        let answer = answer(marked, "textDocument/prepareRename", &[]);
        let range = Some(&answer["result"]).filter(|it| !it.is_null());
        let found = range.map(|it| text_in(&cursor(marked).0, it));
        assert_eq!(found.as_deref(), expected, "{marked}");
    }
}

/// The names and details of symbols, with those of their fields in parentheses.
fn outline(symbols: &Value) -> String {
    let symbols = symbols.as_array().expect("a list").iter();
    let lines = symbols.map(|it| {
        let fields = it.get("children").map_or(String::new(), outline);
        let fields = if fields.is_empty() { fields } else { format!(" ({fields})") };
        let [name, detail] = ["name", "detail"].map(|part| it[part].as_str().expect("a text"));
        format!("{name}: {detail}{fields}")
    });
    lines.collect::<Vec<_>>().join(", ")
}

#[test]
fn the_outline_has_structs_and_outermost_variables() {
    for (text, expected) in [
        ("", ""),
        ("return arg;", ""),
        ("int x = 1; { int y; } if (x) { int z; } for (int i = 0; i < 2; i++) ;", "x: int"),
        (
            "val f = { int x -> int y = x; y; }; {int->int}? g = f; { val h = { int x -> x; }; }",
            "f: { int -> int}, g: { int -> int}?",
        ),
        (
            "T? t = null; struct S { int x; { int z; } S? s; val y = 2.5; } struct T {}",
            "t: T?, S: struct (x: int, s: S?, y: flt), T: struct",
        ),
        (
            "struct S { int x = ; flt y; } int a = ; u8[] b = new u8[3]; return )",
            "S: struct \
          (x: int, y: flt), a: int, b: u8[]",
        ),
        ("struct S { int x; S? s", "S: struct (x: int, s: S?)"),
    ] {
        let answer = answer(&format!("{text}¦"), "textDocument/documentSymbol", &[]);
        assert_eq!(outline(&answer["result"]), expected, "{text}");
    }
}

#[test]
fn hints_are_the_types_of_inferred_declarations() {
    let text = "struct S { val f = 2.5; } var a = 1, b = new S;\nval c = b.f;\nint d = 2; \
                val e = new u8[3];\nvar g = null; var h = ; val i = 1 + x;\n¦";
    let range = |lines: [u32; 2]| {
        let [start, end] = lines.map(|line| json!({ "line": line, "character": 0 }));
        [("range", json!({ "start": start, "end": end }))]
    };
    let hints = |lines| {
        let answer = answer(text, "textDocument/inlayHint", &range(lines));
        let hints = answer["result"].as_array().expect("a list").iter();
        let shown = hints.map(|it| {
            let place = &it["position"];
            let label = it["label"].as_str().expect("a text");
            format!("{}:{} {label}", place["line"], place["character"])
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(hints([0, 9]), "0:15 flt, 0:30 int, 0:37 S?, 1:4 flt, 2:15 u8[], 3:28 int");
    assert_eq!(hints([1, 2]), "1:4 flt");
}

/// Another language, and a closed program.
#[test]
fn a_text_that_is_no_open_program_of_simple_has_no_answers() {
    for method in ["hover", "definition", "documentSymbol"] {
        let closed = json!({ "textDocument": { "uri": URI } });
        let method = format!("textDocument/{method}");
        let place = json!({ "textDocument": { "uri": URI }, "position": cursor("¦").1 });
        let open = vec![opened("int x = 1;"), request(2, &method, place.clone())];
        let close = notification("textDocument/didClose", closed);
        let closed = vec![opened("int x = 1;"), close, request(2, &method, place)];
        assert_eq!(answer_to(2, &session(closed))["result"], Value::Null);
        assert_eq!(answer_to(2, &session(open))["error"], Value::Null);
    }
    let uri = "file:///program.rv";
    let document = json!({ "uri": uri, "languageId": "", "version": 1, "text": "int x = 1;" });
    let open = notification("textDocument/didOpen", json!({ "textDocument": document }));
    let symbols = json!({ "textDocument": { "uri": uri } });
    let answers = session(vec![open, request(2, "textDocument/documentSymbol", symbols)]);
    assert_eq!(answer_to(2, &answers)["result"], Value::Null);
}

#[test]
fn wrong_parameters_and_unknown_methods_are_errors() {
    let wrong = session(vec![
        request(2, "textDocument/hover", json!({ "position": 1 })),
        request(3, "textDocument/unknown", json!({})),
    ]);
    let codes = [2, 3].map(|id| answer_to(id, &wrong)["error"]["code"].clone());
    assert_eq!(codes, [json!(-32602), json!(-32601)]);
}
