//! The exact solver: branch and bound over all selections, an oracle for the fast one.
//!
//! It shares no rule with the reductions, in which it differs from every other search here: so it
//! can judge them, and where they are switched off it is what is left. The nodes get an order, and
//! before the search each node hands what it costs at least to an earlier one, last node first
//! (directional arc consistency for weighted constraints; Cooper, "Reduction operations in fuzzy
//! or valued constraint satisfaction", 2003). Then what is paid, plus the least entry of each open
//! vector, is a lower bound. On a tree it is exact, and the search never turns back.
use super::budget::{Budget, Known};
use super::cost::Cost;
use super::problem::{NodeId, Problem, transposed};
use arena::Id;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// What is known of the cheapest selection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exact {
    Optimal {
        choice: Vec<u32>,
        cost: Cost,
    },
    Infeasible,
    /// The search was too long.
    GaveUp {
        /// The cheapest selection that is known, if there is one.
        best: Option<(Vec<u32>, Cost)>,
        /// No selection costs less.
        lower: Cost,
    },
}

/// Looks for a cheapest selection as long as the `budget` lasts; `known` is a selection of finite
/// cost that is known already.
pub fn solve_exactly(problem: &Problem, known: Option<&[u32]>, budget: &mut Budget) -> Exact {
    let (order, components) = order(problem);
    let mut search = Search::new(problem, &order);
    let [mut cost, mut lower] = [Cost::ZERO; 2];
    for component in components {
        let known = known.map(|known| search.restrict(&order[component.clone()], known));
        let found = search.run(&order[component], known.unwrap_or(Cost::INFINITY), budget);
        if !found.lower.is_finite() {
            return Exact::Infeasible;
        }
        cost += found.best;
        lower += found.lower;
    }
    match (cost.is_finite(), cost == lower) {
        (true, true) => Exact::Optimal { choice: search.best, cost },
        (false, true) => Exact::Infeasible,
        (is_known, false) => {
            let best = is_known.then_some((search.best, cost));
            Exact::GaveUp { best, lower }
        }
    }
}

/// What is known of connected nodes: the cost of the best selection, infinite if there is none,
/// and a bound for all. They are equal when the search is at its end.
struct Found {
    best: Cost,
    lower: Cost,
}

/// An order in which each node has as many neighbours before it as a greedy choice allows, and
/// the stretches of it that are connected.
fn order(problem: &Problem) -> (Vec<NodeId>, Vec<Range<usize>>) {
    let mut neighbours = vec![Vec::new(); problem.node_count()];
    for (u, v, _) in problem.edges() {
        neighbours[u.index()].push(v);
        neighbours[v.index()].push(u);
    }
    let mut before = vec![0; problem.node_count()];
    let mut placed = vec![false; problem.node_count()];
    let mut queue: BinaryHeap<_> = problem.nodes().map(|x| (0, Reverse(x))).collect();
    let (mut order, mut starts) = (Vec::new(), Vec::new());
    while let Some((count, Reverse(x))) = queue.pop() {
        if std::mem::replace(&mut placed[x.index()], true) {
            continue;
        }
        if count == 0 {
            starts.push(order.len());
        }
        order.push(x);
        for &y in &neighbours[x.index()] {
            before[y.index()] += 1;
            queue.push((before[y.index()], Reverse(y)));
        }
    }
    starts.push(order.len());
    let components = starts.windows(2).map(|bounds| bounds[0]..bounds[1]).collect();
    (order, components)
}

