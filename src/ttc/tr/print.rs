//! Code as text: one instruction a line, with the written register first.
use crate::firm::Access;
use crate::target::OperandConstraint;
use crate::target::code_builder::BlockId;
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
        text += &format!("{}:\n", head(code, block));
        for at in code.range(block) {
            text += &format!("    {}\n", instruction(code, block, at));
        }
    }
    text
}

/// A block and its parameters: `b3(v5,v6)`.
pub fn head(code: &Code, block: BlockId) -> String {
    format!("b{}{}", block.index(), in_parentheses(&code.blocks[block].parameters))
}

/// An instruction of a block; the last one with the arguments.
pub fn instruction(code: &Code, block: BlockId, at: usize) -> String {
    let last = at + 1 == code.range(block).end;
    let arguments = if last { &code.blocks[block].arguments[..] } else { &[] };
    format!("{}{}", code.instructions[at], in_parentheses(arguments))
}

fn in_parentheses(registers: &[Register]) -> String {
    let names = registers.iter().map(|register| register.to_string()).collect::<Vec<_>>();
    if names.is_empty() { String::new() } else { format!("({})", names.join(",")) }
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
            Operand::Block(block) => write!(f, "b{}", block.index()),
            #[cfg(feature = "ch25")]
            Operand::Symbol(number) => write!(f, "s{number}"),
        }
    }
}
