//! The sizes of nodes and cells, from the lengths of their texts.
//!
//! The font has a fixed width, so the size of a text is known without its font.
use super::Rectangle;
use crate::{Cell, Edge, Kind, Label, Node, Picture};
use std::collections::HashMap;

/// The distance of two lines of text.
pub const LINE_HEIGHT: i64 = 15;

/// A node with a place, and its cells relative to it.
#[derive(Clone, Debug)]
pub struct Box {
    pub place: Rectangle,
    /// The room on its left, for edges.
    pub margin: i64,
    /// The room on its right.
    pub right_margin: i64,
    /// The rows of the table.
    pub rows: Vec<Vec<CellBox>>,
}

/// The place of a cell, relative to the table.
#[derive(Clone, Copy, Debug)]
pub struct CellBox {
    pub place: Rectangle,
}

impl Box {
    /// Places the upper left corner of the node and its margin.
    pub fn move_to(&mut self, (x, y): (i64, i64)) {
        (self.place.x, self.place.y) = (x + self.margin, y);
    }

    /// The size with the margins.
    pub fn size(&self) -> (i64, i64) {
        (self.margin + self.place.width + self.right_margin, self.place.height)
    }
}

/// The width of the longest line of a text.
pub fn text_width(text: &str) -> i64 {
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    (longest as i64 * 29 + 3) / 4
}

/// The boxes of all nodes, at the origin.
pub fn boxes(picture: &Picture) -> Vec<Box> {
    let mut operands: HashMap<&str, i64> = HashMap::new();
    let is_numbered = |edge: &&Edge| matches!(edge.label, Label::Tail(_));
    for edge in picture.edges.iter().filter(is_numbered) {
        *operands.entry(&edge.from.node).or_default() += 1;
    }
    let room = |node: &Node| OPERAND * (operands.get(node.name.as_str()).unwrap_or(&0) + 1);
    picture.nodes.iter().map(|node| node_box(node, room(node))).collect()
}

/// The width of the number of an operand.
const OPERAND: i64 = 14;

/// The box of a node that is at least so wide.
fn node_box(node: &Node, least: i64) -> Box {
    let extra = match node.kind {
        Kind::Memory => 14,
        Kind::Data => 6,
        Kind::Scope | Kind::Control => 0,
    };
    let extra = if node.is_plain() { extra } else { 0 };
    let (mut rows, (mut width, height)) = measure_cells(&node.rows, extra);
    if node.is_plain() && width < least {
        (rows, (width, _)) = measure_cells(&node.rows, extra + (least - width + 1) / 2);
    }
    let place = Rectangle { x: 0, y: 0, width, height };
    Box { place, margin: 0, right_margin: 0, rows }
}

/// The places of a table's cells, and its size. A row with fewer cells than the longest is
/// stretched, so all rows have one width.
pub fn measure_cells(rows: &[Vec<Cell>], extra: i64) -> (Vec<Vec<CellBox>>, (i64, i64)) {
    let widths: Vec<Vec<i64>> =
        rows.iter().map(|row| row.iter().map(cell_width).collect()).collect();
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut columns = vec![0; most];
    for row in widths.iter().filter(|row| row.len() == most) {
        columns.iter_mut().zip(row).for_each(|(column, &width)| *column = width.max(*column));
    }
    let total = |row: &Vec<i64>| row.iter().sum::<i64>();
    let width = widths.iter().map(total).chain([columns.iter().sum()]).max().unwrap_or(0).max(24);
    let width = width + 2 * extra;
    let mut y = 0;
    let mut placed = Vec::new();
    for (row, own) in rows.iter().zip(&widths) {
        let height = row.iter().map(cell_height).max().unwrap_or(LINE_HEIGHT);
        let shares = if row.len() == most { &columns } else { own };
        placed.push(spread(shares, width, y, height));
        y += height;
    }
    (placed, (width, y))
}

/// A row of cells that fill the width.
fn spread(shares: &[i64], width: i64, y: i64, height: i64) -> Vec<CellBox> {
    let spare = width - shares.iter().sum::<i64>();
    let count = shares.len() as i64;
    let mut x = 0;
    let mut row = Vec::new();
    for (at, &share) in (0..).zip(shares) {
        // The rest of the division is spread over the first cells.
        let own = share + spare / count + i64::from(at < spare % count);
        row.push(CellBox { place: Rectangle { x, y, width: own, height } });
        x += own;
    }
    row
}

fn cell_width(cell: &Cell) -> i64 {
    text_width(&cell.text) + 14
}

fn cell_height(cell: &Cell) -> i64 {
    (cell.text.lines().count().max(1) as i64) * LINE_HEIGHT + 7
}
