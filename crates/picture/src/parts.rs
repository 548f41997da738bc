//! Pictures of several parts, such as the functions of a program.
use super::{Endpoint, Picture};

impl Picture {
    /// One picture of several, which have names. Nodes are renamed, so that no name occurs twice;
    /// each part is a cluster with its name around its own clusters.
    pub fn of_parts(
        title: impl Into<String>,
        parts: impl IntoIterator<Item = (String, Picture)>,
    ) -> Picture {
        let mut all = Picture::new(title);
        for (number, (name, part)) in parts.into_iter().enumerate() {
            let renamed = |node: &str| format!("f{number}_{node}");
            let outside = all.cluster(name, None);
            let first = outside + 1;
            for cluster in part.clusters {
                let parent = cluster.parent.map_or(outside, |parent| first + parent);
                all.cluster(cluster.title, Some(parent));
            }
            for mut node in part.nodes {
                node.name = renamed(&node.name);
                node.cluster = Some(node.cluster.map_or(outside, |cluster| first + cluster));
                all.nodes.push(node);
            }
            let origins = part.origins.iter().map(|(node, place)| (renamed(node), place.clone()));
            all.origins.extend(origins);
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
