//! What no reduction takes: connected components, each a problem of its own.
//!
//! A small one is searched through. One that is too large for that is decided by guesses, which
//! are then mended where they contradict each other and improved where they are cheap to improve.
use super::budget::Budget;
use super::cost::Cost;
use super::improve::approximate;
use super::pieces::{Piece, Scissors, components};
use super::problem::Problem;
use super::reduce;
use super::report::Rule;
use super::search::{Found, Selection, search};
use super::solve::Infeasible;
use super::solver::Solver;

/// So many nodes a component may have to be searched through.
const SMALL: usize = 1000;

/// A component may use up one of so many parts of the budget that is left.
const SHARE: u64 = 2;

/// What is known of a component.
pub struct Answer {
    pub best: Option<Selection>,
    /// No selection costs less.
    pub lower: Cost,
    /// The nodes that were guessed, if there is no proof that nothing is cheaper.
    pub guessed: Vec<bool>,
}

impl Solver<'_, '_> {
    /// Decides all nodes that are left and have edges.
    pub fn search(&mut self) -> bool {
        let components = components(&self.state.graph);
        if !self.settings.goes_on() || components.is_empty() {
            return false;
        }
        let mut scissors = Scissors::new(&self.state.graph);
        for nodes in components {
            let piece = scissors.cut(&self.state.graph, nodes, &self.state.choice);
            let answer = answer(&piece.problem, &mut self.budget);
            let Some((choice, cost)) = answer.best.filter(|best| best.1.is_finite()) else {
                let (node, proven) = (piece.nodes[0], !answer.lower.is_finite());
                self.failed = Some(Infeasible { node, proven });
                return true;
            };
            self.gap += cost - answer.lower;
            self.accept(&piece, &choice, &answer.guessed);
        }
        // Nobody is left to hear of them.
        self.state.graph.take_dead(&mut Vec::new());
        true
    }

    /// Every node of a component takes what was found best for it.
    fn accept(&mut self, piece: &Piece, choice: &[u32], guessed: &[bool]) {
        for (at, (x, i)) in piece.named(choice).enumerate() {
            let rule = if guessed[at] { Rule::RN } else { Rule::BB };
            self.take(rule, x, i);
            reduce::decide(&mut self.state.graph, x, i);
        }
    }
}

fn answer(problem: &Problem, budget: &mut Budget) -> Answer {
    let mut best = None;
    if problem.node_count() <= SMALL {
        let kept = budget.keep(SHARE);
        let found = search(problem, None, budget);
        budget.give_back(kept);
        if found.is_complete() {
            let Found { best, lower } = found;
            return Answer { best, lower, guessed: vec![false; problem.node_count()] };
        }
        best = Some(found);
    }
    let Answer { best: other, mut lower, guessed } = approximate(problem);
    let mut choices: Vec<Selection> = other.into_iter().collect();
    if let Some(found) = best {
        lower = lower.max(found.lower);
        choices.extend(found.best);
    }
    let best = choices.into_iter().min_by_key(|it| it.1);
    Answer { best, lower, guessed }
}
