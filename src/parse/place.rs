//! Line and column of places in the text, which are mostly asked for in its order.

/// A place in the text, as an offset and as line and column. Those count from 1.
#[derive(Clone, Copy)]
pub struct Place {
    offset: usize,
    pub line: u32,
    pub column: u32,
}

impl Place {
    pub const START: Place = Place { offset: 0, line: 1, column: 1 };

    /// The place at another offset. Only the text between both is read, and a part of a line.
    pub fn moved(self, text: &str, offset: usize) -> Place {
        let count = |text: &str, is_counted: fn(&char) -> bool| {
            text.chars().filter(is_counted).count() as u32
        };
        let is_end = |it: &char| *it == '\n';
        let [first, last] = [self.offset.min(offset), self.offset.max(offset)];
        let lines = count(&text[first..last], is_end);
        let line = if self.offset <= offset { self.line + lines } else { self.line - lines };
        let column = match lines {
            0 if self.offset <= offset => self.column + count(&text[first..last], |_| true),
            0 => self.column - count(&text[first..last], |_| true),
            _ => {
                let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
                1 + count(&text[line_start..offset], |_| true)
            }
        };
        Place { offset, line, column }
    }
}
