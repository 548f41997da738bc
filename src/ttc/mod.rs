//! The case "Compiler Optimization" of the Transformation Tool Contest 2011, on top of Firm.
//!
//! Programs are Firm graphs in files of GXL. They are checked, folded, and instructions for TR, an
//! abstract machine, are selected in place: each operation is replaced by an instruction.
//! Source: S. Buchwald, E. Jakumeit, "Compiler Optimization: A Case for the Transformation Tool
//! Contest", EPTCS 74, 2011.
#[cfg(feature = "ch25")]
mod artifact;
#[cfg(feature = "ch25")]
mod fold;
#[cfg(feature = "ch25")]
pub mod generate;
#[cfg(feature = "ch25")]
mod graph;
#[cfg(feature = "ch25")]
pub mod gxl;
#[cfg(feature = "ch25")]
mod program_checks;
#[cfg(feature = "ch25")]
mod select_in_place;
#[cfg(feature = "ch25")]
mod symbols;
#[cfg(test)]
#[cfg(feature = "ch25")]
mod tests;
pub mod tr;
#[cfg(feature = "ch25")]
mod ttc_checks;
#[cfg(feature = "ch25")]
mod verify;

pub use tr::{Code, TARGET};

/// The work on graphs in files.
#[cfg(feature = "ch25")]
pub use {
    fold::{FoldOptions, Folded, fold},
    graph::{Graph, SelectedForm},
    program_checks::cycle,
    select_in_place::{Counts, Uncovered, select_in_place, selection_problem},
    symbols::Symbols,
    ttc_checks::CheckFailure,
    verify::{Strictness, verify},
};
