//! A picture cut into levels: the outermost one, and one for each cluster.
//!
//! An edge between two levels is a sequence of lines: from its upper end to the lower border of
//! each cluster around it, across the level that contains both ends, and from the upper borders
//! down to its lower end. Edges from one value share these lines as far as they lead together.
use super::PADDING;
use super::cycles::back_edges;
use super::layered::{self, Place, Problem, Solution};
use super::measure::{Box, text_width};
use crate::{Edge, Endpoint, Kind, Label, Picture};
use std::collections::HashMap;

pub struct Levels {
    /// The outermost level, then the clusters in their order.
    pub all: Vec<Level>,
    /// One for each edge; none if an end of it is not in the picture.
    pub paths: Vec<Option<Path>>,
}

#[derive(Default)]
pub struct Level {
    pub items: Vec<Item>,
    pub lines: Vec<Line>,
    /// The number of lines of the title.
    pub title_lines: i64,
    title_width: i64,
    pub inner_size: (i64, i64),
    /// The item in the level around this one.
    parent: Option<(usize, usize)>,
}

pub struct Item {
    pub content: Content,
    pub size: (i64, i64),
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    Node(usize),
    Cluster(usize),
    /// The place where edges cross the border of the cluster.
    Border,
}

/// A part of an edge in one level.
pub struct Line {
    upper: (usize, Port),
    lower: (usize, Port),
    label: Option<(i64, i64)>,
    bundle: usize,
}

/// The place on an item where a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Port {
    /// So far from the left side.
    At(i64),
    /// At the border item of this number in the cluster.
    Inner(usize),
}

pub struct Path {
    /// Levels and lines, from the upper end down; none for a loop at one node.
    pub lines: Vec<(usize, usize)>,
    pub upper: End,
    pub lower: End,
    pub is_turned: bool,
}

/// The end of an edge.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub node: usize,
    pub row: usize,
    /// The distance from the left side.
    pub x: i64,
    pub side: Side,
}

/// The side of a node at which an edge ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The upper or the lower side.
    Near,
    /// Inside the table, in a row below the first.
    Inside,
    /// The left side: the ends of back edges, and of jumps from the middle of a table.
    Left,
    /// The right side: the ends of back edges of cells that are on the right.
    Right,
}

impl Levels {
    /// Cuts a picture into levels, and makes room in `boxes` for edges at the sides.
    pub fn new(picture: &Picture, boxes: &mut [Box]) -> Levels {
        let mut building = Building::new(picture, boxes);
        let turned = building.turned();
        let edges = picture.edges.iter().zip(turned);
        let paths = edges.map(|(edge, turned)| building.path(edge, turned)).collect();
        let Building { mut levels, places, .. } = building;
        for (&(level, item), node) in places.iter().zip(boxes) {
            levels[level].items[item].size = node.size();
            levels[level].shift(item, node.margin);
        }
        Levels { all: levels, paths }
    }

    /// Notes the size of a level, and the places of its borders as ports of its item.
    pub fn close(&mut self, index: usize, solution: &Solution) {
        let level = &mut self.all[index];
        level.inner_size = (solution.width.max(level.title_width), solution.height);
        let Some((parent, item)) = level.parent else { return };
        let (width, height) = level.inner_size;
        let size = (width + 2 * PADDING, level.head() + height + PADDING);
        let around = &mut self.all[parent];
        around.items[item].size = size;
        let x_of = |port: &mut Port| {
            if let Port::Inner(border) = *port {
                *port = Port::At(PADDING + solution.corners[border].0);
            }
        };
        for line in &mut around.lines {
            for (at, port) in [&mut line.upper, &mut line.lower] {
                if *at == item {
                    x_of(port);
                }
            }
        }
    }
}

impl Level {
    /// The level as a graph to be laid out; the sizes of all its items are known.
    pub fn problem(&self) -> Problem {
        let x_of = |port: Port| match port {
            Port::At(x) => x,
            Port::Inner(_) => unreachable!("inner levels are laid out first"),
        };
        let line = |line: &Line| layered::Line {
            upper: (line.upper.0, x_of(line.upper.1)),
            lower: (line.lower.0, x_of(line.lower.1)),
            label: line.label,
            bundle: line.bundle,
        };
        Problem {
            sizes: self.items.iter().map(|item| item.size).collect(),
            places: self.items.iter().map(|item| item.place).collect(),
            lines: self.lines.iter().map(line).collect(),
        }
    }

