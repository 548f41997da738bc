//! The view of a chapter: a text without tags and without the elements that the chapter lacks.
//!
//! Views are tested: `cargo chapter check` builds every view without warnings, runs its tests and
//! compares its output with that of the tagged build.
use crate::element::{Shape, elements};
use crate::scan::Scan;
use crate::tag::{Tag, allows_unused_imports, comments, tags};
use crate::{TagError, imports, rules};
use std::ops::Range;
use std::path::Path;

/// The lines of a view with their numbers in the source, from 0.
pub type Numbered = Vec<(usize, String)>;

/// The chapter of a view, and whether it includes tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub chapter: u32,
    pub tests: bool,
}

impl View {
    pub fn tested(chapter: u32) -> View {
        View { chapter, tests: true }
    }

    pub fn without_tests(chapter: u32) -> View {
        View { chapter, tests: false }
    }

    /// The file at `path`; `None` if the chapter has no such file.
    pub fn file(self, path: &Path, text: &str) -> Result<Option<String>, TagError> {
        let lines = self.numbered(path, text)?;
        Ok(lines.map(|it| it.iter().flat_map(|(_, line)| [line, "\n"]).collect()))
    }

    /// Its lines, each with its number in `text`, from 0.
    pub fn numbered(self, path: &Path, text: &str) -> Result<Option<Numbered>, TagError> {
        match path.extension().and_then(|it| it.to_str()) {
            Some("rs") => self.rust(text),
            Some("rules") => rules::view(text, self.chapter).map(Some),
            _ => Ok(Some(text.lines().map(str::to_string).enumerate().collect())),
        }
    }

    /// A Rust text; `None` if a tag on the whole file does not hold.
    fn rust(self, text: &str) -> Result<Option<Numbered>, TagError> {
        let has_tests = !self.tests && text.contains("#[cfg(test)]");
        if !has_tests && !text.contains("feature = \"ch") && !text.contains(" @ch") {
            let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
            return Ok(Some(with_results(&lines)));
        }
        let scan = Scan::new(text)?;
        let tags = tags(&scan)?;
        let mut fates = vec![Line::Kept; scan.lines.len()];
        let mut cuts = Vec::new();
        let mut moved = vec![0; scan.lines.len()];
        for tag in &tags {
            let holds = tag.holds(self.chapter);
            if tag.shape == Some(Shape::Parameter) && (tag.inline || holds) {
                cuts.push(cut(&scan, tag, holds));
                continue;
            }
            if fates[tag.line] == Line::Kept {
                fates[tag.line] = Line::Unwritten;
            }
            if holds {
                open_block(&scan, tag, &mut fates, &mut moved);
            } else if tag.shape.is_none() {
                return Ok(None);
            } else {
                fates[tag.first_line..=tag.last_line].fill(Line::Absent);
            }
        }
        for (first, last) in if has_tests { tests(&scan)? } else { Vec::new() } {
            fates[first..=last].fill(Line::Absent);
        }
        let allowances = (0..scan.code.len()).filter(|&at| allows_unused_imports(&scan, at));
        allowances.for_each(|at| fates[scan.line(at)] = Line::Unwritten);
        remove_imports(&scan, &mut fates, &mut cuts);
        let comments = comments(&scan)?;
        for (line, (chapters, _)) in &comments {
            if !chapters.contains(&self.chapter) && fates[*line] == Line::Kept {
                fates[*line] = Line::Unwritten;
            }
        }
        let bare = without(text, &cuts);
        let lines: Vec<&str> = bare.lines().zip(moved).map(|it| moved_by(it.0, it.1)).collect();
        for (at, line) in lines.iter().enumerate() {
            let emptied = line.trim().is_empty() && !scan.lines[at].trim().is_empty();
            if emptied && fates[at] == Line::Kept {
                fates[at] = Line::Unwritten;
            }
        }
        let mut view = with_results(&join(&lines, &fates));
        for (at, line) in &mut view {
            if let Some((_, mark)) = comments.get(at) {
                *line = line.replacen(mark, "", 1);
            }
        }
        Ok(Some(view))
    }
}

