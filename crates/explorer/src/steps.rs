//! The steps of a stage, drawn in one layout.
//!
//! The page contains the first graph, and for each later step its difference from the graph before
//! it: steps are many, and each changes a few nodes.
use crate::Step;
use crate::graphs::Graph;
use crate::origins::Units;
use crate::places::Place;
use picture::{Cluster, Edge, Node, Picture};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The steps, and the place of the drawing of all their graphs together.
pub fn data(steps: &[Step], units: &Units, (drawing, reason): Place) -> Value {
    let mut before = Graph::default();
    let mut list = Vec::with_capacity(steps.len());
    for step in steps {
        let after = step.picture.as_ref().map(Graph::new);
        list.push(json!({
            "rule": step.rule,
            "law": step.law,
            "before": step.before,
            "after": step.after,
            "node": step.node,
            "origin": step.origin.as_ref().map(|origin| units.name(origin)),
            "graph": after.as_ref().map(|after| before.difference(after)),
        }));
        before = after.unwrap_or(before);
    }
    json!({ "drawing": drawing, "reason": reason, "list": list })
}

/// All nodes, edges and clusters of all steps; a node has the text and the place that it had last.
pub fn union(steps: &[Step]) -> Option<Picture> {
    let pictures: Vec<&Picture> = steps.iter().filter_map(|it| it.picture.as_ref()).collect();
    let mut all = Picture { title: String::new(), ..(*pictures.last()?).clone() };
    let mut nodes: HashSet<String> = all.nodes.iter().map(|node| node.name.clone()).collect();
    let key = |edge: &Edge| format!("{:?} {:?} {:?}", edge.from, edge.to, edge.kind);
    let mut edges: HashSet<String> = all.edges.iter().map(key).collect();
    for picture in pictures.into_iter().rev().skip(1) {
        for node in picture.nodes.iter().filter(|node| nodes.insert(node.name.clone())) {
            let cluster = node.cluster.map(|cluster| same_cluster(&mut all, picture, cluster));
            all.nodes.push(Node { cluster, ..node.clone() });
        }
        all.edges.extend(picture.edges.iter().filter(|edge| edges.insert(key(edge))).cloned());
    }
    Some(all)
}

/// The cluster with the title and the parent of another picture's; it is added if there is none.
fn same_cluster(all: &mut Picture, picture: &Picture, cluster: usize) -> usize {
    let Cluster { title, parent } = &picture.clusters[cluster];
    let parent = parent.map(|parent| same_cluster(all, picture, parent));
    let is_same = |it: &Cluster| it.title == *title && it.parent == parent;
    let found = all.clusters.iter().position(is_same);
    found.unwrap_or_else(|| all.cluster(title.clone(), parent))
}