    /// Moves the ports of an item to the right, by the width of its margin.
    fn shift(&mut self, item: usize, margin: i64) {
        if margin == 0 {
            return;
        }
        for line in &mut self.lines {
            for (at, port) in [&mut line.upper, &mut line.lower] {
                if let (true, Port::At(x)) = (*at == item, port) {
                    *x += margin;
                }
            }
        }
    }

    fn push(&mut self, content: Content, size: (i64, i64), place: Place) -> usize {
        self.items.push(Item { content, size, place });
        self.items.len() - 1
    }
}

struct Building<'p> {
    picture: &'p Picture,
    boxes: &'p mut [Box],
    levels: Vec<Level>,
    /// The level of each node, and its item there.
    places: Vec<(usize, usize)>,
    depths: Vec<usize>,
    numbers: HashMap<&'p str, usize>,
    bundles: HashMap<(usize, i64, Kind), usize>,
    /// The border item of a bundle in a level, at its upper or lower side.
    borders: HashMap<(usize, usize, bool), usize>,
    known: HashMap<(usize, usize, usize, usize), usize>,
    bundle_count: usize,
    /// The operands of each user: a node, or a port of it.
    operands: HashMap<User<'p>, Operands>,
}

type User<'p> = (usize, Option<&'p str>);

/// The number of operands that have been placed, and of all.
#[derive(Clone, Copy, Default)]
struct Operands {
    placed: i64,
    all: i64,
}

