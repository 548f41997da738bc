//! Passes after register allocation: shorter instructions, compare elimination, jump threading and
//! block layout.
//! @ch18 Tail calls become jumps.
//! @ch20 Redundant copies, instruction combining.
//! @ch27 Tests with a certain result.
//! @ch29 Loop inversion, signs, frames only on the paths that need them.
mod control_flow;
mod decoded;
mod block_layout;
mod compare_elimination;
#[cfg(feature = "ch20")]
mod combining;
mod jump_threading;
#[cfg(feature = "ch29")]
mod loop_inversion;
#[cfg(feature = "ch20")]
mod redundant_copies;
#[cfg(feature = "ch29")]
mod signs;
#[cfg(feature = "ch29")]
mod shrink_wrapping;
mod size_reduction;
#[cfg(feature = "ch18")]
mod tail_calls;
mod linearize;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use crate::ia32::Code;
use crate::ia32::code::BlockId;
use crate::ia32::register::RegisterSet;
use arena::SideTable;

/// Improves allocated code. In its input, no block reads flags that another block has set.
pub fn finish(mut code: Code) -> Code {
    let mut flow = control_flow::ControlFlow::new(&code);
    code.instructions = Vec::new(); // They are in the blocks, and the memory is free.
    #[cfg(feature = "ch20")]
    let live_out = simplify(&mut flow);
    shorten(&mut flow);
    #[cfg(feature = "ch29")]
    let live_out = shrink_wrapping::wrap(&mut flow, live_out);
    let order = flow.order();
    compare_elimination::eliminate_compares(&mut flow, &order);
    #[cfg(feature = "ch20")]
    combining::combine(&mut flow, &live_out);
    let frequencies = flow.frequencies(&order);
    let order = block_layout::lay_out(&flow, order.reachable, &frequencies);
    let Code { instructions, blocks, .. } = linearize::linearize(flow, &order, &frequencies);
    Code { instructions, blocks, ..code }
}

/// Shorter instructions, and jumps to where control goes in the end.
fn shorten(flow: &mut control_flow::ControlFlow) {
    size_reduction::reduce_size(flow);
    jump_threading::thread_jumps(flow);
    #[cfg(feature = "ch18")]
    tail_calls::replace_tail_calls(flow);
}

/// Removes work that the allocation could not see. Returns the registers that are live after each
/// block.
#[cfg(feature = "ch20")]
fn simplify(flow: &mut control_flow::ControlFlow) -> SideTable<BlockId, RegisterSet> {
    #[cfg(feature = "ch27")]
    jump_threading::thread_certain_tests(flow);
    #[cfg(feature = "ch29")]
    loop_inversion::invert(flow);
    let order = flow.order();
    redundant_copies::remove(flow, &order)
}
