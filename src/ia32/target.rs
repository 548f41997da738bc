//! IA-32 as rules see it: its registers, its instructions and their length.
#[cfg(feature = "ch04")]
use crate::ia32::Operand;
use crate::ia32::build;
#[cfg(feature = "ch04")]
use crate::ia32::code::Base;
use crate::ia32::encode::encode_instruction;
use crate::ia32::instruction_table::ROWS;
use crate::ia32::register::{NAMES, Register};
use crate::target::code_builder;
use crate::target::{InstructionForm, Target};
use arena::Id;

/// IA-32, as rules see it: `ROWS[n].op` is what its instruction number n stands for.
pub const TARGET: Target = Target {
    name: "ia32",
    registers: NAMES,
    #[cfg(feature = "ch19")]
    stack: Some(4), // esp
    instructions: &INSTRUCTIONS,
    length,
    #[cfg(feature = "ch25")]
    has_file_only_operations: false,
};

const INSTRUCTIONS: [InstructionForm; ROWS.len()] = {
    let mut instructions = [ROWS[0].instruction; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        instructions[at] = ROWS[at].instruction;
        at += 1;
    }
    instructions
};

/// The length of an instruction, given by its number in the table, with a real register in the
/// place of each virtual one. Jumps are short.
fn length(instruction: usize, operands: &[code_builder::Operand]) -> u32 {
    let mut instruction = build::instruction(instruction, operands, 0);
    // eax has some instructions of its own, and esp and ebp have longer addresses.
    let common = Register::from_index(ECX);
    instruction.rename(|_, register| if register.is_real() { register } else { common });
    #[cfg(feature = "ch04")]
    instruction.operands.iter_mut().for_each(lay_out);
    let mut bytes = Vec::with_capacity(MAX_LENGTH);
    encode_instruction(&instruction, &mut bytes);
    bytes.len() as u32
}

const ECX: usize = 1;

/// The bytes of the longest instruction.
const MAX_LENGTH: usize = 15;

/// Without a frame, the arguments are above the return address.
#[cfg(feature = "ch04")]
fn lay_out(operand: &mut Operand) {
    if let Operand::Address(address) = operand
        && let Base::Argument(number) = address.base()
    {
        address.set_base(Register::ESP);
        address.displacement += 4 * (number as i32 + 1);
    }
}