/// The first and last lines of the elements that only tests have.
fn tests(scan: &Scan) -> Result<Vec<(usize, usize)>, TagError> {
    let marks: Vec<usize> = (0..scan.code.len()).filter(|&at| scan.reads(at, &MARK)).collect();
    let elements = elements(scan, &marks)?;
    let lines = |at: usize| {
        let start = scan.behind_attributes(at);
        let last = elements.get(&start).map(|it| it.last).filter(|&last| {
            scan.starts_line(at) && scan.starts_line(start) && scan.ends_line(last)
        });
        let reason = || "`#[cfg(test)]` is about whole lines".to_string();
        let last = last.ok_or_else(|| TagError { line: scan.line(at), reason: reason() })?;
        Ok((scan.first_line_with_docs(scan.line(at)), scan.code[last].last_line))
    };
    marks.into_iter().map(lines).collect()
}

const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

/// Removes the imports that the view does not use.
fn remove_imports(scan: &Scan, fates: &mut [Line], cuts: &mut Vec<Range<usize>>) {
    let is_present = |at: usize| {
        let token = &scan.code[at];
        fates[token.line] == Line::Kept && !cuts.iter().any(|it| it.contains(&token.start))
    };
    for names in imports::unused(scan, is_present) {
        let (first, last) = names.import.into_inner();
        if names.is_used {
            cuts.extend(names.unused.iter().map(|it| bytes(scan, *it.start(), *it.end())));
        } else {
            let first_line = scan.first_line_with_docs(scan.line(first));
            fates[first_line..=scan.line(last)].fill(Line::Absent);
        }
    }
    cuts.sort_by_key(|it| it.start);
}

/// The bytes to remove for a tag that shares its lines with other code: only the tag, if it holds,
/// else also its parameter with the comma.
fn cut(scan: &Scan, tag: &Tag, holds: bool) -> Range<usize> {
    let (first, sign_end) = tag.sign;
    bytes(scan, first, if holds { sign_end } else { tag.last })
}

fn bytes(scan: &Scan, first: usize, last: usize) -> Range<usize> {
    scan.code[first].start..scan.code[last].end()
}

/// The text without `cuts` and the spaces after them; lines are not joined. The comma before a
/// removed last parameter or name is removed, too.
fn without(text: &str, cuts: &[Range<usize>]) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for cut in cuts.iter().filter(|it| it.start < it.end) {
        if cut.start < from {
            continue;
        }
        out.push_str(&text[from..cut.start]);
        out.extend(text[cut.clone()].chars().filter(|it| *it == '\n'));
        from = text.len() - text[cut.end..].trim_start_matches(' ').len();
        if text[from..].starts_with([')', '|', '}']) {
            out.truncate(out.trim_end_matches([' ', ',']).len());
        }
    }
    out + &text[from..]
}

/// A tagged block is printed without its braces. If it contains declarations, they limit the scope
/// of the names and stay.
fn open_block(scan: &Scan, tag: &Tag, fates: &mut [Line], moved: &mut [usize]) {
    let (open, close) = (tag.first, scan.matching_bracket[tag.first]);
    let alone = scan.ends_line(open) && scan.starts_line(close) && close == tag.last;
    if !tag.is_plain_block || !alone {
        return;
    }
    let margin = |line: usize| scan.lines[line].len() - scan.lines[line].trim_start().len();
    let (first, last) = (scan.line(open), scan.line(close));
    let step = margin(first + 1).saturating_sub(margin(first));
    for line in [first, last] {
        if fates[line] == Line::Kept {
            fates[line] = Line::Unwritten;
        }
    }
    moved[first + 1..last].iter_mut().for_each(|it| *it += step);
    for token in &scan.code[open..close] {
        moved[token.line + 1..=token.last_line].fill(0);
    }
}

/// The line with `by` fewer spaces before it.
fn moved_by(line: &str, by: usize) -> &str {
    let spaces = line.len() - line.trim_start_matches(' ').len();
    &line[by.min(spaces)..]
}

/// The fate of a line of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Kept,
    /// It contained only a tag.
    Unwritten,
    /// It belongs to an element that the chapter lacks.
    Absent,
}

