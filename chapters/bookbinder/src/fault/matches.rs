//! A `match` without effect.
use super::TokenFault;
use crate::element::element;
use crate::place::{Around, around, in_macro};
use crate::scan::Scan;
use crate::tag::behind_attributes;
use crate::token::Kind;

pub fn faults(scan: &Scan) -> Vec<TokenFault> {
    let keywords = (0..scan.code.len()).filter(|&at| scan.text(at) == "match");
    let outside = keywords.filter(|&at| scan.is_word(at) && !in_macro(scan, at));
    outside.filter_map(|at| Some((at, fault(&arms(scan, at)?)?))).collect()
}

/// The texts of a pattern and of its value, token by token.
struct Arm<'a> {
    pattern: Vec<&'a str>,
    value: Vec<&'a str>,
    binds: bool,
}

fn fault(arms: &[Arm]) -> Option<String> {
    let [first, rest @ ..] = arms else { return None };
    // In an enum that has one variant in this chapter, the arm names that variant.
    if rest.is_empty() {
        let is_variant = first.pattern.first().is_some_and(|it| it.starts_with(char::is_uppercase));
        return (!is_variant).then(|| "a `match` with one arm".to_string());
    }
    if arms.iter().all(|it| it.pattern == it.value) {
        return Some("a `match` that returns its operand".to_string());
    }
    let same = rest.iter().all(|it| it.value == first.value);
    (same && !arms.iter().any(|it| it.binds)).then(|| "a `match` with equal arms".to_string())
}

/// The arms of the `match` whose keyword is `at`.
fn arms<'a>(scan: &Scan<'a>, keyword: usize) -> Option<Vec<Arm<'a>>> {
    let mut open = keyword + 1;
    while scan.text(open) != "{" || around(scan, open + 1) != Around::Arms {
        open = scan.matching_bracket.get(open)? + 1;
        if matches!(scan.text(open), "" | ")" | "]" | "}" | ";") {
            return None;
        }
    }
    let (mut at, mut found) = (open + 1, Vec::new());
    while at < scan.matching_bracket[open] {
        let start = behind_attributes(scan, at);
        let (_, last) = element(scan, start);
        found.push(arm(scan, start, last)?);
        at = last + 1;
    }
    Some(found)
}

fn arm<'a>(scan: &Scan<'a>, start: usize, last: usize) -> Option<Arm<'a>> {
    let is_arrow = |at: &usize| scan.reads(*at, &["=", ">"]);
    let arrow = (start..last).find(is_arrow)?;
    let end = if scan.text(last) == "," { last - 1 } else { last };
    let words = |range: std::ops::RangeInclusive<usize>| range.map(|it| scan.text(it)).collect();
    let binds = (start..arrow).any(|at| is_binding(scan, at));
    Some(Arm { pattern: words(start..=arrow - 1), value: words(arrow + 2..=end), binds })
}

/// Whether a name is bound here: a lower-case word that is not part of a path.
fn is_binding(scan: &Scan, at: usize) -> bool {
    let token = &scan.code[at];
    let small = token.text.starts_with(|it: char| it.is_lowercase());
    let keyword = matches!(token.text, "true" | "false" | "ref" | "mut" | "crate" | "self");
    token.kind == Kind::Word && small && !keyword && scan.text(at + 1) != ":"
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn a_match_without_effect_is_found() {
        check("fn f() { match a { b => c } }", &["one arm"]);
        check("fn f() { match a.b(|c| { c }) { A::B => c, } }", &[]);
        check("fn f() { match a.b(|c| { c }) { _ => c, } }", &["one arm"]);
        check("fn f() { match a { A => c, B { .. } => c } }", &["equal arms"]);
        check("fn f() { match a { A => B::A, C => B::C } }", &[]);
        check("fn f() { match a { A::B => A::B, A::C => A::C } }", &["returns its operand"]);
    }

    #[test]
    fn a_match_with_effect_is_no_fault() {
        check("fn f() { match a { A(b) => b.c(), D(b) => b.c() } }", &[]);
        check("fn f() { match a { A => { b } _ => c } }", &[]);
        check("fn f() { match a {} }", &[]);
        check("fn f() { match A { b: 1 }.c() { A => b, C => d } }", &[]);
    }
}
