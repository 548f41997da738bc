//! Instructions with what the passes ask for again and again.
use crate::arith::Relation;
use crate::ia32::Operand;
use crate::ia32::code::Instruction;
use crate::ia32::register::RegisterSet;
use crate::target::Flags;
use std::ops::Deref;

/// An instruction, the registers that it accesses, and its use of the flags: they are computed
/// once, and again if a pass replaces the instruction.
#[derive(Clone, Copy)]
pub struct Decoded {
    instruction: Instruction,
    #[cfg(feature = "ch20")]
    reads: RegisterSet,
    writes: RegisterSet,
    flags: Flags,
}

impl From<Instruction> for Decoded {
    fn from(instruction: Instruction) -> Decoded {
        Decoded {
            instruction,
            #[cfg(feature = "ch20")]
            reads: instruction.real_reads(),
            writes: instruction.real_writes(),
            flags: instruction.flags(),
        }
    }
}

impl Deref for Decoded {
    type Target = Instruction;

    fn deref(&self) -> &Instruction {
        &self.instruction
    }
}

impl Decoded {
    #[cfg(feature = "ch20")]
    pub fn real_reads(&self) -> RegisterSet {
        self.reads
    }

    pub fn real_writes(&self) -> RegisterSet {
        self.writes
    }

    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Changes the condition that it reads, its first operand.
    pub fn set_condition(&mut self, relation: Relation) {
        self.instruction.operands[0] = Operand::Condition(relation);
    }
}
