//! A Rust text with its lines, tokens and matched brackets.
use crate::TagError;
use crate::token::{Kind, Token, of_stream, stream};
use proc_macro2::TokenStream;

/// A text ready to be searched. `code` contains every token that is not a comment; the functions
/// below refer to a token by its index there.
pub struct Scan<'a> {
    /// The same tokens as nested groups.
    pub stream: TokenStream,
    pub lines: Vec<&'a str>,
    pub code: Vec<Token<'a>>,
    pub comments: Vec<Token<'a>>,
    /// For a bracket, its matching bracket; for any other token, itself.
    pub matching_bracket: Vec<usize>,
    /// The innermost open bracket around each token.
    pub parent: Vec<Option<usize>>,
}

impl<'a> Scan<'a> {
    /// Fails at a bracket without a match.
    pub fn new(text: &'a str) -> Result<Scan<'a>, TagError> {
        let stream = stream(text)?;
        let (comments, code): (Vec<_>, Vec<_>) =
            of_stream(text, stream.clone()).into_iter().partition(|it| it.kind == Kind::Comment);
        let (matching_bracket, parent) = match_brackets(&code);
        let lines = text.lines().collect();
        Ok(Scan { stream, lines, code, comments, matching_bracket, parent })
    }

    /// The text of a token; empty after the last one.
    pub fn text(&self, at: usize) -> &'a str {
        self.code.get(at).map_or("", |it| it.text)
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.code.get(at).is_some_and(|it| it.kind == Kind::Word)
    }

    /// Whether the tokens from `at` on read `words`.
    pub fn reads(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(n, word)| self.text(at + n) == *word)
    }

    pub fn line(&self, at: usize) -> usize {
        self.code[at].line
    }

    /// The first token at or after a byte.
    pub fn at_byte(&self, byte: usize) -> usize {
        self.code.partition_point(|it| it.start < byte)
    }

    /// Whether there is no code before `at` on its line.
    pub fn starts_line(&self, at: usize) -> bool {
        at == 0 || self.code[at - 1].last_line < self.code[at].line
    }

    /// Whether there is no code after `at` on its line.
    pub fn ends_line(&self, at: usize) -> bool {
        self.code.get(at + 1).is_none_or(|next| next.line > self.code[at].last_line)
    }

    /// The first token after the attributes that start at `at`.
    pub fn behind_attributes(&self, mut at: usize) -> usize {
        loop {
            let open = if self.reads(at, &["#", "!"]) { at + 2 } else { at + 1 };
            if self.text(at) != "#" || self.text(open) != "[" {
                return at;
            }
            at = self.matching_bracket[open] + 1;
        }
    }

    /// Whether a token is inside `name!(…)` or `macro_rules! name { … }`.
    pub fn in_macro(&self, at: usize) -> bool {
        let mut around = std::iter::successors(self.parent[at], |&it| self.parent[it]);
        around.any(|it| {
            let called = it >= 2 && self.text(it - 1) == "!" && self.is_word(it - 2);
            called || (it >= 3 && self.reads(it - 3, &["macro_rules", "!"]))
        })
    }

    /// The first line of the element that starts at `line`, with the attributes and comments
    /// directly above it, but not the `//!` of the file.
    pub fn first_line_with_docs(&self, line: usize) -> usize {
        let mut first = line;
        while let Some(above) = first.checked_sub(1) {
            let Some(start) = self.comment_line(above).or_else(|| self.attribute_line(above))
            else {
                break;
            };
            first = start;
        }
        first
    }

    /// The first line of the comment that ends on `line`, if there is no code on its lines.
    fn comment_line(&self, line: usize) -> Option<usize> {
        let at = self.comments.partition_point(|it| it.last_line < line);
        let comment = self.comments.get(at).filter(|it| it.last_line == line)?;
        let first = comment.text.lines().next().unwrap_or("");
        let alone = self.lines[comment.line].trim_start().starts_with(first);
        (alone && !comment.text.starts_with("//!")).then_some(comment.line)
    }

    /// The first line of the attribute that ends on `line`.
    fn attribute_line(&self, line: usize) -> Option<usize> {
        let after = self.code.partition_point(|it| it.line <= line);
        let last = after.checked_sub(1).filter(|&it| self.code[it].last_line == line)?;
        let hash = self.matching_bracket[last].checked_sub(1)?;
        let is_attribute = self.text(last) == "]" && self.text(hash) == "#";
        (is_attribute && self.starts_line(hash)).then(|| self.line(hash))
    }
}

type Brackets = (Vec<usize>, Vec<Option<usize>>);

/// Brackets of tokens are matched, for the text has been read as Rust.
fn match_brackets(code: &[Token]) -> Brackets {
    let mut matching_bracket: Vec<usize> = (0..code.len()).collect();
    let mut parent = Vec::with_capacity(code.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in code.iter().enumerate() {
        if matches!(token.text, ")" | "]" | "}") {
            let start = open.pop().expect("a matched bracket");
            (matching_bracket[at], matching_bracket[start]) = (start, at);
        }
        parent.push(open.last().copied());
        if matches!(token.text, "(" | "[" | "{") {
            open.push(at);
        }
    }
    (matching_bracket, parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_matched_and_nested() {
        let scan = Scan::new("f([x], '(')").unwrap();
        assert_eq!(scan.matching_bracket[1], 7);
        assert_eq!(scan.matching_bracket[2], 4);
        assert_eq!(scan.parent[3], Some(2));
        assert_eq!(scan.parent[4], Some(1));
        assert_eq!(scan.parent[7], None);
    }

    #[test]
    fn an_unmatched_bracket_is_reported() {
        assert_eq!(Scan::new("\n(]").err().unwrap().line, 1);
    }

    #[test]
    fn docs_and_attributes_above_belong_to_an_item() {
        let scan = Scan::new("x;\n// a\n/// b\n#[c(\n  d\n)]\n/* e\n*/\nfn f() {}\n").unwrap();
        assert_eq!(scan.first_line_with_docs(8), 1);
    }

    #[test]
    fn a_comment_after_code_belongs_to_that_code() {
        let scan = Scan::new("x; // a\nfn f() {}\n").unwrap();
        assert_eq!(scan.first_line_with_docs(1), 1);
        let scan = Scan::new("//! head\nfn f() {}\n").unwrap();
        assert_eq!(scan.first_line_with_docs(1), 1);
    }
}
