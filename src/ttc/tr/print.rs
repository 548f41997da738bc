//! Code as text: one instruction a line, with the written register first.
use crate::firm::Access;
use crate::target::OperandConstraint;
use crate::target::blocks::BlockId;
use crate::ttc::tr::code::{Code, Instruction, Operand, Register};
use arena::Id;
use std::fmt;

/// Blocks with their names and parameters above them, and their arguments after the jump.
pub fn listing(code: &Code) -> String {
    let mut text = String::new();
    #[cfg(feature = "ch25")]
    for (number, name) in code.symbols.names().enumerate() {
        text += &format!("s{number} = {name}\n");
    }
    for block in code.blocks.ids() {
        text += &format!("{}:\n", code.blocks[block].head(block));
        for at in code.range(block) {
            text += &format!("    {}\n", instruction(code, block, at));
        }
    }
    text
}

/// An instruction of a block; the last one with the arguments.
pub fn instruction(code: &Code, block: BlockId, at: usize) -> String {
    let instruction = &code.instructions[at];
    let last = at + 1 == code.range(block).end;
    if last { code.blocks[block].with_arguments(instruction) } else { instruction.to_string() }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "v{}", self.index())
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        #[cfg(feature = "ch25")]
        if self.access == Access::Volatile {
            f.write_str("volatile ")?;
        }
        f.write_str(self.row().instruction.mnemonic)?;
        let mut separator = " ";
        for (slot, operand) in self.slots() {
            if slot == OperandConstraint::Condition {
                write!(f, ".{operand}")?;
            } else {
                write!(f, "{separator}{operand}")?;
                separator = ",";
            }
        }
        Ok(())
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Operand::None => Ok(()),
            Operand::Register(register) => write!(f, "{register}"),
            Operand::Immediate(number) => write!(f, "{number}"),
            Operand::Condition(relation) => f.write_str(&relation.row().name.to_lowercase()),
            Operand::Block(block) => write!(f, "{block}"),
            #[cfg(feature = "ch25")]
            Operand::Symbol(number) => write!(f, "s{number}"),
        }
    }
}
