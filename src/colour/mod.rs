//! Register allocation on SSA form: spilling, colouring, coalescing.
//!
//! First, values are spilled until no more of them are live at any point than there are registers.
//! Then the interference graph is chordal: coloured in the order of dominance, it needs no more
//! registers than the pressure. Last, copies are removed by a PBQP. (S. Hack, D. Grund, G. Goos:
//! Register Allocation for Programs in SSA Form, 2006; M. Braun, S. Hack: Register Spilling and
//! Live-Range Splitting for SSA-Form Programs, 2009; S. Buchwald, A. Zwinkau, T. Bersch: SSA-Based
//! Register Allocation with PBQP, 2011.)
mod single_assignment;
mod frequency;
mod next_use;
mod fixed_regions;
mod split_code;
mod memory_operand;
mod spiller;
mod block_entry;
mod edges;
mod stores;
mod spill;
mod interference;
mod color;
mod coalesce;
mod rewrite;
#[cfg(test)]
mod tests;

pub use coalesce::Statistics;

use crate::allocate::live_intervals;
use crate::allocate::{allocate as scan, hints};
use crate::ia32::Code;

/// The allocated code, and how its PBQPs were solved. Where fixed registers leave too few colours,
/// the linear scan takes over.
pub fn allocate(code: Code) -> (Code, Statistics) {
    colour(code.clone()).unwrap_or_else(|| (scan(code), Statistics::default()))
}

/// The same; `None` if fixed registers leave too few colours.
fn colour(mut code: Code) -> Option<(Code, Statistics)> {
    single_assignment::rename(&mut code);
    let mut intervals = live_intervals(&code);
    hints::commute(&mut code, &mut intervals);
    let (mut split, slots) = spill::spill(&code, &intervals);
    let graph = interference::build(&code, &mut split);
    let colours = color::color(&graph)?;
    let (colours, statistics) = coalesce::coalesce(&graph, colours);
    Some((rewrite::rewrite(&code, &split, &colours, slots, &intervals), statistics))
}
