//! Files in every form, usual and unusual, and broken ones.
use super::fast_path::{Attributes, usual_element};
use super::*;
use std::io::BufReader;

#[test]
fn an_id_keeps_its_number() {
    let squares = (0..1000).map(|it| format!("n{}", it * it));
    let backwards = (0..1000).map(|it| format!("e{}", 999 - it));
    let others = ["", "\0", "n", "n00", "n-1", "é1", "e1x", "1", "11", "n9999999999"];
    let names: Vec<String> = squares.chain(backwards).chain(others.map(String::from)).collect();
    let mut ids = IdTable::default();
    for round in 0..2 {
        for (number, name) in (0..).zip(&names) {
            assert_eq!(ids.number(name.as_bytes()), Some((number, round == 0)), "{name:?}");
            assert_eq!(&ids.get(number), name);
        }
    }
}

#[test]
fn ids_that_count_up_need_no_letters() {
    let mut ids = IdTable::default();
    for number in 0..5000 {
        for letter in ["n", "e"] {
            ids.number(format!("{letter}{number}").as_bytes());
        }
    }
    assert_eq!((ids.count, ids.letters.len(), ids.others.len()), (10_000, 0, 0));
    assert!(ids.counted.iter().all(|it| it.numbers.len() <= 5000));
}

const EDGE: &str = "\n <edge to=\"b\" id=\"e\"\tfrom=\"a\" >\n<type xlink:href=\"#Keep\"/>\
    <attr name=\"position\">\n <int>-1</int>\n</attr> </edge>";

#[test]
fn the_usual_is_understood() {
    let mut room = Attributes::default();
    let text = format!("{EDGE} <edge");
    let (edge, length) = usual_element(text.as_bytes(), 5, &mut room).expect("an edge");
    assert_eq!((edge.kind, edge.offset, length), (Kind::Edge, 7, EDGE.len()));
    assert_eq!([edge.id, edge.from, edge.to], [b"e", b"a", b"b"].map(|it| Some(&it[..])));
    assert_eq!(edge.type_, b"#Keep");
    let position = Attribute { name: b"position", element: b"int", text: b"-1" };
    assert_eq!(edge.attributes, [position]);
}

#[test]
fn anything_else_is_left_alone() {
    let changes = [
        ("\"b\"", "'b'"),
        ("\"b\"", "\"&lt;\""),
        ("\"b\"", "\"é\""),
        ("id=", "from="),
        (" id=", "id="),
        ("-1", "<!-- -->-1"),
        ("</int>", "</bool>"),
        ("</edge>", "</node>"),
        ("</edge>", "</edge >"),
        ("#Keep\"/>", "#Keep\"></type>"),
        ("</edge>", ""),
        ("<edge", "<!-- --><edge"),
    ];
    for (old, new) in changes {
        let text = EDGE.replace(old, new);
        let mut room = Attributes::default();
        assert!(text != EDGE && usual_element(text.as_bytes(), 0, &mut room).is_none());
    }
    for end in 0..EDGE.len() {
        assert!(usual_element(&EDGE.as_bytes()[..end], 0, &mut Attributes::default()).is_none());
    }
}

#[test]
fn places_are_found_in_one_go() {
    let long = format!("<x>\n  é<node id=\"a&amp;b\">{}\n<edge", " ".repeat(100_000));
    let second = long.len() as u64 - 5;
    let mut input = BufReader::with_capacity(7, long.as_bytes());
    let found = positions(&mut input, &[0, 8, 8, second, second + 5]).expect("a text");
    let lines: Vec<_> = found.iter().map(|it| (it.line, it.column)).collect();
    assert_eq!(lines, [(1, 1), (2, 4), (2, 4), (3, 1), (3, 6)]);
    assert_eq!(found[1].id.as_deref(), Some("a&b"));
    assert_eq!([&found[0].id, &found[3].id], [&None; 2]);
    assert_eq!((found[0].text.as_deref(), found[0].before), (Some("<x>"), 0));
    assert_eq!(found[1].before, 4);
    assert_eq!(found[4].text.as_deref(), Some("<edge"));
}

