//! The parts of a level that no line connects. If they are too wide beside each other, each is laid
//! out by itself, and they fill rows.
use super::layered::{self, Line, Place, Problem, Route, Solution};

/// The width of a page, and the distance of parts.
const PAGE: i64 = 1_600;
const DISTANCE: i64 = 40;

/// Lays out a level; none if its lines are too long.
pub fn lay_out(problem: &Problem) -> Option<Solution> {
    let solution = layered::lay_out(problem)?;
    let is_inside = problem.places.iter().any(|place| *place != Place::Free);
    let parts = if is_inside || solution.width <= PAGE { Vec::new() } else { parts(problem) };
    if parts.len() < 2 {
        return Some(solution);
    }
    let solve = |part: &Vec<usize>| layered::lay_out(&subproblem(problem, part));
    let solutions = parts.iter().map(solve).collect::<Option<Vec<_>>>()?;
    Some(in_rows(problem, &parts, &solutions))
}

/// The items of each part, in their order; items without lines are one part.
fn parts(problem: &Problem) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); problem.sizes.len()];
    for line in &problem.lines {
        neighbours[line.upper.0].push(line.lower.0);
        neighbours[line.lower.0].push(line.upper.0);
    }
    let mut is_known = vec![false; neighbours.len()];
    let (mut parts, mut alone) = (Vec::new(), Vec::new());
    for first in 0..neighbours.len() {
        let mut part = Vec::new();
        let mut pending = vec![first];
        while let Some(item) = pending.pop() {
            if !std::mem::replace(&mut is_known[item], true) {
                part.push(item);
                pending.extend(&neighbours[item]);
            }
        }
        part.sort_unstable();
        match part.len() {
            0 => {}
            1 => alone.extend(part),
            _ => parts.push(part),
        }
    }
    parts.extend((!alone.is_empty()).then_some(alone));
    parts
}

/// The graph of some items, which are numbered anew.
fn subproblem(problem: &Problem, items: &[usize]) -> Problem {
    let number = |(item, x): (usize, i64)| Some((items.binary_search(&item).ok()?, x));
    let line = |line: &Line| {
        let (upper, lower) = (number(line.upper)?, number(line.lower)?);
        Some(Line { upper, lower, label: line.label, bundle: line.bundle })
    };
    Problem {
        sizes: items.iter().map(|&item| problem.sizes[item]).collect(),
        places: vec![Place::Free; items.len()],
        lines: problem.lines.iter().filter_map(line).collect(),
    }
}

/// The parts in rows, from left to right.
fn in_rows(problem: &Problem, parts: &[Vec<usize>], solutions: &[Solution]) -> Solution {
    let mut corners = vec![(0, 0); problem.sizes.len()];
    let mut routes: Vec<Option<Route>> = problem.lines.iter().map(|_| None).collect();
    let (mut x, mut y, mut row_height, mut width) = (0, 0, 0, 0);
    for (items, solution) in parts.iter().zip(solutions) {
        if x > 0 && x + solution.width > PAGE {
            (x, y, row_height) = (0, y + row_height + DISTANCE, 0);
        }
        for (&item, corner) in items.iter().zip(&solution.corners) {
            corners[item] = (x + corner.0, y + corner.1);
        }
        let own = (0..).zip(&problem.lines);
        let own = own.filter(|(_, line)| items.binary_search(&line.upper.0).is_ok());
        for ((at, _), route) in own.zip(&solution.routes) {
            routes[at] = Some(route.moved(x, y));
        }
        width = width.max(x + solution.width);
        row_height = row_height.max(solution.height);
        x += solution.width + DISTANCE;
    }
    let routes = routes.into_iter().map(|it| it.expect("a line belongs to a part")).collect();
    Solution { corners, routes, width, height: y + row_height }
}
