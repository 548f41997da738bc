//! Reports of any span of any text.
use super::*;

fn rendered(text: &str, start: usize, end: usize) -> String {
    let source = Source { name: "some.smp".into(), text: text.into() };
    report(Span::new(start, end)).render(&source, false)
}

fn report<'r>(span: Span) -> Report<'r> {
    let (code, help) = ("E01".to_string(), Some("do better"));
    Report { code, span, message: "wrong", label: "this", help, also: None }
}

#[test]
fn a_report_contains_file_line_column_reason_and_help() {
    let report = rendered("return\n  x;", 9, 10);
    for part in ["E01", "wrong", "some.smp:2:3", "this", "do better"] {
        assert!(report.contains(part), "{part} is missing in\n{report}");
    }
}

#[test]
fn a_long_line_is_truncated() {
    let (spaces, million) = (" ".repeat(1_000_000), 1_000_000);
    let before_spaces = rendered(&format!("1\n2 x{spaces}"), 4, 5);
    assert!(
        before_spaces.contains("some.smp:2:3") && before_spaces.len() < 2000,
        "{before_spaces}"
    );
    let after_spaces = rendered(&format!("1\né{spaces}x"), 4 + million, 5 + million);
    assert!(
        after_spaces.contains("some.smp:2:1000002") && after_spaces.len() < 500,
        "{after_spaces}"
    );
    let within_spaces = rendered(&format!("1\n{spaces}"), 2, million);
    assert!(
        within_spaces.contains("some.smp:2:1 ") && within_spaces.len() < 2000,
        "{within_spaces}"
    );
}

#[test]
fn control_characters_are_replaced() {
    let report = rendered("a\u{1b}[31m\u{9b}31m\0 x", 10, 11);
    assert!(report.contains("a?[31m\u{b7}31m? x"), "{report}");
}

#[test]
fn a_mark_without_width_has_a_label() {
    for text in ["return x\u{301};", "return \u{301}x;", "\u{1d167}"] {
        let at = text.find(|it: char| !it.is_ascii()).expect("the mark");
        let length = text[at..].chars().next().expect("the mark").len_utf8();
        let report = rendered(text, at, at + length);
        assert!(report.contains('┬') && report.contains("╰"), "{report}");
    }
}

#[test]
fn every_span_can_be_reported() {
    for text in ["", "é", "a\né\u{1F600}", "\n", "\r\n\tx\u{1b}[0m"] {
        for start in 0..text.len() + 2 {
            for end in start..text.len() + 3 {
                assert!(rendered(text, start, end).contains("wrong"), "{text:?} {start} {end}");
            }
        }
    }
}

#[test]
fn lines_of_large_files_are_shown_if_they_are_near_and_short() {
    let check = |line: usize, text, expected: &str| {
        let line = Line { line, column: 3, text };
        let report = report(Span::default()).render_line("some.gxl", &line, false);
        assert!(report.contains(expected) && report.len() < 20_000, "{report}");
    };
    check(2, Some(("a bc", 2)), "some.gxl:2:3");
    check(2, Some(("a bc", 2)), "2 │ a bc");
    check(20_000, Some(("a bc", 2)), "too far down to be shown");
    check(2, None, "too long to be shown");
}

#[test]
fn a_report_may_be_about_two_spans() {
    let text = "form a: y\n\nrule b: a x\n";
    let source = Source { name: "some.rules".into(), text: text.into() };
    let shown = |first: Span, second: Span| {
        let report = Report { also: Some((second, "and this")), ..report(first) };
        report.render(&source, false)
    };
    let (form, rule) = (Span::new(8, 9), Span::new(16, 17));
    for report in [shown(form, rule), shown(rule, form)] {
        for part in ["form a: y", "rule b: a x", "this", "and this"] {
            assert!(report.contains(part), "{part} is missing in\n{report}");
        }
    }
    assert!(shown(form, rule).contains("some.rules:1:9"));
    assert!(shown(rule, form).contains("some.rules:3:6"));
}
