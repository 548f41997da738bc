//! The layout of a picture: places of nodes and clusters, paths of edges.
//!
//! Each cluster is laid out by itself, children before parents, in layers (Sugiyama, Tagawa and
//! Toda: Methods for visual understanding of hierarchical system structures, 1981). In the layout
//! around it, it is one box. An edge across its border enters at a port on the upper side or
//! leaves at one on the lower side. All numbers are integers, so every machine draws the same.
mod blocks;
mod components;
mod coordinates;
mod cycles;
mod layered;
mod levels;
mod measure;
mod order;
mod ranks;

use crate::Picture;
pub use layered::Passage;
use layered::Solution;
use levels::{Level, Levels, Side};
pub use measure::{Box, CellBox, LINE_HEIGHT, measure_cells, text_width};

/// The limits of a picture that can be read.
pub const MAX_NODES: usize = 4_000;
pub const MAX_EDGES: usize = 12_000;

/// The room between a cluster's border and its content, and for its title.
pub const PADDING: i64 = 12;

/// A picture with a place for everything.
pub struct Layout {
    pub nodes: Vec<Box>,
    pub clusters: Vec<Rectangle>,
    /// None for an edge with an end that is not in the picture.
    pub edges: Vec<Option<Route>>,
    pub width: i64,
    pub height: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rectangle {
    pub x: i64,
    pub y: i64,
    pub width: i64,
    pub height: i64,
}

impl Rectangle {
    pub fn right(self) -> i64 {
        self.x + self.width
    }

    pub fn bottom(self) -> i64 {
        self.y + self.height
    }
}

/// The path of an edge, from its upper end down.
pub struct Route {
    pub passages: Vec<Passage>,
    /// The point on the left or right side of a node where it starts, if it does.
    pub upper_side: Option<(i64, i64)>,
    pub lower_side: Option<(i64, i64)>,
    /// The upper left corner of the table in the middle.
    pub label: Option<(i64, i64)>,
    /// Whether the operand is below its user: a back edge of a loop.
    pub is_turned: bool,
}

/// The picture has more nodes or edges than can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of edges.
    pub edges: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(out, "too large to draw: {} nodes and {} edges", self.nodes, self.edges)
    }
}

/// Lays out a picture.
pub fn lay_out(picture: &Picture) -> Result<Layout, TooLarge> {
    let too_large = TooLarge { nodes: picture.nodes.len(), edges: picture.edges.len() };
    if picture.nodes.len() > MAX_NODES || picture.edges.len() > MAX_EDGES {
        return Err(too_large);
    }
    let mut boxes = measure::boxes(picture);
    let mut levels = Levels::new(picture, &mut boxes);
    let mut solutions: Vec<Solution> = Vec::new();
    // A cluster follows the one around it in the list, so the innermost are laid out first.
    for index in (0..levels.all.len()).rev() {
        let solution = components::lay_out(&levels.all[index].problem()).ok_or(too_large)?;
        levels.close(index, &solution);
        solutions.push(solution);
    }
    solutions.reverse();
    Ok(compose(&mut boxes, &levels, &solutions))
}

/// Moves the content of each level to the place of its cluster.
fn compose(boxes: &mut Vec<Box>, levels: &Levels, solutions: &[Solution]) -> Layout {
    let mut origins = vec![(0, 0); levels.all.len()];
    let mut clusters = vec![Rectangle::default(); levels.all.len() - 1];
    for (index, (level, solution)) in levels.all.iter().zip(solutions).enumerate() {
        let (x0, y0) = origins[index];
        for (item, &(x, y)) in level.items.iter().zip(&solution.corners) {
            let corner = (x0 + x, y0 + y);
            match item.content {
                levels::Content::Node(node) => boxes[node].move_to(corner),
                levels::Content::Cluster(cluster) => {
                    let (width, height) = item.size;
                    clusters[cluster] = Rectangle { x: corner.0, y: corner.1, width, height };
                    let inner = &levels.all[cluster + 1];
                    origins[cluster + 1] = (corner.0 + PADDING, corner.1 + inner.head());
                }
                levels::Content::Border => (),
            }
        }
    }
    let route = |path: &levels::Path| route(path, boxes, solutions, &origins);
    let edges = levels.paths.iter().map(|path| path.as_ref().map(route)).collect();
    let (width, height) = levels.all[0].inner_size;
    Layout { nodes: std::mem::take(boxes), clusters, edges, width, height }
}

/// The path of an edge through all levels that it crosses.
fn route(
    path: &levels::Path,
    boxes: &[Box],
    solutions: &[Solution],
    origins: &[(i64, i64)],
) -> Route {
    let mut passages: Vec<Passage> = Vec::new();
    let mut label = None;
    for &(level, line) in &path.lines {
        let (x, y) = origins[level];
        let part = &solutions[level].routes[line];
        passages.extend(part.passages.iter().map(|it| it.moved(x, y)));
        label = label.or(part.label.map(|(label_x, label_y)| (x + label_x, y + label_y)));
    }
    let (upper, lower) = (path.upper, path.lower);
    let beside = |end: levels::End, shift: i64| {
        let node = &boxes[end.node];
        let row = node.rows[end.row][0].place;
        let y = node.place.y + row.y + row.height / 2 + shift;
        match end.side {
            Side::Left => Some((node.place.x, y)),
            Side::Right => Some((node.place.right(), y)),
            Side::Near | Side::Inside => None,
        }
    };
    let shift = if path.lines.is_empty() { 5 } else { 0 };
    let (upper_side, lower_side) = (beside(upper, -shift), beside(lower, shift));
    if let (Some((_, top)), Some((_, bottom)), []) = (upper_side, lower_side, &passages[..]) {
        passages.push(Passage { x: boxes[upper.node].place.x + upper.x, top, bottom });
    }
    if let (Some((_, y)), Some(first)) = (upper_side, passages.first_mut()) {
        first.top = y;
    }
    if let (Some((_, y)), Some(last)) = (lower_side, passages.last_mut()) {
        last.bottom = y;
    }
    if let (Side::Inside, Some(last)) = (lower.side, passages.last_mut()) {
        last.bottom += boxes[lower.node].rows[lower.row][0].place.y + 5;
    }
    let is_turned = path.is_turned;
    Route { passages, upper_side, lower_side, label, is_turned }
}

impl Level {
    /// The height above the content: the title, if this is a cluster.
    fn head(&self) -> i64 {
        if self.title_lines == 0 { PADDING } else { 13 + self.title_lines * LINE_HEIGHT }
    }
}

#[cfg(test)]
#[path = "../tests/layout.rs"]
mod tests;
