//! The tokens of rule files.
use logos::Logos;
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// A token. White space and comments, from `#` to the end of a line, are skipped.
#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(skip r"[\x00-\x20]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub enum Token<'s> {
    /// The versions of a rule: `@v2` from 2 on, `@v2-5` from 2 to 5.
    #[regex("@[A-Za-z]+[0-9]+(-[0-9]+)?")]
    Tag(&'s str),
    #[regex("-?[0-9]+", |it| it.slice().parse().ok())]
    Number(i64),
    /// `-` and `/` are parts of a name: `div-shift`, `operand/load`.
    #[regex("[A-Za-z][A-Za-z0-9]*([-/][A-Za-z0-9]+)*")]
    Name(&'s str),
    /// A text between quotation marks.
    #[regex("\"[^\"\n]*\"", |it| it.slice().trim_matches('"'))]
    Code(&'s str),
    #[token("rule")]
    Rule,
    #[token("peephole")]
    Peephole,
    #[token("form")]
    Form,
    #[token("in")]
    In,
    #[token("if")]
    If,
    #[token("and")]
    And,
    #[token("=>")]
    Becomes,
    #[token("==")]
    Equal,
    #[token("=")]
    Is,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Point,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    /// Text that is no token of the language.
    Unknown,
}

impl Token<'_> {
    /// Whether a rule begins here, perhaps with its tag.
    pub fn begins_rule(&self) -> bool {
        matches!(self, Token::Tag(_) | Token::Rule | Token::Peephole | Token::Form)
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let text = match self {
            Token::Number(number) => return write!(out, "{number}"),
            Token::Code(code) => return write!(out, "\"{code}\""),
            Token::Tag(text) | Token::Name(text) => text,
            Token::Rule => "rule",
            Token::Peephole => "peephole",
            Token::Form => "form",
            Token::In => "in",
            Token::If => "if",
            Token::And => "and",
            Token::Becomes => "=>",
            Token::Equal => "==",
            Token::Is => "=",
            Token::Colon => ":",
            Token::Semicolon => ";",
            Token::Comma => ",",
            Token::Point => ".",
            Token::Open => "(",
            Token::Close => ")",
            Token::OpenBracket => "[",
            Token::CloseBracket => "]",
            Token::Plus => "+",
            Token::Minus => "-",
            Token::Star => "*",
            Token::Unknown => "letters",
        };
        out.write_str(text)
    }
}

/// The tokens of the rules of version `read`; rules of other versions alone are skipped.
pub fn tokens(text: &str, read: u32) -> Vec<(Token<'_>, Range<usize>)> {
    let (mut tokens, mut other, mut tagged) = (Vec::new(), false, false);
    for (token, place) in Token::lexer(text).spanned() {
        let token = token.unwrap_or(Token::Unknown);
        match token {
            Token::Tag(tag) => (other, tagged) = (!versions(tag).contains(&read), true),
            Token::Rule | Token::Peephole | Token::Form => {
                (other, tagged) = (other && tagged, false)
            }
            _ => {}
        }
        if !other {
            tokens.push((token, place));
        }
    }
    tokens
}

/// The versions of a tag: from its first number to its second one, if it has one.
fn versions(tag: &str) -> RangeInclusive<u32> {
    let numbers = tag.trim_start_matches(|it: char| !it.is_ascii_digit());
    let number = |digits: &str| digits.parse().unwrap_or(u32::MAX);
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, ""));
    number(first)..=number(last)
}
