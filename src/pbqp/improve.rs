//! Large components: guesses first, then local search with an exact step.
//!
//! RN alone is incomplete: a node may lose its last alternative by a guess far away. Here it is
//! set aside then, with whatever it takes, and the guesses go on. What contradicts each other in
//! the end is mended: the nodes around a contradiction are freed, all others keep their choice,
//! and branch and bound decides the few anew; if there is no way, more nodes are freed. The same
//! step makes the selection cheaper wherever it can, until the work allotted to it is used up.
//! Source: Shaw, "Using constraint programming and local search methods to solve vehicle routing
//! problems", CP 1998 (large neighbourhood search).
use super::bound::spread_bound;
use super::budget::Budget;
use super::cost::Cost;
use super::graph::Graph;
use super::pieces::Scissors;
use super::problem::{NodeId, Problem};
use super::report::{Reduction, Rule};
use super::rest::Answer;
use super::search::search;
use super::solver::{Solver, State};
use super::sweep::Broom;
use arena::Id;

/// So many nodes are freed at first around a contradiction.
const MENDED: usize = 16;

/// How much work for each node that is freed there.
const THOROUGH: u64 = 2_000;

/// So many nodes are freed at once to become cheaper.
const FREED: usize = 28;

/// A node with more edges is not freed only to become cheaper: each time takes a look at them all.
const CROWDED: usize = 64;

/// How much of the work one step may take.
const STEP: u64 = 2_000;

/// How much work for each node of the component may be done to become cheaper.
const EFFORT: u64 = 8;

/// A selection for a component that is too large to be searched through.
pub fn approximate(problem: &Problem) -> Answer {
    let mut guessed = vec![false; problem.node_count()];
    let impossible = Answer { best: None, lower: Cost::INFINITY, guessed: Vec::new() };
    let Some((choice, lower)) = guess(problem, &mut guessed) else { return impossible };
    let graph = Graph::new(problem);
    let scissors = Scissors::new(&graph);
    let mut local = Local { problem, graph, scissors, choice };
    match local.mend() {
        Mended::Impossible => return impossible,
        Mended::GaveUp => return Answer { best: None, lower, guessed },
        Mended::Done => local.cheapen(EFFORT * problem.node_count() as u64),
    }
    let cost = problem.cost(&local.choice);
    Answer { best: Some((local.choice, cost)), lower, guessed }
}

/// Guesses until everything is decided; gives the choice, which may be forbidden, and a lower
/// bound for all others. Nothing if there is no choice that is not forbidden.
fn guess(problem: &Problem, guessed: &mut [bool]) -> Option<(Vec<u32>, Cost)> {
    let mut note = |step: Reduction| guessed[step.node.index()] |= step.rule == Rule::RN;
    let mut solver = Solver::new(State::new(problem), &mut note);
    // Components have been swept.
    solver.state.broom = Broom::resting();
    solver.reduce().ok()?;
    let lower = solver.state.promised + spread_bound(solver.state.graph.clone());
    while solver.guess() {
        while let Err(wrong) = solver.reduce() {
            solver.set_aside(wrong.node);
        }
    }
    solver.go_back();
    Some((solver.state.choice, lower))
}

/// What has become of the contradictions.
enum Mended {
    Done,
    /// There is no selection without one.
    Impossible,
    GaveUp,
}

struct Local<'p> {
    problem: &'p Problem,
    graph: Graph<'p>,
    scissors: Scissors,
    choice: Vec<u32>,
}

impl Local<'_> {
    /// Frees the nodes around every contradiction, more and more, until there is none; or until
    /// not even all nodes together find a way.
    fn mend(&mut self) -> Mended {
        for x in self.problem.nodes() {
            let mut size = MENDED;
            while self.is_contradicted(x) {
                let nodes = self.scissors.around(&self.graph, x, size, usize::MAX);
                let all = nodes.len() == self.problem.node_count();
                let impossible = !self.free(nodes, &mut Budget::new(THOROUGH * size as u64));
                if all && impossible {
                    return Mended::Impossible;
                }
                if all && self.is_contradicted(x) {
                    return Mended::GaveUp;
                }
                size *= 2;
            }
        }
        Mended::Done
    }

    fn is_contradicted(&self, x: NodeId) -> bool {
        let chosen = |x: NodeId| self.choice[x.index()] as usize;
        let links = self.graph.edges_of(x).iter();
        let matrices = links.map(|it| self.graph.view(it.edge, x).at(chosen(x), chosen(it.other)));
        !(self.graph.vector(x)[chosen(x)] + matrices.sum()).is_finite()
    }

    /// Frees the nodes around one node after the other, until all were free once.
    fn cheapen(&mut self, work: u64) {
        let mut budget = Budget::new(work);
        let mut free = vec![false; self.problem.node_count()];
        for x in self.problem.nodes() {
            if !free[x.index()] && self.graph.degree(x) <= CROWDED {
                let nodes = self.scissors.around(&self.graph, x, FREED, CROWDED);
                nodes.iter().for_each(|x| free[x.index()] = true);
                let Some(kept) = budget.keep_all_but(STEP) else { return };
                self.free(nodes, &mut budget);
                budget.give_back(kept);
            }
        }
    }

    /// Decides some nodes anew; false if there is no way to do that.
    fn free(&mut self, nodes: Vec<NodeId>, budget: &mut Budget) -> bool {
        let piece = self.scissors.cut(&self.graph, nodes, &self.choice);
        let choice: Vec<u32> = piece.nodes.iter().map(|x| self.choice[x.index()]).collect();
        let cost = piece.problem.cost(&choice);
        let known = cost.is_finite().then_some((choice, cost));
        let found = search(&piece.problem, known, budget);
        if let Some((choice, _)) = &found.best {
            piece.named(choice).for_each(|(x, i)| self.choice[x.index()] = i);
        }
        found.lower.is_finite()
    }
}
