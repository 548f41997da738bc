#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod dot;
mod parts;

/// A directed graph ready to be drawn. Nodes and edges are drawn in the order of these lists.
///
/// Edges point from a user up to its operand, so a program reads from top to bottom.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Drawn above the graph.
    pub title: String,
    /// The titles of boxes around nodes; [`Node::cluster`] is an index into this list.
    pub clusters: Vec<String>,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// All edges.
    pub edges: Vec<Edge>,
}

/// The kind of value that a node computes or an edge carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// A cell of a node. Edges may end at its port.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Any text; it may have several lines.
    pub text: String,
    /// Unique in its node; letters, digits and `_` only.
    pub port: Option<String>,
    /// Chooses the colour.
    pub kind: Kind,
    /// Drawn in a bright colour: a choice that was made.
    pub highlighted: bool,
}

impl Cell {
    /// A cell without a port.
    pub fn new(text: impl Into<String>, kind: Kind) -> Cell {
        Cell { text: text.into(), port: None, kind, highlighted: false }
    }
}

/// An edge. Graphviz places `to` above `from`.
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

    /// Adds a node with one cell.
    pub fn node(&mut self, name: impl Into<String>, text: impl Into<String>, kind: Kind) {
        let rows = vec![vec![Cell::new(text, kind)]];
        self.nodes.push(Node { name: name.into(), kind, rows, cluster: None });
    }

    /// Adds an edge from a user to its operand.
    pub fn edge(&mut self, from: Endpoint, to: Endpoint, kind: Kind, label: Label) {
        self.edges.push(Edge { from, to, kind, label, reversed: false });
    }

    /// Adds an edge from a user to an operand that is drawn below it: the back edge of a loop.
    pub fn back_edge(&mut self, from: Endpoint, to: Endpoint, kind: Kind, label: Label) {
        self.edges.push(Edge { from: to, to: from, kind, label, reversed: true });
    }

    /// Adds an edge in the direction of control flow: down to a block below, or, if `is_back`, up
    /// to a block above.
    pub fn control_edge(&mut self, from: Endpoint, to: Endpoint, is_back: bool) {
        let (lower, upper) = if is_back { (from, to) } else { (to, from) };
        let (kind, label) = (Kind::Control, Label::None);
        self.edges.push(Edge { from: lower, to: upper, kind, label, reversed: !is_back });
    }

    /// The picture in Graphviz' language.
    pub fn dot(&self) -> String {
        dot::write(self)
    }
}
