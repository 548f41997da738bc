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
            all.add_part(number, name, part);
        }
        all
    }

    /// Adds the part of this number, as in [`Picture::of_parts`].
    pub fn add_part(&mut self, number: usize, name: String, part: Picture) {
        if !part.highlight.is_empty() {
            self.highlight = part.highlight;
        }
        let renamed = |node: &str| name_in_part(number, node);
        let outside = self.cluster(name, None);
        let first = outside + 1;
        for cluster in part.clusters {
            let parent = cluster.parent.map_or(outside, |parent| first + parent);
            self.cluster(cluster.title, Some(parent));
        }
        for mut node in part.nodes {
            node.name = renamed(&node.name);
            node.cluster = Some(node.cluster.map_or(outside, |cluster| first + cluster));
            self.nodes.push(node);
        }
        let origins = part.origins.iter().map(|(node, place)| (renamed(node), place.clone()));
        self.origins.extend(origins);
        let moved = |end: Endpoint| Endpoint { node: renamed(&end.node), ..end };
        for mut edge in part.edges {
            (edge.from, edge.to) = (moved(edge.from), moved(edge.to));
            self.edges.push(edge);
        }
    }
}

/// The name that a node of a part has in the whole picture.
pub fn name_in_part(part: usize, node: &str) -> String {
    format!("f{part}_{node}")
}

#[cfg(test)]
#[path = "tests/parts.rs"]
mod tests;
