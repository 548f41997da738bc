//! The exact solver: branch and bound over all selections, without reductions.
//!
//! It shares no rule with the other solver, so it serves as an oracle for it, and it is what
//! remains where reductions are switched off. The nodes are ordered, and before the search each
//! node, last node first, moves its minimum to an earlier neighbour (directional arc consistency
//! for weighted constraints; Cooper, "Reduction operations in fuzzy or valued constraint
//! satisfaction", 2003). The cost so far plus the minimum of each undecided vector is a lower
//! bound. On a tree this bound is exact, and the search never backtracks.
use crate::budget::{Bounds, Budget};
use crate::cost::Cost;
use crate::problem::{NodeId, Problem, transposed};
use crate::report::Statistics;
use crate::solution::{Infeasible, Solution};
use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

/// Searches for a cheapest selection until the `budget` is exhausted. Starts from a `known`
/// solution of the problem, if there is one, and keeps its statistics.
///
/// # Errors
/// There is no selection of finite cost, or none was found within the budget.
pub fn solve_exactly(
    problem: &Problem,
    known: Option<Solution>,
    budget: &mut Budget,
) -> Result<Solution, Infeasible> {
    let (order, components) = order(problem);
    let mut search = Search::new(problem, &order);
    let [mut cost, mut lower_bound] = [Cost::ZERO; 2];
    let mut failed = None;
    for component in components {
        let nodes = &order[component];
        let best = known.as_ref().map_or(Cost::INFINITY, |it| search.restrict(nodes, &it.choice));
        let result = search.run(nodes, best, budget);
        if !result.lower_bound.is_finite() {
            return Err(Infeasible { node: nodes[0], proven: true });
        }
        cost += result.best;
        lower_bound += result.lower_bound;
        if !cost.is_finite() {
            failed.get_or_insert(nodes[0]);
        }
    }
    if let Some(node) = failed {
        return Err(Infeasible { node, proven: !lower_bound.is_finite() });
    }
    let lower_bound = known.as_ref().map_or(lower_bound, |it| it.lower_bound().max(lower_bound));
    let statistics = known.map_or(Statistics::default(), |it| it.statistics);
    Ok(Solution { choice: search.best, cost, gap: cost - lower_bound, statistics })
}

/// The cost of the best known selection for a component, infinite if there is none, and a lower
/// bound. They are equal when the search is finished.
struct ComponentResult {
    best: Cost,
    lower_bound: Cost,
}

/// An order in which each node has as many neighbours before it as a greedy choice allows, and its
/// ranges that are connected components.
fn order(problem: &Problem) -> (Vec<NodeId>, Vec<Range<usize>>) {
    let mut neighbours = vec![Vec::new(); problem.node_count()];
    for (u, v, _) in problem.edges() {
        neighbours[u.index()].push(v);
        neighbours[v.index()].push(u);
    }
    let mut earlier = vec![0; problem.node_count()];
    let mut is_placed = vec![false; problem.node_count()];
    let mut queue: BinaryHeap<_> = problem.nodes().map(|x| (0, Reverse(x))).collect();
    let (mut order, mut starts) = (Vec::new(), Vec::new());
    while let Some((count, Reverse(x))) = queue.pop() {
        if core::mem::replace(&mut is_placed[x.index()], true) {
            continue;
        }
        if count == 0 {
            starts.push(order.len());
        }
        order.push(x);
        for &y in &neighbours[x.index()] {
            earlier[y.index()] += 1;
            queue.push((earlier[y.index()], Reverse(y)));
        }
    }
    starts.push(order.len());
    let components = starts.windows(2).map(|bounds| bounds[0]..bounds[1]).collect();
    (order, components)
}

struct Search<'p> {
    problem: &'p Problem,
    /// The vectors; those of undecided nodes with the costs of their edges to decided ones.
    vectors: Vec<Cost>,
    /// The edges of each node to later ones.
    arcs: Vec<Vec<Arc>>,
    /// Entries of `vectors` that a decision has changed, and their previous costs.
    trail: Vec<(usize, Cost)>,
    choice: Vec<u32>,
    best: Vec<u32>,
}

/// An edge; its matrix has a row for each alternative of the earlier end.
struct Arc {
    earlier: NodeId,
    later: NodeId,
    matrix: Vec<Cost>,
}

/// A node that is being decided.
struct Frame {
    /// The cost of the nodes before it.
    cost_so_far: Cost,
    /// The sum of the minima of the nodes after it.
    rest: Cost,
    /// Alternatives not yet tried, the cheapest last.
    untried: Vec<u32>,
    /// The length of the trail before the node is decided.
    trail: usize,
}

