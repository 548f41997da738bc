//! The layout of one level in layers: ranks, orders, coordinates, paths.
use super::coordinates;
use super::order;
use super::ranks;

/// A graph without cycles; the first end of a line is drawn above the second.
pub struct Problem {
    pub sizes: Vec<(i64, i64)>,
    pub places: Vec<Place>,
    pub lines: Vec<Line>,
}

/// Where an item may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Free,
    /// On the upper side of the level.
    Top,
    /// On the lower side.
    Bottom,
}

/// A line from the lower side of an item to the upper side of another.
pub struct Line {
    /// An item, and the distance from its left side.
    pub upper: (usize, i64),
    pub lower: (usize, i64),
    /// The size of a table in the middle.
    pub label: Option<(i64, i64)>,
    /// Lines of one bundle share their path until they part.
    pub bundle: usize,
}

pub struct Solution {
    /// The upper left corner of each item.
    pub corners: Vec<(i64, i64)>,
    pub routes: Vec<Route>,
    pub width: i64,
    pub height: i64,
}

/// The path of a line, from its upper end down.
pub struct Route {
    pub passages: Vec<Passage>,
    pub label: Option<(i64, i64)>,
}

impl Route {
    pub fn moved(&self, x: i64, y: i64) -> Route {
        let passages = self.passages.iter().map(|it| it.moved(x, y)).collect();
        Route { passages, label: self.label.map(|label| (label.0 + x, label.1 + y)) }
    }
}

/// A vertical part of a path; a curve connects it with the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passage {
    pub x: i64,
    pub top: i64,
    pub bottom: i64,
}

impl Passage {
    pub fn moved(self, x: i64, y: i64) -> Passage {
        Passage { x: self.x + x, top: self.top + y, bottom: self.bottom + y }
    }
}

/// A vertex of a layer: an item, or a passage of lines that lead on.
pub struct Vertex {
    pub width: i64,
    pub height: i64,
    pub rank: usize,
    pub is_passage: bool,
}

/// A part of a line between neighbouring layers: vertices, and the distances of its ends from
/// their left sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    pub upper: (usize, i64),
    pub lower: (usize, i64),
}

/// The vertices in their layers, each layer from left to right.
pub struct Layers {
    pub vertices: Vec<Vertex>,
    pub segments: Vec<Segment>,
    pub layers: Vec<Vec<usize>>,
}

/// The limit of passages: long lines through many layers.
const MAX_PASSAGES: usize = 250_000;

/// The distance of layers.
const GAP: i64 = 34;

/// Lays out a level; none if its lines are too long.
pub fn lay_out(problem: &Problem) -> Option<Solution> {
    let ranks = ranks::ranks(problem);
    let mut layers = Layers { vertices: Vec::new(), segments: Vec::new(), layers: Vec::new() };
    for (&(width, height), &rank) in problem.sizes.iter().zip(&ranks) {
        layers.vertices.push(Vertex { width, height, rank, is_passage: false });
    }
    let chains = chains(problem, &mut layers)?;
    order::order(&mut layers);
    let x = coordinates::coordinates(&layers);
    Some(solution(problem, &layers, &chains, &x))
}

/// Cuts each line into segments; returns the passages of each line.
fn chains(problem: &Problem, layers: &mut Layers) -> Option<Vec<Vec<usize>>> {
    // The passages of the bundles, by bundle and rank.
    let mut shared = std::collections::HashMap::new();
    let mut chains = Vec::new();
    for line in &problem.lines {
        let ranks = layers.vertices[line.upper.0].rank..layers.vertices[line.lower.0].rank;
        let middle = usize::midpoint(ranks.start, ranks.end);
        let mut chain = Vec::new();
        let mut end = line.upper;
        for rank in ranks.start + 1..ranks.end {
            let known = shared.get(&(line.bundle, line.upper.0, rank)).copied();
            let passage = known.unwrap_or_else(|| {
                let (width, height) = line.label.filter(|_| rank == middle).unwrap_or((0, 0));
                let next = layers.vertices.len();
                layers.vertices.push(Vertex { width, height, rank, is_passage: true });
                let lower = (next, width / 2);
                layers.segments.push(Segment { upper: end, lower });
                shared.insert((line.bundle, line.upper.0, rank), next);
                next
            });
            chain.push(passage);
            end = (passage, layers.vertices[passage].width / 2);
        }
        if layers.vertices.len() > problem.sizes.len() + MAX_PASSAGES {
            return None;
        }
        layers.segments.push(Segment { upper: end, lower: line.lower });
        chains.push(chain);
    }
    Some(chains)
}

