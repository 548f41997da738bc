//! `sonc`, a teaching compiler. The order of the rooms below is the reading order, cellar first.
mod arith;
mod base;
mod diag;
mod stage;

mod rules;

mod ia32;

mod alloc;

pub use stage::{Artifact, Halt, Outcome, Stage, Watch};
