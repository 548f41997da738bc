//! What a rule file may know of a machine: its registers and its instructions, as tables.
//!
//! A target provides one `Target`; the rule language and the selection read nothing else of it.

/// A machine, as rules see it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// Names of the real registers; a real register's number is its place here.
    pub registers: &'static [&'static str],
    /// The register that rules must leave alone, if there is one.
    pub stack: Option<u8>,
    /// One row per instruction and operand form; a mnemonic may stand in several places.
    pub instructions: &'static [InstructionForm],
    /// Whether it has instructions for what no program of the language has, only files.
    #[cfg(feature = "ch25")]
    pub has_file_only_operations: bool,
}

#[cfg(feature = "ch19")]
impl Target {
    /// Whether programs for the machine have this operation.
    pub fn has(&self, op: crate::firm::Op) -> bool {
        #[cfg(feature = "ch25")]
        if op.is_foreign() && !self.has_file_only_operations {
            return false;
        }
        op.is_selected()
    }
}

/// One form of one machine instruction.
#[derive(Clone, Copy, Debug)]
pub struct InstructionForm {
    pub mnemonic: &'static str,
    /// The explicit operands, in the order they are written.
    pub operands: &'static [OperandConstraint],
    /// Real registers it reads and writes without naming them.
    pub reads: &'static [u8],
    pub writes: &'static [u8],
    pub effect: Effect,
    #[cfg(feature = "ch04")]
    pub flags: Flags,
}

/// What an instruction does besides computing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    None,
    /// It leaves the function.
    Leaves,
    /// It leaves the block.
    #[cfg(feature = "ch05")]
    Jumps,
    /// It writes to memory or moves the stack.
    #[cfg(feature = "ch02")]
    Stack,
    /// It reads memory, or writes to it.
    #[cfg(feature = "ch25")]
    Memory,
}

/// What an instruction does with the condition flags.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flags {
    Untouched,
    /// Leaves them undefined.
    Undefined,
    /// Leaves in them whether its result is zero. How it compares with zero they do not tell: the
    /// result may have overflowed.
    Zero,
    /// Leaves in them how its result compares with zero.
    Result,
    /// Leaves in them how its operands compare.
    Compared,
    Read,
}

/// One explicit operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandConstraint {
    /// A register: what the instruction does with it, and which registers will do.
    Register(OperandAccess, RegisterConstraint),
    Immediate,
    /// Base, index times scale, displacement.
    #[cfg(feature = "ch02")]
    Address,
    /// A relation, written as part of the mnemonic: `set.r`.
    #[cfg(feature = "ch04")]
    Condition,
    /// A block to jump to.
    #[cfg(feature = "ch05")]
    Block,
    /// The address of a symbol.
    #[cfg(feature = "ch25")]
    Symbol,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandAccess {
    Use,
    Define,
    /// Reads and overwrites: the two-address form.
    #[cfg(feature = "ch02")]
    Update,
}

impl OperandConstraint {
    /// What kind of operand stands here.
    pub fn kind(self) -> &'static str {
        match self {
            OperandConstraint::Register(..) => "register",
            OperandConstraint::Immediate => "immediate",
            #[cfg(feature = "ch02")]
            OperandConstraint::Address => "address",
            #[cfg(feature = "ch04")]
            OperandConstraint::Condition => "condition",
            #[cfg(feature = "ch05")]
            OperandConstraint::Block => "block",
            #[cfg(feature = "ch25")]
            OperandConstraint::Symbol => "symbol",
        }
    }

    /// Whether a register here is read.
    pub fn reads(self) -> bool {
        let OperandConstraint::Register(role, _) = self else { return false };
        role.reads()
    }

    /// Whether a register here is written.
    pub fn writes(self) -> bool {
        let OperandConstraint::Register(role, _) = self else { return false };
        role.writes()
    }
}

impl OperandAccess {
    fn reads(self) -> bool {
        match self {
            OperandAccess::Use => true,
            OperandAccess::Define => false,
            #[cfg(feature = "ch02")]
            OperandAccess::Update => true,
        }
    }

    fn writes(self) -> bool {
        match self {
            OperandAccess::Use => false,
            OperandAccess::Define => true,
            #[cfg(feature = "ch02")]
            OperandAccess::Update => true,
        }
    }
}

/// Which registers an operand may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterConstraint {
    Any,
    /// One whose low byte can be addressed.
    #[cfg(feature = "ch04")]
    Byte,
}
