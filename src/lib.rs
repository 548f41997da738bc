//! `sonc`, a teaching compiler. The order of the rooms below is the reading order, cellar first.
mod base;

mod arith;
mod diag;
mod stage;

mod start;

mod elf;

mod emulate;

pub use stage::{Artifact, Halt, Outcome, Stage, Watch};
