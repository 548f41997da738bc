//! Unused parameters and fields that rustc's lints do not report.
use super::TokenFault;
use super::tables::is_impl_of_trait;
use crate::place::{Around, around};
use crate::scan::Scan;
use crate::tag::behind_attributes;
use std::collections::BTreeSet;

/// The uses of the names of a crate.
pub struct Names<'a> {
    /// Names read as a field: `it.name`, or bound by a pattern.
    read: BTreeSet<&'a str>,
    /// Functions that are used as values, so that their type is fixed.
    values: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    pub fn of(files: &[&Scan<'a>]) -> Names<'a> {
        let (mut read, mut values) = (BTreeSet::new(), BTreeSet::new());
        for scan in files {
            for at in (0..scan.code.len()).filter(|&at| scan.is_word(at)) {
                if is_read(scan, at) {
                    read.insert(scan.text(at));
                }
                if is_value(scan, at) {
                    values.insert(scan.text(at));
                }
            }
        }
        Names { read, values }
    }

    /// Parameters named `_` or `_x` of functions that are not used as values.
    pub fn parameters(&self, scan: &Scan) -> Vec<TokenFault> {
        let mut found = Vec::new();
        for at in (0..scan.code.len()).filter(|&at| scan.text(at) == "fn" && scan.is_word(at + 1)) {
            let name = scan.text(at + 1);
            let is_required = scan.parent[at].is_some_and(|it| {
                is_impl_of_trait(scan, it) || scan.text(it.saturating_sub(2)) == "trait"
            });
            if is_required || self.values.contains(name) || is_for_a_platform(scan, at) {
                continue;
            }
            let Some(open) = (at..scan.code.len()).find(|&it| scan.text(it) == "(") else { break };
            let unread = (open + 1..scan.matching_bracket[open]).filter(|&it| {
                let starts = matches!(scan.text(it - 1), "(" | "," | "mut");
                starts && scan.text(it).starts_with('_') && scan.text(it + 1) == ":"
            });
            found.extend(unread.map(|it| {
                (it, format!("`{name}` does not read its parameter `{}`", scan.text(it)))
            }));
        }
        found
    }

    /// Fields that are written and never read.
    pub fn fields(&self, scan: &Scan) -> Vec<TokenFault> {
        let mut found = Vec::new();
        for at in (0..scan.code.len()).filter(|&at| scan.text(at) == "struct") {
            let Some(open) = body(scan, at).filter(|_| !derives_reader(scan, at)) else { continue };
            let fields = (open + 1..scan.matching_bracket[open]).filter(|&it| {
                let here = scan.parent[it] == Some(open) && scan.is_word(it);
                here && scan.text(it + 1) == ":"
                    && starts_field(scan, open, it)
                    && !is_mutable_reference(scan, it + 2)
            });
            let unread = fields.filter(|&it| !self.read.contains(scan.text(it)));
            found.extend(unread.map(|it| {
                let (owner, field) = (scan.text(at + 1), scan.text(it));
                (it, format!("the field `{field}` of `{owner}` is never read"))
            }));
        }
        found
    }
}

/// Whether the function has variants for several platforms, which share one type.
fn is_for_a_platform(scan: &Scan, keyword: usize) -> bool {
    attributes(scan, keyword).any(|at| scan.text(at) == "cfg")
}

/// The tokens of an item from its attributes to its keyword.
fn attributes(scan: &Scan, keyword: usize) -> std::ops::Range<usize> {
    let first = scan.first_line_with_docs(scan.line(keyword));
    scan.code.partition_point(|it| it.line < first)..keyword
}

/// The brace that opens the fields of the struct whose keyword is `at`.
fn body(scan: &Scan, at: usize) -> Option<usize> {
    let mut open = at;
    while !matches!(scan.text(open), "{" | ";" | "(" | "") {
        open += 1;
    }
    (scan.text(open) == "{").then_some(open)
}

/// Whether a field starts at this word, rather than a part of a type.
fn starts_field(scan: &Scan, open: usize, at: usize) -> bool {
    let first = behind_attributes(scan, open + 1);
    let before = scan.text(at - 1);
    let visible =
        before == "pub" || (before == ")" && scan.text(scan.matching_bracket[at - 1] - 1) == "pub");
    let listed = matches!(before, "," | "]");
    (at == first || visible || listed) && scan.text(at + 2) != ":"
}

/// Whether a type begins with `&mut`: others read what is written through it.
fn is_mutable_reference(scan: &Scan, at: usize) -> bool {
    scan.text(at) == "&" && (at + 1..at + 4).any(|it| scan.text(it) == "mut")
}

/// Whether a derived trait reads every field, or serializes it.
fn derives_reader(scan: &Scan, keyword: usize) -> bool {
    const READERS: &[&str] =
        &["PartialEq", "Eq", "Hash", "Ord", "PartialOrd", "Parser", "Args", "Subcommand"];
    attributes(scan, keyword).any(|at| READERS.contains(&scan.text(at)))
}

/// Whether a field with this name is read here.
fn is_read(scan: &Scan, at: usize) -> bool {
    if at > 0 && scan.text(at - 1) == "." && scan.text(at + 1) != "(" {
        return !is_write(scan, at);
    }
    is_taken(scan, at)
}

/// `a.name = …;`, `a.name += …;` and `a.name.push(…);` as statements.
fn is_write(scan: &Scan, at: usize) -> bool {
    const FILL: &[&str] = &["push", "insert", "extend", "clear", "push_str", "resize", "fill"];
    let mut start = at;
    while start > 0
        && !matches!(scan.text(start - 1), ";" | "{" | "}" | "(" | "[" | "," | "=" | "!")
    {
        start = scan.matching_bracket[start - 1];
    }
    let statement = matches!(scan.text(start.saturating_sub(1)), ";" | "{" | "}");
    let next = scan.text(at + 1);
    let assigned = next == "=" && scan.text(at + 2) != "=";
    let changed = matches!(next, "+" | "-" | "*" | "/" | "|" | "&") && scan.text(at + 2) == "=";
    let filled = next == "." && FILL.contains(&scan.text(at + 2)) && scan.text(at + 3) == "(" && {
        scan.text(scan.matching_bracket[at + 3] + 1) == ";"
    };
    assigned || (statement && (changed || filled))
}

/// Whether a pattern in braces binds the field; the token after the pattern decides.
fn is_taken(scan: &Scan, at: usize) -> bool {
    let listed = matches!(scan.text(at.saturating_sub(1)), "{" | "," | "ref" | "mut");
    let ends = matches!(scan.text(at + 1), "}" | "," | ":");
    let Some(open) = scan.parent[at].filter(|&it| scan.text(it) == "{" && listed && ends) else {
        return false;
    };
    if around(scan, at) != Around::Fields || scan.reads(at + 1, &[":", "_"]) {
        return false;
    }
    let mut after = scan.matching_bracket[open] + 1;
    loop {
        match scan.text(after) {
            ")" | "]" => after += 1,
            "}" if scan.parent[after - 1].is_some_and(|it| scan.text(it) == "{") => {
                after = after.max(scan.matching_bracket[after]) + 1;
            }
            "," => match scan.parent[after] {
                Some(around) if scan.text(around) != "{" => after = scan.matching_bracket[around],
                _ => return false,
            },
            "=" | "|" | "in" | "if" => return true,
            ":" => return true,
            _ => return false,
        }
    }
}

/// Whether a word is a function used as a value.
fn is_value(scan: &Scan, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |it| scan.text(it));
    let next = scan.text(at + 1);
    !matches!(before, "fn" | "." | "use") && !matches!(next, "(" | "!" | ":" | "{")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn unused_parameters_are_found() {
        check("fn f(_a: u8, b: u8) {} fn g() { f(1, 2) }", &["`f` does not read"]);
        check("impl A { fn f(&self, _: u8) {} }", &["`f` does not read its parameter `_`"]);
        check("impl A for B { fn f(&self, _: u8) {} }", &[]);
        check("fn f(_: u8) {} const A: &[fn(u8)] = &[f, g];", &[]);
        check("#[cfg(not(unix))]\nfn f(_: u8) {}\nfn g() { f(1) }", &[]);
        check("fn f(a: u8) { let _b = a; }", &[]);
    }

    #[test]
    fn unused_fields_are_found() {
        let with = |use_: &str| format!("pub struct A {{ pub b: u8, c: D<E> }} {use_}");
        let c = "fn g(a: A) { h(a.c) }";
        check(
            &with(&format!("{c} fn f(a: A) {{ a.b = 1; a.b += 1; }}")),
            &["the field `b` of `A`"],
        );
        check(&with(&format!("{c} fn f(a: A) {{ a.b.push(1); }}")), &["the field `b` of `A`"]);
        check(&with(&format!("{c} fn f() -> A {{ A {{ b: 1, c }} }}")), &["the field `b` of `A`"]);
        check(&with(&format!("{c} fn f(a: A) -> u8 {{ a.b }}")), &[]);
        check(&with(&format!("{c} fn f(a: A) -> u8 {{ g[a.b] }}")), &[]);
        check(&with(&format!("{c} fn f(a: A) {{ let A {{ b, .. }} = a; }}")), &[]);
        check(
            &with(&format!("{c} fn f(a: A) {{ match a {{ A {{ b, .. }} => b, C => d }} }}")),
            &[],
        );
        check(&with(&format!("{c} fn f(Some(A {{ b, .. }}): A) {{}}")), &[]);
        check(&format!("#[derive(PartialEq)] {}", with("")), &[]);
    }
}
