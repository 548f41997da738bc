//! Writes a picture with its layout as SVG.
//!
//! Kinds differ in shape, line style and arrow as well as in colour. All numbers are integers.
use crate::layout::{Box, Layout, Passage, Rectangle, Route, measure_cells, text_width};
use crate::{Cell, Cluster, Edge, Kind, Label, Node, Picture};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// The style of all pictures: light, and dark for readers who prefer that.
pub const STYLE: &str = include_str!("style.css");

const MARGIN: i64 = 16;
/// The distance of a title from edges and from the border.
const TITLE_MARGIN: i64 = 8;
const LINE_HEIGHT: i64 = crate::layout::LINE_HEIGHT;
/// The height of the number of an operand above its user.
const TAIL_HEIGHT: i64 = 12;
/// The height of the flattest curve.
const MIN_CURVE: i64 = 12;

pub fn write(picture: &Picture, layout: &Layout, style: Option<&str>) -> String {
    let head = if picture.title.is_empty() { 0 } else { 26 };
    let legend = Legend::new(picture);
    let width = layout.width.max(text_width(&picture.title)).max(legend.width()) + 2 * MARGIN;
    let height = head + layout.height + legend.height() + 2 * MARGIN;
    let mut out = String::new();
    let size = format!("width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"");
    let title = escape(&picture.title);
    line(
        &mut out,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" {size} \
                             role=\"img\" aria-label=\"{title}\">"
        ),
    );
    if let Some(style) = style {
        line(&mut out, &format!("<style>\n{}</style>", style));
    }
    line(&mut out, &format!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"));
    if head > 0 {
        line(&mut out, &format!("<text class=\"title\" x=\"{MARGIN}\" y=\"28\">{title}</text>"));
    }
    line(&mut out, &format!("<g transform=\"translate({MARGIN} {})\">", MARGIN + head));
    for (at, (cluster, &place)) in picture.clusters.iter().zip(&layout.clusters).enumerate() {
        draw_cluster(&mut out, at, cluster, place);
    }
    let routes = picture.edges.iter().zip(&layout.edges);
    let routes = routes.filter_map(|(edge, route)| Some((edge, route.as_ref()?)));
    routes.clone().for_each(|(edge, route)| draw_edge(&mut out, edge, route));
    for (at, (cluster, &place)) in picture.clusters.iter().zip(&layout.clusters).enumerate() {
        draw_title(&mut out, at, &cluster.title, place, layout);
    }
    let linked: HashSet<&str> = picture.origins.iter().map(|(name, _)| name.as_str()).collect();
    for (node, place) in picture.nodes.iter().zip(&layout.nodes) {
        draw_node(&mut out, node, place, &linked);
    }
    let numbered = Numbered::new(picture);
    routes.for_each(|(edge, route)| draw_label(&mut out, edge, route, &numbered));
    out += "</g>\n";
    legend.draw(&mut out, height - MARGIN / 2);
    out + "</svg>\n"
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Control => "control",
        Kind::Data => "data",
        Kind::Memory => "memory",
        Kind::Scope => "scope",
    }
}

fn draw_cluster(out: &mut String, number: usize, cluster: &Cluster, place: Rectangle) {
    let (outer, place) = (inside(cluster.parent), attributes(place));
    let class = format!("class=\"cluster\" data-cluster=\"{number}\"{outer}");
    line(out, &format!("<rect {class} {place} rx=\"8\"/>"));
}

/// The cluster around a node or a cluster.
fn inside(cluster: Option<usize>) -> String {
    cluster.map_or(String::new(), |it| format!(" data-in=\"{it}\""))
}

/// The title of a cluster, between the edges that enter it, if there is room.
fn draw_title(out: &mut String, number: usize, title: &str, place: Rectangle, layout: &Layout) {
    let class = format!("class=\"cluster-title\" data-cluster=\"{number}\"");
    let x = title_place(title, place, layout);
    for (at, text) in (1..).zip(title.lines()) {
        let (y, text) = (place.y + 4 + at * LINE_HEIGHT, escape(text));
        line(out, &format!("<text {class} x=\"{x}\" y=\"{y}\">{text}</text>"));
    }
}

