//! The solver: reductions first, then a search through what they leave, then backpropagation.
//!
//! Edges without influence are removed first, then nodes with one neighbour, then nodes with two,
//! then dominated alternatives and nodes that others determine; all these reductions keep the
//! optimum. What remains is split into connected components, each of which is searched. Eliminated
//! nodes choose last. Every step is deterministic, so a problem has one solution.
use crate::budget::Budget;
use crate::cost::Cost;
use crate::irreducible;
use crate::problem::Problem;
use crate::report::{Observer, Rule};
use crate::solution::{Infeasible, Solution};
use crate::solver::{Solver, State};

/// How to solve a problem.
pub struct Settings<'s> {
    /// Whether a node that loses an alternative has its edges normalized again. Without it, RN
    /// makes avoidable wrong choices: for demonstration only.
    pub propagate: bool,
    /// Whether dominance, RM and the search come before RN.
    pub search: bool,
    /// The steps that all searches may take together.
    pub budget: Budget<'s>,
    /// Called for each reduction.
    pub trace: Option<Observer<'s>>,
}

/// The budget of [`Settings::default`].
pub const DEFAULT_STEPS: u64 = 4_000_000;

impl Settings<'_> {
    /// Arc consistency is a precondition of dominance and of the search.
    fn uses_search(&self) -> bool {
        self.propagate && self.search
    }
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Settings { propagate: true, search: true, budget: Budget::new(DEFAULT_STEPS), trace: None }
    }
}

/// A cheap selection, usually a cheapest one: see [`Solution::is_optimal`].
///
/// With at most k alternatives a node, the reductions take O((n + m) k³), and the search takes at
/// most [`DEFAULT_STEPS`] steps.
///
/// # Errors
/// No selection of finite cost was found.
pub fn solve(problem: &Problem) -> Result<Solution, Infeasible> {
    solve_with(problem, Settings::default())
}

/// As [`solve`], but RN decides all nodes that R1 and R2 leave. This takes linear time for any
/// problem, may miss the optimum, and may fail although there is a selection.
///
/// # Errors
/// No selection of finite cost was found.
pub fn solve_heuristically(problem: &Problem) -> Result<Solution, Infeasible> {
    solve_with(problem, Settings { search: false, ..Settings::default() })
}

/// As [`solve`], with other settings.
///
/// # Errors
/// No selection of finite cost was found.
pub fn solve_with(problem: &Problem, settings: Settings) -> Result<Solution, Infeasible> {
    let uses_search = settings.uses_search();
    let Settings { propagate, trace, mut budget, .. } = settings;
    let mut solver = Solver::new(State::new(problem), trace);
    solver.propagate = propagate;
    solver.state.sweep.paused = !uses_search;
    for edge in problem.edges.ids().filter(|&edge| problem.edges[edge].is_zero) {
        let [u, v] = problem.edges[edge].ends;
        solver.reporter.reduced(&solver.state.graph, Rule::RE, u, &[v]);
    }
    finish(solver, problem, uses_search.then_some(&mut budget))
}

/// Solves a problem of which `solver` has the state; without a budget for searches, by RN.
pub(crate) fn finish(
    mut solver: Solver,
    problem: &Problem,
    budget: Option<&mut Budget>,
) -> Result<Solution, Infeasible> {
    solver.reduce()?;
    let uses_search = budget.is_some();
    let mut gap = Cost::ZERO;
    if let Some(budget) = budget {
        gap = irreducible::decide(&mut solver, budget)?;
    } else {
        while solver.reduce_rn() {
            solver.reduce()?;
        }
    }
    solver.backpropagate();
    let (choice, cost) = (solver.state.choice, solver.state.base_cost);
    let statistics = solver.reporter.statistics;
    if let Some(node) = solver.infinite_at {
        return Err(Infeasible { node, proven: statistics.is_exact() });
    }
    debug_assert_eq!(cost, problem.cost(&choice), "reductions keep the cost of a selection");
    if !uses_search && !statistics.is_exact() {
        // The lower bound is zero.
        gap = cost;
    }
    Ok(Solution { choice, cost, gap, statistics })
}
