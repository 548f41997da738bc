//! Nodes and edges in the usual form, read byte by byte.
//!
//! Almost all of a large file has this form, and reading it as XML events takes several times as
//! long as everything else. An element that differs (an entity, a comment, another quote, a letter
//! beyond ASCII, an element that is not in the buffer as a whole) is left to the reader of events.
//! An element that is read here has the same meaning there.
use super::element::{Attribute, Element, Kind};

/// The attributes of a usual element.
pub type Attributes<'b> = [Attribute<'b>; 4];

/// The element at the beginning of `bytes`, which is `start` bytes from the beginning of the file,
/// and its length including the white space before it.
pub fn usual_element<'b, 'r>(
    bytes: &'b [u8],
    start: u64,
    room: &'r mut Attributes<'b>,
) -> Option<(Element<'r>, usize)>
where
    'b: 'r,
{
    let mut letters = Letters { bytes, at: 0 };
    letters.spaces();
    let offset = start + letters.at as u64;
    letters.take(b"<")?;
    let kind = if letters.take(b"node").is_some() { Kind::Node } else { Kind::Edge };
    if kind == Kind::Edge {
        letters.take(b"edge")?;
    }
    let [id, from, to] = letters.ends()?;
    letters.spaces();
    letters.take(b"<type xlink:href=")?;
    let type_ = letters.quoted()?;
    letters.spaces();
    letters.take(b"/>")?;
    let mut count = 0;
    while letters.opens_attribute() {
        *room.get_mut(count)? = letters.attribute()?;
        count += 1;
    }
    letters.take(b"</")?;
    letters.take(kind.name().as_bytes())?;
    letters.take(b">")?;
    let attributes = &room[..count];
    Some((Element { kind, id, from, to, type_, attributes, offset }, letters.at))
}

struct Letters<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Letters<'b> {
    fn take(&mut self, word: &[u8]) -> Option<()> {
        let found = self.bytes[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found.then_some(())
    }

    /// Skips white space; whether there is any.
    fn spaces(&mut self) -> bool {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|it| matches!(it, b' ' | b'\n' | b'\t')) {
            self.at += 1;
        }
        self.at > start
    }

    /// Plain letters, up to one that is not.
    fn plain(&mut self) -> &'b [u8] {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&it| PLAIN[usize::from(it)]) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    fn quoted(&mut self) -> Option<&'b [u8]> {
        self.take(b"\"")?;
        let text = self.plain();
        self.take(b"\"")?;
        Some(text)
    }

    /// The attributes `id`, `from` and `to` of a tag, in any order, up to its end.
    fn ends(&mut self) -> Option<[Option<&'b [u8]>; 3]> {
        let mut found = [None; 3];
        loop {
            let spaced = self.spaces();
            if self.take(b">").is_some() {
                return Some(found);
            }
            let names: [&[u8]; 3] = [b"id=", b"from=", b"to="];
            let at = names.into_iter().position(|name| self.take(name).is_some())?;
            let is_new = found[at].replace(self.quoted()?).is_none();
            if !(spaced && is_new) {
                return None;
            }
        }
    }

    fn opens_attribute(&mut self) -> bool {
        self.spaces();
        self.take(b"<attr name=").is_some()
    }

    fn attribute(&mut self) -> Option<Attribute<'b>> {
        let name = self.quoted()?;
        self.take(b">")?;
        self.spaces();
        self.take(b"<")?;
        let element = self.plain_word();
        self.take(b">")?;
        let text = self.plain();
        self.take(b"</")?;
        self.take(element)?;
        self.take(b">")?;
        self.spaces();
        self.take(b"</attr>")?;
        Some(Attribute { name, element, text })
    }

    fn plain_word(&mut self) -> &'b [u8] {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_lowercase) {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }
}

/// The letters that mean themselves everywhere.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut letter = b' ';
    while letter <= b'~' {
        plain[letter as usize] = !matches!(letter, b'<' | b'>' | b'&' | b'"' | b'\'');
        letter += 1;
    }
    plain
};
