//! Tags: the attribute that limits an element to the chapters from one on, or before one.
//!
//! `#[cfg(feature = "ch05")]` means from chapter 5 on, `#[cfg(not(feature = "ch05"))]` means before
//! it. A tag is alone on its line, above the whole lines of the tagged element. The comments and
//! attributes directly above and below a tag belong to the same element. Only the tag of a
//! parameter is before it on the same line, because rustfmt puts it there.
use crate::TagError;
use crate::element::{Element, Shape, elements};
use crate::rules;
use crate::scan::Scan;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A tag and the element below it. Lines count from 0, ends are inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    pub chapter: u32,
    /// Present before the chapter instead of from it on.
    pub until: bool,
    pub line: usize,
    /// The kind of the tagged element; `None` for a tag `#![cfg(…)]` on a whole file.
    pub shape: Option<Shape>,
    /// The lines to remove if the tag does not hold.
    pub first_line: usize,
    pub last_line: usize,
    /// The index in `Scan::code` of the first token of the tagged element.
    pub first: usize,
    /// Its last token.
    pub last: usize,
    /// The first and the last token of the tag itself.
    pub sign: (usize, usize),
    /// Whether other code is on the same lines: then only `sign..=last` is removed.
    pub inline: bool,
    /// Whether the element is a block whose braces only hold the tagged statements together.
    pub is_plain_block: bool,
}

impl Tag {
    pub fn holds(&self, chapter: u32) -> bool {
        (self.chapter <= chapter) != self.until
    }
}

/// All tags of a text, in order. Fails if the feature of a chapter is named in another form.
pub fn tags(scan: &Scan) -> Result<Vec<Tag>, TagError> {
    let marks: Vec<usize> = (0..scan.code.len()).filter(|&at| names_a_chapter(scan, at)).collect();
    let error = |at: usize, reason: &str| TagError { line: scan.line(at), reason: reason.into() };
    let head = |at: &usize| read(scan, *at).ok_or_else(|| error(*at, NOT_A_TAG));
    let heads: Vec<Head> = marks.iter().map(head).collect::<Result<_, _>>()?;
    let elements = elements(scan, &marks)?;
    let tag = |it: &Head| extent(scan, it, &elements).map_err(|reason| error(it.start, reason));
    heads.iter().map(tag).collect()
}

const NOT_A_TAG: &str = "a tag is written `#[cfg(feature = \"chNN\")]` or \
                         `#[cfg(not(feature = \"chNN\"))]`, nothing else";

/// The tokens of an attribute that is a tag.
struct Head {
    chapter: u32,
    until: bool,
    whole_file: bool,
    start: usize,
    end: usize,
}

/// Whether `feature = "chNN"` starts here, in an attribute of an element.
fn names_a_chapter(scan: &Scan, at: usize) -> bool {
    let named = scan.reads(at, &["feature", "="]) && chapter_of(scan.text(at + 2)).is_some();
    named && !at.checked_sub(7).is_some_and(|it| allows_unused_imports(scan, it))
}

/// Whether `#![cfg_attr(not(feature = "chNN"), allow(unused_imports))]` starts here. The root of a
/// crate has this attribute, because views contain only the imports that they use.
pub fn allows_unused_imports(scan: &Scan, at: usize) -> bool {
    let before = ["#", "!", "[", "cfg_attr", "(", "not", "(", "feature", "="];
    let after = [")", ",", "allow", "(", "unused_imports", ")", ")", "]"];
    scan.reads(at, &before) && scan.reads(at + before.len() + 1, &after)
}

/// The number in `"ch05"`, quotes included.
fn chapter_of(literal: &str) -> Option<u32> {
    let digits = literal.strip_prefix("\"ch")?.strip_suffix('"')?;
    let two = digits.len() == 2 && digits.bytes().all(|it| it.is_ascii_digit());
    if two { digits.parse().ok() } else { None }
}

/// The tag whose `feature` is the token `at`.
fn read(scan: &Scan, at: usize) -> Option<Head> {
    let back = |words: &[&str]| {
        let start = at.checked_sub(words.len())?;
        scan.reads(start, words).then_some(start)
    };
    let since = ["#", "[", "cfg", "("];
    let until = ["#", "[", "cfg", "(", "not", "("];
    let file = ["#", "!", "[", "cfg", "("];
    let chapter = chapter_of(scan.text(at + 2))?;
    let head = |start, until, whole_file, closing: usize| Head {
        chapter,
        until,
        whole_file,
        start,
        end: at + 2 + closing,
    };
    let head = if let Some(start) = back(&since) {
        head(start, false, false, 2)
    } else if let Some(start) = back(&until) {
        head(start, true, false, 3)
    } else {
        head(back(&file)?, false, true, 2)
    };
    (scan.text(head.end) == "]").then_some(head)
}

fn alone(scan: &Scan, start: usize, end: usize) -> bool {
    let line = scan.line(start);
    let commented = scan.comments.iter().any(|it| it.line <= line && line <= it.last_line);
    scan.starts_line(start) && scan.line(end) == line && scan.ends_line(end) && !commented
}

