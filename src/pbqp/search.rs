//! Branch and bound: where nothing can be reduced, a node tries its alternatives one by one, and
//! the rest is reduced for each.
//!
//! What is paid already plus the least entry of each vector is a lower bound, because all entries
//! are at least 0, and normal matrices have moved into the vectors what they could. A branch that
//! cannot become cheaper than the best selection known is cut off; so is every alternative that
//! alone would lift the bound so high. Steps are counted, and when they run out the bounds of the
//! open branches still say how far from the optimum the best selection is at most.
//! Source: Hames and Scholz, "Nearly optimal register allocation with PBQP", JMLC 2006, for
//! branch and bound with reductions; Larrosa and Schiex, "Solving weighted CSP by maintaining
//! arc consistency", Artificial Intelligence 2004, for the bounds.
use super::budget::{Budget, Known};
use super::cost::Cost;
use super::graph::Graph;
use super::large::Large;
use super::problem::{NodeId, Problem};
use super::reduce;
use super::report::Reduction;
use super::solver::{Solver, State};
use super::sweep::Broom;
use arena::Id;
use std::cmp::Reverse;

/// A selection and what it costs.
pub type Selection = (Vec<u32>, Cost);

/// What a search has found.
pub struct Found {
    /// The cheapest selection of finite cost, if there was one.
    pub best: Option<Selection>,
    /// No selection costs less; infinite if there is none at all.
    pub lower: Cost,
}

impl Found {
    /// What the best selection costs.
    fn cost(best: &Option<Selection>) -> Cost {
        best.as_ref().map_or(Cost::INFINITY, |best| best.1)
    }

    /// Whether nothing is left to be found.
    pub fn is_complete(&self) -> bool {
        self.lower == Found::cost(&self.best)
    }
}

/// A node that is being decided.
struct Frame<'p> {
    state: State<'p>,
    x: NodeId,
    /// Alternatives not yet tried and what a selection with them costs at least, least last.
    untried: Vec<(Cost, u32)>,
}

/// Looks for a selection that costs less than `best`, as long as the `budget` lasts.
pub fn search(problem: &Problem, best: Option<Selection>, budget: &mut Budget) -> Found {
    let (nodes, size) = (problem.node_count(), size(problem));
    budget.take_up_to(size);
    let mut search = Search { problem, best };
    let mut frames = Vec::new();
    let large = Large::new(problem, ROOM);
    frames.extend(search.open(State { large, ..State::new(problem) }));
    while let Some(frame) = frames.last_mut() {
        let Some((bound, i)) = frame.untried.pop() else {
            frames.pop();
            continue;
        };
        if bound >= Found::cost(&search.best) {
            // So do all that are left.
            frames.pop();
            continue;
        }
        frame.untried.push((bound, i));
        let best = Found::cost(&search.best);
        if !budget.take(size, || Known { nodes, lower: open_bound(&frames, best), best }) {
            break;
        }
        let frame = frames.last_mut().expect("it was there before");
        frame.untried.pop();
        let x = frame.x;
        let mut state = frame.state.clone();
        decide(&mut state, x, i);
        frames.extend(search.open(state));
    }
    let lower = open_bound(&frames, Found::cost(&search.best));
    Found { best: search.best, lower }
}

/// What a selection costs at least: as much as the best that is known, or as an open branch says.
fn open_bound(frames: &[Frame], best: Cost) -> Cost {
    let open = frames.iter().filter_map(|frame| frame.untried.last().map(|it| it.0));
    open.fold(best, Cost::min)
}

/// How many steps it takes to look at everything once more.
fn size(problem: &Problem) -> u64 {
    let edges = problem.edges().map(|(_, _, matrix)| 1 + (matrix.len() / PER_STEP) as u64);
    problem.node_count() as u64 + edges.sum::<u64>()
}

/// Each open branch has large matrices of its own: these are less.
const ROOM: usize = 1 << 20;

/// So many entries of a large matrix are one step more.
const PER_STEP: usize = 1024;

/// `x` takes alternative `i`.
fn decide(state: &mut State, x: NodeId, i: u32) {
    state.choice[x.index()] = i;
    state.promised += state.graph.vector(x)[i as usize];
    reduce::decide(&mut state.graph, x, i);
}

/// What has been paid, and what is left costs at least.
fn lower_bound(state: &State) -> Cost {
    let graph = &state.graph;
    let left = graph.nodes().filter(|&x| !graph.is_gone(x));
    state.promised + left.map(|x| least(graph, x)).sum()
}

fn least(graph: &Graph, x: NodeId) -> Cost {
    graph.vector(x).iter().copied().min().unwrap_or(Cost::INFINITY)
}

struct Search<'p> {
    problem: &'p Problem,
    best: Option<Selection>,
}

impl<'p> Search<'p> {
    /// Reduces; if that decides everything, takes note of the selection.
    fn open(&mut self, state: State<'p>) -> Option<Frame<'p>> {
        let mut silent = |_: Reduction| {};
        let mut solver = Solver::new(state, &mut silent);
        // A sweep takes longer than all else; first see whether it is needed.
        solver.state.broom = Broom::resting();
        loop {
            solver.reduce().ok()?;
            let lower = lower_bound(&solver.state);
            let least = Found::cost(&self.best);
            if lower >= least {
                return None;
            }
            let killed = kill_expensive(&mut solver.state.graph, lower, least);
            if !killed && !std::mem::take(&mut solver.state.broom.rests) {
                break;
            }
        }
        let Some(x) = widest(&solver.state.graph) else {
            solver.go_back();
            let choice = solver.state.choice;
            let cost = self.problem.cost(&choice);
            assert_eq!(cost, solver.state.promised, "reductions keep the cost of a selection");
            self.best = Some((choice, cost));
            return None;
        };
        let untried = foreseen(&solver.state, x);
        Some(Frame { state: solver.state, x, untried })
    }
}

/// Kills what would lift the bound from `lower` to `limit`.
fn kill_expensive(graph: &mut Graph, lower: Cost, limit: Cost) -> bool {
    if !limit.is_finite() {
        return false;
    }
    let mut killed = false;
    for x in graph.nodes() {
        if graph.is_gone(x) {
            continue;
        }
        let least = least(graph, x);
        for i in 0..graph.vector(x).len() {
            let cost = graph.vector(x)[i];
            if cost.is_finite() && lower + (cost - least) >= limit {
                graph.add(x, i, Cost::INFINITY);
                killed = true;
            }
        }
    }
    killed
}

/// The node with the most edges, of several the one with the fewest alternatives.
fn widest(graph: &Graph) -> Option<NodeId> {
    let left = graph.nodes().filter(|&x| !graph.is_gone(x) && graph.degree(x) > 0);
    left.max_by_key(|&x| {
        let live = graph.vector(x).iter().filter(|cost| cost.is_finite()).count();
        (graph.degree(x), Reverse(live), Reverse(x))
    })
}

/// The live alternatives of `x`, each with what a selection with it costs at least.
fn foreseen(state: &State, x: NodeId) -> Vec<(Cost, u32)> {
    let graph = &state.graph;
    let near = graph.edges_of(x).iter().map(|link| least(graph, link.other));
    let rest = lower_bound(state) - (least(graph, x) + near.sum());
    let costs = reduce::foreseen(graph, x).into_iter().enumerate();
    let mut untried: Vec<(Cost, u32)> =
        costs.map(|(i, cost)| (rest + cost, i as u32)).filter(|it| it.0.is_finite()).collect();
    untried.sort_unstable_by_key(|&it| Reverse(it));
    untried
}
