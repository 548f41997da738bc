//! Register allocation by linear scan over live intervals, and the code for spilled values.
mod allocation;
mod scan;
mod spill_code;
#[cfg(feature = "ch05")]
mod edge_resolution;
#[cfg(feature = "ch05")]
mod spill_placement;
mod rewrite;

#[cfg(test)]
mod tests;

use crate::ia32::Code;
use crate::linear_scan::allocation::Allocation;
use crate::linear_scan::scan::LinearScan;
use crate::live_ranges::stack_slots::StackSlots;
use crate::live_ranges::{frame, hints, live_intervals};

/// The code with real registers, with copies, loads and stores.
pub fn allocate(mut code: Code) -> Code {
    let mut intervals = live_intervals(&code);
    hints::commute(&mut code, &mut intervals);
    let copies = hints::copies(&code, &intervals);
    let (parts, spilled) = LinearScan::new(&intervals, copies).run(code.register_count());
    let slots = StackSlots::new(&intervals, &spilled);
    let mut allocation = Allocation::new(&code, &intervals, parts, slots);
    #[cfg(feature = "ch05")]
    allocation.slots.coalesce(&code);
    let moves = allocation.connect_parts();
    #[cfg(feature = "ch05")]
    let moves = allocation.place_stores([moves, allocation.resolve_edges()].concat());
    let body = allocation.rewrite(moves);
    let slots = allocation.slots;
    frame::lay_out(code, vec![body], &slots)
}
