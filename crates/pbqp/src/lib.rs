#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
mod cost;
mod budget;
mod matrix;
mod problem;
mod graph;
mod residual;
mod report;
mod solution;
mod backpropagation;
mod reduce;
mod degree_buckets;
mod large;
mod sweep;
mod solver;
mod bound;
mod subproblem;
mod branch_and_bound;
mod local_search;
mod irreducible;
mod solve;
mod exact;
mod text;
mod drawing;
mod listing;
mod solve_text;
#[cfg(test)]
mod tests;

pub use arena::Id;
pub use budget::{Budget, Progress};
pub use cost::Cost;
pub use drawing::picture;
pub use exact::solve_exactly;
pub use listing::listing;
pub use problem::{NodeId, Problem};
pub use report::{Observer, Reduction, Rule, Statistics};
pub use residual::Residual;
pub use solution::{Infeasible, Solution};
pub use solve::{DEFAULT_STEPS, Settings, solve, solve_heuristically, solve_with};
pub use solve_text::{Instance, Solved, Unsolved, solve_text};
pub use text::{TextError, parse, print};
