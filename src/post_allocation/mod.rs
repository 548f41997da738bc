//! Passes after register allocation: loop inversion, redundant copies, shorter instructions,
//! compare elimination, jump threading and block layout.
mod control_flow;
mod block_layout;
mod compare_elimination;
#[cfg(feature = "ch20")]
mod loop_inversion;
#[cfg(feature = "ch20")]
mod redundant_copies;
mod size_reduction;
mod jump_threading;
mod linearize;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use crate::ia32::Code;

/// Improves allocated code. In its input, no block reads flags that another block has set.
pub fn finish(code: Code) -> Code {
    let mut flow = control_flow::ControlFlow::new(&code);
    #[cfg(feature = "ch20")]
    loop_inversion::invert(&mut flow);
    #[cfg(feature = "ch20")]
    redundant_copies::remove(&mut flow);
    size_reduction::reduce_size(&mut flow);
    jump_threading::thread_jumps(&mut flow);
    compare_elimination::eliminate_compares(&mut flow);
    let order = block_layout::lay_out(&flow);
    let Code { instructions, blocks, .. } = linearize::linearize(&flow, &order);
    Code { instructions, blocks, ..code }
}