impl Search<'_> {
    fn new<'p>(problem: &'p Problem, order: &[NodeId]) -> Search<'p> {
        let count = problem.node_count();
        let mut search = Search {
            problem,
            vectors: problem.vectors.clone(),
            arcs: (0..count).map(|_| Vec::new()).collect(),
            trail: Vec::new(),
            choice: vec![0; count],
            best: vec![0; count],
        };
        for arc in search.directional_arc_consistency(sorted_arcs(problem, order)) {
            search.arcs[arc.earlier.index()].push(arc);
        }
        search
    }

    /// Moves costs from each node, the last one first, to the neighbours before it:
    ///
    /// ```text
    /// C(i, j) += c_later(j),  c_later(j) = 0;   c_earlier(i) += m,  C(i, j) −= m
    /// ```
    ///
    /// with m = min_j C(i, j). The nearest neighbour comes first and gets the whole vector.
    fn directional_arc_consistency(&mut self, mut arcs: Vec<Arc>) -> Vec<Arc> {
        for arc in arcs.iter_mut().rev() {
            let [rows, columns] = [arc.earlier, arc.later].map(|x| self.problem.alternatives(x));
            for (i, row) in rows.zip(arc.matrix.chunks_mut(columns.len().max(1))) {
                let later = self.vectors[columns.clone()].iter();
                row.iter_mut().zip(later).for_each(|(entry, &cost)| *entry += cost);
                let minimum = minimum(row);
                self.vectors[i] += minimum;
                if minimum.is_finite() {
                    row.iter_mut().for_each(|entry| *entry = *entry - minimum);
                }
            }
            let later = self.vectors[columns].iter_mut();
            later.filter(|cost| cost.is_finite()).for_each(|cost| *cost = Cost::ZERO);
        }
        arcs
    }

    /// Makes the known choice of a component the best. Returns its cost.
    fn restrict(&mut self, nodes: &[NodeId], known: &[u32]) -> Cost {
        let chosen = |x: NodeId| known[x.index()] as usize;
        let mut cost = Cost::ZERO;
        for &x in nodes {
            self.best[x.index()] = known[x.index()];
            cost += self.vector(x)[chosen(x)];
            for arc in &self.arcs[x.index()] {
                let columns = self.vector(arc.later).len();
                cost += arc.matrix[chosen(x) * columns + chosen(arc.later)];
            }
        }
        cost
    }

    /// Decides a component for less than `best`, the cost of the best known selection.
    fn run(&mut self, order: &[NodeId], mut best: Cost, budget: &mut Budget) -> ComponentResult {
        let lower_bound = order.iter().map(|&x| minimum(self.vector(x))).sum();
        let mut frames = Vec::new();
        if lower_bound < best {
            frames.push(self.open(order[0], Cost::ZERO, lower_bound));
        }
        while let Some(depth) = frames.len().checked_sub(1) {
            let frame: &mut Frame = &mut frames[depth];
            self.undo(frame.trail);
            let Some(i) = frame.untried.pop() else {
                frames.pop();
                continue;
            };
            let x = order[depth];
            let cost_so_far = frame.cost_so_far + self.vector(x)[i as usize];
            if cost_so_far + frame.rest >= best {
                continue;
            }
            if !budget.take(self.steps(x), || Bounds { nodes: order.len(), lower_bound, best }) {
                return ComponentResult { best, lower_bound };
            }
            self.choice[x.index()] = i;
            let rest = self.assign(x, i as usize, frame.rest);
            if cost_so_far + rest >= best {
                continue;
            }
            if let Some(&next) = order.get(depth + 1) {
                frames.push(self.open(next, cost_so_far, rest));
            } else {
                best = cost_so_far;
                order.iter().for_each(|x| self.best[x.index()] = self.choice[x.index()]);
            }
        }
        ComponentResult { best, lower_bound: best }
    }

    /// Starts to decide `x`, whose minimum `rest` still contains.
    fn open(&self, x: NodeId, cost_so_far: Cost, rest: Cost) -> Frame {
        let vector = self.vector(x);
        let mut untried: Vec<u32> = (0..vector.len() as u32).collect();
        untried.retain(|&i| vector[i as usize].is_finite());
        untried.sort_by_key(|&i| Reverse((vector[i as usize], i)));
        Frame { cost_so_far, rest: rest - minimum(vector), untried, trail: self.trail.len() }
    }

    /// Adds the costs of alternative `i` of `x` to its later neighbours. Returns the new `rest`.
    fn assign(&mut self, x: NodeId, i: usize, mut rest: Cost) -> Cost {
        for arc in &self.arcs[x.index()] {
            let later = self.problem.alternatives(arc.later);
            let row = arc.matrix[i * later.len()..].iter();
            let vector = &mut self.vectors[later.clone()];
            rest = rest - minimum(vector);
            for ((position, cost), &more) in later.zip(vector.iter_mut()).zip(row) {
                if more > Cost::ZERO {
                    self.trail.push((position, *cost));
                    *cost += more;
                }
            }
            rest += minimum(vector);
            if !rest.is_finite() {
                break;
            }
        }
        rest
    }

    /// The number of steps to decide `x`.
    fn steps(&self, x: NodeId) -> u64 {
        let later = self.arcs[x.index()].iter().map(|arc| self.vector(arc.later).len());
        1 + later.map(|count| 1 + (count / ENTRIES_PER_STEP) as u64).sum::<u64>()
    }

    fn undo(&mut self, length: usize) {
        for (position, cost) in self.trail.drain(length..).rev() {
            self.vectors[position] = cost;
        }
    }

    fn vector(&self, x: NodeId) -> &[Cost] {
        &self.vectors[self.problem.alternatives(x)]
    }
}

/// The edges by later end, then by earlier end.
fn sorted_arcs(problem: &Problem, order: &[NodeId]) -> Vec<Arc> {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, x)| rank[x.index()] = at);
    let arcs = problem.edges().map(|(u, v, matrix)| {
        let (earlier, later) = if rank[u.index()] < rank[v.index()] { (u, v) } else { (v, u) };
        let columns = problem.vector(v).len();
        let matrix = if earlier == u { matrix.to_vec() } else { transposed(matrix, columns) };
        Arc { earlier, later, matrix }
    });
    let mut arcs: Vec<Arc> = arcs.collect();
    arcs.sort_by_key(|arc| (rank[arc.later.index()], rank[arc.earlier.index()]));
    arcs
}

/// A long vector counts one step more for so many entries.
const ENTRIES_PER_STEP: usize = 1024;

fn minimum(costs: &[Cost]) -> Cost {
    costs.iter().copied().min().unwrap_or(Cost::INFINITY)
}
