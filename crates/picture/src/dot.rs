//! Writes Graphviz' language. This is the only file that uses dot-writer. dot-writer does not
//! escape: every text passes through `escape`, or through `escape_html` in tables.
use super::{Cell, Edge, Endpoint, Kind, Label, Node, Picture};
use dot_writer::{Attributes, AttributesList, DotWriter, RankDirection, Scope};

/// The picture in Graphviz' language.
pub fn write(picture: &Picture) -> String {
    let mut bytes = Vec::new();
    {
        let mut writer = DotWriter::from(&mut bytes);
        writer.set_pretty_print(true); // compact mode removes the spaces between words of tables
        let mut graph = writer.digraph();
        graph.set_rank_direction(RankDirection::BottomTop);
        graph.set("label", &escape(&picture.title), true).set("labelloc", "t", true);
        graph.node_attributes().set("fontname", "Helvetica", true).set("fontsize", "11", true);
        graph.edge_attributes().set("fontname", "Helvetica", true).set("fontsize", "9", true);
        draw_nodes(&mut graph, picture);
        picture.edges.iter().for_each(|edge| draw_edge(&mut graph, edge));
    }
    String::from_utf8(bytes).expect("a picture consists of strings")
}

/// The nodes outside of clusters first, then each cluster with its nodes.
fn draw_nodes(graph: &mut Scope, picture: &Picture) {
    let mut clusters: Vec<Content> = vec![Content::default(); picture.clusters.len()];
    let mut outermost = Vec::new();
    for node in &picture.nodes {
        match node.cluster {
            Some(cluster) => clusters[cluster].nodes.push(node),
            None => draw_node(graph, node),
        }
    }
    for (at, cluster) in picture.clusters.iter().enumerate() {
        match cluster.parent {
            Some(parent) => clusters[parent].clusters.push(at),
            None => outermost.push(at),
        }
    }
    outermost.into_iter().for_each(|at| draw_cluster(graph, picture, &clusters, at));
}

/// The direct content of a cluster.
#[derive(Clone, Default)]
struct Content<'p> {
    nodes: Vec<&'p Node>,
    clusters: Vec<usize>,
}

/// Draws a cluster and those in it; regions are nested no deeper than blocks of a program, whose
/// depth is limited.
fn draw_cluster(scope: &mut Scope, picture: &Picture, all: &[Content], at: usize) {
    let mut cluster = scope.cluster();
    let title = escape(&picture.clusters[at].title);
    cluster.set("label", &title, true).set("style", "rounded,dashed", true);
    all[at].nodes.iter().for_each(|node| draw_node(&mut cluster, node));
    all[at].clusters.iter().for_each(|&inner| draw_cluster(&mut cluster, picture, all, inner));
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
    let (from, to) = (endpoint(&edge.from), endpoint(&edge.to));
    let mut attributes: AttributesList = graph.edge(from, to).attributes();
    attributes.set("style", line(edge.kind), true).set("color", ink(edge.kind), true);
    if edge.reversed {
        attributes.set("dir", "back", false);
    }
    match &edge.label {
        Label::None => {}
        Label::Tail(text) if edge.reversed => drop(attributes.set_head_label(&escape(text))),
        Label::Tail(text) => drop(attributes.set_tail_label(&escape(text))),
        Label::Table(rows) => drop(attributes.set_html(&format!("<{}>", table(rows)))),
    }
}

fn endpoint(at: &Endpoint) -> String {
    match &at.port {
        Some(port) => format!("{}:{port}", at.node),
        None => at.node.clone(),
    }
}

/// An HTML-like table. A cell alone in its row is as wide as the table.
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
    // Graphviz rejects an empty bold text.
    let bold = cell.highlighted && !text.is_empty();
    let text = if bold { format!("<B>{text}</B>") } else { text };
    format!(r#"<TD BGCOLOR="{}"{port}{span}>{text}</TD>"#, fill(cell))
}

fn shape(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "box",
        Kind::Data => "ellipse",
        Kind::Memory => "hexagon",
        Kind::Scope => "note",
    }
}

fn fill(cell: &Cell) -> &'static str {
    match cell.kind {
        _ if cell.highlighted => "#ffd27f",
        Kind::Control => "#fff6bf",
        Kind::Data => "#ffffff",
        Kind::Memory => "#dbe9fb",
        Kind::Scope => "#e6f4e1",
    }
}

fn line(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "bold",
        Kind::Data => "solid",
        Kind::Memory => "dashed",
        Kind::Scope => "dotted",
    }
}

fn ink(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "#b03020",
        Kind::Data => "#202020",
        Kind::Memory => "#1f4e9c",
        Kind::Scope => "#4a7c3a",
    }
}

/// A text between double quotes.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "")
}

/// A text in an HTML-like label.
fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\n', "<BR/>")
}

#[cfg(test)]
#[path = "tests/dot.rs"]
mod tests;
