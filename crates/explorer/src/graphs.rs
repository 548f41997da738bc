//! The graphs of a page: their texts, and their drawings.
//!
//! A page shows few of its drawings at a time, and drawings are large: each is a packed part of the
//! page, and equal ones are one part.
use crate::pack::pack;
use picture::{Cell, Edge, Label, Node, Picture};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// The drawings of a page.
#[derive(Default)]
pub struct Drawings {
    /// The packed drawings.
    pub parts: Vec<String>,
    known: HashMap<String, usize>,
}

impl Drawings {
    /// The number of a graph's drawing, or the reason why there is none.
    pub fn add(&mut self, picture: Option<&Picture>) -> (Option<usize>, Option<String>) {
        match picture.map(Picture::svg_element) {
            Some(Ok(svg)) => (Some(self.part(svg)), None),
            Some(Err(reason)) => (None, Some(reason.to_string())),
            None => (None, None),
        }
    }

    /// The number of a text among the parts.
    pub fn part(&mut self, text: String) -> usize {
        let next = self.parts.len();
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        self.parts.push(pack(&text));
        self.known.insert(text, next);
        next
    }
}

/// The texts of a graph's nodes, and of its edges, which are named `from to`. Cells are separated
/// by ` · `, rows by line breaks.
#[derive(Default)]
pub struct Graph {
    nodes: BTreeMap<String, String>,
    edges: BTreeMap<String, String>,
}

impl Graph {
    pub fn new(picture: &Picture) -> Graph {
        let nodes = picture.nodes.iter().map(|node| (node.name.clone(), text(node)));
        let edges = picture.edges.iter().map(|edge| (name(edge), label(edge)));
        Graph { nodes: nodes.collect(), edges: edges.collect() }
    }

    /// The changes from this graph to another.
    pub fn difference(&self, after: &Graph) -> Value {
        let [nodes, edges] = [(&self.nodes, &after.nodes), (&self.edges, &after.edges)]
            .map(|(before, after)| changes(before, after));
        json!({ "nodes": nodes.0, "gone": nodes.1, "edges": edges.0, "cut": edges.1 })
    }
}

type Texts = BTreeMap<String, String>;

/// The texts that are new or changed, and the names that are missing.
fn changes<'t>(before: &'t Texts, after: &'t Texts) -> (BTreeMap<&'t str, &'t str>, Vec<&'t str>) {
    let is_new = |(name, text): &(&String, &String)| before.get(*name) != Some(text);
    let new = after.iter().filter(is_new).map(|(name, text)| (name.as_str(), text.as_str()));
    let gone = before.keys().filter(|name| !after.contains_key(*name)).map(String::as_str);
    (new.collect(), gone.collect())
}

fn name(edge: &Edge) -> String {
    format!("{} {}", edge.from.node, edge.to.node)
}

/// The texts of a node.
pub fn text(node: &Node) -> String {
    rows(&node.rows)
}

/// The text of an edge's table; empty if it has none.
fn label(edge: &Edge) -> String {
    match &edge.label {
        Label::Table(table) => rows(table),
        Label::None | Label::Tail(_) => String::new(),
    }
}

fn rows(table: &[Vec<Cell>]) -> String {
    let row = |row: &Vec<Cell>| {
        let texts: Vec<_> = row.iter().map(|cell| cell.text.as_str()).collect();
        texts.join(" · ")
    };
    table.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// The tables at the edges of a picture, by the names of the edges.
pub fn tables(picture: &Picture) -> BTreeMap<String, String> {
    let tables = picture.edges.iter().map(|edge| (name(edge), label(edge)));
    tables.filter(|(_, table)| !table.is_empty()).collect()
}
