//! One register is enough for one value at a time: every virtual register is eax.
//!
//! That holds as long as no value has to wait while another is computed.
use crate::ia32::code::{Code, Form};
use crate::ia32::{Op, Register};

pub fn allocate(mut code: Code) -> Code {
    for instruction in &mut code.instructions {
        instruction.rename(|_, _| Register::EAX);
    }
    // A move from eax to eax moves nothing.
    code.instructions.retain(|instruction| {
        instruction.op != Op::Mov || instruction.operands[0] != instruction.operands[1]
    });
    Code { form: Form::Allocated, virtuals: 0, ..code }
}

#[cfg(test)]
#[path = "tests/single.rs"]
mod tests;
