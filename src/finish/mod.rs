//! The last touches to allocated code: shorter instructions, compares and jumps that are not
//! needed, and an order of the blocks in which control mostly falls through.
mod flow;
mod order;
mod reuse;
mod shorten;
mod thread;
mod write;

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

use crate::ia32::Code;

/// Code that means the same. In what it is given, no block reads flags that another one left.
pub fn finish(code: Code) -> Code {
    let mut flow = flow::Flow::new(&code);
    shorten::shorten(&mut flow);
    thread::thread(&mut flow);
    reuse::reuse(&mut flow);
    let order = order::order(&flow);
    write::write(&flow, &order)
}
