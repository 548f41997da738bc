//! Lines and columns of places in a file, and the ids of the elements there.
//!
//! Only errors need them, so the reader counts no lines: the file is read a second time, up to the
//! last of the places.
use super::xml::{Event, Events};
use std::io::{BufRead, Result};

/// A place in a file, as editors show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourcePosition {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the letter in its line, from 1.
    pub column: usize,
    /// The line, up to some letters after the place; none, if the place is far to the right.
    pub text: Option<String>,
    /// The number of bytes of `text` before the place.
    pub before: usize,
    /// The id of the node or edge that begins there.
    pub id: Option<String>,
}

/// Finds places in a file. They are numbers of bytes from its beginning, in ascending order.
///
/// # Errors
/// Those of reading the file.
pub fn positions(input: &mut dyn BufRead, offsets: &[u64]) -> Result<Vec<SourcePosition>> {
    let mut scan = Scan { input, window: Vec::new(), at: 0, line: 1, column: 1, begin: Vec::new() };
    offsets.iter().map(|&at| scan.position(at)).collect()
}

struct Scan<'i> {
    input: &'i mut dyn BufRead,
    /// Bytes that were read and not counted.
    window: Vec<u8>,
    /// The number of bytes that were counted.
    at: u64,
    line: usize,
    column: usize,
    /// The line so far; only its beginning, if it is long.
    begin: Vec<u8>,
}

/// The number of bytes of a line that are shown before and after a place.
const SHOWN: usize = 200;
/// The number of bytes of a tag that are searched for an id.
const TAG: usize = 4096;

impl Scan<'_> {
    fn position(&mut self, at: u64) -> Result<SourcePosition> {
        loop {
            self.fill()?;
            let missing = usize::try_from(at - self.at).unwrap_or(usize::MAX);
            let length = missing.min(self.window.len());
            for &byte in &self.window[..length] {
                // UTF-8: all bytes but these begin a letter.
                let begins = byte & 0xc0 != 0x80;
                (self.line, self.column) = match byte {
                    b'\n' => (self.line + 1, 1),
                    _ => (self.line, self.column + usize::from(begins)),
                };
                if byte == b'\n' {
                    self.begin.clear();
                } else if self.begin.len() <= 4 * SHOWN {
                    self.begin.push(byte);
                }
            }
            self.window.drain(..length);
            self.at += length as u64;
            if self.at == at || length == 0 {
                self.fill()?;
                return Ok(self.here());
            }
        }
    }

    /// Fills the window, if the file is long enough.
    fn fill(&mut self) -> Result<()> {
        while self.window.len() < TAG {
            let bytes = self.input.fill_buf()?;
            let length = bytes.len();
            self.window.extend_from_slice(bytes);
            self.input.consume(length);
            if length == 0 {
                break;
            }
        }
        Ok(())
    }

    fn here(&self) -> SourcePosition {
        let begin = String::from_utf8_lossy(&self.begin);
        let rest = self.window.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let rest = String::from_utf8_lossy(&rest[..rest.len().min(SHOWN)]);
        let text = (self.column <= SHOWN).then(|| format!("{begin}{rest}"));
        let mut tag = &self.window[..self.window.len().min(TAG)];
        let id = match Events::new(&mut tag).next() {
            Ok(Event::Open(tag)) => tag.attribute("id").map(str::to_string),
            _ => None,
        };
        SourcePosition { line: self.line, column: self.column, before: begin.len(), text, id }
    }
}
