//! The last touches to allocated code: shorter instructions, compares and jumps that are not
//! needed, and an order of the blocks in which control mostly falls through.
mod control_flow;
mod block_layout;
mod compare_elimination;
mod size_reduction;
mod jump_threading;
mod write;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use crate::ia32::Code;

/// Code that means the same. In what it is given, no block reads flags that another one left.
pub fn finish(code: Code) -> Code {
    let mut flow = control_flow::ControlFlow::new(&code);
    size_reduction::reduce_size(&mut flow);
    jump_threading::thread(&mut flow);
    compare_elimination::eliminate_compares(&mut flow);
    let order = block_layout::lay_out(&flow);
    write::write(&flow, &order)
}
