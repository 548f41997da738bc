//! Tests of `mistake.rs`.
use super::*;

const MISTAKES: &[Mistake] = &[
    Mistake::new("&&", &[], "", ""),
    Mistake::new("&", &[], "", "write `and`"),
    Mistake::new("=", &[")"], "`=` assigns", "write `==`"),
];

#[test]
fn mistakes_are_explained() {
    let check = |expected: &str, rest: &str, explanation: Option<(&str, Option<&str>)>| {
        let found = explain(MISTAKES, "This", expected, rest);
        let explanation = explanation.map(|(label, help)| (label.into(), help.map(String::from)));
        assert_eq!(found, explanation, "{rest}");
    };
    check(";", "&& x", Some(("This has no `&&`", None)));
    check(";", "& x", Some(("This has no `&`", Some("write `and`"))));
    check(")", "= x", Some(("`=` assigns", Some("write `==`"))));
    check(";", "= x", None);
    check(";", "\u{200b}x", Some(("U+200B is no space", Some("type it again"))));
    check(";", "\u{2264}", Some(("This has no U+2264", Some("type it again"))));
    check(";", "x", None);
}

#[test]
fn foreign_characters_are_numbers() {
    assert_eq!(escaped("a\u{200b}é"), "aU+200Bé");
}
