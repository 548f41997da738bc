//! Register allocation on SSA form: spilling, colouring, coalescing.
//!
//! First, values are spilled until no more of them are live at any point than there are registers.
//! Then the interference graph is chordal: coloured in the order of dominance, it needs no more
//! registers than the pressure. Last, copies are removed by a PBQP. (S. Hack, D. Grund, G. Goos:
//! Register Allocation for Programs in SSA Form, 2006; M. Braun, S. Hack: Register Spilling and
//! Live-Range Splitting for SSA-Form Programs, 2009; S. Buchwald, A. Zwinkau, T. Bersch: SSA-Based
//! Register Allocation with PBQP, 2011.)
mod single_assignment;
mod next_use;
mod fixed_regions;
mod split_code;
mod spiller;
mod memory_operand;
mod read_modify_write;
mod block_entry;
mod edges;
mod stores;
mod spill;
mod interference;
mod congruence;
mod color;
mod recolour;
mod coalesce;
mod rewrite;
#[cfg(test)]
mod tests;

pub use coalesce::Statistics;

use crate::diagnostics::{self, Diagnostic};
use crate::ia32::Code;
use crate::live_ranges::{hints, live_intervals};

/// The allocated code, and how its PBQPs were solved.
///
/// # Errors
/// A rule of a file may have instructions that name nearly all registers, one after the other. Then
/// too few are left for its operands.
pub fn allocate(mut code: Code) -> Result<(Code, Statistics), Diagnostic> {
    single_assignment::rename(&mut code);
    let mut intervals = live_intervals(&code);
    hints::commute(&mut code, &mut intervals);
    let (mut split, slots) = spill::spill(&code, &intervals);
    drop(intervals);
    let graph = interference::build(&code, &mut split);
    let Some(colours) = color::color(&graph) else {
        let message = format!("too few registers for the rules that `{}` needs", code.name);
        let label = "`--registers scan` may allocate this program";
        let span = source::Span::default();
        return Err(Diagnostic::new(diagnostics::Code::Rule, span, message, label));
    };
    let (colours, statistics) = coalesce::coalesce(&graph, colours);
    drop(graph);
    Ok((rewrite::rewrite(code, split, &colours, slots), statistics))
}
