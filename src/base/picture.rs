//! Pictures of graphs: a small model that every stage fills, and its Graphviz text.
//!
//! Control, data and memory differ in line style and shape as well as in colour, so a picture
//! can be read without seeing colours. This file is the only one that knows dot-writer, which
//! escapes nothing: every text goes through `escape` (or `escape_html` in tables) here.
use dot_writer::{Attributes, AttributesList, DotWriter, RankDirection, Scope};

/// A directed graph ready to be drawn, in the order in which things stand here.
///
/// Edges lead from a user up to what it needs, so a program reads from top to bottom.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub title: String,
    /// Boxes drawn around nodes; `Node::group` indexes them.
    pub groups: Vec<String>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// What a node or an edge carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Control,
    Data,
    Memory,
    /// Names of the program, and what they are bound to.
    #[cfg(feature = "ch03")]
    Scope,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// Unique in its picture; letters, digits and `_` only.
    pub name: String,
    pub kind: Kind,
    /// Rows of cells; a node with one cell is drawn as a plain shape, others as a table.
    pub rows: Vec<Vec<Cell>>,
    pub group: Option<usize>,
}

/// A box in a node. Edges may end at its port.
#[derive(Clone, Debug)]
pub struct Cell {
    pub text: String,
    pub port: Option<String>,
    pub kind: Kind,
    /// Drawn to stand out: a choice that was made.
    pub marked: bool,
}

impl Cell {
    pub fn new(text: impl Into<String>, kind: Kind) -> Cell {
        Cell { text: text.into(), port: None, kind, marked: false }
    }
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: End,
    pub to: End,
    pub kind: Kind,
    pub label: Label,
    /// Its arrow points down, to where it begins.
    #[cfg(feature = "ch05")]
    pub turned: bool,
}

/// A node, and the port of one of its cells.
#[derive(Clone, Debug)]
pub struct End {
    pub node: String,
    pub port: Option<String>,
}

impl End {
    pub fn node(name: impl Into<String>) -> End {
        End { node: name.into(), port: None }
    }

