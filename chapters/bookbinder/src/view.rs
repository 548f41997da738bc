//! The view: a text as one chapter has it, without tags and without what the chapter lacks.
//!
//! It need not be trusted: `cargo chapter check` builds every view without warnings, runs its
//! tests and compares what it prints with the build that rustc makes of the tags.
use crate::scan::Scan;
use crate::tag::tags;
use crate::{Misfit, rules};
use std::path::Path;

/// The file at `path` as `chapter` has it; `None` if the chapter has no such file.
pub fn view(path: &Path, text: &str, chapter: u32) -> Result<Option<String>, Misfit> {
    match path.extension().and_then(|it| it.to_str()) {
        Some("rs") => rust(text, chapter),
        Some("rules") => rules::view(text, chapter).map(Some),
        _ => Ok(Some(text.to_string())),
    }
}

/// A Rust text as `chapter` has it; `None` if a tag on the whole file does not hold.
pub fn rust(text: &str, chapter: u32) -> Result<Option<String>, Misfit> {
    let scan = Scan::new(text)?;
    let mut lines = vec![Line::Kept; scan.lines.len()];
    for tag in tags(&scan)? {
        if lines[tag.line] == Line::Kept {
            lines[tag.line] = Line::Unwritten;
        }
        if tag.holds(chapter) {
            continue;
        }
        if tag.shape.is_none() {
            return Ok(None);
        }
        lines[tag.first_line..=tag.last_line].fill(Line::Absent);
    }
    Ok(Some(join(&scan.lines, &lines)))
}

/// What becomes of a line of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Kept,
    /// It held a tag and nothing else.
    Unwritten,
    /// It belongs to something that the chapter lacks.
    Absent,
}

/// The kept lines. Where something is missing, the blank lines around it become one, and none
/// behind an opening or before a closing bracket.
pub(crate) fn join(text: &[&str], lines: &[Line]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut at_seam = false;
    for (line, fate) in text.iter().zip(lines) {
        at_seam |= *fate == Line::Absent;
        if *fate != Line::Kept {
            continue;
        }
        if at_seam && line.trim().is_empty() {
            if kept.last().is_none_or(|above| opens_or_blank(above)) {
                continue;
            }
        } else if at_seam {
            let closes = line.trim_start().starts_with(['}', ']', ')']);
            if closes && kept.last().is_some_and(|above| above.trim().is_empty()) {
                kept.pop();
            }
            at_seam = false;
        }
        kept.push(line);
    }
    if at_seam && kept.last().is_some_and(|it| it.trim().is_empty()) {
        kept.pop();
    }
    kept.iter().flat_map(|line| [line, "\n"]).collect()
}

fn opens_or_blank(line: &str) -> bool {
    let line = line.trim_end();
    line.is_empty() || line.ends_with(['{', '[', '('])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINCE: &str = "#[cfg(feature = \"ch05\")]";
    const UNTIL: &str = "#[cfg(not(feature = \"ch05\"))]";

    /// `S` and `U` alone on a line stand for a since-tag and an until-tag of chapter 5.
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
    fn what_is_tagged_goes_with_its_docs_and_attributes() {
        check(
            "//! Head.\nS\nuse a::{\n    b,\n};\n\n/// A.\n#[derive(B)]\nS\npub struct A {\n    \
             x: u8,\n}\n\nfn f() {}\n",
            "//! Head.\n\nfn f() {}\n",
            "//! Head.\nuse a::{\n    b,\n};\n\n/// A.\n#[derive(B)]\npub struct A {\n    \
             x: u8,\n}\n\nfn f() {}\n",
        );
    }

    #[test]
    fn variants_of_a_lexer_go_with_their_patterns() {
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
            "match x {\n    U\n    A => {\n        b\n    }\n    S\n    A => match y {\n        \
             _ => c,\n    },\n    _ => '{',\n}\n",
            "match x {\n    A => {\n        b\n    }\n    _ => '{',\n}\n",
            "match x {\n    A => match y {\n        _ => c,\n    },\n    _ => '{',\n}\n",
        );
    }

    #[test]
    fn a_tagged_thing_takes_the_tags_inside_it_along() {
        check(
            "S\nmod a {\n    S\n    fn f() {}\n    U\n    fn g() {}\n}\nfn h() {}\n",
            "fn h() {}\n",
            "mod a {\n    fn f() {}\n}\nfn h() {}\n",
        );
    }

    #[test]
    fn two_tags_both_have_to_hold() {
        let text = "#[cfg(feature = \"ch03\")]\n#[cfg(not(feature = \"ch05\"))]\nmod a;\nmod b;\n";
        let [two, four, five] = [2, 4, 5].map(|it| rust(text, it).unwrap().unwrap());
        assert_eq!(two, "mod b;\n");
        assert_eq!(four, "mod a;\nmod b;\n");
        assert_eq!(five, "mod b;\n");
    }

    #[test]
    fn blank_lines_close_up_only_where_something_is_missing() {
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
    fn a_tag_on_a_file_takes_the_file() {
        let text = "//! Head.\n#![cfg(feature = \"ch05\")]\nfn f() {}\n";
        assert_eq!(rust(text, 4), Ok(None));
        assert_eq!(rust(text, 5), Ok(Some("//! Head.\nfn f() {}\n".to_string())));
    }
}
