//! XML as a sequence of events; only this file depends on the XML crate.
use super::ReadError;
use super::element::is_xml;
use quick_xml::XmlVersion;
use quick_xml::errors::Error;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event as Read};
use quick_xml::reader::Reader;
use std::io::{self, BufRead};

/// A part of a document; comments and processing instructions are left out.
#[derive(Debug)]
pub enum Event {
    Open(Tag),
    /// The end of the innermost open element.
    Close,
    Text(String),
    /// The end of the file.
    End,
}

/// The beginning of an element.
#[derive(Debug)]
pub struct Tag {
    pub name: String,
    /// Each attribute and its value, with all entities replaced.
    pub attributes: Vec<(String, String)>,
    /// The number of bytes before it.
    pub offset: u64,
}

pub struct Events<'r> {
    reader: Reader<Limited<'r>>,
    buffer: Vec<u8>,
    /// The number of open elements.
    depth: u64,
}

impl<'r> Events<'r> {
    pub fn new(input: &'r mut dyn BufRead) -> Events<'r> {
        let mut reader = Reader::from_reader(Limited { input, left: MAX_LENGTH });
        reader.config_mut().expand_empty_elements = true;
        Events { reader, buffer: Vec::new(), depth: 0 }
    }

    /// The number of bytes that were read.
    pub fn offset(&self) -> u64 {
        self.reader.buffer_position()
    }

    /// The bytes after the last event, to be read directly; not after text.
    pub fn bytes(&mut self) -> impl BufRead {
        self.reader.get_mut().left = MAX_LENGTH;
        self.reader.stream()
    }

    pub fn next(&mut self) -> Result<Event, ReadError> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().left = MAX_LENGTH;
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
                Read::Text(text) => Event::Text(checked(text.xml10_content().into_owned(), at)?),
                Read::CData(text) => Event::Text(checked(text.xml10_content().into_owned(), at)?),
                Read::GeneralRef(reference) => Event::Text(replacement(&reference, at)?),
                Read::Eof if self.depth > 0 => {
                    return Err(ReadError::new(
                        at,
                        "The file ends too early",
                        "an element is open",
                    ));
                }
                Read::Eof => Event::End,
                Read::Decl(declaration) => {
                    check_encoding(&declaration, at)?;
                    continue;
                }
                // The DTD has no effect and is never fetched.
                Read::Comment(_) | Read::PI(_) | Read::DocType(_) => continue,
            });
        }
    }
}

/// The longest tag, text or comment. A file without an end is refused before memory is full.
const MAX_LENGTH: usize = 1 << 24;

/// An input that ends with an error after a number of bytes.
struct Limited<'r> {
    input: &'r mut dyn BufRead,
    /// The number of bytes until then.
    left: usize,
}

impl io::Read for Limited<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.input.read(bytes)
    }
}

impl BufRead for Limited<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.left {
            0 => Err(io::Error::other(format!("a piece of it is longer than {MAX_LENGTH} bytes"))),
            _ => self.input.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        self.left = self.left.saturating_sub(count);
        self.input.consume(count);
    }
}

impl Tag {
    /// The value of an attribute; a prefix of its name is ignored.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let local = |full: &str| full.rsplit(':').next() == Some(name);
        self.attributes.iter().find(|(full, _)| local(full)).map(|(_, value)| value.as_str())
    }
}

fn tag(start: &BytesStart, at: u64) -> Result<Tag, ReadError> {
    let mut attributes = Vec::new();
    if let Some(name) = without_blank(start) {
        let label = format!("there is no blank before `{name}`");
        return Err(ReadError::new(at, "This is not XML: two attributes are one word", label));
    }
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| broken(at, &error.into()))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| broken(at, &error))?.into_owned();
        attributes.push((attribute.key.as_ref().to_string(), checked(value, at)?));
    }
    Ok(Tag { name: start.name().as_ref().to_string(), attributes, offset: at })
}

/// The attribute that directly follows the value of another one.
fn without_blank(start: &BytesStart) -> Option<String> {
    let mut quote = None;
    let mut letters = start.chars().peekable();
    while let Some(letter) = letters.next() {
        match quote {
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            Some(mark) if letter == mark => {
                quote = None;
                if letters.peek().is_some_and(|next| !next.is_ascii_whitespace()) {
                    return Some(letters.take_while(|&it| it != '=').collect());
                }
            }
            _ => {}
        }
    }
    None
}

/// A text, if XML has all its characters.
fn checked(text: String, at: u64) -> Result<String, ReadError> {
    match text.chars().find(|&letter| !is_xml(letter)) {
        None => Ok(text),
        Some(letter) => {
            let message = format!("This is not XML: it has no U+{:04X}", letter as u32);
            Err(ReadError::new(at, message, "not far behind this place"))
        }
    }
}

/// The text for `&…;`.
fn replacement(reference: &BytesRef, at: u64) -> Result<String, ReadError> {
    if let Some(letter) = reference.resolve_char_ref().map_err(|error| broken(at, &error))? {
        return checked(letter.to_string(), at);
    }
    let name: &str = reference;
    let known = quick_xml::escape::resolve_predefined_entity(name);
    known.map(str::to_string).ok_or_else(|| {
        ReadError::new(at, format!("There is no entity `{name}`"), "nothing stands for this")
    })
}

fn check_encoding(declaration: &BytesDecl, at: u64) -> Result<(), ReadError> {
    let Some(encoding) = declaration.encoding() else { return Ok(()) };
    let encoding = encoding.map_err(|error| broken(at, &error.into()))?;
    let known = ["utf-8", "us-ascii"].iter().any(|known| encoding.eq_ignore_ascii_case(known));
    if known {
        return Ok(());
    }
    let message = format!("The encoding `{encoding}` is not supported");
    Err(ReadError::new(at, message, "only UTF-8 can be read"))
}

fn broken(at: u64, error: &Error) -> ReadError {
    match error {
        Error::Io(error) => {
            ReadError::new(at, format!("The file cannot be read: {error}"), "up to here it could")
        }
        Error::Encoding(_) => ReadError::new(at, "This is not UTF-8", "not far behind this place"),
        _ => ReadError::new(at, format!("This is not XML: {error}"), "here"),
    }
}
