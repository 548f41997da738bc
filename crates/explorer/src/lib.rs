#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod changes;
mod comparison;
mod graphs;
mod origins;
mod pack;
mod places;
mod steps;

pub use comparison::Comparison;
use graphs::Drawings;
use origins::Units;
pub use origins::add_instructions;
use picture::{Picture, STYLE};
use places::Places;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// A compilation.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The name of the program.
    pub title: String,
    /// Its text.
    pub source: String,
    /// The result of the program, if it was run.
    pub result: Option<String>,
    /// The stages, in their order.
    pub stages: Vec<Stage>,
    /// How the page finds a newer version of itself, if it is written again and again.
    pub reload: Option<Reload>,
    /// Another compilation, which is shown beside this one. A live page has none.
    pub comparison: Option<Comparison>,
}

/// A version of a page. The page reads a script beside it again and again, and reloads itself when
/// the number in it, `window.pageVersion = 7;`, is another one.
#[derive(Clone, Debug)]
pub struct Reload {
    /// The number of this version.
    pub version: u64,
    /// The name of the script.
    pub stamp: String,
}

impl Reload {
    /// The script beside the page; `report` is shown above it: the errors of a newer program.
    pub fn script(&self, report: Option<&str>) -> String {
        let version = format!("window.pageVersion = {};\n", self.version);
        let report = report.map(|it| format!("window.pageReport = {};\n", json!(it)));
        version + &report.unwrap_or_default()
    }
}

/// The output of a stage.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Unique in its page.
    pub name: String,
    /// The text of the stage.
    pub text: String,
    /// A longer text, one line per item.
    pub listing: String,
    /// The texts that the lines of the listing were made for, as ranges of bytes of the source. If
    /// this is empty, a line that begins with the name of a node has the node's.
    pub lines: Vec<Vec<Range<usize>>>,
    /// The graph.
    pub picture: Option<Picture>,
    /// The kind of graph. In graphs of one family, nodes are compared by their operations and their
    /// places in the source text; in graphs of two, by their places alone.
    pub family: String,
    /// The rewrites that led to this stage from the one before it.
    pub steps: Vec<Step>,
    /// Explanations of the lines of the listing, by their numbers from 0: the page shows those of
    /// the selected place.
    pub notes: Vec<(usize, String)>,
    /// Whether the listing is shown beside the other stages.
    pub is_linked: bool,
}

/// One rewrite by one rule.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The name of the rule.
    pub rule: String,
    /// The law that it applies.
    pub law: String,
    /// The rewritten node.
    pub before: String,
    /// The node in its place.
    pub after: String,
    /// The name in the picture of the node in its place.
    pub node: String,
    /// The text that the node was made for.
    pub origin: Option<Range<usize>>,
    /// The graph after the step; a node has one name in all steps.
    pub picture: Option<Picture>,
}

impl Page {
    /// A page without stages.
    pub fn new(title: impl Into<String>, source: impl Into<String>) -> Page {
        Page { title: title.into(), source: source.into(), ..Page::default() }
    }

    /// The page as a file of HTML.
    ///
    /// The source text is in plain text; the stages and their drawings are packed parts.
    pub fn html(&self) -> String {
        let units = Units::new(&self.source);
        let mut drawings = Drawings::default();
        let comparison = self.comparison.as_ref();
        let mut data_of = |stage: &Stage| {
            let places = Places::now(stage, &mut drawings);
            stage.data(&units, places)
        };
        let own = self.stages.iter().map(|stage| {
            let beside = comparison.and_then(|it| it.beside(stage));
            with(data_of(stage), "beside", json!(beside))
        });
        let mut stages: Vec<_> = own.collect();
        let others = comparison.iter().flat_map(|it| it.renamed());
        stages.extend(others.map(|stage| with(data_of(&stage), "isOther", json!(true))));
        let stages = Value::from(stages).to_string();
        let data = json!({
            "title": self.title,
            "source": self.source,
            "result": self.result,
            "version": self.reload.as_ref().map(|it| it.version),
            "stamp": self.reload.as_ref().map(|it| &it.stamp),
            "numbers": comparison.map(Comparison::numbers),
        });
        // No text may end the element around it.
        let data = data.to_string().replace('<', "\\u003c");
        let mut packed = part("stages", &pack::pack(&stages));
        for (number, drawing) in drawings.parts.iter().enumerate() {
            packed += &part(&format!("part-{number}"), drawing);
        }
        document(&self.title, data, packed)
    }

