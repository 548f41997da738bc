//! Places in a text, in the units of UTF-16 in which a browser counts.
use std::ops::Range;

/// The units before the ends of a range of bytes, which may be inside of characters or after the
/// text.
pub fn in_units(text: &str, range: Range<usize>) -> [usize; 2] {
    [range.start, range.end].map(|byte| {
        let before = text.char_indices().take_while(|(at, _)| *at < byte);
        before.map(|(_, character)| character.len_utf16()).sum()
    })
}

#[test]
fn units_are_counted() {
    assert_eq!(in_units("ö 𝕩 c", 3..7), [2, 4]);
    assert_eq!(in_units("a", 1..9), [1, 1]);
}