/// The kept lines. At gaps, the blank lines around become one, and none after an opening or before
/// a closing bracket.
pub(crate) fn join<'a>(text: &[&'a str], lines: &[Line]) -> Vec<(usize, &'a str)> {
    let mut kept: Vec<(usize, &str)> = Vec::new();
    let mut at_seam = false;
    for (at, (line, fate)) in text.iter().zip(lines).enumerate() {
        at_seam |= *fate == Line::Absent;
        if *fate != Line::Kept {
            continue;
        }
        if at_seam && line.trim().is_empty() {
            if kept.last().is_none_or(|above| opens_or_blank(above.1)) {
                continue;
            }
        } else if at_seam {
            let closes = line.trim_start().starts_with(['}', ']', ')']);
            if closes && kept.last().is_some_and(|above| above.1.trim().is_empty()) {
                kept.pop();
            }
            at_seam = false;
        }
        kept.push((at, *line));
    }
    if at_seam && kept.last().is_some_and(|it| it.1.trim().is_empty()) {
        kept.pop();
    }
    kept
}

/// The lines, where a block that ends with `let a = b;` and `a` ends with `b`: between these two,
/// another chapter has a statement.
fn with_results(lines: &[(usize, &str)]) -> Numbered {
    let mut numbered = Numbered::new();
    let mut rest = lines;
    while let [(at, line), after @ ..] = rest {
        let result = result(line, after);
        numbered.push((*at, result.clone().unwrap_or_else(|| line.to_string())));
        rest = &after[usize::from(result.is_some())..];
    }
    numbered
}

/// The value of a `let` on one line, if the lines after it are its name and the end of the block.
fn result(line: &str, after: &[(usize, &str)]) -> Option<String> {
    let [(_, tail), (_, end), ..] = after else { return None };
    let statement = line.trim_start().strip_prefix("let ")?.strip_suffix(';')?;
    let (name, value) = statement.split_once(" = ")?;
    let indent = &line[..line.len() - line.trim_start().len()];
    let is_tail = *tail == format!("{indent}{name}") && end.trim_start().starts_with('}');
    is_tail.then(|| format!("{indent}{value}"))
}

