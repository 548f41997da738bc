//! Reports a name that is not known, and suggests the closest one.
use report_text::{Report, closest};
use source::{Source, Span};

fn main() {
    let source = Source { name: "sum.smp".into(), text: "return totel + 1;".into() };
    let known = ["total", "count"];
    let suggestion = closest("totel", known.into_iter()).map(|it| format!("did you mean `{it}`?"));
    let report = Report {
        code: "E04".into(),
        span: Span::new(7, 12),
        message: "undefined name `totel`",
        label: "not declared",
        help: suggestion.as_deref(),
        also: None,
    };
    let text = report.render(&source, false);
    print!("{text}");
    assert!(text.contains("did you mean `total`?"));
}

#[test]
fn the_example_holds() {
    main();
}
