//! The live ranges of the registers of selected code, and the parts of register allocation that
//! follow from them with any allocator: hints, stack slots, parallel copies, the frame.
pub mod intervals;
#[cfg(feature = "ch07")]
mod loops;
#[cfg(feature = "ch05")]
mod control_flow;
#[cfg(feature = "ch05")]
mod liveness;
pub mod hints;
pub mod stack_slots;
pub mod parallel_copy;
pub mod frame;
mod print_chart;

#[cfg(test)]
#[cfg(feature = "ch05")]
mod tests;

pub use print_chart::Charted;

use crate::ia32::Code;
use crate::live_ranges::intervals::{Intervals, intervals};

/// Even positions are between two instructions, where operands are read. At odd ones, results are
/// written.
pub type Position = u32;

/// The live interval of each register of the code.
pub fn live_intervals(code: &Code) -> Intervals {
    let intervals = intervals(code);
    #[cfg(feature = "ch05")]
    let intervals = liveness::extend(code, intervals);
    intervals
}