#[test]
fn a_place_far_to_the_right_has_no_text() {
    let text = "é".repeat(300);
    let found = positions(&mut text.as_bytes(), &[500]).expect("a text");
    assert_eq!((found[0].line, found[0].column, &found[0].text), (1, 251, &None));
}

/// All elements of a file as text, by a buffer of so many bytes.
fn elements(bytes: usize, text: &str) -> Result<Vec<String>, ReadError> {
    let mut all = Vec::new();
    let mut input = BufReader::with_capacity(bytes, text.as_bytes());
    read(&mut input, &["Call", "Tree"], &mut |element| {
        all.push(format!("{element:?}"));
        Ok(())
    })?;
    Ok(all)
}

fn file() -> String {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, "Tree");
    let values =
        [Value::Bool(true), Value::Enum("LESS"), Value::String("a<b>&\r\n é\u{fffe}\u{1}")];
    for number in 0..50 {
        let attributes = values.map(|value| ("name", value));
        writer.node(number, &["In", "ner"], &attributes).expect("memory takes everything");
    }
    for number in 0..50 {
        let position = [("position", Value::Int(-(number as i64)))];
        writer.edge(number, number / 2, "Child", &position).expect("memory takes everything");
    }
    writer.finish().expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn written_files_are_read() {
    let mut texts = Vec::new();
    read(&mut file().as_bytes(), &["Tree"], &mut |element| {
        texts.extend(element.attributes.iter().map(|it| it.text.to_vec()));
        Ok(())
    })
    .expect("it was written here");
    assert_eq!(texts.len(), 200);
    assert_eq!(texts[2], "a<b>&\r\n é\u{fffd}\u{fffd}".as_bytes());
    assert_eq!(texts[199], b"-49");
}

#[test]
fn both_readers_agree() {
    let text = file();
    let expected = elements(1 << 16, &text);
    assert_eq!(expected.as_ref().map(Vec::len), Ok(100));
    for bytes in [1, 8, 100, 1000] {
        assert_eq!(elements(bytes, &text), expected, "{bytes}");
    }
    // Without a part of the file, both find the same error.
    for start in (0..text.len() - 400).step_by(97).filter(|it| text.is_char_boundary(*it)) {
        let end = (start + start % 13..).find(|it| text.is_char_boundary(*it)).expect("the end");
        let cut = format!("{}{}", &text[..start], &text[end..]);
        assert_eq!(elements(8, &cut), elements(1 << 16, &cut), "{start}");
    }
}

#[test]
fn errors_name_their_place() {
    let graph = |inner: &str| format!("<gxl><graph><type href='#Tree'/>{inner}</graph></gxl>");
    for (text, offset, message) in [
        (String::new(), 0, "There is no GXL in this file"),
        ("<gxl></gxl>".to_string(), 11, "There is no graph of the types `#Call` and `#Tree`"),
        ("<xml/>".to_string(), 0, "Unexpected element `xml`"),
        (graph("<tree/>"), 32, "Unexpected element `tree`"),
        (graph("<node/>"), 32, "Unexpected element `node`"),
        (graph("text"), 32, "No text can stand here"),
        (graph("&nbsp;"), 32, "There is no entity `nbsp`"),
        (graph("</gxl>"), 32, "This is not XML"),
        (graph("<node id='a\0'/>"), 32, "This is not XML: it has no U+0000"),
        (graph("<node id='a&#1;'/>"), 32, "This is not XML"),
        (graph("<node id='a\u{ffff}'/>"), 32, "This is not XML: it has no U+FFFF"),
        (graph(" \u{b}"), 32, "This is not XML: it has no U+000B"),
        (graph("<node id='a'to='b'/>"), 32, "This is not XML: two attributes are one word"),
        (graph("").replace("Tree", "Bush"), 12, "Unexpected element `type`"),
        (graph("</graph><graph><type href='#Call'/>"), 40, "Unexpected element `graph`"),
        (graph("").replace("</gxl>", ""), 40, "The file ends too early"),
    ] {
        let error = elements(64, &text).expect_err("it is broken");
        assert!(error.message.contains(message), "{text}: {error:?}");
        assert_eq!(error.offset, offset, "{text}: {error:?}");
    }
}
