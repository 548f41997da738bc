//! Splits a Rust text into tokens: just enough to find where an element begins and ends.
//!
//! Strings, characters, lifetimes and comments are recognized, so that a bracket in one of them is
//! not a bracket. Nothing is parsed: `element` and `item` work on the brackets.

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

/// All tokens of `text`, comments included.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 0);
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            line += usize::from(first == '\n');
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..], first);
        let word = &text[at..at + length];
        let last_line = line + word.matches('\n').count();
        found.push(Token { kind, text: word, start: at, line, last_line });
        (at, line) = (at + length, last_line);
    }
    found
}

/// Kind and length of the token that `rest` starts with.
fn token(rest: &str, first: char) -> (Kind, usize) {
    match first {
        '/' if rest.starts_with("//") => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (Kind::Comment, block_comment(rest)),
        '"' => (Kind::Literal, quoted(rest, '"')),
        '\'' => character_or_lifetime(rest),
        '0'..='9' => (Kind::Number, number(rest)),
        _ if is_word_start(first) => word_or_prefixed(rest),
        _ => (Kind::Sign, first.len_utf8()),
    }
}

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word(rest: &str) -> usize {
    rest.find(|c| !is_word_part(c)).unwrap_or(rest.len())
}

/// A word, or the string or character that a word such as `b` or `r#` introduces.
fn word_or_prefixed(rest: &str) -> (Kind, usize) {
    let length = word(rest);
    let (prefix, after) = rest.split_at(length);
    match (prefix, after.chars().next()) {
        ("b" | "c", Some('"')) => (Kind::Literal, length + quoted(after, '"')),
        ("b", Some('\'')) => (Kind::Literal, length + quoted(after, '\'')),
        ("r" | "br" | "cr", Some('"' | '#')) => match raw_string(after) {
            Some(end) => (Kind::Literal, length + end),
            None => (Kind::Word, length + 1 + word(&after[1..])),
        },
        _ => (Kind::Word, length),
    }
}

/// The length of `"…"` or `#"…"#`; `None` if the hashes belong to a raw identifier.
fn raw_string(rest: &str) -> Option<usize> {
    let hashes = rest.find(|c| c != '#')?;
    let body = rest[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", &rest[..hashes]);
    let end = body.find(&close).map_or(body.len(), |at| at + close.len());
    Some(hashes + 1 + end)
}

/// The length of a quoted text, in which a backslash escapes the next character.
fn quoted(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            _ if c == quote => return at + 1,
            _ => (),
        }
    }
    rest.len()
}

/// `'x'` and `'\n'` are characters; `'x` is a lifetime or a label.
fn character_or_lifetime(rest: &str) -> (Kind, usize) {
    let mut chars = rest[1..].chars();
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => (Kind::Literal, quoted(rest, '\'')),
        _ => (Kind::Lifetime, 1 + word(&rest[1..])),
    }
}

/// Digits, their suffix, and a fraction: the dots of `0..9` are not part of a number.
fn number(rest: &str) -> usize {
    let whole = word(rest);
    let fraction = rest[whole..].strip_prefix('.').filter(|it| it.starts_with(char::is_numeric));
    fraction.map_or(whole, |digits| whole + 1 + word(digits))
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        let step = if here.starts_with(b"/*") {
            depth += 1;
            2
        } else if here.starts_with(b"*/") {
            depth -= 1;
            2
        } else {
            1
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Kind, &str)]) {
        let found: Vec<_> = tokens(text).iter().map(|it| (it.kind, it.text)).collect();
        assert_eq!(found, expected, "in {text:?}");
    }

    #[test]
    fn strings_end_at_their_closing_quote() {
        use Kind::{Literal, Number, Sign, Word};
        check(r#"f("a\"{")"#, &[(Word, "f"), (Sign, "("), (Literal, r#""a\"{""#), (Sign, ")")]);
        check(r###"r#"a"{"# 1"###, &[(Literal, r###"r#"a"{"#"###), (Number, "1")]);
        check(
            r#"b"\\" c"x" br"\""#,
            &[(Literal, r#"b"\\""#), (Literal, r#"c"x""#), { (Literal, r#"br"\""#) }],
        );
        check("r#type", &[(Word, "r#type")]);
        check("\"never closed", &[(Literal, "\"never closed")]);
        check("r\"never closed", &[(Literal, "r\"never closed")]);
    }

    #[test]
    fn characters_are_not_lifetimes() {
        use Kind::{Lifetime, Literal, Sign, Word};
        check(
            r"'{' '\'' '\u{7d}' b'}'",
            &[(Literal, "'{'"), (Literal, r"'\''"), (Literal, r"'\u{7d}'"), (Literal, "b'}'")],
        );
        check("&'a str", &[(Sign, "&"), (Lifetime, "'a"), (Word, "str")]);
        check("'é' 'é", &[(Literal, "'é'"), (Lifetime, "'é")]);
        check("'", &[(Lifetime, "'")]);
    }

    #[test]
    fn comments_hide_brackets_and_nest() {
        use Kind::{Comment, Word};
        check("a // {\nb", &[(Word, "a"), (Comment, "// {"), (Word, "b")]);
        check("/* { /* } */ é */ b", &[(Comment, "/* { /* } */ é */"), (Word, "b")]);
        check("/* open", &[(Comment, "/* open")]);
    }

    #[test]
    fn ranges_are_not_numbers() {
        use Kind::{Number, Sign, Word};
        check("0..9", &[(Number, "0"), (Sign, "."), (Sign, "."), (Number, "9")]);
        check("1.5f32 7u8", &[(Number, "1.5f32"), (Number, "7u8")]);
        check("t.0", &[(Word, "t"), (Sign, "."), (Number, "0")]);
    }

    #[test]
    fn lines_count_through_strings() {
        let found = tokens("a\n\"x\ny\"\nb");
        let lines: Vec<_> = found.iter().map(|it| (it.line, it.last_line)).collect();
        assert_eq!(lines, [(0, 0), (1, 2), (3, 3)]);
    }
}
