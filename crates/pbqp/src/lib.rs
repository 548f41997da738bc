#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod ids;
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
#[cfg(feature = "text")]
mod text;
#[cfg(feature = "picture")]
mod drawing;
mod listing;
#[cfg(feature = "text")]
mod solve_text;
#[cfg(test)]
mod tests;

pub use budget::{Budget, Progress};
pub use cost::Cost;
#[cfg(feature = "picture")]
pub use drawing::picture;
pub use exact::solve_exactly;
pub use listing::listing;
pub use problem::{NodeId, Problem};
pub use report::{Observer, Reduction, Rule, Statistics};
pub use residual::Residual;
pub use solution::{Infeasible, Solution};
pub use solve::{DEFAULT_STEPS, Settings, solve, solve_heuristically, solve_with};
#[cfg(feature = "text")]
pub use solve_text::{Instance, Solved, Unsolved, solve_text};
#[cfg(feature = "text")]
pub use text::{TextError, parse, print};
