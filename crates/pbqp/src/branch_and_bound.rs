//! Branch and bound: where no reduction applies, the alternatives of a node are tried one by one,
//! and the rest is reduced for each.
//!
//! The base cost plus the minimum of each vector is a lower bound, because all entries are
//! non-negative, and normalization has moved costs into the vectors. A branch that cannot become
//! cheaper than the best known selection is cut off, and so is every alternative that alone would
//! raise the bound that far. When the budget is exhausted, the bounds of the open branches still
//! limit the distance from the optimum.
//! Sources: Hames and Scholz, "Nearly optimal register allocation with PBQP", JMLC 2006 (branch and
//! bound with reductions); Larrosa and Schiex, "Solving weighted CSP by maintaining arc
//! consistency", Artificial Intelligence 2004 (the bounds).
use crate::bound::{minimum, sum_of_minima};
use crate::budget::{Bounds, Budget};
use crate::cost::Cost;
use crate::graph::Graph;
use crate::large::LargeMatrices;
use crate::problem::{NodeId, Problem};
use crate::reduce;
use crate::solver::{Solver, State};
use crate::sweep::SweepState;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// A selection and its cost.
pub type Selection = (Vec<u32>, Cost);

pub struct SearchResult {
    /// The cheapest selection of finite cost that is known, if there is one.
    pub best: Option<Selection>,
    /// No selection costs less; infinite if there is none at all.
    pub lower_bound: Cost,
}

impl SearchResult {
    /// Whether the search was finished.
    pub fn is_complete(&self) -> bool {
        self.lower_bound == cost(&self.best)
    }
}

fn cost(best: &Option<Selection>) -> Cost {
    best.as_ref().map_or(Cost::INFINITY, |best| best.1)
}

/// A branching node.
struct Frame<'p> {
    state: State<'p>,
    x: NodeId,
    /// Alternatives not yet tried and lower bounds for selections with them, the least last.
    untried: Vec<(Cost, u32)>,
}

/// Searches for a selection that costs less than `best`, until the `budget` is exhausted.
pub fn search(problem: &Problem, best: Option<Selection>, budget: &mut Budget) -> SearchResult {
    let (nodes, steps) = (problem.node_count(), steps_per_branch(problem));
    budget.take_up_to(steps);
    let mut search = Search { problem, best };
    let mut frames = Vec::new();
    let large = LargeMatrices::new(problem, MIN_CAPACITY);
    frames.extend(search.expand(State { large, ..State::new(problem) }));
    while let Some(frame) = frames.last() {
        let best = cost(&search.best);
        let Some(&(_, i)) = frame.untried.last().filter(|it| it.0 < best) else {
            frames.pop();
            continue;
        };
        if !budget.take(steps, || Bounds { nodes, lower_bound: open_bound(&frames, best), best }) {
            break;
        }
        let frame = frames.last_mut().expect("it was there before");
        frame.untried.pop();
        let mut state = frame.state.clone();
        assign(&mut state, frame.x, i);
        frames.extend(search.expand(state));
    }
    let lower_bound = open_bound(&frames, cost(&search.best));
    SearchResult { best: search.best, lower_bound }
}

/// The least of the cost of the best known selection and of the bounds of the open branches.
fn open_bound(frames: &[Frame], best: Cost) -> Cost {
    let open = frames.iter().filter_map(|frame| frame.untried.last().map(|it| it.0));
    open.fold(best, Cost::min)
}

/// The number of steps for a branch: one for each node and each edge.
fn steps_per_branch(problem: &Problem) -> u64 {
    let edges = problem.edges().map(|(_, _, matrix)| 1 + (matrix.len() / ENTRIES_PER_STEP) as u64);
    problem.node_count() as u64 + edges.sum::<u64>()
}

/// The capacity for large matrices; less than elsewhere, because each open branch has its own.
const MIN_CAPACITY: usize = 1 << 20;

/// A large matrix counts one step more for so many entries.
const ENTRIES_PER_STEP: usize = 1024;

/// `x` takes alternative `i`.
fn assign(state: &mut State, x: NodeId, i: u32) {
    state.choice[x.index()] = i;
    state.base_cost += state.graph.vector(x)[i as usize];
    reduce::assign(&mut state.graph, x, i);
}

fn lower_bound(state: &State) -> Cost {
    state.base_cost + sum_of_minima(&state.graph)
}

struct Search<'p> {
    problem: &'p Problem,
    best: Option<Selection>,
}

impl<'p> Search<'p> {
    /// Reduces a branch. If that decides all nodes, their selection is the best now; otherwise
    /// returns the next branching node.
    fn expand(&mut self, state: State<'p>) -> Option<Frame<'p>> {
        let mut solver = Solver::new(state, None);
        // A sweep takes longer than all else, so the bound is checked first without it.
        solver.state.sweep = SweepState::paused();
        loop {
            solver.reduce().ok()?;
            let (lower_bound, best) = (lower_bound(&solver.state), cost(&self.best));
            if lower_bound >= best {
                return None;
            }
            let is_pruned = prune_by_bound(&mut solver.state.graph, lower_bound, best);
            if !is_pruned && !core::mem::take(&mut solver.state.sweep.paused) {
                break;
            }
        }
        let Some(x) = branching_node(&solver.state.graph) else {
            solver.backpropagate();
            let (choice, cost) = (solver.state.choice, solver.state.base_cost);
            assert_eq!(cost, self.problem.cost(&choice), "reductions keep the cost of a selection");
            self.best = Some((choice, cost));
            return None;
        };
        let untried = alternatives_by_bound(&solver.state, x);
        Some(Frame { state: solver.state, x, untried })
    }
}

/// Prunes the alternatives that would raise the bound from `lower_bound` to `best`.
fn prune_by_bound(graph: &mut Graph, lower_bound: Cost, best: Cost) -> bool {
    if !best.is_finite() {
        return false;
    }
    let mut is_pruned = false;
    for x in graph.nodes() {
        if graph.is_eliminated(x) {
            continue;
        }
        let minimum = minimum(graph, x);
        for i in 0..graph.vector(x).len() {
            let cost = graph.vector(x)[i];
            if cost.is_finite() && lower_bound + (cost - minimum) >= best {
                graph.add(x, i, Cost::INFINITY);
                is_pruned = true;
            }
        }
    }
    is_pruned
}

/// The node of the highest degree, of several the one with the fewest alternatives.
fn branching_node(graph: &Graph) -> Option<NodeId> {
    graph.connected_nodes().max_by_key(|&x| {
        let allowed = graph.vector(x).iter().filter(|cost| cost.is_finite()).count();
        (graph.degree(x), Reverse(allowed), Reverse(x))
    })
}

/// The allowed alternatives of `x` with lower bounds for selections with them, the least last.
fn alternatives_by_bound(state: &State, x: NodeId) -> Vec<(Cost, u32)> {
    let graph = &state.graph;
    let neighbours = graph.edges_of(x).iter().map(|it| minimum(graph, it.other));
    let rest = lower_bound(state) - (minimum(graph, x) + neighbours.sum());
    let costs = reduce::lookahead_costs(graph, x).into_iter().zip(0..);
    let bounds = costs.map(|(cost, i)| (rest + cost, i));
    let mut bounds: Vec<(Cost, u32)> = bounds.filter(|it| it.0.is_finite()).collect();
    bounds.sort_unstable_by_key(|&it| Reverse(it));
    bounds
}
