//! The steps of a stage, drawn in one layout.
use crate::Step;
use picture::{Picture, TooLarge};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The steps, and the drawing of all their graphs together.
pub fn data(steps: &[Step]) -> Value {
    let union = union(steps);
    let svg = union.map(|union| union.svg_element().map_err(|reason: TooLarge| reason.to_string()));
    let (svg, reason) = match svg {
        Some(Ok(svg)) => (Some(svg), None),
        Some(Err(reason)) => (None, Some(reason)),
        None => (None, None),
    };
    let list: Vec<Value> = steps.iter().map(step).collect();
    json!({ "svg": svg, "reason": reason, "list": list })
}

fn step(step: &Step) -> Value {
    let graph = step.picture.as_ref().map(|picture| {
        let nodes = picture.nodes.iter().map(|node| {
            let text = node.rows.iter().flatten().map(|cell| cell.text.as_str());
            (node.name.clone(), Value::from(text.collect::<Vec<_>>().join(" · ")))
        });
        let edges = picture.edges.iter().map(|edge| format!("{} {}", edge.from.node, edge.to.node));
        json!({
            "nodes": nodes.collect::<serde_json::Map<_, _>>(),
            "edges": edges.collect::<Vec<_>>(),
        })
    });
    json!({
        "rule": step.rule,
        "law": step.law,
        "before": step.before,
        "after": step.after,
        "graph": graph,
    })
}

/// All nodes and edges of all steps; a node has the text that it had last.
fn union(steps: &[Step]) -> Option<Picture> {
    let pictures: Vec<&Picture> = steps.iter().filter_map(|step| step.picture.as_ref()).collect();
    let mut all = Picture { title: String::new(), ..(*pictures.last()?).clone() };
    let mut nodes: HashSet<String> = all.nodes.iter().map(|node| node.name.clone()).collect();
    let key = |edge: &picture::Edge| format!("{:?} {:?} {:?}", edge.from, edge.to, edge.kind);
    let mut edges: HashSet<String> = all.edges.iter().map(key).collect();
    for picture in pictures.into_iter().rev() {
        let new_nodes = picture.nodes.iter().filter(|node| nodes.insert(node.name.clone()));
        let new_nodes: Vec<_> = new_nodes.cloned().collect();
        all.nodes.extend(new_nodes);
        let new_edges = picture.edges.iter().filter(|edge| edges.insert(key(edge)));
        let new_edges: Vec<_> = new_edges.cloned().collect();
        all.edges.extend(new_edges);
    }
    Some(all)
}