/// The left side of a title: the first place that no edge crosses, or that in the corner.
fn title_place(title: &str, place: Rectangle, layout: &Layout) -> i64 {
    let corner = place.x + TITLE_MARGIN;
    let bottom = place.y + (title.lines().count() as i64) * LINE_HEIGHT;
    let passages = layout.edges.iter().flatten().flat_map(|route| &route.passages);
    let is_crossing = |it: &&Passage| it.top <= bottom && place.y <= it.bottom;
    let mut crossings: Vec<i64> = passages.filter(is_crossing).map(|it| it.x).collect();
    crossings.retain(|x| (place.x..=place.right()).contains(x));
    crossings.sort_unstable();
    crossings.push(place.right());
    let width = text_width(title) + TITLE_MARGIN;
    let mut x = corner;
    for crossing in crossings {
        if x + width <= crossing {
            return x;
        }
        x = x.max(crossing + TITLE_MARGIN);
    }
    corner
}

fn attributes(place: Rectangle) -> String {
    let Rectangle { x, y, width, height } = place;
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// A cell has its port in the drawing if it was made for a text: `node:port` is in `linked`.
fn draw_node(out: &mut String, node: &Node, place: &Box, linked: &HashSet<&str>) {
    let Rectangle { x, y, .. } = place.place;
    let name = escape(&node.name);
    let (kind, cluster) = (class(node.kind), inside(node.cluster));
    line(out, &format!("<g class=\"node {kind}\" data-node=\"{name}\"{cluster}>"));
    if node.is_plain() {
        let cell = &node.rows[0][0];
        let marked = if cell.highlighted { " marked" } else { "" };
        line(out, &shape(node.kind, place.place, marked));
        draw_text(out, cell, place.place);
    } else {
        let port = |cell: &Cell| {
            let port = cell.port.as_ref()?;
            let is_linked = linked.contains(format!("{}:{port}", node.name).as_str());
            is_linked.then(|| format!(" data-port=\"{}\"", escape(port)))
        };
        draw_table(out, &node.rows, &place.rows, (x, y), &port);
        line(out, &format!("<rect class=\"frame\" {} rx=\"3\"/>", attributes(place.place)));
    }
    out.push_str("</g>\n");
}

/// The shape of a node with one cell.
fn shape(kind: Kind, place: Rectangle, marked: &str) -> String {
    let Rectangle { x, y, height, .. } = place;
    let (right, bottom, middle) = (place.right(), place.bottom(), y + height / 2);
    let class = format!("class=\"shape{marked}\"");
    let radius = match kind {
        Kind::Control => 2,
        Kind::Data => (height / 2).min(13),
        Kind::Memory => {
            let (left, end) = (x + 9, right - 9);
            let upper = format!("M{left} {y}H{end}L{right} {middle}");
            return format!("<path {class} d=\"{upper}L{end} {bottom}H{left}L{x} {middle}Z\"/>");
        }
        Kind::Scope => {
            let (fold, below) = (right - 8, y + 8);
            let outline = format!("M{x} {y}H{fold}L{right} {below}V{bottom}H{x}Z");
            return format!("<path {class} d=\"{outline}M{fold} {y}V{below}H{right}\"/>");
        }
    };
    format!("<rect {class} {} rx=\"{radius}\"/>", attributes(place))
}

/// The cells of a table whose upper left corner is given.
fn draw_table(
    out: &mut String,
    rows: &[Vec<Cell>],
    boxes: &[Vec<crate::layout::CellBox>],
    (x0, y0): (i64, i64),
    port: &dyn Fn(&Cell) -> Option<String>,
) {
    for (cell, place) in rows.iter().flatten().zip(boxes.iter().flatten()) {
        let Rectangle { x, y, width, height } = place.place;
        let place = Rectangle { x: x0 + x, y: y0 + y, width, height };
        let marked = if cell.highlighted { " marked" } else { "" };
        let (kind, port) = (class(cell.kind), port(cell).unwrap_or_default());
        line(out, &format!("<rect class=\"cell {kind}{marked}\"{port} {}/>", attributes(place)));
        draw_text(out, cell, place);
    }
}

/// The lines of a cell in its middle; the first is the name, the others are details.
fn draw_text(out: &mut String, cell: &Cell, place: Rectangle) {
    let x = place.x + place.width / 2;
    let lines = cell.text.lines().count() as i64;
    let first = place.y + (place.height - lines * LINE_HEIGHT) / 2 + 11;
    for (at, text) in (0..).zip(cell.text.lines()).filter(|(_, text)| !text.is_empty()) {
        let y = first + at * LINE_HEIGHT;
        let class = if at == 0 { "" } else { " class=\"detail\"" };
        line(out, &format!("<text{class} x=\"{x}\" y=\"{y}\">{}</text>", escape(text)));
    }
}

fn draw_edge(out: &mut String, edge: &Edge, route: &Route) {
    let (kind, ends) = (class(edge.kind), ends(edge));
    let back = if edge.is_back || route.is_turned { " back" } else { "" };
    line(out, &format!("<g class=\"edge {kind}{back}\" {ends}>"));
    let straight = if matches!(edge.label, Label::Tail(_)) { TAIL_HEIGHT } else { 0 };
    line(out, &format!("<path class=\"line\" d=\"{}\"/>", path(route, straight)));
    line(out, &arrow(edge, route));
    out.push_str("</g>\n");
}

/// The nodes of an edge.
fn ends(edge: &Edge) -> String {
    let (from, to) = (escape(&edge.from.node), escape(&edge.to.node));
    format!("data-from=\"{from}\" data-to=\"{to}\"")
}

/// Vertical lines with curves between them. At its lower end the path is straight over a length, so
/// that no curve crosses the number of the operand.
fn path(route: &Route, straight: i64) -> String {
    let mut text = String::new();
    let Some(first) = route.passages.first() else { return text };
    let (mut x, mut y) = (first.x, first.top);
    match route.upper_side {
        Some((side, y)) => {
            let corner = x + 4 * (side - x).signum();
            let _ = write!(text, "M{side} {y}H{corner}Q{x} {y} {x} {}", y + 4);
        }
        None => {
            let _ = write!(text, "M{x} {y}");
        }
    }
    let end = route.passages.last().map_or(y, |last| last.bottom);
    for passage in &route.passages {
        if passage.x != x {
            let top = passage.top.min((end - straight).max(y + MIN_CURVE));
            let bend = ((top - y) / 2).max(6);
            let (out_y, in_y) = (y + bend, top - bend);
            let _ = write!(text, "V{y}C{x} {out_y} {0} {in_y} {0} {top}", passage.x);
        }
        (x, y) = (passage.x, passage.bottom);
    }
    match route.lower_side {
        Some((side, y)) => {
            let corner = x + 4 * (side - x).signum();
            let _ = write!(text, "V{}Q{x} {y} {corner} {y}H{side}", y - 4);
        }
        None => {
            let _ = write!(text, "V{y}");
        }
    }
    text
}

/// The arrow at the end of the operand, or of the next block.
fn arrow(edge: &Edge, route: &Route) -> String {
    let is_upper = edge.reversed == route.is_turned;
    let (side, passage) = if is_upper {
        (route.upper_side, route.passages.first())
    } else {
        (route.lower_side, route.passages.last())
    };
    let Some(passage) = passage else { return String::new() };
    let (x, y, turn) = match (side, is_upper) {
        (Some((x, y)), _) => (x, y, if x < passage.x { -90 } else { 90 }),
        (None, true) => (passage.x, passage.top, 0),
        (None, false) => (passage.x, passage.bottom, 180),
    };
    let place = format!("transform=\"translate({x} {y}) rotate({turn})\"");
    match edge.kind {
        Kind::Control => format!("<path class=\"arrow\" {place} d=\"M0 0L4 8H-4Z\"/>"),
        Kind::Data => format!("<path class=\"arrow open\" {place} d=\"M-3 6L0 0L3 6\"/>"),
        Kind::Memory => format!("<path class=\"arrow\" {place} d=\"M0 0L3 5L0 10L-3 5Z\"/>"),
        Kind::Scope => format!("<circle class=\"arrow\" {place} cx=\"0\" cy=\"3\" r=\"3\"/>"),
    }
}

/// The number of an operand beside the user, or the table in the middle of an edge.
fn draw_label(out: &mut String, edge: &Edge, route: &Route, numbered: &Numbered) {
    let ends = ends(edge);
    match &edge.label {
        Label::None => {}
        Label::Tail(text) => {
            let is_shown = text != "0" || numbered.has_several(user(edge));
            // The user of a back edge that was turned by its maker is the upper node.
            let user_is_upper = edge.reversed != route.is_turned;
            if let (true, Some((x, y, anchor))) = (is_shown, tail(route, user_is_upper)) {
                let text = escape(text);
                let place = format!("x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"");
                line(out, &format!("<text class=\"tail\" {ends} {place}>{text}</text>"));
            }
        }
        Label::Table(rows) => {
            if let Some(corner) = route.label {
                let (boxes, (width, height)) = measure_cells(rows, 0);
                line(out, &format!("<g class=\"label\" {ends}>"));
                draw_table(out, rows, &boxes, corner, &|_| None);
                let place = Rectangle { x: corner.0, y: corner.1, width, height };
                line(out, &format!("<rect class=\"frame\" {}/>", attributes(place)));
                out.push_str("</g>\n");
            }
        }
    }
}

/// The node whose operand is numbered.
fn user(edge: &Edge) -> &str {
    if edge.reversed { &edge.to.node } else { &edge.from.node }
}

/// How many numbered operands each node has.
struct Numbered<'p>(HashMap<&'p str, usize>);

impl<'p> Numbered<'p> {
    fn new(picture: &'p Picture) -> Numbered<'p> {
        let mut counts = HashMap::new();
        for edge in picture.edges.iter().filter(|edge| matches!(edge.label, Label::Tail(_))) {
            *counts.entry(user(edge)).or_default() += 1;
        }
        Numbered(counts)
    }

    fn has_several(&self, node: &str) -> bool {
        self.0.get(node).is_some_and(|count| *count > 1)
    }
}

/// The place of the text at one end of a path.
fn tail(route: &Route, is_upper: bool) -> Option<(i64, i64, &'static str)> {
    let (side, passage) = if is_upper {
        (route.upper_side, route.passages.first()?)
    } else {
        (route.lower_side, route.passages.last()?)
    };
    Some(match (side, is_upper) {
        (Some((x, y)), _) if x < passage.x => (x + 12, y - 3, "start"),
        (Some((x, y)), _) => (x - 12, y - 3, "end"),
        (None, true) => (passage.x + 3, passage.top + 10, "start"),
        (None, false) => (passage.x + 3, passage.bottom - 3, "start"),
    })
}

/// The kinds of edges in a picture, each with its line, and the meaning of highlighted cells.
struct Legend<'p> {
    kinds: Vec<Kind>,
    highlight: Option<&'p str>,
}

/// The width of an entry.
const ENTRY: i64 = 96;

/// The distance of the meaning of highlighted cells from the start of its entry.
const MEANING: i64 = 40;

impl<'p> Legend<'p> {
    fn new(picture: &'p Picture) -> Legend<'p> {
        let all = [Kind::Control, Kind::Data, Kind::Memory, Kind::Scope];
        let is_used = |kind: &Kind| picture.edges.iter().any(|edge| edge.kind == *kind);
        let kinds: Vec<Kind> = all.into_iter().filter(is_used).collect();
        let kinds = if kinds.len() > 1 { kinds } else { Vec::new() };
        let mut cells = picture.nodes.iter().flat_map(|node| node.rows.iter().flatten());
        let has_meaning = !picture.highlight.is_empty() && cells.any(|cell| cell.highlighted);
        Legend { kinds, highlight: has_meaning.then_some(picture.highlight.as_str()) }
    }

    fn entries(&self) -> i64 {
        self.kinds.len() as i64 + i64::from(self.highlight.is_some())
    }

    fn height(&self) -> i64 {
        if self.entries() == 0 { 0 } else { 26 }
    }

    fn width(&self) -> i64 {
        let kinds = self.kinds.len() as i64 * ENTRY;
        kinds + self.highlight.map_or(0, |meaning| MEANING + text_width(meaning))
    }

    fn draw(&self, out: &mut String, y: i64) {
        for (at, &kind) in (0..).zip(&self.kinds) {
            let x = MARGIN + at * ENTRY;
            let name = if kind == Kind::Scope { "names" } else { class(kind) };
            line(out, &format!("<g class=\"edge legend {}\">", class(kind)));
            line(out, &format!("<path class=\"line\" d=\"M{x} {0}H{1}\"/>", y - 4, x + 34));
            line(out, &format!("<text x=\"{}\" y=\"{y}\">{name}</text>", x + 40));
            out.push_str("</g>\n");
        }
        if let Some(meaning) = self.highlight {
            let x = MARGIN + self.kinds.len() as i64 * ENTRY;
            let place = Rectangle { x, y: y - 11, width: 34, height: 13 };
            let text = x + MEANING;
            out.push_str("<g class=\"legend\">\n");
            line(out, &format!("<rect class=\"cell marked\" {}/>", attributes(place)));
            line(out, &format!("<text x=\"{text}\" y=\"{y}\">{}</text>", escape(meaning)));
            out.push_str("</g>\n");
        }
    }
}

/// A text in an element or between double quotes.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace(is_foreign, "\u{fffd}")
}

/// Whether XML has no such character, or none that can be seen.
fn is_foreign(letter: char) -> bool {
    letter.is_control() && letter != '\n' || matches!(letter, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
#[path = "tests/svg.rs"]
mod tests;