/// The tag with its element, or the error.
fn extent(
    scan: &Scan,
    head: &Head,
    elements: &BTreeMap<usize, Element>,
) -> Result<Tag, &'static str> {
    let line = scan.line(head.start);
    let mut tag = Tag {
        chapter: head.chapter,
        until: head.until,
        line,
        shape: None,
        first_line: 0,
        last_line: scan.lines.len() - 1,
        first: 0,
        last: 0,
        sign: (head.start, head.end),
        inline: false,
        is_plain_block: false,
    };
    let alone = alone(scan, head.start, head.end);
    if head.whole_file {
        return if alone { Ok(tag) } else { Err(NOT_ALONE) };
    }
    if scan.in_macro(head.start) {
        return Err("a tag in a macro");
    }
    let start = scan.behind_attributes(head.end + 1);
    let element = elements.get(&start).ok_or("a tag inside an expression")?;
    let shape = element.shape?;
    tag.shape = Some(shape);
    tag.first_line = scan.first_line_with_docs(line);
    tag.last_line = scan.code[element.last].last_line;
    tag.first = start;
    tag.last = element.last;
    tag.is_plain_block = element.is_plain_block;
    if shape == Shape::Parameter {
        tag.inline = !scan.starts_line(head.start) || !scan.ends_line(element.last);
    } else if !alone {
        return Err(NOT_ALONE);
    } else if !scan.starts_line(start) || !scan.ends_line(element.last) {
        return Err(NOT_WHOLE);
    }
    Ok(tag)
}

/// The chapters of comments with a tag of their own, as in `/// @ch05 …`, and the text of the tag,
/// by their lines.
pub fn comments<'a>(
    scan: &Scan<'a>,
) -> Result<BTreeMap<usize, (RangeInclusive<u32>, &'a str)>, TagError> {
    let mut found = BTreeMap::new();
    for comment in &scan.comments {
        let text = comment.text.trim_start_matches(['/', '!']);
        let Some(tag) = text.strip_prefix(' ').filter(|it| it.starts_with("@ch")) else { continue };
        let reason = "the tag of a comment is `@chNN` or `@chNN-MM`".to_string();
        let tagged = rules::chapters(tag).filter(|it| it.1.starts_with(' '));
        let (chapters, rest) = tagged.ok_or(TagError { line: comment.line, reason })?;
        found.insert(comment.line, (chapters, &text[..text.len() - rest.len()]));
    }
    Ok(found)
}

const NOT_ALONE: &str = "a tag is alone on its line";
const NOT_WHOLE: &str = "a tag is about whole lines";

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Vec<Tag>, TagError> {
        tags(&Scan::new(text).unwrap())
    }

    #[test]
    fn a_tag_has_a_chapter_and_lines() {
        let tags =
            check("/// A.\n#[cfg(feature = \"ch05\")]\n#[a(\n b\n)]\nfn f() {\n}\n").unwrap();
        let [tag] = tags[..] else { panic!("one tag") };
        assert_eq!((tag.chapter, tag.until), (5, false));
        assert_eq!((tag.first_line, tag.line, tag.last_line), (0, 1, 6));
        assert_eq!(tag.shape, Some(Shape::Item));
    }

    #[test]
    fn a_parameter_may_share_its_line_with_its_tag() {
        let inline = |text: &str| check(text).unwrap()[0].inline;
        assert!(inline("fn f(#[cfg(feature = \"ch05\")] a: u8, b: u8) {}"));
        assert!(inline("fn f(a: u8, #[cfg(feature = \"ch05\")] b: u8) {}"));
        assert!(!inline("fn f(\n    #[cfg(feature = \"ch05\")] a: u8,\n    b: u8,\n) {}"));
        assert!(!inline("fn f(\n    #[cfg(feature = \"ch05\")]\n    a: u8,\n    b: u8,\n) {}"));
    }

    #[test]
    fn a_tag_holds_since_or_until_its_chapter() {
        let since = check("#[cfg(feature = \"ch05\")]\nmod a;\n").unwrap()[0];
        let until = check("#[cfg(not(feature = \"ch05\"))]\nmod a;\n").unwrap()[0];
        assert_eq!([4, 5, 6].map(|it| since.holds(it)), [false, true, true]);
        assert_eq!([4, 5, 6].map(|it| until.holds(it)), [true, false, false]);
    }

    #[test]
    fn strings_and_comments_are_not_tags() {
        assert_eq!(check("let a = r#\"#[cfg(feature = \"ch05\")]\"#;\n// feature = \"ch05\"\n"), {
            Ok(vec![])
        });
        assert_eq!(check("#[cfg(feature = \"std\")]\nmod a;\n"), Ok(vec![]));
    }

    #[test]
    fn other_forms_of_tags_are_rejected() {
        let reason = |text: &str| check(text).unwrap_err().reason;
        assert_eq!(reason("if cfg!(feature = \"ch05\") {}"), NOT_A_TAG);
        assert_eq!(reason("#[cfg(all(test, feature = \"ch05\"))]\nmod a;"), NOT_A_TAG);
        assert_eq!(reason("#[cfg_attr(feature = \"ch05\", a)]\nmod a;"), NOT_A_TAG);
        assert_eq!(reason("#[cfg(feature = \"ch05\")] mod a;"), "a tag is alone on its line");
        assert_eq!(reason("fn g() { f(#[cfg(feature = \"ch05\")]\na) }"), {
            "a tag inside an expression"
        });
        assert_eq!(reason("#[cfg(feature = \"ch05\")] // x\nmod a;"), {
            "a tag is alone on its line"
        });
        assert_eq!(reason("#[cfg(feature = \"ch05\")]\nmod a; mod b;"), {
            "a tag is about whole lines"
        });
        assert_eq!(reason("fn f() {\n#[cfg(feature = \"ch05\")]\na\n}"), {
            "a tag above the value of a block: use `return` or `let`"
        });
    }
}
