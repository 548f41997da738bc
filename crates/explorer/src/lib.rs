#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod origins;
mod steps;

use origins::Units;
use picture::{Picture, STYLE};
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
    /// The rewrites that led to this stage from the one before it.
    pub steps: Vec<Step>,
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
    pub fn html(&self) -> String {
        let units = Units::new(&self.source);
        let mut stages: Vec<Value> = self.stages.iter().map(|stage| stage.data(&units)).collect();
        share_drawings(&mut stages);
        let data = json!({
            "title": self.title,
            "source": self.source,
            "result": self.result,
            "stages": stages,
            "version": self.reload.as_ref().map(|it| it.version),
            "stamp": self.reload.as_ref().map(|it| &it.stamp),
        });
        // No text may end the element around it.
        let data = data.to_string().replace('<', "\\u003c");
        let parts = [
            ("{{title}}", escape(&self.title)),
            ("{{style}}", format!("{}{STYLE}", include_str!("page/page.css"))),
            ("{{data}}", data),
            ("{{script}}", SCRIPTS.concat()),
        ];
        fill(include_str!("page/page.html"), &parts)
    }
}

/// A drawing like that of the stage before it is not repeated.
fn share_drawings(stages: &mut [Value]) {
    for at in (1..stages.len()).rev() {
        if stages[at]["svg"].is_string() && stages[at]["svg"] == stages[at - 1]["svg"] {
            stages[at]["svg"] = json!({ "stage": at - 1 });
        }
    }
}

const SCRIPTS: [&str; 5] = [
    include_str!("page/state.js"),
    include_str!("page/texts.js"),
    include_str!("page/graph.js"),
    include_str!("page/steps.js"),
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

    fn data(&self, units: &Units) -> Value {
        let (svg, reason) = draw(self.picture.as_ref());
        let nodes = self.picture.as_ref().map(|picture| nodes(picture, units));
        json!({
            "name": self.name,
            "text": self.text,
            "listing": self.listing,
            "lines": origins::of_lines(self, units),
            "named": self.lines.is_empty(),
            "cells": self.picture.as_ref().map_or_else(Map::new, |it| cells(it, units)),
            "svg": svg,
            "reason": reason,
            "dot": self.picture.as_ref().map(Picture::dot),
            "nodes": nodes.unwrap_or_default(),
            "steps": steps::data(&self.steps, units),
            "linked": self.is_linked,
        })
    }
}

/// The drawing of a graph, or the reason why there is none.
fn draw(picture: Option<&Picture>) -> (Option<String>, Option<String>) {
    match picture.map(Picture::svg_element) {
        Some(Ok(svg)) => (Some(svg), None),
        Some(Err(reason)) => (None, Some(reason.to_string())),
        None => (None, None),
    }
}

/// The nodes of a picture: name, kind, text, place in the source text.
fn nodes(picture: &Picture, units: &Units) -> Vec<Value> {
    let origins = origins::by_name(picture);
    let node = |node: &picture::Node| {
        let origin = origins.get(node.name.as_str()).map(|origin| units.name(origin));
        let kind = format!("{:?}", node.kind).to_lowercase();
        json!({ "name": node.name, "kind": kind, "text": text(node), "origin": origin })
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

/// The texts of the cells of a node.
fn text(node: &picture::Node) -> String {
    let cells = node.rows.iter().flatten().map(|cell| cell.text.as_str());
    cells.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests;
