//! Lines and columns of places in a file, and the ids of what stands there.
//!
//! They are asked for only where something is wrong, so nobody counts lines before: the file is
//! read once more, up to the last of the places.
use super::events::{Event, Events};
use std::io::{BufRead, Result};

/// A place in a file as a person looks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Both begin with 1; columns are letters.
    pub line: usize,
    pub column: usize,
    /// The line, up to some letters behind the place; none, if the place is far to the right.
    pub text: Option<String>,
    /// How many bytes of `text` stand before the place.
    pub before: usize,
    /// The id of the node or edge that begins there.
    pub id: Option<String>,
}

/// Finds places in a file; each is a number of bytes before it, and they are in order.
///
/// # Errors
/// Those of reading the file.
pub fn places(input: &mut dyn BufRead, ats: &[u64]) -> Result<Vec<Place>> {
    let mut scan = Scan { input, window: Vec::new(), at: 0, line: 1, column: 1, begin: Vec::new() };
    ats.iter().map(|&at| scan.place(at)).collect()
}

struct Scan<'i> {
    input: &'i mut dyn BufRead,
    /// What has been read and not gone over.
    window: Vec<u8>,
    /// How many bytes have been gone over.
    at: u64,
    line: usize,
    column: usize,
    /// The line so far; only its beginning, if it is long.
    begin: Vec<u8>,
}

/// How much of a line is shown before and behind a place; and how much is looked through for an id.
const SHOWN: usize = 200;
const TAG: usize = 4096;

impl Scan<'_> {
    fn place(&mut self, at: u64) -> Result<Place> {
        loop {
            self.fill()?;
            let missing = usize::try_from(at - self.at).unwrap_or(usize::MAX);
            let length = missing.min(self.window.len());
            for &byte in &self.window[..length] {
                // Letters begin with any byte but these.
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

    /// Reads on until there is enough to look at.
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

    fn here(&self) -> Place {
        let begin = String::from_utf8_lossy(&self.begin);
        let rest = self.window.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let rest = String::from_utf8_lossy(&rest[..rest.len().min(SHOWN)]);
        let text = (self.column <= SHOWN).then(|| format!("{begin}{rest}"));
        let mut tag = &self.window[..self.window.len().min(TAG)];
        let id = match Events::new(&mut tag).next() {
            Ok(Event::Open(tag)) => tag.attribute("id").map(str::to_string),
            _ => None,
        };
        Place { line: self.line, column: self.column, before: begin.len(), text, id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_one_go() {
        let long = format!("<x>\n  é<node id=\"a&amp;b\">{}\n<edge", " ".repeat(100_000));
        let second = long.len() as u64 - 5;
        let mut input = std::io::BufReader::with_capacity(7, long.as_bytes());
        let found = places(&mut input, &[0, 8, 8, second, second + 5]).expect("a text");
        let lines: Vec<_> = found.iter().map(|it| (it.line, it.column)).collect();
        assert_eq!(lines, [(1, 1), (2, 4), (2, 4), (3, 1), (3, 6)]);
        assert_eq!(found[1].id.as_deref(), Some("a&b"));
        assert_eq!([&found[0].id, &found[3].id], [&None; 2]);
        assert_eq!((found[0].text.as_deref(), found[0].before), (Some("<x>"), 0));
        assert_eq!(found[1].before, 4);
        assert_eq!(found[4].text.as_deref(), Some("<edge"));
    }

    #[test]
    fn a_place_far_to_the_right_has_no_text() {
        let text = "é".repeat(300);
        let found = places(&mut text.as_bytes(), &[500]).expect("a text");
        assert_eq!((found[0].line, found[0].column, &found[0].text), (1, 251, &None));
    }
}
