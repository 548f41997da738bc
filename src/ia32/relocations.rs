//! Relocations: the bytes that depend on the addresses of functions.
//!
//! These addresses are known when the text of the program is laid out. In all encodings with a
//! symbol, it is in the last four bytes.
use crate::ia32::code::{Code, Operand};
use crate::ia32::encoded::{Encoded, Relocation};
use crate::ia32::instruction::Encoding;

/// Notes the relocations of encoded code.
pub fn collect(code: &Code, encoded: &mut Encoded) {
    let ends = encoded.offsets.iter().skip(1).copied().chain([encoded.bytes.len() as u32]);
    for (instruction, end) in code.instructions.iter().zip(ends) {
        let symbol = instruction.operands.into_iter().find_map(Operand::symbol);
        let is_distance = matches!(instruction.op.row().encoding, Encoding::SymbolDistance(_));
        let relocation = symbol.map(|symbol| Relocation { offset: end - 4, symbol, is_distance });
        encoded.relocations.extend(relocation);
    }
}