impl<'p> Building<'p> {
    fn new(picture: &'p Picture, boxes: &'p mut [Box]) -> Building<'p> {
        let mut levels: Vec<Level> = Vec::new();
        levels.resize_with(picture.clusters.len() + 1, Level::default);
        let mut depths = vec![0; levels.len()];
        for (at, cluster) in picture.clusters.iter().enumerate() {
            let parent = cluster.parent.filter(|parent| *parent < at).map_or(0, |it| it + 1);
            let item = levels[parent].push(Content::Cluster(at), (0, 0), Place::Free);
            depths[at + 1] = depths[parent] + 1;
            levels[at + 1].parent = Some((parent, item));
            levels[at + 1].title_lines = cluster.title.lines().count() as i64;
            levels[at + 1].title_width = text_width(&cluster.title);
        }
        let mut places = Vec::new();
        for (at, node) in picture.nodes.iter().enumerate() {
            let level = node.cluster.map_or(0, |cluster| cluster + 1);
            places.push((level, levels[level].push(Content::Node(at), (0, 0), Place::Free)));
        }
        let names = picture.nodes.iter().map(|node| node.name.as_str());
        let mut building = Building {
            picture,
            boxes,
            levels,
            places,
            depths,
            numbers: names.zip(0..).collect(),
            bundles: HashMap::new(),
            borders: HashMap::new(),
            known: HashMap::new(),
            bundle_count: 0,
            operands: HashMap::new(),
        };
        for edge in &picture.edges {
            if let Some((lower, _)) = building.ends(edge) {
                building.operands.entry((lower, edge.from.port.as_deref())).or_default().all += 1;
            }
        }
        building
    }

    /// The nodes of an edge, the lower one first; none if one of them is not in the picture.
    fn ends(&self, edge: &Edge) -> Option<(usize, usize)> {
        let number = |end: &Endpoint| self.numbers.get(end.node.as_str()).copied();
        Some((number(&edge.from)?, number(&edge.to)?))
    }

    /// The items of two nodes in the innermost level that contains both.
    fn meet(&self, one: usize, other: usize) -> (usize, usize, usize) {
        let (mut one, mut other) = (self.places[one], self.places[other]);
        let up = |(level, _): (usize, usize)| self.levels[level].parent.unwrap_or((0, 0));
        while one.0 != other.0 {
            if self.depths[one.0] >= self.depths[other.0] {
                one = up(one);
            } else {
                other = up(other);
            }
        }
        (one.0, one.1, other.1)
    }

    /// Which edges are turned upside down, because they close a cycle in their level.
    fn turned(&self) -> Vec<bool> {
        let mut by_level: Vec<Vec<(usize, (usize, usize))>> = vec![Vec::new(); self.levels.len()];
        for (at, edge) in self.picture.edges.iter().enumerate() {
            let Some((lower, upper)) = self.ends(edge) else { continue };
            let (level, upper, lower) = self.meet(upper, lower);
            if upper != lower {
                by_level[level].push((at, (upper, lower)));
            }
        }
        let mut turned = vec![false; self.picture.edges.len()];
        for (level, numbered) in self.levels.iter().zip(by_level) {
            let edges: Vec<_> = numbered.iter().map(|&(_, edge)| edge).collect();
            let found = back_edges(level.items.len(), &edges);
            numbered.iter().zip(found).for_each(|(&(at, _), is_back)| turned[at] = is_back);
        }
        turned
    }

    fn path(&mut self, edge: &'p Edge, is_turned: bool) -> Option<Path> {
        let (user, operand) = self.ends(edge)?;
        let is_back = is_turned || edge.is_back || user == operand;
        let back = is_back.then(|| self.back_side(edge, user, operand));
        let user_end = self.user_end(edge, user, back);
        let operand_end = self.operand_end(edge, operand, back);
        let (upper, lower) =
            if is_turned { (user_end, operand_end) } else { (operand_end, user_end) };
        if user == operand {
            return Some(Path { lines: Vec::new(), upper, lower, is_turned });
        }
        let label = match &edge.label {
            Label::Table(rows) => Some(super::measure_cells(rows, 0).1),
            Label::None | Label::Tail(_) => None,
        };
        let is_beside = matches!(upper.side, Side::Left | Side::Right);
        let is_alone = is_back || label.is_some() || is_beside;
        let bundle = self.bundle((upper.node, upper.x), edge, is_alone);
        let lines = self.lines((upper.node, upper.x), (lower.node, lower.x), label, bundle);
        Some(Path { lines, upper, lower, is_turned })
    }

    /// The number of an edge's bundle: edges of one kind from one port share lines.
    fn bundle(&mut self, upper: (usize, i64), edge: &Edge, is_alone: bool) -> usize {
        let next = self.bundle_count;
        self.bundle_count += 1;
        if is_alone || edge.reversed {
            return next;
        }
        *self.bundles.entry((upper.0, upper.1, edge.kind)).or_insert(next)
    }

    /// The lines of an edge through all levels, from the upper end down.
    fn lines(
        &mut self,
        (upper, upper_x): (usize, i64),
        (lower, lower_x): (usize, i64),
        label: Option<(i64, i64)>,
        bundle: usize,
    ) -> Vec<(usize, usize)> {
        let (middle, ..) = self.meet(upper, lower);
        let mut lines = Vec::new();
        let (mut level, item) = self.places[upper];
        let mut end = (item, Port::At(upper_x));
        while level != middle {
            let border = self.border(level, bundle, Place::Bottom);
            lines.push((level, self.line(level, end, (border, Port::At(0)), None, bundle)));
            let parent = self.levels[level].parent.unwrap_or((0, 0));
            (level, end) = (parent.0, (parent.1, Port::Inner(border)));
        }
        let mut below = Vec::new();
        let (mut level, item) = self.places[lower];
        let mut other = (item, Port::At(lower_x));
        while level != middle {
            let border = self.border(level, bundle, Place::Top);
            below.push((level, self.line(level, (border, Port::At(0)), other, None, bundle)));
            let parent = self.levels[level].parent.unwrap_or((0, 0));
            (level, other) = (parent.0, (parent.1, Port::Inner(border)));
        }
        lines.push((middle, self.line(middle, end, other, label, bundle)));
        lines.extend(below.into_iter().rev());
        lines
    }

    fn border(&mut self, level: usize, bundle: usize, place: Place) -> usize {
        let items = &mut self.levels[level];
        let key = (level, bundle, place == Place::Top);
        *self.borders.entry(key).or_insert_with(|| items.push(Content::Border, (0, 0), place))
    }

    /// A line of a level; the one that exists, if the same bundle has it.
    fn line(
        &mut self,
        level: usize,
        upper: (usize, Port),
        lower: (usize, Port),
        label: Option<(i64, i64)>,
        bundle: usize,
    ) -> usize {
        let add = |lines: &mut Vec<Line>| {
            lines.push(Line { upper, lower, label, bundle });
            lines.len() - 1
        };
        let is_item = matches!(self.levels[level].items[lower.0].content, Content::Node(_));
        let lines = &mut self.levels[level].lines;
        if is_item {
            return add(lines); // Each operand of a node has a line of its own.
        }
        *self.known.entry((level, bundle, lower.0, upper.0)).or_insert_with(|| add(lines))
    }

    /// The end at the user. Operands are spread over the upper side of a node or a cell in their
    /// order.
    fn user_end(&mut self, edge: &'p Edge, node: usize, back: Option<Side>) -> End {
        let cell = edge.from.port.as_ref().and_then(|it| self.picture.nodes[node].find_port(it));
        let operands = self.operands.entry((node, edge.from.port.as_deref())).or_default();
        operands.placed += 1;
        // Jumps to a block have no order: they arrive at one point.
        let arrival = Operands { placed: 1, all: 1 };
        let Operands { placed, all } = if edge.reversed { arrival } else { *operands };
        let part_of = |width: i64| width * placed / (all + 1);
        let (row, column) = cell.unwrap_or((0, 0));
        if let Some(side) = back {
            return self.side_end(node, row, side);
        }
        if row > 0 && edge.kind == Kind::Control {
            return self.side_end(node, row, Side::Left);
        }
        let place = self.boxes[node].rows[row][column].place;
        if cell.is_none() {
            let x = part_of(self.boxes[node].place.width).max(1);
            return End { node, row, x, side: Side::Near };
        }
        if row > 0 {
            return End { node, row, x: place.right() - 5, side: Side::Inside };
        }
        End { node, row, x: place.x + part_of(place.width), side: Side::Near }
    }

    fn operand_end(&mut self, edge: &Edge, node: usize, back: Option<Side>) -> End {
        let cell = edge.to.port.as_ref().and_then(|it| self.picture.nodes[node].find_port(it));
        let last = self.boxes[node].rows.len() - 1;
        let Some((row, column)) = cell else {
            let x = self.boxes[node].place.width / 2;
            let end = End { node, row: last, x, side: Side::Near };
            // Control that leads back arrives at the head of a block.
            return back.map_or(end, |side| self.side_end(node, 0, side));
        };
        if let Some(side) = back {
            return self.side_end(node, row, side);
        }
        if row < last {
            return self.side_end(node, row, Side::Left);
        }
        let place = self.boxes[node].rows[row][column].place;
        End { node, row, x: place.x + place.width / 2, side: Side::Near }
    }

    /// The side at which both ends of a back edge are: that of the cell at which it ends, so that
    /// the edge of a cell on the right does not seem to be that of the cell on the left.
    fn back_side(&self, edge: &Edge, user: usize, operand: usize) -> Side {
        let is_right = |(end, node): (&Endpoint, usize)| {
            let node = &self.picture.nodes[node];
            let cell = end.port.as_ref().and_then(|port| node.find_port(port));
            cell.is_some_and(|(row, column)| 2 * column >= node.rows[row].len().max(2))
        };
        let ends = [(&edge.from, user), (&edge.to, operand)];
        if ends.into_iter().any(is_right) { Side::Right } else { Side::Left }
    }

    fn side_end(&mut self, node: usize, row: usize, side: Side) -> End {
        let own = &mut self.boxes[node];
        let is_right = side == Side::Right;
        let margin = if is_right { &mut own.right_margin } else { &mut own.margin };
        *margin += if *margin == 0 { 10 } else { 7 };
        let x = if is_right { own.place.width + own.right_margin } else { -own.margin };
        End { node, row, x, side }
    }
}
