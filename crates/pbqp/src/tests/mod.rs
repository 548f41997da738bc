//! The tests of the solver. Its oracles: brute force, variable elimination, and the exact solver.
mod bound;
mod cost;
mod degree_buckets;
mod drawing;
mod exact;
mod large;
mod listing;
mod matrix;
mod oracle;
mod problem;
mod random_problems;
mod reduce;
mod residual;
mod solutions;
mod solved_texts;
mod subproblem;
mod sweep;
mod text;

use crate::backpropagation::ReductionStack;
use crate::bound::{sum_of_minima, trw_s_bound};
use crate::branch_and_bound::search;
use crate::degree_buckets::DegreeBuckets;
use crate::graph::{Graph, Incidence};
use crate::large::{LargeMatrices, MAX_SMALL_MATRIX};
use crate::matrix::MatrixPool;
use crate::reduce::{Scratch, is_reducible, normalize, r1, r2, rn};
use crate::solve::finish;
use crate::solver::{Solver, State};
use crate::subproblem::{SubproblemExtractor, components};
use crate::{
    Budget, Cost, DEFAULT_STEPS, Infeasible, Instance, NodeId, Problem, Progress, Reduction, Rule,
    Settings, Solution, TextError, Unsolved, parse, picture, print, solve, solve_exactly,
    solve_heuristically, solve_text, solve_with,
};
use picture::{Cell, Label, Picture};
use random_problems::{FAMILIES, Family, Random, brute_force, each_selection};
use std::cmp::Reverse;

const INF: Cost = Cost::INFINITY;

fn costs(values: &[u64]) -> Vec<Cost> {
    values.iter().map(|&value| Cost::new(value)).collect()
}

/// The solution of a problem by default settings, and its trace.
fn traced(problem: &Problem) -> (Result<Solution, Infeasible>, Vec<String>) {
    let mut trace = Vec::new();
    let mut record = |reduction: Reduction| trace.push(reduction.to_string());
    let settings = Settings { trace: Some(&mut record), ..Settings::default() };
    (solve_with(problem, settings), trace)
}
