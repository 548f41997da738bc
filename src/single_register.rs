//! Allocation with a single register: every virtual register becomes eax.
//!
//! That is correct as long as only one value is live at a time.
use crate::ia32::Register;
use crate::ia32::code::{Code, Form};

pub fn allocate(mut code: Code) -> Code {
    for instruction in &mut code.instructions {
        instruction.rename(|_, _| Register::EAX);
    }
    // A move from eax to eax moves nothing.
    code.instructions.retain(|instruction| {
        !instruction.op.is_copy() || instruction.operands[0] != instruction.operands[1]
    });
    Code { form: Form::Allocated, virtual_registers: Vec::new(), ..code }
}

#[cfg(test)]
#[path = "tests/single_register.rs"]
mod tests;
