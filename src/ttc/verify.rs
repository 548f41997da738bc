//! The verifier: the seven checks of the case, and the invariants of programs.
use super::graph::Graph;
use super::ttc_checks::CheckFailure;
use super::{program_checks, ttc_checks};

/// The checks of a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strictness {
    /// The seven checks.
    #[default]
    Case,
    /// If these succeed, the invariants of programs.
    Program,
}

/// Every check that fails; the seven checks use this number of threads.
pub fn verify(graph: &Graph, strictness: Strictness, threads: usize) -> Vec<CheckFailure> {
    let failures = ttc_checks::verify(graph, threads);
    match strictness {
        Strictness::Program if failures.is_empty() => program_checks::verify(graph),
        Strictness::Case | Strictness::Program => failures,
    }
}
