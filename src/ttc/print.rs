//! Code as text: one instruction a line, what it writes to first.
#[cfg(feature = "ch25")]
use crate::firm::Access;
use crate::rules::code_builder::BlockId;
use crate::rules::target::OperandConstraint;
use crate::ttc::code::{Code, Inst, Operand, Register};
use arena::Id;
use std::fmt;

/// Blocks with their names and parameters above them, and what they hand over behind the jump.
pub fn listing(code: &Code) -> String {
    let mut text = HEADS.iter().map(|head| head(code)).collect::<String>();
    for block in code.blocks.ids() {
        text += &format!("{}:\n", head(code, block));
        for at in code.range(block) {
            text += &format!("    {}\n", instruction(code, block, at));
        }
    }
    text
}

/// What is said before the first block.
const HEADS: &[fn(&Code) -> String] = &[
    // The symbols by their numbers: `s0 = global`.
    #[cfg(feature = "ch25")]
    |code| {
        let names = code.symbols.names().enumerate();
        names.map(|(number, name)| format!("s{number} = {name}\n")).collect()
    },
];

/// How a block is named where it begins: `b3(v5,v6)`.
pub fn head(code: &Code, block: BlockId) -> String {
    format!("b{}{}", block.index(), in_parentheses(&code.blocks[block].parameters))
}

/// An instruction of a block; behind the last one, what is handed over.
pub fn instruction(code: &Code, block: BlockId, at: usize) -> String {
    let last = at + 1 == code.range(block).end;
    let handed = if last { &code.blocks[block].arguments[..] } else { &[] };
    format!("{}{}", code.instructions[at], in_parentheses(handed))
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

/// What is said of an instruction before it is named.
const BEFORE: &[fn(&Inst) -> &'static str] = &[
    #[cfg(feature = "ch25")]
    |inst| match inst.access {
        Access::Plain => "",
        Access::Volatile => "volatile ",
    },
];

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        BEFORE.iter().try_for_each(|before| f.write_str(before(self)))?;
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
