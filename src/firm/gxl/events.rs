//! XML as a row of events; this file alone knows the crate that reads them.
use super::Fault;
use quick_xml::XmlVersion;
use quick_xml::errors::Error;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event as Read};
use quick_xml::reader::Reader;
use std::io::{self, BufRead};

/// What comes next in a document; comments and instructions to other programs never do.
#[derive(Debug)]
pub enum Event {
    Open(Tag),
    /// The end of the element that was opened last and not closed.
    Close,
    Text(String),
    /// Nothing comes any more.
    End,
}

/// The beginning of an element.
#[derive(Debug)]
pub struct Tag {
    pub name: String,
    /// Each attribute and its value, in which nothing is to be replaced any more.
    pub attributes: Vec<(String, String)>,
    /// Where it stands.
    pub at: u64,
}

pub struct Events<'r> {
    reader: Reader<Piece<'r>>,
    buffer: Vec<u8>,
    /// How many elements are open.
    depth: u64,
}

impl<'r> Events<'r> {
    pub fn new(input: &'r mut dyn BufRead) -> Events<'r> {
        let mut reader = Reader::from_reader(Piece { input, left: LONGEST });
        reader.config_mut().expand_empty_elements = true;
        Events { reader, buffer: Vec::new(), depth: 0 }
    }

    /// How many bytes have been read.
    pub fn at(&self) -> u64 {
        self.reader.buffer_position()
    }

    /// The bytes that come next, to be read by somebody else; not directly behind text.
    pub fn bytes(&mut self) -> impl BufRead {
        self.reader.get_mut().left = LONGEST;
        self.reader.stream()
    }

    pub fn next(&mut self) -> Result<Event, Fault> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().left = LONGEST;
            let at = self.reader.buffer_position();
            let read = match self.reader.read_event_into(&mut self.buffer) {
                Ok(read) => read,
                Err(error) => return Err(broken(at.max(self.reader.error_position()), &error)),
            };
            return Ok(match read {
                Read::Start(start) | Read::Empty(start) => {
                    self.depth += 1;
                    Event::Open(tag(&start, at)?)
                }
                Read::End(_) => {
                    self.depth -= 1;
                    Event::Close
                }
                Read::Text(text) => Event::Text(text.xml10_content().into_owned()),
                Read::CData(text) => Event::Text(text.xml10_content().into_owned()),
                Read::GeneralRef(reference) => Event::Text(replacement(&reference, at)?),
                Read::Eof if self.depth > 0 => {
                    return Err(Fault::new(at, "The file ends too early", "an element is open"));
                }
                Read::Eof => Event::End,
                Read::Decl(declaration) => {
                    check_encoding(&declaration, at)?;
                    continue;
                }
                // What a DTD says is nowhere asked for, and it is never fetched.
                Read::Comment(_) | Read::PI(_) | Read::DocType(_) => continue,
            });
        }
    }
}

/// The longest tag, text or comment. A file that has no end is refused before memory is full.
const LONGEST: usize = 1 << 24;

/// One of them and what follows it.
struct Piece<'r> {
    input: &'r mut dyn BufRead,
    /// How many bytes of it may still come.
    left: usize,
}

impl io::Read for Piece<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.input.read(bytes)
    }
}

impl BufRead for Piece<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.left {
            0 => Err(io::Error::other(format!("a piece of it is longer than {LONGEST} bytes"))),
            _ => self.input.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        self.left = self.left.saturating_sub(count);
        self.input.consume(count);
    }
}

impl Tag {
    /// The value of an attribute; a prefix of its name does not count.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let local = |full: &str| full.rsplit(':').next() == Some(name);
        self.attributes.iter().find(|(full, _)| local(full)).map(|(_, value)| value.as_str())
    }
}

fn tag(start: &BytesStart, at: u64) -> Result<Tag, Fault> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| broken(at, &error.into()))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| broken(at, &error))?.into_owned();
        attributes.push((attribute.key.as_ref().to_string(), value));
    }
    Ok(Tag { name: start.name().as_ref().to_string(), attributes, at })
}

/// What stands for `&…;`.
fn replacement(reference: &BytesRef, at: u64) -> Result<String, Fault> {
    if let Some(letter) = reference.resolve_char_ref().map_err(|error| broken(at, &error))? {
        return Ok(letter.to_string());
    }
    let name: &str = reference;
    let known = quick_xml::escape::resolve_predefined_entity(name);
    known.map(str::to_string).ok_or_else(|| {
        Fault::new(at, format!("There is no entity `{name}`"), "nothing stands for this")
    })
}

fn check_encoding(declaration: &BytesDecl, at: u64) -> Result<(), Fault> {
    let Some(encoding) = declaration.encoding() else { return Ok(()) };
    let encoding = encoding.map_err(|error| broken(at, &error.into()))?;
    let known = ["utf-8", "us-ascii"].iter().any(|known| encoding.eq_ignore_ascii_case(known));
    if known {
        return Ok(());
    }
    let message = format!("The encoding `{encoding}` is not supported");
    Err(Fault::new(at, message, "only UTF-8 can be read"))
}

fn broken(at: u64, error: &Error) -> Fault {
    match error {
        Error::Io(error) => {
            Fault::new(at, format!("The file cannot be read: {error}"), "up to here it could")
        }
        Error::Encoding(_) => Fault::new(at, "This is not UTF-8", "not far behind this place"),
        _ => Fault::new(at, format!("This is not XML: {error}"), "here"),
    }
}
