//! `sonc`, a teaching compiler. The order of the rooms below is the reading order, cellar first.
mod base;
#[cfg(feature = "ch04")]
mod pbqp;

mod arith;
mod types;
mod diag;
mod stage;

mod sea;

#[cfg(feature = "ch02")]
mod peep;

mod parse;

mod schedule;

mod firm;
mod lower;

mod rules;
mod ia32;

mod alloc;

mod start;
mod elf;
mod emulate;

pub use stage::{Artifact, Halt, Outcome, Stage, Watch};
