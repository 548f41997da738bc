//! What no reduction removes: connected components, each a problem of its own.
//!
//! A small component is searched. One that is too large for that, or whose search exceeds its
//! budget, is decided by RN and improved by local search.
use crate::branch_and_bound::{SearchResult, search};
use crate::budget::Budget;
use crate::cost::Cost;
use crate::local_search::{ComponentSolution, approximate};
use crate::problem::Problem;
use crate::reduce;
use crate::report::Rule;
use crate::solution::Infeasible;
use crate::solver::Solver;
use crate::subproblem::{Subproblem, SubproblemExtractor, components};
use alloc::vec;

/// The number of nodes of the largest component that is searched.
const MAX_SEARCHED_NODES: usize = 1000;

/// The search of a component may use one of so many parts of the remaining budget.
const BUDGET_PARTS: u64 = 2;

/// Decides all nodes that have edges. Returns the sum of the components' gaps.
pub fn decide(solver: &mut Solver, budget: &mut Budget) -> Result<Cost, Infeasible> {
    let components = components(&solver.state.graph);
    let mut gap = Cost::ZERO;
    if components.is_empty() {
        return Ok(gap);
    }
    let mut extractor = SubproblemExtractor::new(&solver.state.graph);
    for nodes in components {
        let part = extractor.extract(&solver.state.graph, nodes, &solver.state.choice);
        let ComponentSolution { best, lower_bound, is_heuristic } = solve(&part.problem, budget);
        let Some((choice, cost)) = best.filter(|best| best.1.is_finite()) else {
            return Err(Infeasible { node: part.nodes[0], proven: !lower_bound.is_finite() });
        };
        gap += cost - lower_bound;
        accept(solver, &part, &choice, &is_heuristic);
    }
    Ok(gap)
}

/// Every node of a component takes its alternative of the best selection.
fn accept(solver: &mut Solver, part: &Subproblem, choice: &[u32], is_heuristic: &[bool]) {
    for ((x, i), &is_heuristic) in part.in_graph(choice).zip(is_heuristic) {
        solver.take(if is_heuristic { Rule::RN } else { Rule::BB }, x, i);
        reduce::assign(&mut solver.state.graph, x, i);
    }
}

fn solve(problem: &Problem, budget: &mut Budget) -> ComponentSolution {
    let mut partial = None;
    if problem.node_count() <= MAX_SEARCHED_NODES {
        let reserved = budget.reserve_all_but_part(BUDGET_PARTS);
        let result = search(problem, None, budget);
        budget.release(reserved);
        if result.is_complete() {
            let SearchResult { best, lower_bound } = result;
            let is_heuristic = vec![false; problem.node_count()];
            return ComponentSolution { best, lower_bound, is_heuristic };
        }
        partial = Some(result);
    }
    let mut solution = approximate(problem);
    if let Some(SearchResult { best, lower_bound }) = partial {
        solution.lower_bound = solution.lower_bound.max(lower_bound);
        solution.best = solution.best.into_iter().chain(best).min_by_key(|it| it.1);
    }
    solution
}
