//! Ranks: the layer of each item.
use super::layered::{Line, Place, Problem};

/// The width of a layer of items without lines.
const PAGE: i64 = 1_000;

/// Each item is below all items above it, as high as possible; items without lines to the layers
/// above them are then moved down to their users, and items without any lines fill rows.
pub fn ranks(problem: &Problem) -> Vec<usize> {
    let count = problem.sizes.len();
    let mut above: Vec<Vec<&Line>> = vec![Vec::new(); count];
    let mut below: Vec<Vec<&Line>> = vec![Vec::new(); count];
    for line in &problem.lines {
        above[line.lower.0].push(line);
        below[line.upper.0].push(line);
    }
    let order = topological_order(&above, &below);
    let first = usize::from(problem.places.contains(&Place::Top));
    let mut ranks = vec![0; count];
    for &at in &order {
        let least = if problem.places[at] == Place::Top { 0 } else { first };
        let uppers = above[at].iter().map(|line| ranks[line.upper.0] + length(line));
        ranks[at] = uppers.max().unwrap_or(0).max(least);
    }
    let is_free = |at: usize| problem.places[at] == Place::Free;
    for &at in order.iter().rev().filter(|&&at| is_free(at)) {
        let lowers = below[at].iter().filter(|line| is_free(line.lower.0));
        let highest = lowers.map(|line| ranks[line.lower.0] - length(line)).min();
        // The first item stays on top: it is the start.
        if above[at].len() < bundles(&below[at]) && at > 0 {
            ranks[at] = highest.unwrap_or(ranks[at]);
        }
    }
    let has_lines = |at: usize| !(above[at].is_empty() && below[at].is_empty());
    fill_rows(problem, first, &has_lines, &mut ranks);
    let last = (0..count).filter(|&at| problem.places[at] != Place::Bottom).map(|at| ranks[at]);
    let last = last.max().unwrap_or(0);
    for at in (0..count).filter(|&at| problem.places[at] == Place::Bottom) {
        ranks[at] = last + 1;
    }
    ranks
}

/// A labelled line needs a layer for its label.
fn length(line: &Line) -> usize {
    1 + usize::from(line.label.is_some())
}

fn bundles(lines: &[&Line]) -> usize {
    let mut bundles: Vec<usize> = lines.iter().map(|line| line.bundle).collect();
    bundles.sort_unstable();
    bundles.dedup();
    bundles.len()
}

fn topological_order(above: &[Vec<&Line>], below: &[Vec<&Line>]) -> Vec<usize> {
    let mut missing: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..above.len()).filter(|&at| missing[at] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        for line in &below[order[next]] {
            let lower = line.lower.0;
            missing[lower] -= 1;
            if missing[lower] == 0 {
                order.push(lower);
            }
        }
        next += 1;
    }
    order
}

/// Places items without lines in rows that are as wide as a page.
fn fill_rows(
    problem: &Problem,
    first: usize,
    has_lines: &dyn Fn(usize) -> bool,
    ranks: &mut [usize],
) {
    let (mut rank, mut width) = (first, 0);
    for at in (0..ranks.len()).filter(|&at| !has_lines(at)) {
        if width > 0 && width + problem.sizes[at].0 > PAGE {
            (rank, width) = (rank + 1, 0);
        }
        ranks[at] = rank;
        width += problem.sizes[at].0;
    }
}
