//! The partitioned Boolean quadratic problem: costs in, choices out.
//!
//! A graph of decisions. Node u has k_u alternatives, and a vector c_u says what each costs. An
//! edge {u, v} has a matrix C_uv: what alternative i of u and alternative j of v cost on top when
//! they are chosen together. A selection s takes one alternative of every node, and costs
//!
//! ```text
//! Σ_u c_u(s(u))  +  Σ_{u,v} C_uv(s(u), s(v))
//! ```
//!
//! An infinite cost forbids. Wanted is a cheapest selection. That is NP-hard in general, but most
//! of a large sparse instance can be taken apart without guessing: see `reduce`, then `solve`.
//!
//! Sources: Scholz and Eckstein, "Register allocation for irregular architectures", LCTES 2002
//! (the reductions); Hames and Scholz, "Nearly optimal register allocation with PBQP", JMLC 2006
//! (the heuristic, branch and bound); Buchwald and Zwinkau, "Instruction selection by graph
//! transformation", CASES 2010 (normal matrices, infinities that spread, instruction selection).
mod cost;
mod budget;
mod matrix;
mod problem;
mod graph;
mod reduce;
mod report;
mod crowd;
mod answers;
#[cfg(feature = "ch19")]
mod settings;
#[cfg(feature = "ch19")]
mod sweep;
mod large;
mod solver;
mod solve;
#[cfg(feature = "ch19")]
mod search;
#[cfg(feature = "ch19")]
mod pieces;
#[cfg(feature = "ch19")]
mod bound;
#[cfg(feature = "ch19")]
mod improve;
#[cfg(feature = "ch19")]
mod rest;
mod exact;
mod text;
mod dot;
#[cfg(test)]
mod random;
#[cfg(feature = "ch19")]
#[cfg(test)]
mod oracle;

pub use budget::{Budget, Progress};
pub use cost::Cost;
pub use dot::picture;
pub use exact::{Exact, solve_exactly};
pub use problem::{NodeId, Problem};
pub use report::Rule;
#[cfg(feature = "ch19")]
pub use settings::{Settings, USUAL_STEPS};
pub use solve::{Infeasible, Solution, solve, solve_observed};
#[cfg(feature = "ch19")]
pub use solve::{solve_by_guesses, solve_with};
pub use solver::Observer;
pub use text::parse;