fn opens_or_blank(line: &str) -> bool {
    let line = line.trim_end();
    line.is_empty() || line.ends_with(['{', '[', '('])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rust(text: &str, chapter: u32) -> Result<Option<String>, TagError> {
        View::tested(chapter).file(Path::new("a.rs"), text)
    }

    const SINCE: &str = "#[cfg(feature = \"ch05\")]";
    const UNTIL: &str = "#[cfg(not(feature = \"ch05\"))]";

    /// `S` and `U` alone on a line mark a since-tag and an until-tag of chapter 5.
    fn tagged(text: &str) -> String {
        let line = |line: &str| match line.trim() {
            "S" => line.replace('S', SINCE),
            "U" => line.replace('U', UNTIL),
            _ => line.to_string(),
        };
        text.lines().map(|it| line(it) + "\n").collect()
    }

    fn check(text: &str, before: &str, after: &str) {
        let text = tagged(text);
        assert_eq!(rust(&text, 4).unwrap().unwrap(), before, "before the chapter");
        assert_eq!(rust(&text, 5).unwrap().unwrap(), after, "from the chapter on");
    }

    #[test]
    fn tagged_items_are_removed_with_docs_and_attributes() {
        check(
            "//! Head.\nS\nuse a::{\n    b,\n};\n\n/// A.\n#[derive(B)]\nS\npub struct A {\n    \
             x: u8,\n}\n\nfn f() {}\n",
            "//! Head.\n\nfn f() {}\n",
            "//! Head.\nuse a::{\n    b,\n};\n\n/// A.\n#[derive(B)]\npub struct A {\n    \
             x: u8,\n}\n\nfn f() {}\n",
        );
    }

    #[test]
    fn variants_of_a_lexer_are_removed_with_their_patterns() {
        check(
            "enum T {\n    #[token(\"{\")]\n    A,\n    S\n    #[token(\"}\")]\n    B,\n    \
             #[regex(\"[(]\")]\n    S\n    C(u8),\n}\n",
            "enum T {\n    #[token(\"{\")]\n    A,\n}\n",
            "enum T {\n    #[token(\"{\")]\n    A,\n    #[token(\"}\")]\n    B,\n    \
             #[regex(\"[(]\")]\n    C(u8),\n}\n",
        );
    }

    #[test]
    fn arms_and_siblings_replace_each_other() {
        check(
            "const X: u8 = match x {\n    U\n    A => {\n        b\n    }\n    S\n    \
             A => match y {\n        _ => c,\n    },\n    _ => '{',\n};\n",
            "const X: u8 = match x {\n    A => {\n        b\n    }\n    _ => '{',\n};\n",
            "const X: u8 = match x {\n    A => match y {\n        _ => c,\n    },\n    \
             _ => '{',\n};\n",
        );
    }

    #[test]
    fn tags_inside_a_removed_item_are_removed() {
        check(
            "S\nmod a {\n    S\n    fn f() {}\n    U\n    fn g() {}\n}\nfn h() {}\n",
            "fn h() {}\n",
            "mod a {\n    fn f() {}\n}\nfn h() {}\n",
        );
    }

    #[test]
    fn a_value_that_is_only_returned_has_no_name() {
        check(
            "fn f() {\n    let a = b;\n    S\n    let a = a + c;\n    a\n}\n",
            "fn f() {\n    b\n}\n",
            "fn f() {\n    let a = b;\n    a + c\n}\n",
        );
        check(
            "fn f() {\n    let a = b;\n    S\n    c();\n    a\n}\n",
            "fn f() {\n    b\n}\n",
            "fn f() {\n    let a = b;\n    c();\n    a\n}\n",
        );
        let others =
            "fn f() {\n    let a: u8 = b;\n    a\n}\nfn g() {\n    let a = b;\n    ab\n}\n";
        check(others, others, others);
    }

    #[test]
    fn two_tags_must_both_hold() {
        let text = "#[cfg(feature = \"ch03\")]\n#[cfg(not(feature = \"ch05\"))]\nmod a;\nmod b;\n";
        let [two, four, five] = [2, 4, 5].map(|it| rust(text, it).unwrap().unwrap());
        assert_eq!(two, "mod b;\n");
        assert_eq!(four, "mod a;\nmod b;\n");
        assert_eq!(five, "mod b;\n");
    }

    #[test]
    fn blank_lines_are_merged_only_at_gaps() {
        check(
            "fn a() {\n    x(\"\n\n\n\");\n}\n\nS\nfn b() {}\n\nfn c() {}\n\nS\nfn d() {}\n",
            "fn a() {\n    x(\"\n\n\n\");\n}\n\nfn c() {}\n",
            "fn a() {\n    x(\"\n\n\n\");\n}\n\nfn b() {}\n\nfn c() {}\n\nfn d() {}\n",
        );
        check(
            "impl A {\n    S\n    fn a() {}\n\n    fn b() {}\n\n    S\n    fn c() {}\n}\n",
            "impl A {\n    fn b() {}\n}\n",
            "impl A {\n    fn a() {}\n\n    fn b() {}\n\n    fn c() {}\n}\n",
        );
    }

    #[test]
    fn a_tag_on_a_file_removes_the_file() {
        let text = "//! Head.\n#![cfg(feature = \"ch05\")]\nfn f() {}\n";
        assert_eq!(rust(text, 4), Ok(None));
        assert_eq!(rust(text, 5), Ok(Some("//! Head.\nfn f() {}\n".to_string())));
    }

    #[test]
    fn statements_are_removed_or_kept() {
        check(
            "fn f() {\n    // Why.\n    S\n    let a = b;\n    U\n    let a = c;\n\n    S\n    \
             if a {\n        return;\n    }\n\n    d();\n}\n",
            "fn f() {\n    let a = c;\n\n    d();\n}\n",
            "fn f() {\n    // Why.\n    let a = b;\n\n    if a {\n        return;\n    }\n\n    \
             d();\n}\n",
        );
    }

    #[test]
    fn parameters_are_removed_or_kept_on_their_lines() {
        let text = |list: &str| format!("fn f({list}) {{}}\n").replace("S ", &format!("{SINCE} "));
        let one = |list: &str, before: &str, after: &str| {
            check(&text(list), &text(before), &text(after));
        };
        one("S a: A<B, C>, b: u8", "b: u8", "a: A<B, C>, b: u8");
        one("b: u8, S a: A<B, C>", "b: u8", "b: u8, a: A<B, C>");
        one("S a: u8", "", "a: u8");
        one("a: u8, S b: u8, S c: u8", "a: u8", "a: u8, b: u8, c: u8");
        one("\n    S a: u8,\n    b: u8,\n", "\n    b: u8,\n", "\n    a: u8,\n    b: u8,\n");
        one("\n    // A.\n    S\n    a: u8,\n    b: u8,\n", "\n    b: u8,\n", {
            "\n    // A.\n    a: u8,\n    b: u8,\n"
        });
        let closure = format!("fn f() {{\n    g(|a, {SINCE} b| a);\n}}\n");
        check(&closure, "fn f() {\n    g(|a| a);\n}\n", "fn f() {\n    g(|a, b| a);\n}\n");
    }

    #[test]
    fn a_tagged_block_of_statements_has_no_braces() {
        let body = |text: &str| format!("fn f() {{\n{text}}}\n");
        let in_body = |text, before, after| check(&body(text), &body(before), &body(after));
        in_body(
            "S\n{\n    a = \"\n      b\";\n    S\n    {\n        c += 1;\n    }\n}\nd();\n",
            "d();\n",
            "a = \"\n      b\";\nc += 1;\nd();\n",
        );
        in_body(
            "S\n{\n    let a = b;\n    c = a;\n}\nd();\n",
            "d();\n",
            "{\n    let a = b;\n    c = a;\n}\nd();\n",
        );
    }

    #[test]
    fn imports_that_only_other_chapters_use_are_removed() {
        let rest = "\n\nfn f(b: B) -> A {\n    b.c()\n}\n\nS\nfn g() {\n    h!(D, y::E, 0..F)\n}\n";
        let before = "\n\nfn f(b: B) -> A {\n    b.c()\n}\n";
        let after = &rest.replace("S\n", "");
        let imports = "use a::{A, D};\nuse a::{\n    B,\n    F,\n};\nuse x::E;\nuse x::D as G;\n\
                       // Why.\nuse x::y;\nuse x::z::{self, H};\nuse x::*;\npub use x::D as I;";
        let fewer = "use a::{A};\nuse a::{\n    B,\n};\nuse x::E;\nuse x::D as G;\n\
                     use x::z::{self, H};\nuse x::*;\npub use x::D as I;";
        check(
            &format!("{imports}{rest}"),
            &format!("{fewer}{before}"),
            &format!("{imports}{after}"),
        );
    }

    #[test]
    fn the_root_of_a_view_allows_no_unused_imports() {
        let text =
            "//! Head.\n#![cfg_attr(not(feature = \"ch28\"), allow(unused_imports))]\nmod a;\n";
        assert_eq!(rust(text, 4), Ok(Some("//! Head.\nmod a;\n".to_string())));
        assert_eq!(rust(text, 28), rust(text, 4));
    }

    #[test]
    fn a_line_of_a_comment_may_have_a_tag() {
        check(
            "//! Head.\n//!\n//! @ch05 - `a`: b\n//! @ch05   c\n//! - `d`\n\nfn f() {\n    \
             // @ch01-04 Why.\n    g(\"// @ch05 x\");\n}\n",
            "//! Head.\n//!\n//! - `d`\n\nfn f() {\n    // Why.\n    g(\"// @ch05 x\");\n}\n",
            "//! Head.\n//!\n//! - `a`: b\n//!   c\n//! - `d`\n\nfn f() {\n    \
             g(\"// @ch05 x\");\n}\n",
        );
        assert_eq!(rust("//! A.\n//! @ch5 B.\n", 5).unwrap_err().line, 1);
    }

    #[test]
    fn tests_may_be_left_out() {
        let lines = [
            "//! Head.",
            "#[cfg(test)]",
            "mod a;",
            "mod b;",
            "",
            "impl A {",
            "    /// F.",
            "    #[cfg(test)]",
            "    fn f() {}",
            "}",
            "",
            "#[cfg(test)]",
            "mod tests {",
            "    use super::*;",
            "}",
            "",
        ];
        let text = &lines.join("\n");
        let view = |view: View| view.file(Path::new("a.rs"), text).unwrap().unwrap();
        assert_eq!(&view(View::tested(1)), text);
        assert_eq!(view(View::without_tests(1)), "//! Head.\nmod b;\n\nimpl A {\n}\n");
    }
}
