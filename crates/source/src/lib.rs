#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

/// A source text and the name it is reported under.
#[derive(Clone, Debug)]
pub struct Source {
    /// Usually the path of the file.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Line and column of the start of a span. Both count from 1; columns count characters. Inside
    /// of a character, it is the character's position; after the text, the position of its end.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let mut start = span.range().start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}

/// A range of a source text: byte offsets, `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The span as a range that slices the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[cfg(test)]
#[path = "tests/lib.rs"]
mod tests;
