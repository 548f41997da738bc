//! Reads a file: first its frame, then node after node and edge after edge.
use super::Fault;
use super::build::Builder;
use super::element::{Attribute, Element, Kind, referred};
use super::events::{Event, Events, Tag};
use super::usual::{Room, usual};
use crate::firm::Graph;
use std::io::BufRead;

/// A graph as it stands in a file.
pub struct Imported {
    pub graph: Graph,
    /// For each node of the file, in the order of their ids here, where it stands: how many bytes
    /// are before it.
    pub places: Vec<u64>,
}

/// Reads a graph of the case. Nodes are numbered in the order in which they stand in the file;
/// where an operand, a block or the start is missing, it is one node more, a `Bad`.
///
/// # Errors
/// What is not XML, not GXL or not a graph of the case; and what is one, but has no place in a
/// graph of ours, such as two operands with the same position.
pub fn read(input: &mut dyn BufRead) -> Result<Imported, Fault> {
    let mut reader = Reader { events: Events::new(input), builder: Builder::new(), found: None };
    reader.document()?;
    reader.builder.build()
}

struct Reader<'r> {
    events: Events<'r>,
    builder: Builder,
    /// Where the graph stands.
    found: Option<u64>,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Fault> {
        match self.child()? {
            Some(tag) if tag.name == "gxl" => {}
            Some(tag) => return Err(unexpected(&tag, "a file begins with the element `gxl`")),
            None => return Err(Fault::new(0, "There is no GXL in this file", "it is empty")),
        }
        while let Some(tag) = self.child()? {
            match tag.name.as_str() {
                "graph" => self.graph(&tag)?,
                _ => return Err(unexpected(&tag, "only graphs stand here")),
            }
        }
        if self.found.is_none() {
            let at = self.events.at();
            return Err(Fault::new(at, "There is no graph of Firm in this file", "it ends here"));
        }
        match self.child()? {
            Some(tag) => Err(unexpected(&tag, "nothing stands behind the element `gxl`")),
            None => Ok(()),
        }
    }

    /// The next element within the one that is open; none, if that is closed.
    fn child(&mut self) -> Result<Option<Tag>, Fault> {
        loop {
            let at = self.events.at();
            match self.events.next()? {
                Event::Open(tag) => return Ok(Some(tag)),
                Event::Close | Event::End => return Ok(None),
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                Event::Text(_) => return Err(Fault::new(at, "No text can stand here", "this")),
            }
        }
    }

    /// Reads up to the end of the element that is open.
    fn skip(&mut self) -> Result<(), Fault> {
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

    fn graph(&mut self, graph: &Tag) -> Result<(), Fault> {
        let Some(tag) = self.child()?.filter(|it| it.name == "type") else {
            return Err(unexpected(graph, "it does not begin with its type"));
        };
        let reference = tag.attribute("href").unwrap_or_default();
        match referred(reference.as_bytes()) {
            // What types there are; we know them.
            Some(b"gxl-1.0") => {
                self.skip()?; // its type
                self.skip()
            }
            Some(b"Firm" | b"InstructionSelection") => {
                if self.found.replace(graph.at).is_some() {
                    return Err(unexpected(graph, "there is another graph of Firm before it"));
                }
                self.skip()?;
                self.content()
            }
            _ => Err(unexpected(
                &tag,
                "there are graphs of the types `#Firm` and \
                `#InstructionSelection`",
            )),
        }
    }

    /// Reads nodes and edges up to the end of the graph.
    fn content(&mut self) -> Result<(), Fault> {
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

    /// Reads nodes and edges as long as they look as usual.
    fn usual(&mut self) -> Result<(), Fault> {
        loop {
            let start = self.events.at();
            let mut bytes = self.events.bytes();
            // What cannot be read, will be found by who reads events.
            let Ok(all) = bytes.fill_buf() else { return Ok(()) };
            let (mut at, length) = (0, all.len());
            let mut room = Room::default();
            while let Some((element, before, used)) = usual(&all[at..], &mut room) {
                self.builder.add(&element, start + (at + before) as u64)?;
                at += used;
            }
            bytes.consume(at);
            if at == 0 || at < length {
                return Ok(());
            }
        }
    }

    /// Reads a node or an edge whose tag has been read.
    fn element(&mut self, kind: Kind, tag: &Tag) -> Result<(), Fault> {
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
        let attributes: Vec<_> = attributes.iter().map(Words::borrowed).collect();
        let element = Element {
            kind,
            id: tag.attribute("id").map(str::as_bytes),
            from: tag.attribute("from").map(str::as_bytes),
            to: tag.attribute("to").map(str::as_bytes),
            type_: type_.as_bytes(),
            attributes: &attributes,
        };
        self.builder.add(&element, tag.at)
    }

    fn attribute(&mut self, tag: &Tag) -> Result<Words, Fault> {
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
                Ok(Words { name, element: value.name, text })
            }
        }
    }
}

/// The words of an attribute.
struct Words {
    name: String,
    element: String,
    text: String,
}

impl Words {
    fn borrowed(&self) -> Attribute<'_> {
        let Words { name, element, text } = self;
        Attribute { name: name.as_bytes(), element: element.as_bytes(), text: text.as_bytes() }
    }
}

fn unexpected(tag: &Tag, reason: &str) -> Fault {
    Fault::new(tag.at, format!("Unexpected element `{}`", tag.name), reason)
}
