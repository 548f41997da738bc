//! Positions of the protocol: lines, and units of UTF-16 in a line.
use lsp_types::{Position, Range};
use source::Span;

/// The first byte of each line. `\n`, `\r\n` and `\r` end a line.
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = (0..bytes.len()).filter(is_end).map(|at| at + 1);
        Lines { starts: std::iter::once(0).chain(ends).collect() }
    }

    pub fn range(&self, text: &str, span: Span) -> Range {
        let [start, end] = [span.start, span.end].map(|it| self.position(text, it as usize));
        Range { start, end }
    }

    /// The position of a byte. Inside of a character, it is that of the character.
    fn position(&self, text: &str, byte: usize) -> Position {
        let is_start = |byte: &usize| text.is_char_boundary(*byte);
        let byte = (0..=byte.min(text.len())).rev().find(is_start).unwrap_or_default();
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        let units = text[self.starts[line]..byte].encode_utf16().count();
        Position::new(line as u32, units as u32)
    }

    /// The byte of a position; the end of the line if the line is shorter, the end of the text if
    /// there is no such line.
    pub fn byte(&self, text: &str, position: Position) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() };
        let end = self.starts.get(position.line as usize + 1).copied().unwrap_or(text.len());
        let line = text[start..end].trim_end_matches(['\r', '\n']);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += character.len_utf16();
            if units > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }
}
