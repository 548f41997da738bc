//! Writes a graph as a file of the case: all nodes, then all edges, each in the order of the ids.
use super::types::{Link, Property, RELATIONS, properties, type_words, wanted};
use crate::firm::{Access, Form, Graph, Mode, NodeId, Op, Place};
use arena::Id;
use std::io::{Result, Write};

const BEGIN: &[&str] = &[
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
    "<!DOCTYPE gxl SYSTEM \"http://www.gupro.de/GXL/gxl-1.0.dtd\">\n",
    "<gxl xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n",
    " <graph id=\"DefaultGraph\" edgeids=\"true\" edgemode=\"defaultdirected\">\n",
];
const END: &str = " </graph>\n</gxl>\n";

/// Writes a graph. What is `Bad` is not written, nor are edges that lead there: its place is empty
/// in the file, too. What is written reads as the same graph.
///
/// # Errors
/// Those of `out`.
pub fn write(graph: &Graph, out: &mut dyn Write) -> Result<()> {
    let mut text = Text { out, waiting: Vec::with_capacity(2 * ENOUGH) };
    let selected = graph.ids().any(|id| graph.form(id) != Form::Source);
    text.add(BEGIN);
    let model = if selected { "InstructionSelection" } else { "Firm" };
    text.add(&["  <type xlink:href=\"#", model, "\" />\n"]);
    for id in nodes(graph) {
        text.node(graph, id)?;
    }
    let mut number = 0;
    for id in nodes(graph) {
        let mut write = |edge: Edge| {
            text.edge(number, id, edge)?;
            number += 1;
            Ok(())
        };
        edges(graph, id, &mut write)?;
    }
    text.add(&[END]);
    text.flush()
}

/// How many nodes and edges a file of this graph has.
pub fn counts(graph: &Graph) -> [usize; 2] {
    let mut count = 0;
    for id in nodes(graph) {
        let mut add = |_| {
            count += 1;
            Ok(())
        };
        edges(graph, id, &mut add).expect("counting does not fail");
    }
    [nodes(graph).count(), count]
}

fn nodes(graph: &Graph) -> impl Iterator<Item = NodeId> {
    graph.ids().filter(|&id| graph.op(id) != Op::Bad)
}

struct Edge {
    link: Link,
    position: i64,
    to: NodeId,
}

/// The edges that leave a node, in the order in which they are written.
fn edges(graph: &Graph, id: NodeId, each: &mut dyn FnMut(Edge) -> Result<()>) -> Result<()> {
    let node = graph.node(id);
    let is_block = node.op.row().place == Place::Block;
    let stands = !is_block && graph.op(node.block) != Op::Bad;
    let block = Edge { link: Link::Data, position: -1, to: node.block };
    let (first, last) = match node.op {
        Op::Argument(_) | Op::End => (stands.then_some(block), None),
        _ => (None, stands.then_some(block)),
    };
    first.into_iter().try_for_each(&mut *each)?;
    for (at, &to) in graph.operands(id).iter().enumerate() {
        if graph.op(to) == Op::Bad {
            continue;
        }
        let link = match is_block {
            true => Link::Control(graph.way(id, at)),
            false => wanted(node.op, at, node.mode == Mode::M),
        };
        each(Edge { link, position: at as i64, to })?;
    }
    last.into_iter().try_for_each(each)
}

/// Text on its way to a file.
struct Text<'o> {
    out: &'o mut dyn Write,
    waiting: Vec<u8>,
}

/// So many bytes are written at a time.
const ENOUGH: usize = 1 << 16;

impl Text<'_> {
    fn add(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.waiting.extend_from_slice(part.as_bytes()));
    }

    fn number(&mut self, number: i64) {
        let mut digits = [b'0'; 20];
        let (mut first, mut left) = (digits.len(), number.unsigned_abs());
        while left > 0 || first == digits.len() {
            first -= 1;
            digits[first] += (left % 10) as u8;
            left /= 10;
        }
        if number < 0 {
            self.waiting.push(b'-');
        }
        self.waiting.extend_from_slice(&digits[first..]);
    }

    fn flush_if_enough(&mut self) -> Result<()> {
        if self.waiting.len() < ENOUGH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    fn node(&mut self, graph: &Graph, id: NodeId) -> Result<()> {
        let (op, form) = (graph.op(id), graph.form(id));
        self.add(&["  <node id=\"n"]);
        self.number(id.index() as i64);
        self.add(&["\">\n   <type xlink:href=\"#"]);
        self.add(&type_words(op, form));
        self.add(&["\" />\n"]);
        for &property in properties(op, form) {
            self.add(&["   <attr name=\"", property.name(), "\">\n    <", property.element(), ">"]);
            self.value(graph, id, property);
            self.add(&["</", property.element(), ">\n   </attr>\n"]);
        }
        self.add(&["  </node>\n"]);
        self.flush_if_enough()
    }

    fn value(&mut self, graph: &Graph, id: NodeId, property: Property) {
        let (op, form) = (graph.op(id), graph.form(id));
        let flag = |value: bool| if value { "true" } else { "false" };
        match property {
            Property::Associative | Property::Commutative => {
                self.add(&[flag(matches!(op, Op::Binary(_)) && op.commutes())]);
            }
            Property::Volatile => {
                let volatile =
                    matches!(op, Op::Load(Access::Volatile) | Op::Store(Access::Volatile));
                self.add(&[flag(volatile)]);
            }
            Property::Relation => {
                let relation = op.relation(false).map_or(0, |it| it as usize);
                self.add(&[RELATIONS[relation].0]);
            }
            Property::Value | Property::Symbol | Property::Position => match (form, op.number()) {
                (Form::Number(number), _) => self.number(i64::from(number)),
                (Form::Symbol(symbol), _) => self.escaped(graph.symbols.name(symbol)),
                (_, Some(symbol)) if property == Property::Symbol => {
                    self.escaped(graph.symbols.name(symbol as u32));
                }
                (_, number) => self.number(number.unwrap_or_default()),
            },
        }
    }

    /// Text in which nothing commands the reader. A reader may take the end of a line for any
    /// other, so that of an old Mac is written as a number.
    fn escaped(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.add(&["&amp;"]),
                '<' => self.add(&["&lt;"]),
                '>' => self.add(&["&gt;"]),
                '\r' => self.add(&["&#13;"]),
                _ => self.add(&[letter.encode_utf8(&mut [0; 4])]),
            }
        }
    }

    fn edge(&mut self, number: i64, from: NodeId, edge: Edge) -> Result<()> {
        self.add(&["  <edge id=\"e"]);
        self.number(number);
        self.add(&["\" from=\"n"]);
        self.number(from.index() as i64);
        self.add(&["\" to=\"n"]);
        self.number(edge.to.index() as i64);
        self.add(&["\">\n   <type xlink:href=\"#", edge.link.name()]);
        self.add(&["\" />\n   <attr name=\"position\">\n    <int>"]);
        self.number(edge.position);
        self.add(&["</int>\n   </attr>\n  </edge>\n"]);
        self.flush_if_enough()
    }
}
