//! `sonc`, a teaching compiler. The order of the rooms below is the reading order, cellar first.
mod base;
#[cfg(feature = "ch04")]
mod pbqp;
mod diag;
mod stage;

pub use stage::{Artifact, Halt, Outcome, Stage, Watch};