    /// The stages for a live page, as JSON. It asks for the drawings by their numbers.
    pub fn live_stages(&self) -> String {
        let units = Units::new(&self.source);
        let stages = self.stages.iter().enumerate();
        let stages = stages.map(|(index, it)| it.data(&units, Places::later(it, index)));
        Value::from_iter(stages).to_string()
    }

    /// The steps of the stages for a live page, as JSON. It takes them if its stages came without.
    pub fn live_steps(&self) -> String {
        let units = Units::new(&self.source);
        let stages = self.stages.iter().enumerate();
        let steps = stages
            .map(|(index, it)| steps::data(&it.steps, &units, Places::later(it, index).steps));
        Value::from_iter(steps).to_string()
    }

    /// A drawing of a live page, or the reason why there is none; `None` if no stage has this
    /// number.
    pub fn live_drawing(&self, number: usize) -> Option<Result<String, String>> {
        Places::drawing(&self.stages, number)
    }
}

/// A page without a compilation: the page around it sends one after the other, as messages.
/// `page/live.js` describes them.
pub fn live_page() -> String {
    document("live", json!({ "live": true }).to_string(), String::new())
}

/// The page with these data and packed parts.
fn document(title: &str, data: String, packed: String) -> String {
    let parts = [
        ("{{title}}", escape(title)),
        // The marks of the page have priority over the colours of the pictures.
        ("{{style}}", format!("{STYLE}{}", include_str!("page/page.css"))),
        ("{{data}}", data),
        ("{{parts}}", packed),
        ("{{script}}", SCRIPTS.concat()),
    ];
    fill(include_str!("page/page.html"), &parts)
}

/// An object with one more property.
fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

/// An element with a packed text.
fn part(name: &str, packed: &str) -> String {
    format!("<script type=\"text/plain\" id=\"{name}\">{packed}</script>\n")
}

const SCRIPTS: [&str; 8] = [
    include_str!("page/state.js"),
    include_str!("page/texts.js"),
    include_str!("page/graph.js"),
    include_str!("page/tables.js"),
    include_str!("page/steps.js"),
    include_str!("page/difference.js"),
    include_str!("page/live.js"),
    include_str!("page/main.js"),
];

/// Replaces each mark once, so that a mark in a text stays as it is.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut html = String::new();
    let mut rest = template;
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).expect("the template has the marks in order");
        html += before;
        html += text;
        rest = after;
    }
    html + rest
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Stage {
    /// A stage with a text only.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Stage {
        let text = text.into();
        Stage { name: name.into(), listing: text.clone(), text, ..Stage::default() }
    }

    fn data(&self, units: &Units, places: Places) -> Value {
        let picture = self.picture.as_ref();
        let (drawing, reason) = places.graph;
        let is_short = self.text != self.listing;
        json!({
            "name": self.name,
            "text": is_short.then_some(&self.text),
            "listing": self.listing,
            "lines": origins::of_lines(self, units),
            "named": self.lines.is_empty(),
            "cells": picture.map_or_else(Map::new, |it| cells(it, units)),
            "drawing": drawing,
            "reason": reason,
            "dot": places.dot,
            "nodes": picture.map(|it| nodes(it, units)).unwrap_or_default(),
            "family": self.family,
            "tables": picture.map(graphs::tables).unwrap_or_default(),
            "steps": steps::data(&self.steps, units, places.steps),
            "notes": self.notes,
            "linked": self.is_linked,
        })
    }
}

/// The nodes of a picture: name, kind, text, place in the source text.
fn nodes(picture: &Picture, units: &Units) -> Vec<Value> {
    let origins = origins::by_name(picture);
    let node = |node: &picture::Node| {
        let origin = origins.get(node.name.as_str()).map(|origin| units.name(origin));
        let kind = format!("{:?}", node.kind).to_lowercase();
        let text = graphs::text(node);
        json!({ "name": node.name, "kind": kind, "text": text, "origin": origin })
    };
    picture.nodes.iter().map(node).collect()
}

/// The cells of tables that have a place in the source text: `node:port`.
fn cells(picture: &Picture, units: &Units) -> Map<String, Value> {
    let mut cells = Map::new();
    for (name, origin) in picture.origins.iter().filter(|(name, _)| name.contains(':')) {
        let names = cells.entry(name.clone()).or_insert_with(|| json!([]));
        names.as_array_mut().expect("it was inserted").push(units.name(origin).into());
    }
    cells
}

#[cfg(test)]
mod tests;
