//! The lexer of the rule language.
use logos::Logos;
use std::fmt;
use std::ops::Range;

/// A token. White space and comments, from `#` to the end of a line, are skipped.
#[derive(Logos, Clone, Copy, PartialEq, Debug)]
#[logos(skip r"[\x00-\x20]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub enum Token<'s> {
    /// The chapter of a rule: `@ch04`.
    #[regex("@ch[0-9][0-9]", |it| it.slice()[3..].parse().ok())]
    Chapter(u32),
    #[regex("-?[0-9]+", |it| it.slice().parse().ok())]
    Number(i64),
    #[regex("[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")]
    Name(&'s str),
    #[token("rule")]
    Rule,
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

impl fmt::Display for Token<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let text = match self {
            Token::Chapter(number) => return write!(out, "@ch{number:02}"),
            Token::Number(number) => return write!(out, "{number}"),
            Token::Name(name) => name,
            Token::Rule => "rule",
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

/// The tokens of all rules except those of later chapters, which are skipped.
pub fn tokens(text: &str, latest: u32) -> Vec<(Token<'_>, Range<usize>)> {
    let (mut tokens, mut later, mut tagged) = (Vec::new(), false, false);
    for (token, place) in Token::lexer(text).spanned() {
        let token = token.unwrap_or(Token::Unknown);
        match token {
            Token::Chapter(chapter) => (later, tagged) = (chapter > latest, true),
            Token::Rule => (later, tagged) = (later && tagged, false),
            _ => {}
        }
        if !later {
            tokens.push((token, place));
        }
    }
    tokens
}
