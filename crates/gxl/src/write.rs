//! Writes a file: all nodes, then all edges.
use super::element::is_xml;
use std::io::{Result, Write};

const BEGIN: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
    <!DOCTYPE gxl SYSTEM \"http://www.gupro.de/GXL/gxl-1.0.dtd\">\n\
    <gxl xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n \
    <graph id=\"DefaultGraph\" edgeids=\"true\" edgemode=\"defaultdirected\">\n  \
    <type xlink:href=\"#";
const END: &str = " </graph>\n</gxl>\n";

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'v> {
    /// `<bool>`
    Bool(bool),
    /// `<int>`
    Int(i64),
    /// `<enum>`
    Enum(&'v str),
    /// `<string>`
    String(&'v str),
}

/// Writes a graph to `out`, in large pieces.
pub struct Writer<'o> {
    out: &'o mut dyn Write,
    buffer: Vec<u8>,
    edges: u64,
}

/// The number of bytes that are written at once.
const BUFFER: usize = 1 << 16;

impl Writer<'_> {
    /// Begins a graph of a type.
    pub fn new<'o>(out: &'o mut dyn Write, graph_type: &str) -> Writer<'o> {
        let mut writer = Writer { out, buffer: Vec::with_capacity(2 * BUFFER), edges: 0 };
        writer.add(&[BEGIN, graph_type, "\" />\n"]);
        writer
    }

    /// Writes a node; its id is `n` and its number. The parts of its type are joined.
    ///
    /// # Errors
    /// Those of the output.
    pub fn node(
        &mut self,
        number: u64,
        type_: &[&str],
        attributes: &[(&str, Value)],
    ) -> Result<()> {
        self.add(&["  <node id=\"n"]);
        self.number(number, false);
        self.add(&["\">\n   <type xlink:href=\"#"]);
        self.add(type_);
        self.add(&["\" />\n"]);
        self.attributes(attributes);
        self.add(&["  </node>\n"]);
        self.flush_if_full()
    }

    /// Writes an edge between the nodes with these numbers; its own id is `e` and a number.
    ///
    /// # Errors
    /// Those of the output.
    pub fn edge(
        &mut self,
        from: u64,
        to: u64,
        type_: &str,
        attributes: &[(&str, Value)],
    ) -> Result<()> {
        self.add(&["  <edge id=\"e"]);
        self.number(self.edges, false);
        self.edges += 1;
        self.add(&["\" from=\"n"]);
        self.number(from, false);
        self.add(&["\" to=\"n"]);
        self.number(to, false);
        self.add(&["\">\n   <type xlink:href=\"#", type_, "\" />\n"]);
        self.attributes(attributes);
        self.add(&["  </edge>\n"]);
        self.flush_if_full()
    }

    /// Ends the graph and the file.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> Result<()> {
        self.add(&[END]);
        self.flush()
    }

    fn attributes(&mut self, attributes: &[(&str, Value)]) {
        for (name, value) in attributes {
            let element = match value {
                Value::Bool(_) => "bool",
                Value::Int(_) => "int",
                Value::Enum(_) => "enum",
                Value::String(_) => "string",
            };
            self.add(&["   <attr name=\"", name, "\">\n    <", element, ">"]);
            match value {
                Value::Bool(value) => self.add(&[if *value { "true" } else { "false" }]),
                Value::Int(number) => self.number(number.unsigned_abs(), *number < 0),
                Value::Enum(text) | Value::String(text) => self.escaped(text),
            }
            self.add(&["</", element, ">\n   </attr>\n"]);
        }
    }

    fn add(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.buffer.extend_from_slice(part.as_bytes()));
    }

    fn number(&mut self, mut number: u64, negative: bool) {
        let mut digits = [b'0'; 20];
        let mut first = digits.len();
        while number > 0 || first == digits.len() {
            first -= 1;
            digits[first] += (number % 10) as u8;
            number /= 10;
        }
        if negative {
            self.buffer.push(b'-');
        }
        self.buffer.extend_from_slice(&digits[first..]);
    }

    /// Text without markup. A reader may take a carriage return for the end of a line, so it is
    /// written as a number. A character that XML does not have is replaced.
    fn escaped(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.add(&["&amp;"]),
                '<' => self.add(&["&lt;"]),
                '>' => self.add(&["&gt;"]),
                '\r' => self.add(&["&#13;"]),
                _ if !is_xml(letter) => self.add(&["\u{fffd}"]),
                _ => self.add(&[letter.encode_utf8(&mut [0; 4])]),
            }
        }
    }

    fn flush_if_full(&mut self) -> Result<()> {
        if self.buffer.len() < BUFFER { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
