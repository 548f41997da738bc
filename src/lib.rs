//! `sonc`, a teaching compiler. The modules below are in reading order, foundation first.
#![cfg_attr(not(feature = "ch29"), allow(unused_imports))]
mod chapter;
#[cfg(feature = "ch02")]
#[cfg(test)]
mod effort;
#[cfg(feature = "ch02")]
#[cfg(test)]
mod random;

mod arith;
#[cfg(feature = "ch05")]
mod frequency;
#[cfg(feature = "ch12")]
mod floats;
#[cfg(feature = "ch10")]
mod heap;
#[cfg(feature = "ch15")]
mod traps;
mod types;
mod diagnostics;
mod stage;

mod sea;

#[cfg(feature = "ch26")]
mod region;
#[cfg(feature = "ch27")]
mod flow_graph;
#[cfg(feature = "ch27")]
mod restructure;

#[cfg(feature = "ch28")]
mod extract;

#[cfg(feature = "ch02")]
mod peephole;

mod parse;

mod schedule;

mod firm;
#[cfg(feature = "ch14")]
mod ranges;
#[cfg(feature = "ch15")]
mod bounds;
#[cfg(feature = "ch18")]
mod inlining;
mod lower;
#[cfg(feature = "ch26")]
mod lower_regions;
#[cfg(feature = "ch27")]
mod raise;
#[cfg(feature = "ch28")]
mod egraph;

#[cfg(feature = "ch14")]
mod legalize;
#[cfg(feature = "ch25")]
mod pre_selection;

mod target;
#[cfg(feature = "ch02")]
mod rules;
mod ia32;
#[cfg(feature = "ch02")]
mod select;
#[cfg(feature = "ch18")]
mod register_usage;
#[cfg(feature = "ch18")]
mod argument_registers;
#[cfg(feature = "ch19")]
mod ttc;
#[cfg(feature = "ch19")]
mod rule_validation;
#[cfg(feature = "ch02")]
mod live_ranges;
#[cfg(feature = "ch02")]
mod linear_scan;
#[cfg(feature = "ch20")]
mod colour;
#[cfg(feature = "ch20")]
mod allocation_validation;
#[cfg(feature = "ch05")]
mod post_allocation;

mod machine_code;
#[cfg(not(feature = "ch02"))]
#[path = "one_page.rs"]
mod driver;
#[cfg(feature = "ch02")]
mod driver;
mod report;

pub use chapter::this_chapter;
pub use diagnostics::Diagnostic;
pub use driver::*;
#[cfg(feature = "ch02")]
pub use peephole::{Rewrite, Rule as Peephole, rules as peepholes};
pub use report::*;
#[cfg(feature = "ch02")]
pub use rules::{Rule as MachineRule, RuleSet as MachineRules};
#[cfg(feature = "ch02")]
pub use select::options::*;
pub use source::Source;
#[cfg(feature = "ch09")]
pub use stage::FirmNode;
pub use stage::{Artifact, Halt, Outcome, Stage, StageObserver, Termination, Violation};
