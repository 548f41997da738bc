//! Pictures of several parts, such as the functions of a program.
use super::{Endpoint, Picture};

impl Picture {
    /// One picture of several, which have names. Nodes are renamed, so that no name occurs twice;
    /// clusters have the name of their part before their title. Nodes of a part that are in no
    /// cluster get one with its name.
    pub fn of_parts(
        title: impl Into<String>,
        parts: impl IntoIterator<Item = (String, Picture)>,
    ) -> Picture {
        let mut all = Picture::new(title);
        for (number, (name, part)) in parts.into_iter().enumerate() {
            let renamed = |node: &str| format!("f{number}_{node}");
            let first = all.clusters.len();
            all.clusters.extend(part.clusters.iter().map(|title| format!("{name}: {title}")));
            if part.nodes.iter().any(|node| node.cluster.is_none()) {
                all.clusters.push(name);
            }
            let outside = all.clusters.len().saturating_sub(1);
            for mut node in part.nodes {
                node.name = renamed(&node.name);
                node.cluster = Some(node.cluster.map_or(outside, |cluster| first + cluster));
                all.nodes.push(node);
            }
            let moved = |end: Endpoint| Endpoint { node: renamed(&end.node), ..end };
            for mut edge in part.edges {
                (edge.from, edge.to) = (moved(edge.from), moved(edge.to));
                all.edges.push(edge);
            }
        }
        all
    }
}

#[cfg(test)]
#[path = "tests/parts.rs"]
mod tests;
