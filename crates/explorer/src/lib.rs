#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod steps;

use picture::{Picture, STYLE};
use serde_json::{Value, json};

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
    /// The graph.
    pub picture: Option<Picture>,
    /// The rewrites that led to this stage from the one before it.
    pub steps: Vec<Step>,
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
        let stages: Vec<Value> = self.stages.iter().map(Stage::data).collect();
        let data = json!({
            "title": self.title,
            "source": self.source,
            "result": self.result,
            "stages": stages,
        });
        // No text may end the element around it.
        let data = data.to_string().replace('<', "\\u003c");
        let template = include_str!("page/page.html");
        let parts = [
            ("{{title}}", escape(&self.title)),
            ("{{style}}", format!("{}{STYLE}", include_str!("page/page.css"))),
            ("{{data}}", data),
            ("{{script}}", include_str!("page/page.js").to_string()),
        ];
        fill(template, &parts)
    }
}

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
        Stage { name: name.into(), text: text.into(), ..Stage::default() }
    }

    fn data(&self) -> Value {
        let drawing = self.picture.as_ref().map(Picture::svg_element);
        let (svg, reason) = match drawing {
            Some(Ok(svg)) => (Some(svg), None),
            Some(Err(reason)) => (None, Some(reason.to_string())),
            None => (None, None),
        };
        json!({
            "name": self.name,
            "text": self.text,
            "listing": self.listing,
            "svg": svg,
            "reason": reason,
            "dot": self.picture.as_ref().map(Picture::dot),
            "nodes": self.picture.as_ref().map(nodes),
            "steps": steps::data(&self.steps),
        })
    }
}

/// The nodes of a picture: name, kind, text, operands, place in the source text.
fn nodes(picture: &Picture) -> Value {
    let origins: std::collections::HashMap<&str, u32> =
        picture.origins.iter().map(|(name, origin)| (name.as_str(), *origin)).collect();
    let rows = picture.nodes.iter().map(|node| {
        let cells = node.rows.iter().flatten().map(|cell| cell.text.as_str());
        let kind = format!("{:?}", node.kind).to_lowercase();
        json!({
            "name": node.name,
            "kind": kind,
            "text": cells.collect::<Vec<_>>().join(" · "),
            "origin": origins.get(node.name.as_str()),
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests;
