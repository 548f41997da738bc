//! Register allocation by linear scan over live intervals, and stack slots for spilled values.
#[cfg(feature = "ch02")]
pub mod intervals;
#[cfg(feature = "ch07")]
mod loops;
#[cfg(feature = "ch05")]
mod control_flow;
#[cfg(feature = "ch05")]
mod liveness;
#[cfg(feature = "ch02")]
pub mod hints;
#[cfg(feature = "ch02")]
mod linear_scan;
#[cfg(feature = "ch02")]
pub mod stack_slots;
#[cfg(feature = "ch02")]
pub mod parallel_copy;
#[cfg(feature = "ch02")]
mod spill_code;
#[cfg(feature = "ch05")]
mod edge_resolution;
#[cfg(feature = "ch05")]
mod spill_placement;
#[cfg(feature = "ch02")]
mod rewrite;
#[cfg(feature = "ch02")]
pub mod frame;
#[cfg(feature = "ch02")]
mod allocation;
#[cfg(feature = "ch02")]
mod print_chart;
#[cfg(not(feature = "ch02"))]
#[path = "single.rs"]
mod allocation;

#[cfg(feature = "ch02")]
pub use allocation::Allocation;
pub use allocation::allocate;
#[cfg(feature = "ch20")]
pub use allocation::{live_intervals, with_blocks};
#[cfg(feature = "ch02")]
pub use print_chart::Charted;

/// Even positions are between two instructions, where operands are read. At odd ones, results are
/// written.
#[cfg(feature = "ch02")]
pub type Position = u32;

#[cfg(test)]
#[cfg(feature = "ch02")]
pub mod tests;