struct Search<'p> {
    problem: &'p Problem,
    /// The vectors; for an open node, with what the decided neighbours make of them.
    vectors: Vec<Cost>,
    /// The edges of each node to later ones.
    arcs: Vec<Vec<Arc>>,
    /// Entries of `vectors` that a decision has changed, and what they were.
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
    /// What the nodes before it cost.
    paid: Cost,
    /// What the nodes behind it cost at least.
    rest: Cost,
    /// Alternatives not yet tried, the most promising last.
    untried: Vec<u32>,
    /// The length of the trail before the node decides.
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
        for arc in search.hand_back(sorted_arcs(problem, order)) {
            search.arcs[arc.earlier.index()].push(arc);
        }
        search
    }

    /// Hands costs from each node, the last one first, to the neighbours before it:
    ///
    /// ```text
    /// C(i, j) += c_later(j),  c_later(j) = 0;   c_earlier(i) += m,  C(i, j) −= m
    /// ```
    ///
    /// with m = min_j C(i, j). The nearest neighbour comes first and gets the whole vector.
    fn hand_back(&mut self, mut arcs: Vec<Arc>) -> Vec<Arc> {
        for arc in arcs.iter_mut().rev() {
            let [rows, columns] = [arc.earlier, arc.later].map(|x| self.problem.alternatives(x));
            for (i, row) in rows.zip(arc.matrix.chunks_mut(columns.len().max(1))) {
                let later = self.vectors[columns.clone()].iter();
                row.iter_mut().zip(later).for_each(|(entry, &cost)| *entry += cost);
                let least = least(row);
                self.vectors[i] += least;
                if least.is_finite() {
                    row.iter_mut().for_each(|entry| *entry = *entry - least);
                }
            }
            let later = self.vectors[columns].iter_mut();
            later.filter(|cost| cost.is_finite()).for_each(|cost| *cost = Cost::ZERO);
        }
        arcs
    }

    /// Takes note of a selection for connected nodes; gives what they cost with it.
    fn restrict(&mut self, order: &[NodeId], known: &[u32]) -> Cost {
        let chosen = |x: NodeId| known[x.index()] as usize;
        let mut cost = Cost::ZERO;
        for &x in order {
            self.best[x.index()] = known[x.index()];
            cost += self.vector(x)[chosen(x)];
            for arc in &self.arcs[x.index()] {
                let columns = self.vector(arc.later).len();
                cost += arc.matrix[chosen(x) * columns + chosen(arc.later)];
            }
        }
        cost
    }

    /// Decides connected nodes, for less than `best`, which is what they cost with what is known.
    fn run(&mut self, order: &[NodeId], mut best: Cost, budget: &mut Budget) -> Found {
        let rest = order.iter().map(|&x| least(self.vector(x))).sum();
        let lower = rest;
        let mut frames = Vec::new();
        if rest < best {
            frames.push(self.open(order[0], Cost::ZERO, rest));
        }
        while let Some(depth) = frames.len().checked_sub(1) {
            let frame: &mut Frame = &mut frames[depth];
            self.undo(frame.trail);
            let Some(i) = frame.untried.pop() else {
                frames.pop();
                continue;
            };
            let x = order[depth];
            let paid = frame.paid + self.vector(x)[i as usize];
            if paid + frame.rest >= best {
                continue;
            }
            if !budget.take(self.steps(x), || Known { nodes: order.len(), lower, best }) {
                return Found { best, lower };
            }
            self.choice[x.index()] = i;
            let rest = self.decide(x, i as usize, frame.rest);
            if paid + rest >= best {
                continue;
            }
            if let Some(&next) = order.get(depth + 1) {
                frames.push(self.open(next, paid, rest));
            } else {
                best = paid;
                order.iter().for_each(|x| self.best[x.index()] = self.choice[x.index()]);
            }
        }
        Found { best, lower: best }
    }

    /// Starts to decide `x`. `rest` still counts its least entry.
    fn open(&self, x: NodeId, paid: Cost, rest: Cost) -> Frame {
        let vector = self.vector(x);
        let mut untried: Vec<u32> = (0..vector.len() as u32).collect();
        untried.retain(|&i| vector[i as usize].is_finite());
        untried.sort_by_key(|&i| Reverse((vector[i as usize], i)));
        Frame { paid, rest: rest - least(vector), untried, trail: self.trail.len() }
    }

    /// Tells the later neighbours of `x` that it takes alternative `i`; gives the new `rest`.
    fn decide(&mut self, x: NodeId, i: usize, mut rest: Cost) -> Cost {
        for arc in &self.arcs[x.index()] {
            let later = self.problem.alternatives(arc.later);
            let row = arc.matrix[i * later.len()..].iter();
            let vector = &mut self.vectors[later.clone()];
            rest = rest - least(vector);
            for ((place, cost), &more) in later.zip(vector.iter_mut()).zip(row) {
                if more > Cost::ZERO {
                    self.trail.push((place, *cost));
                    *cost += more;
                }
            }
            rest += least(vector);
            if !rest.is_finite() {
                break;
            }
        }
        rest
    }

    /// So many steps it takes to decide `x`.
    fn steps(&self, x: NodeId) -> u64 {
        let later = self.arcs[x.index()].iter().map(|arc| self.vector(arc.later).len());
        1 + later.map(|count| 1 + (count / PER_STEP) as u64).sum::<u64>()
    }

    fn undo(&mut self, length: usize) {
        for (place, cost) in self.trail.drain(length..).rev() {
            self.vectors[place] = cost;
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

/// So many entries that are read are one step more.
const PER_STEP: usize = 1024;

fn least(costs: &[Cost]) -> Cost {
    costs.iter().copied().min().unwrap_or(Cost::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::super::budget::Progress;
    use super::super::random::{FAMILIES, Random, brute_force};
    use super::super::solve::solve;
    use super::*;

    #[test]
    fn the_search_finds_what_brute_force_finds() {
        for family in FAMILIES {
            for seed in 0..800 {
                let random = &mut Random(seed);
                let size = 1 + random.below(7);
                let problem = (family.draw)(random, size.max(2));
                let least = brute_force(&problem);
                match solve_exactly(&problem, None, &mut Budget::new(u64::MAX)) {
                    Exact::Optimal { choice, cost } => {
                        assert_eq!((cost, problem.cost(&choice)), (least, least), "{seed}");
                        assert!(cost.is_finite(), "{} {seed}", family.name);
                    }
                    Exact::Infeasible => assert_eq!(least, Cost::INFINITY, "{seed}"),
                    Exact::GaveUp { .. } => panic!("{} {seed} takes for ever", family.name),
                }
            }
        }
    }

    #[test]
    fn on_a_tree_the_search_never_turns_back() {
        let size = 3000;
        let tree = &FAMILIES[0];
        let solved = (0..20).filter(|&seed| {
            let problem = (tree.draw)(&mut Random(seed), size);
            let steps = size + problem.edge_count();
            match solve_exactly(&problem, None, &mut Budget::new(steps as u64)) {
                Exact::Optimal { .. } => true,
                Exact::Infeasible => false,
                Exact::GaveUp { .. } => panic!("{seed}"),
            }
        });
        assert!(solved.count() > 10);
    }

    /// Whatever the budget, nothing is claimed that is not true; and a known selection is kept.
    #[test]
    fn a_search_that_is_too_long_says_what_it_knows() {
        let mut gave_up = [0; 2];
        for family in FAMILIES {
            for seed in 0..100 {
                let problem = (family.draw)(&mut Random(seed), 6);
                let least = brute_force(&problem);
                let first = solve(&problem).ok();
                let first = first.as_ref().map(|it| &it.choice[..]);
                for (steps, known) in
                    [0, 5, 20, 80].into_iter().flat_map(|it| [(it, None), (it, first)])
                {
                    match solve_exactly(&problem, known, &mut Budget::new(steps)) {
                        Exact::Optimal { cost, .. } => assert_eq!(cost, least, "{seed}"),
                        Exact::Infeasible => assert!(!least.is_finite(), "{seed}"),
                        Exact::GaveUp { best, lower } => {
                            assert!(lower <= least, "{} {seed}", family.name);
                            assert!(best.is_some() || known.is_none(), "{seed}");
                            gave_up[usize::from(best.is_some())] += 1;
                            let Some((choice, cost)) = best else { continue };
                            assert!(cost.is_finite() && cost >= least, "{seed}");
                            assert_eq!(problem.cost(&choice), cost, "{seed}");
                        }
                    }
                }
            }
        }
        assert!(gave_up.iter().all(|&count| count > 50), "{gave_up:?}");
    }

    #[test]
    fn a_long_search_tells_how_far_it_is() {
        let problem = (FAMILIES[3].draw)(&mut Random(0), 30);
        let mut news = Vec::new();
        let mut tell = |progress: Progress| news.push(progress);
        solve_exactly(&problem, None, &mut Budget::told(10_000, 100, &mut tell));
        assert!(news.len() > 3, "{news:?}");
        for (number, Progress { steps, nodes, lower, best }) in news.iter().enumerate() {
            assert!(steps[0] / 100 > number as u64 && steps[1] == 10_000, "{news:?}");
            assert!(*nodes == 30 && lower <= best, "{news:?}");
        }
    }
}
