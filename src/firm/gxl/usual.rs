//! Nodes and edges that are written the way everybody writes them, read letter by letter.
//!
//! Nearly all of a large file is such elements, and reading them as events of XML alone takes
//! several times as long as all the rest. What is different in any way - an entity, a comment,
//! another quote, a letter beyond ASCII, an element that is not all there yet - is not understood
//! here and left to the reader of events; what is understood here, means the same there.
use super::element::{Attribute, Element, Kind};

/// How many attributes a usual element has.
const ATTRIBUTES: usize = 4;

/// Room for the attributes of an element.
pub type Room<'b> = [Attribute<'b>; ATTRIBUTES];

/// The element at the beginning of `bytes`, how many bytes of white space stand before it, and
/// how many bytes it has with them.
pub fn usual<'b, 'r>(bytes: &'b [u8], room: &'r mut Room<'b>) -> Option<(Element<'r>, usize, usize)>
where
    'b: 'r,
{
    let mut letters = Letters { bytes, at: 0 };
    letters.spaces();
    let before = letters.at;
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
    Some((Element { kind, id, from, to, type_, attributes }, before, letters.at))
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

    /// Goes over white space; whether there is any.
    fn spaces(&mut self) -> bool {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|it| matches!(it, b' ' | b'\n' | b'\t')) {
            self.at += 1;
        }
        self.at > start
    }

    /// Plain letters up to another one.
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

/// The letters that stand for themselves wherever they stand.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut letter = b' ';
    while letter <= b'~' {
        plain[letter as usize] = !matches!(letter, b'<' | b'>' | b'&' | b'"' | b'\'');
        letter += 1;
    }
    plain
};

#[cfg(test)]
mod tests {
    use super::*;

    const EDGE: &str = "\n <edge to=\"b\" id=\"e\"\tfrom=\"a\" >\n<type xlink:href=\"#Keep\"/>\
        <attr name=\"position\">\n <int>-1</int>\n</attr> </edge>";

    #[test]
    fn the_usual_is_understood() {
        let mut room = Room::default();
        let text = format!("{EDGE} <edge");
        let (edge, before, length) = usual(text.as_bytes(), &mut room).expect("an edge");
        assert_eq!((edge.kind, before, length), (Kind::Edge, 2, EDGE.len()));
        assert_eq!([edge.id, edge.from, edge.to], [b"e", b"a", b"b"].map(|it| Some(&it[..])));
        assert_eq!(edge.type_, b"#Keep");
        let position = Attribute { name: b"position", element: b"int", text: b"-1" };
        assert_eq!(edge.attributes, [position]);
    }

    #[test]
    fn anything_else_is_left_alone() {
        let changes = [
            ("\"b\"", "'b'"),
            ("\"b\"", "\"&lt;\""),
            ("\"b\"", "\"é\""),
            ("id=", "from="),
            (" id=", "id="),
            ("-1", "<!-- -->-1"),
            ("</int>", "</bool>"),
            ("</edge>", "</node>"),
            ("</edge>", "</edge >"),
            ("#Keep\"/>", "#Keep\"></type>"),
            ("</edge>", ""),
            ("<edge", "<!-- --><edge"),
        ];
        for (old, new) in changes {
            let text = EDGE.replace(old, new);
            assert!(text != EDGE && usual(text.as_bytes(), &mut Room::default()).is_none());
        }
        for end in 0..EDGE.len() {
            assert!(usual(&EDGE.as_bytes()[..end], &mut Room::default()).is_none());
        }
    }
}