    fn dot(&self) -> String {
        match &self.port {
            Some(port) => format!("{}:{port}", self.node),
            None => self.node.clone(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Label {
    None,
    /// A short text at the edge's tail: an operand's number.
    Tail(String),
    /// A matrix.
    #[cfg(feature = "ch04")]
    Table(Vec<Vec<Cell>>),
}

impl Picture {
    pub fn new(title: impl Into<String>) -> Picture {
        Picture { title: title.into(), ..Picture::default() }
    }

    /// Adds a node with one cell.
    pub fn node(&mut self, name: impl Into<String>, text: impl Into<String>, kind: Kind) {
        let rows = vec![vec![Cell::new(text, kind)]];
        self.nodes.push(Node { name: name.into(), kind, rows, group: None });
    }

    pub fn edge(&mut self, from: End, to: End, kind: Kind, label: Label) {
        self.edges.push(Edge {
            from,
            to,
            kind,
            label,
            #[cfg(feature = "ch05")]
            turned: false,
        });
    }

    /// A way that control takes: down to what stands further below, or back up.
    #[cfg(feature = "ch05")]
    pub fn way(&mut self, from: End, to: End, back: bool) {
        let (lower, upper) = if back { (from, to) } else { (to, from) };
        let (kind, label, turned) = (Kind::Control, Label::None, !back);
        self.edges.push(Edge { from: lower, to: upper, kind, label, turned });
    }

    /// The picture in Graphviz' language.
    pub fn dot(&self) -> String {
        let mut bytes = Vec::new();
        {
            let mut writer = DotWriter::from(&mut bytes);
            writer.set_pretty_print(true); // compact mode would squeeze the spaces out of tables
            let mut graph = writer.digraph();
            graph.set_rank_direction(RankDirection::BottomTop);
            graph.set("label", &escape(&self.title), true).set("labelloc", "t", true);
            graph.node_attributes().set("fontname", "Helvetica", true).set("fontsize", "11", true);
            graph.edge_attributes().set("fontname", "Helvetica", true).set("fontsize", "9", true);
            let mut groups: Vec<Vec<&Node>> = vec![Vec::new(); self.groups.len()];
            for node in &self.nodes {
                match node.group {
                    Some(group) => groups[group].push(node),
                    None => draw_node(&mut graph, node),
                }
            }
            for (title, nodes) in self.groups.iter().zip(groups) {
                let mut cluster = graph.cluster();
                cluster.set("label", &escape(title), true).set("style", "rounded,dashed", true);
                nodes.into_iter().for_each(|node| draw_node(&mut cluster, node));
            }
            for edge in &self.edges {
                draw_edge(&mut graph, edge);
            }
        }
        String::from_utf8(bytes).expect("a picture is made of strings")
    }
}

fn draw_node(scope: &mut Scope, node: &Node) {
    let mut drawn = scope.node_named(&node.name);
    if let [row] = &node.rows[..]
        && let [cell] = &row[..]
    {
        drawn.set_label(&escape(&cell.text)).set("shape", shape(node.kind), true);
        drawn.set("style", "filled", true).set("fillcolor", fill(cell), true);
    } else {
        drawn.set_html(&format!("<{}>", table(&node.rows))).set("shape", "plain", true);
    }
}

fn draw_edge(graph: &mut Scope, edge: &Edge) {
    let mut attributes: AttributesList = graph.edge(edge.from.dot(), edge.to.dot()).attributes();
    attributes.set("style", line(edge.kind), true).set("color", ink(edge.kind), true);
    for (name, value) in EXTRAS.iter().filter_map(|extra| extra(edge)) {
        attributes.set(name, value, false);
    }
    match &edge.label {
        Label::None => {}
        Label::Tail(text) => drop(attributes.set_tail_label(&escape(text))),
        #[cfg(feature = "ch04")]
        Label::Table(rows) => drop(attributes.set_html(&format!("<{}>", table(rows)))),
    }
}

/// Attributes that only some edges have.
const EXTRAS: &[fn(&Edge) -> Option<(&'static str, &'static str)>] = &[
    #[cfg(feature = "ch05")]
    |edge| edge.turned.then_some(("dir", "back")),
];

/// An HTML-like table, as Graphviz has it. A cell alone in its row is as wide as the table.
fn table(rows: &[Vec<Cell>]) -> String {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let rows = rows.iter().map(|row| {
        let span = if row.len() == 1 { width } else { 1 };
        let cells = row.iter().map(|drawn| cell(drawn, span));
        format!("<TR>{}</TR>", cells.collect::<String>())
    });
    let attributes = r#"BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4""#;
    format!("<TABLE {attributes}>{}</TABLE>", rows.collect::<String>())
}

fn cell(cell: &Cell, span: usize) -> String {
    let span = if span > 1 { format!(r#" COLSPAN="{span}""#) } else { String::new() };
    let port = cell.port.iter().map(|port| format!(r#" PORT="{port}""#)).collect::<String>();
    let text = escape_html(&cell.text);
    // Graphviz refuses to embolden nothing.
    let bold = cell.marked && !text.is_empty();
    let text = if bold { format!("<B>{text}</B>") } else { text };
    format!(r#"<TD BGCOLOR="{}"{port}{span}>{text}</TD>"#, fill(cell))
}

fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "box",
        Kind::Data => "ellipse",
        Kind::Memory => "hexagon",
        #[cfg(feature = "ch03")]
        Kind::Scope => "note",
    }
}

fn fill(cell: &Cell) -> &'static str {
    match cell.kind {
        _ if cell.marked => "#ffd27f",
        Kind::Control => "#fff6bf",
        Kind::Data => "#ffffff",
        Kind::Memory => "#dbe9fb",
        #[cfg(feature = "ch03")]
        Kind::Scope => "#e6f4e1",
    }
}

fn line(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "bold",
        Kind::Data => "solid",
        Kind::Memory => "dashed",
        #[cfg(feature = "ch03")]
        Kind::Scope => "dotted",
    }
}

fn ink(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "#b03020",
        Kind::Data => "#202020",
        Kind::Memory => "#1f4e9c",
        #[cfg(feature = "ch03")]
        Kind::Scope => "#4a7c3a",
    }
}

/// A text as it stands between double quotes in dot.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "")
}

/// A text as it stands in an HTML-like label.
fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\n', "<BR/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_quotes() {
        let mut picture = Picture::new("say \"hi\"\\");
        picture.node("n1", "a \"b\" \\ c\nd", Kind::Data);
        picture.edge(End::node("n1"), End::node("n1"), Kind::Memory, Label::Tail("\"".into()));
        let dot = picture.dot();
        assert!(dot.contains(r#"label="say \"hi\"\\""#), "{dot}");
        assert!(dot.contains(r#"label="a \"b\" \\ c\nd""#), "{dot}");
        assert!(dot.contains(r#"taillabel="\"""#), "{dot}");
    }

    #[test]
    fn tables_keep_their_spaces_and_escape_markup() {
        let mut picture = Picture::new("t");
        let cells = vec![Cell::new("a<b", Kind::Data), Cell::new("&", Kind::Control)];
        picture.nodes.push(Node {
            name: "n".into(),
            kind: Kind::Data,
            rows: vec![cells],
            group: None,
        });
        let dot = picture.dot();
        assert!(dot.contains("<TABLE BORDER=\"0\""), "{dot}");
        assert!(dot.contains(">a&lt;b</TD>") && dot.contains(">&amp;</TD>"), "{dot}");
    }

    #[cfg(feature = "ch05")]
    #[test]
    fn ways_lead_down_and_back_up() {
        let mut picture = Picture::new("t");
        picture.way(End::node("upper"), End::node("lower"), false);
        picture.way(End::node("lower"), End::node("upper"), true);
        let dot = picture.dot();
        let edges = dot.lines().filter(|line| line.contains("->")).collect::<Vec<_>>();
        assert!(edges.iter().all(|line| line.contains("lower -> upper")), "{dot}");
        assert!(edges[0].contains("dir=back") && !edges[1].contains("dir"), "{dot}");
    }

    #[test]
    fn a_cell_alone_in_its_row_is_as_wide_as_the_table() {
        let row = |texts: &[&str]| texts.iter().map(|&text| Cell::new(text, Kind::Data)).collect();
        let drawn = table(&[row(&["head"]), row(&["a", "b"])]);
        assert!(drawn.contains(r#" COLSPAN="2">head</TD>"#), "{drawn}");
        assert!(drawn.contains("\">a</TD>"), "{drawn}");
    }

    #[test]
    fn a_marked_cell_without_text_has_no_bold_nothing() {
        let drawn = cell(&Cell { marked: true, ..Cell::new("", Kind::Data) }, 1);
        assert!(drawn.ends_with("></TD>"), "{drawn}");
    }
}
