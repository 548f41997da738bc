//! Relocations: the bytes that depend on the addresses of numbers and functions.
//!
//! These addresses are known when the text of the program is laid out. In all encodings that refer
//! to a number or a function, the reference is in the last four bytes.
use crate::ia32::code::{Code, Instruction, Operand};
use crate::ia32::encoded::{Encoded, Referenced, Relocation};
use crate::ia32::instruction::Encoding;

/// Notes the relocations of encoded code.
pub fn collect(code: &Code, encoded: &mut Encoded) {
    let ends = encoded.offsets.iter().skip(1).copied().chain([encoded.bytes.len() as u32]);
    for (instruction, end) in code.instructions.iter().zip(ends) {
        let referenced = instruction.constant().map(Referenced::Number);
        #[cfg(feature = "ch14")]
        let referenced = referenced.or_else(|| function(instruction));
        let relocation = referenced.map(|of| Relocation { offset: end - 4, of });
        encoded.relocations.extend(relocation);
    }
}

/// The function that an instruction refers to.
#[cfg(feature = "ch14")]
fn function(instruction: &Instruction) -> Option<Referenced> {
    let symbol = instruction.operands.into_iter().find_map(Operand::symbol)?;
    let is_distance = matches!(instruction.op.row().encoding, Encoding::SymbolDistance(_));
    Some(if is_distance { Referenced::Distance(symbol) } else { Referenced::Function(symbol) })
}
