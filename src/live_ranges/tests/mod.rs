//! Tests of the whole module.
mod liveness;
mod parallel_copies;
