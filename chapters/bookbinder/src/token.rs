//! The tokens of a Rust text in a flat list, with their lines and with the comments between them.
use crate::TagError;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::iter::Peekable;

/// One token. Lines count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Byte offset of its first byte.
    pub start: usize,
    pub line: usize,
    /// The line of its last byte: strings and block comments may span several.
    pub last_line: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Comment,
    /// An identifier or a keyword.
    Word,
    Number,
    /// A string, a byte string or a character, with its quotes.
    Literal,
    Lifetime,
    /// One character of punctuation; `=>` is two tokens.
    Sign,
}

/// All tokens of `text`, comments included. Fails at a text that is not Rust.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, TagError> {
    Ok(of_stream(text, stream(text)?))
}

/// The tokens of `text` as nested groups.
pub fn stream(text: &str) -> Result<TokenStream, TagError> {
    text.parse().map_err(|error: proc_macro2::LexError| TagError {
        line: error.span().start().line.saturating_sub(1),
        reason: error.to_string(),
    })
}

/// The flat list of a stream, with the comments between its tokens in `text`.
pub fn of_stream(text: &str, stream: TokenStream) -> Vec<Token<'_>> {
    let mut list = List { text, found: Vec::new(), end: 0, line: 0 };
    list.add_stream(stream);
    list.add_comments(text.len());
    list.found
}

struct List<'a> {
    text: &'a str,
    found: Vec<Token<'a>>,
    /// The end of the last token, and its line.
    end: usize,
    line: usize,
}

impl List<'_> {
    fn add_stream(&mut self, stream: TokenStream) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    self.add_stream(group.stream());
                }
                TokenTree::Group(group) => {
                    self.add(Kind::Sign, group.span_open());
                    self.add_stream(group.stream());
                    self.add(Kind::Sign, group.span_close());
                }
                TokenTree::Ident(word) => self.add(Kind::Word, word.span()),
                TokenTree::Literal(literal) => {
                    let digit = self.text[literal.span().byte_range()].starts_with(is_digit);
                    let kind = if digit { Kind::Number } else { Kind::Literal };
                    self.add(kind, literal.span());
                }
                TokenTree::Punct(sign) => self.add_sign(sign.span(), &mut trees),
            }
        }
    }

    /// A sign, a lifetime, or a comment of documentation: a stream contains it as an attribute.
    fn add_sign(&mut self, span: Span, trees: &mut Peekable<impl Iterator<Item = TokenTree>>) {
        match &self.text[span.byte_range()] {
            "'" => {
                let name = trees.next().map_or(span, |it| it.span());
                self.add_bytes(Kind::Lifetime, span.byte_range().start, name.byte_range().end);
            }
            comment if comment.len() > 1 => {
                let range = span.byte_range();
                while trees.next_if(|it| it.span().byte_range() == range).is_some() {}
                self.add(Kind::Comment, span);
            }
            _ => self.add(Kind::Sign, span),
        }
    }

    fn add(&mut self, kind: Kind, span: Span) {
        let range = span.byte_range();
        self.add_bytes(kind, range.start, range.end);
    }

    fn add_bytes(&mut self, kind: Kind, start: usize, end: usize) {
        self.add_comments(start);
        let text = &self.text[start..end];
        let line = self.line;
        self.line += text.matches('\n').count();
        self.end = end;
        self.found.push(Token { kind, text, start, line, last_line: self.line });
    }

    /// The comments before the byte `until`: all text between two tokens.
    fn add_comments(&mut self, until: usize) {
        while let Some(gap) = self.text[self.end..until].find(|it: char| !it.is_whitespace()) {
            let start = self.end + gap;
            self.line += self.text[self.end..start].matches('\n').count();
            self.end = start;
            let rest = &self.text[start..until];
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                block_comment(rest)
            };
            let text = &rest[..length];
            let line = self.line;
            self.line += text.matches('\n').count();
            self.end += length;
            self.found.push(Token { kind: Kind::Comment, text, start, line, last_line: self.line });
        }
        self.line += self.text[self.end..until].matches('\n').count();
        self.end = until;
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// The length of the block comment that `text` begins with; block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    for (at, _) in text.char_indices() {
        depth += i32::from(text[at..].starts_with("/*"));
        depth -= i32::from(text[..at].ends_with("*/"));
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_kinds_and_lines() {
        use Kind::{Comment, Lifetime, Literal, Number, Sign, Word};
        let text = "/// D\n#[a] f(\"x\ny\", 'c', 'd) // e\n0..1.5 /* /* é */ */ }";
        assert!(tokens(text).is_err(), "a bracket without a match");
        let text = text.trim_end_matches('}');
        let found = tokens(text).unwrap();
        let found: Vec<_> = found.iter().map(|it| (it.kind, it.text, it.line)).collect();
        let expected = [
            (Comment, "/// D", 0),
            (Sign, "#", 1),
            (Sign, "[", 1),
            (Word, "a", 1),
            (Sign, "]", 1),
            (Word, "f", 1),
            (Sign, "(", 1),
            (Literal, "\"x\ny\"", 1),
            (Sign, ",", 2),
            (Literal, "'c'", 2),
            (Sign, ",", 2),
            (Lifetime, "'d", 2),
            (Sign, ")", 2),
            (Comment, "// e", 2),
            (Number, "0", 3),
            (Sign, ".", 3),
            (Sign, ".", 3),
            (Number, "1.5", 3),
            (Comment, "/* /* é */ */", 3),
        ];
        assert_eq!(found, expected);
    }
}
