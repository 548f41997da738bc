//! The grammar of control-flow graphs. This is the only file of the module that uses chumsky.
//!
//! ```text
//! program = line , { newline , line } ;
//! line = [ word , { word } , [ "->" , { word } ] ] , [ comment ] ;
//! ```
//! A comment begins with `#` or `;`. The first word of a line is its operation.
use chumsky::prelude::*;
use source::Span;

/// A word and its place.
pub type Word<'s> = (&'s str, Span);

/// The words of a line: those before the arrow, and those after it, if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'s> {
    pub words: Vec<Word<'s>>,
    pub results: Option<Vec<Word<'s>>>,
}

impl Line<'_> {
    /// The text from its first to its last word.
    pub fn place(&self) -> Span {
        let mut words = self.words.iter().chain(self.results.iter().flatten());
        let first = words.next().map(|it| it.1).unwrap_or_default();
        let last = words.next_back().map_or(first, |it| it.1);
        Span { start: first.start, end: last.end }
    }
}

/// The lines of a text that contain words. Every text consists of lines.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let lines: Vec<Vec<Word>> = file().parse(text).into_output().unwrap_or_default();
    lines.into_iter().filter(|words| !words.is_empty()).map(line).collect()
}

fn line(words: Vec<Word>) -> Line {
    match words.iter().position(|(word, _)| *word == "->") {
        None => Line { words, results: None },
        Some(arrow) => {
            let (before, after) = words.split_at(arrow);
            Line { words: before.to_vec(), results: Some(after[1..].to_vec()) }
        }
    }
}

fn file<'s>() -> impl Parser<'s, &'s str, Vec<Vec<Word<'s>>>> {
    let is_blank = |letter: char| letter != '\n' && (letter.is_whitespace() || letter.is_control());
    let blanks = any().filter(move |&letter: &char| is_blank(letter)).repeated();
    let is_in_word = move |letter: &char| !is_blank(*letter) && !"#;\n".contains(*letter);
    let word = any().filter(is_in_word).repeated().at_least(1).to_slice();
    let word = word.map_with(|word, extra| {
        let place: SimpleSpan = extra.span();
        (word, Span::new(place.start, place.end))
    });
    let comment = one_of("#;").then(none_of('\n').repeated()).or_not();
    let words = blanks.ignore_then(word.then_ignore(blanks).repeated().collect());
    words.then_ignore(comment).separated_by(just('\n')).collect()
}
