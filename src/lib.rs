//! `sonc`, a teaching compiler. The order of the rooms below is the reading order, cellar first.
mod chapter;
#[cfg(test)]
mod random;
#[cfg(feature = "ch04")]
mod pbqp;

mod arith;
mod types;
mod diag;
mod stage;

mod sea;

#[cfg(feature = "ch02")]
mod peephole;

mod parse;

mod schedule;

mod firm;
mod lower;

mod rules;
mod ia32;
#[cfg(feature = "ch19")]
mod ttc;
#[cfg(feature = "ch19")]
mod prove;
mod select;
#[cfg(feature = "ch25")]
mod retype;
mod allocate;
#[cfg(feature = "ch05")]
mod finish;
mod start;

mod machine_code;
mod driver;
mod report;

#[cfg(test)]
mod proof;

pub use chapter::this_chapter;
pub use diag::Diag;
pub use driver::*;
#[cfg(feature = "ch02")]
pub use peephole::{Rule as Peephole, Step, rules as peepholes};
pub use report::*;
pub use rules::RuleSet as MachineRules;
pub use select::preference::*;
pub use source::Source;
pub use stage::{Artifact, End, Halt, Outcome, Stage, Violation, Watch};
