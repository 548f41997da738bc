//! Reads a file: the elements around the graph, then all nodes and edges.
use super::element::{Attribute, Element, Kind, ReadError, referred};
use super::fast_path::{Attributes, usual_element};
use super::xml::{Event, Events, Tag};
use std::io::BufRead;

/// Takes a node or an edge.
type Take<'t> = dyn FnMut(&Element) -> Result<(), ReadError> + 't;

/// Passes all nodes and edges of a graph to `take`, in the order of the file. The file must have
/// one graph of these types; it may have graphs that describe the types of GXL.
///
/// # Errors
/// Those of the input, a text that is not GXL, and those of `take`.
pub fn read(input: &mut dyn BufRead, types: &[&str], take: &mut Take) -> Result<(), ReadError> {
    Reader { events: Events::new(input), types, take, found: false }.document()
}

struct Reader<'r, 't> {
    events: Events<'r>,
    types: &'t [&'t str],
    take: &'t mut Take<'t>,
    /// Whether there was a graph.
    found: bool,
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<(), ReadError> {
        match self.child()? {
            Some(tag) if tag.name == "gxl" => {}
            Some(tag) => return Err(unexpected(&tag, "a file begins with the element `gxl`")),
            None => return Err(ReadError::new(0, "There is no GXL in this file", "it is empty")),
        }
        while let Some(tag) = self.child()? {
            match tag.name.as_str() {
                "graph" => self.graph(&tag)?,
                _ => return Err(unexpected(&tag, "only graphs stand here")),
            }
        }
        if !self.found {
            let message = format!("There is no graph of the types {} in this file", self.names());
            return Err(ReadError::new(self.events.offset(), message, "it ends here"));
        }
        match self.child()? {
            Some(tag) => Err(unexpected(&tag, "the element `gxl` is the last one")),
            None => Ok(()),
        }
    }

    /// The next element in the open one; none at its end.
    fn child(&mut self) -> Result<Option<Tag>, ReadError> {
        loop {
            let at = self.events.offset();
            match self.events.next()? {
                Event::Open(tag) => return Ok(Some(tag)),
                Event::Close | Event::End => return Ok(None),
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                Event::Text(_) => return Err(ReadError::new(at, "No text can stand here", "this")),
            }
        }
    }

    /// Reads up to the end of the element that is open.
    fn skip(&mut self) -> Result<(), ReadError> {
        let mut depth = 1u64;
        while depth > 0 {
            match self.events.next()? {
                Event::Open(_) => depth += 1,
                Event::Close => depth -= 1,
                Event::Text(_) => {}
                Event::End => break,
            }
        }
        Ok(())
    }

    fn graph(&mut self, graph: &Tag) -> Result<(), ReadError> {
        let Some(tag) = self.child()?.filter(|it| it.name == "type") else {
            return Err(unexpected(graph, "it does not begin with its type"));
        };
        let reference = tag.attribute("href").unwrap_or_default();
        match referred(reference.as_bytes()) {
            // A description of types, which are known.
            Some(b"gxl-1.0") => {
                self.skip()?; // its type
                self.skip()
            }
            Some(name) if self.types.iter().any(|known| known.as_bytes() == name) => {
                if std::mem::replace(&mut self.found, true) {
                    return Err(unexpected(graph, "there is another graph before it"));
                }
                self.skip()?;
                self.content()
            }
            _ => Err(unexpected(&tag, &format!("there are graphs of the types {}", self.names()))),
        }
    }

    fn names(&self) -> String {
        let names: Vec<_> = self.types.iter().map(|name| format!("`#{name}`")).collect();
        names.join(" and ")
    }

    /// Reads nodes and edges up to the end of the graph.
    fn content(&mut self) -> Result<(), ReadError> {
        loop {
            self.usual()?;
            let Some(tag) = self.child()? else { return Ok(()) };
            match tag.name.as_str() {
                "node" => self.element(Kind::Node, &tag)?,
                "edge" => self.element(Kind::Edge, &tag)?,
                "attr" => self.skip()?,
                _ => return Err(unexpected(&tag, "only nodes and edges stand here")),
            }
        }
    }

    /// Reads nodes and edges as long as they have the usual form.
    fn usual(&mut self) -> Result<(), ReadError> {
        loop {
            let start = self.events.offset();
            let mut bytes = self.events.bytes();
            // The reader of events reports the error.
            let Ok(all) = bytes.fill_buf() else { return Ok(()) };
            let (mut at, length) = (0, all.len());
            let mut room = Attributes::default();
            while let Some((element, used)) =
                usual_element(&all[at..], start + at as u64, &mut room)
            {
                (self.take)(&element)?;
                at += used;
            }
            bytes.consume(at);
            if at == 0 || at < length {
                return Ok(());
            }
        }
    }

    /// Reads a node or an edge whose tag has been read.
    fn element(&mut self, kind: Kind, tag: &Tag) -> Result<(), ReadError> {
        let (mut type_, mut attributes) = (None, Vec::new());
        while let Some(child) = self.child()? {
            match child.name.as_str() {
                "type" if type_.is_none() => {
                    type_ = Some(child.attribute("href").unwrap_or_default().to_string());
                    self.skip()?;
                }
                "attr" => attributes.push(self.attribute(&child)?),
                _ => return Err(unexpected(&child, "it has no place here")),
            }
        }
        let Some(type_) = type_ else { return Err(unexpected(tag, "it has no type")) };
        let attributes: Vec<_> = attributes.iter().map(Texts::borrowed).collect();
        let element = Element {
            kind,
            id: tag.attribute("id").map(str::as_bytes),
            from: tag.attribute("from").map(str::as_bytes),
            to: tag.attribute("to").map(str::as_bytes),
            type_: type_.as_bytes(),
            attributes: &attributes,
            offset: tag.offset,
        };
        (self.take)(&element)
    }

    fn attribute(&mut self, tag: &Tag) -> Result<Texts, ReadError> {
        let Some(value) = self.child()? else { return Err(unexpected(tag, "it has no value")) };
        let mut text = String::new();
        loop {
            match self.events.next()? {
                Event::Text(part) => text += &part,
                Event::Close => break,
                Event::Open(tag) => return Err(unexpected(&tag, "a value is text")),
                Event::End => return Err(unexpected(&value, "it does not end")),
            }
        }
        match self.child()? {
            Some(second) => Err(unexpected(&second, "an attribute has one value")),
            None => {
                let name = tag.attribute("name").unwrap_or_default().to_string();
                Ok(Texts { name, element: value.name, text })
            }
        }
    }
}

/// The texts of an attribute.
struct Texts {
    name: String,
    element: String,
    text: String,
}

impl Texts {
    fn borrowed(&self) -> Attribute<'_> {
        let Texts { name, element, text } = self;
        Attribute { name: name.as_bytes(), element: element.as_bytes(), text: text.as_bytes() }
    }
}

fn unexpected(tag: &Tag, reason: &str) -> ReadError {
    ReadError::new(tag.offset, format!("Unexpected element `{}`", tag.name), reason)
}