/// Places the layers below each other, and composes the paths.
fn solution(problem: &Problem, layers: &Layers, chains: &[Vec<usize>], x: &[i64]) -> Solution {
    let bands = bands(layers, x);
    let alignment = alignment(layers);
    let top_of = |at: usize| {
        let Vertex { rank, height, .. } = layers.vertices[at];
        let (top, bottom) = bands[rank];
        match alignment[at] {
            Alignment::Top => top,
            Alignment::Middle => top + (bottom - top - height) / 2,
            Alignment::Bottom => bottom - height,
        }
    };
    let corners: Vec<_> = (0..problem.sizes.len()).map(|at| (x[at], top_of(at))).collect();
    let mut routes = Vec::new();
    for (line, chain) in problem.lines.iter().zip(chains) {
        let ((upper, upper_x), (lower, lower_x)) = (line.upper, line.lower);
        let (above, below) = (&layers.vertices[upper], &layers.vertices[lower]);
        let start = top_of(upper) + above.height;
        let first = Passage { x: x[upper] + upper_x, top: start, bottom: bands[above.rank].1 };
        let end = top_of(lower);
        let last = Passage { x: x[lower] + lower_x, top: bands[below.rank].0, bottom: end };
        let through = chain.iter().map(|&at| {
            let (top, bottom) = bands[layers.vertices[at].rank];
            Passage { x: x[at] + layers.vertices[at].width / 2, top, bottom }
        });
        let label = chain.iter().find(|&&at| layers.vertices[at].width > 0);
        let label = label.map(|&at| (x[at], top_of(at)));
        let passages = [first].into_iter().chain(through).chain([last]).collect();
        routes.push(Route { passages, label });
    }
    let right = layers.vertices.iter().zip(x).map(|(vertex, &x)| x + vertex.width);
    let height = bands.last().map_or(0, |band| band.1);
    Solution { corners, routes, width: right.max().unwrap_or(0), height }
}

/// The place of a vertex in a layer that is higher.
#[derive(Clone, Copy)]
enum Alignment {
    Top,
    Middle,
    Bottom,
}

/// A vertex without operands is near its users, and one without users near its operands.
fn alignment(layers: &Layers) -> Vec<Alignment> {
    let mut has_lines = vec![(false, false); layers.vertices.len()];
    for segment in &layers.segments {
        has_lines[segment.upper.0].1 = true;
        has_lines[segment.lower.0].0 = true;
    }
    let alignment = |(above, below)| match (above, below) {
        (true, false) => Alignment::Top,
        (false, true) => Alignment::Bottom,
        (true, true) | (false, false) => Alignment::Middle,
    };
    has_lines.into_iter().map(alignment).collect()
}

/// The upper and the lower side of each layer. Layers with long lines between them are further
/// apart.
fn bands(layers: &Layers, x: &[i64]) -> Vec<(i64, i64)> {
    let mut gaps = vec![0; layers.layers.len()];
    for segment in &layers.segments {
        let (upper, lower) = (segment.upper, segment.lower);
        let distance = (x[upper.0] + upper.1 - x[lower.0] - lower.1).abs();
        let gap = &mut gaps[layers.vertices[lower.0].rank];
        *gap = (GAP + (distance / 10).min(50)).max(*gap);
    }
    let mut y = 0;
    let mut bands = Vec::new();
    for (rank, layer) in layers.layers.iter().enumerate() {
        let height = layer.iter().map(|&at| layers.vertices[at].height).max().unwrap_or(0);
        let is_border = |rank: usize| layers.layers[rank].iter().all(|&at| layers.is_flat(at));
        let gap = if rank == 0 { 0 } else { gaps[rank].max(GAP / 2) };
        // Straight lines need no room between a border and its neighbour.
        let gap = if rank > 0 && (is_border(rank) || is_border(rank - 1)) { gap / 2 } else { gap };
        y += gap;
        bands.push((y, y + height));
        y += height;
    }
    bands
}

impl Layers {
    /// Whether a vertex is a border or a passage.
    fn is_flat(&self, at: usize) -> bool {
        self.vertices[at].height == 0
    }
}
