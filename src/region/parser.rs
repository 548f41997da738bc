//! The grammar of the text. This is the only file of the module that uses chumsky.
//!
//! ```text
//! program = expression ;
//! expression = number | "get-" , number | "?" , name
//!            | "(" , word , { expression } , ")"
//!            | "(" , "?" , name , expression , expression , ")" ;
//! ```
//! Here are its tokens: parentheses, and words up to the next blank or parenthesis. `#` and `;`
//! begin comments. The file `read.rs` pairs the parentheses with an explicit stack, because a
//! program may be nested deeper than a recursive parser's stack.
use chumsky::prelude::*;
use source::Span;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'s> {
    Open,
    Close,
    Word(&'s str),
}

/// The tokens of a text with their places. Every text consists of tokens.
pub fn tokens(text: &str) -> Vec<(Token<'_>, Span)> {
    file().parse(text).into_output().unwrap_or_default()
}

fn file<'s>() -> impl Parser<'s, &'s str, Vec<(Token<'s>, Span)>> {
    let is_blank = |letter: char| letter.is_whitespace() || letter.is_control();
    let begins_comment = |letter: char| letter == '#' || letter == ';';
    let blank = any().filter(move |&letter: &char| is_blank(letter)).ignored();
    let comment = one_of("#;").then(none_of('\n').repeated()).ignored();
    let skipped = blank.or(comment).repeated();
    let is_in_word = move |letter: &char| {
        !is_blank(*letter) && !begins_comment(*letter) && !matches!(letter, '(' | ')')
    };
    let word = any().filter(is_in_word).repeated().at_least(1).to_slice().map(Token::Word);
    let token = choice((just('(').to(Token::Open), just(')').to(Token::Close), word));
    let token = token.map_with(|token, extra| {
        let place: SimpleSpan = extra.span();
        (token, Span::new(place.start, place.end))
    });
    skipped.ignore_then(token.then_ignore(skipped).repeated().collect())
}
