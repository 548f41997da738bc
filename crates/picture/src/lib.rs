#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod dot;
mod format;
mod layout;
mod live_chart;
mod live_table;
mod parts;
mod svg;

pub use format::Format;
pub use layout::TooLarge;
pub use live_chart::live_chart;
pub use live_table::{Columns, LiveLine, live_table};
pub use parts::name_in_part;
pub use svg::STYLE;

use std::ops::Range;

/// A directed graph ready to be drawn. Nodes and edges are drawn in the order of these lists.
///
/// Edges point from a user up to its operand, so a program reads from top to bottom.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Drawn above the graph.
    pub title: String,
    /// Boxes around nodes and other clusters; [`Node::cluster`] is an index into this list.
    pub clusters: Vec<Cluster>,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// All edges.
    pub edges: Vec<Edge>,
    /// The meaning of highlighted cells, for the legend; it has no entry for them if this is empty.
    pub highlight: String,
    /// The texts that nodes were made for, as ranges of bytes of a source text; not drawn.
    pub origins: Vec<(String, Range<usize>)>,
}

/// A box around nodes: a block, a scope, a region.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Drawn in its upper left corner.
    pub title: String,
    /// The cluster around it, which is before it in the list.
    pub parent: Option<usize>,
}

/// The kind of value that a node computes or an edge carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Control flow: boxes, bold edges.
    Control,
    /// Data: ellipses, solid edges.
    Data,
    /// Memory: hexagons, dashed edges.
    Memory,
    /// Names of the program and their values: notes, dotted edges.
    Scope,
}

/// A node: a plain shape or a table.
#[derive(Clone, Debug)]
pub struct Node {
    /// Unique in its picture; letters, digits and `_` only.
    pub name: String,
    /// Chooses the shape.
    pub kind: Kind,
    /// Rows of cells. A node with one cell is drawn as a plain shape, others as a table.
    pub rows: Vec<Vec<Cell>>,
    /// The cluster around it: an index into [`Picture::clusters`].
    pub cluster: Option<usize>,
}

impl Node {
    /// Whether it is drawn as a plain shape.
    fn is_plain(&self) -> bool {
        matches!(&self.rows[..], [row] if row.len() == 1)
    }

    /// The row and the column of a port.
    fn find_port(&self, port: &str) -> Option<(usize, usize)> {
        self.rows.iter().enumerate().find_map(|(at, row)| {
            let column = row.iter().position(|cell| cell.port.as_deref() == Some(port))?;
            Some((at, column))
        })
    }
}

/// A cell of a node. Edges may end at its port.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Any text; it may have several lines.
    pub text: String,
    /// Unique in its node; letters, digits and `_` only.
    pub port: Option<String>,
    /// Chooses the colour.
    pub kind: Kind,
    /// Drawn in a bright colour, such as a choice that was made: [`Picture::highlight`].
    pub highlighted: bool,
}

impl Cell {
    /// A cell without a port.
    pub fn new(text: impl Into<String>, kind: Kind) -> Cell {
        Cell { text: text.into(), port: None, kind, highlighted: false }
    }
}

/// An edge. `to` is placed above `from`.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The lower end: usually the user of a value.
    pub from: Endpoint,
    /// The upper end: usually the operand.
    pub to: Endpoint,
    /// Chooses line style and colour.
    pub kind: Kind,
    /// The text or table that labels the edge.
    pub label: Label,
    /// Whether the arrow is drawn at `from`: it points down.
    pub reversed: bool,
    /// Whether it leads back to the start of a loop.
    pub is_back: bool,
}

/// The end of an edge: a node, and perhaps the port of one of its cells.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The name of a node.
    pub node: String,
    /// The port of one of its cells.
    pub port: Option<String>,
}

impl Endpoint {
    /// An end at a whole node.
    pub fn node(name: impl Into<String>) -> Endpoint {
        Endpoint { node: name.into(), port: None }
    }
}

/// The label of an edge.
#[derive(Clone, Debug)]
pub enum Label {
    /// Nothing.
    None,
    /// A short text at the user: the number of an operand.
    Tail(String),
    /// A table in the middle: a matrix.
    Table(Vec<Vec<Cell>>),
}

impl Picture {
    /// A picture without nodes.
    pub fn new(title: impl Into<String>) -> Picture {
        Picture { title: title.into(), ..Picture::default() }
    }

    /// The picture, with a meaning of highlighted cells.
    pub fn with_highlight(self, meaning: impl Into<String>) -> Picture {
        Picture { highlight: meaning.into(), ..self }
    }

    /// Adds a cluster; returns its index. The cluster around it must have been added before.
    pub fn cluster(&mut self, title: impl Into<String>, parent: Option<usize>) -> usize {
        self.clusters.push(Cluster { title: title.into(), parent });
        self.clusters.len() - 1
    }

    /// Adds a node with one cell.
    pub fn node(&mut self, name: impl Into<String>, text: impl Into<String>, kind: Kind) {
        let rows = vec![vec![Cell::new(text, kind)]];
        self.nodes.push(Node { name: name.into(), kind, rows, cluster: None });
    }

    /// Adds an edge from a user to its operand.
    pub fn edge(&mut self, from: Endpoint, to: Endpoint, kind: Kind, label: Label) {
        self.edges.push(Edge { from, to, kind, label, reversed: false, is_back: false });
    }

    /// Adds an edge from a user to an operand that is drawn below it: the back edge of a loop.
    pub fn back_edge(&mut self, from: Endpoint, to: Endpoint, kind: Kind, label: Label) {
        let (from, to) = (to, from);
        self.edges.push(Edge { from, to, kind, label, reversed: true, is_back: true });
    }

    /// Adds an edge in the direction of control flow: down to a block below, or, if `is_back`, up
    /// to a block above.
    pub fn control_edge(&mut self, from: Endpoint, to: Endpoint, is_back: bool) {
        let (lower, upper) = if is_back { (from, to) } else { (to, from) };
        let (kind, label) = (Kind::Control, Label::None);
        let (from, to) = (lower, upper);
        self.edges.push(Edge { from, to, kind, label, reversed: !is_back, is_back });
    }

    /// The picture in Graphviz' language.
    pub fn dot(&self) -> String {
        dot::write(self)
    }

    /// The picture as a file of SVG, with its style: light or dark, as the reader prefers.
    ///
    /// # Errors
    /// A picture that is too large to be read.
    pub fn svg(&self) -> Result<String, TooLarge> {
        Ok(svg::write(self, &layout::lay_out(self)?, Some(STYLE)))
    }

    /// The picture as an element of a page that contains [`STYLE`].
    ///
    /// # Errors
    /// A picture that is too large to be read.
    pub fn svg_element(&self) -> Result<String, TooLarge> {
        Ok(svg::write(self, &layout::lay_out(self)?, None))
    }
}
