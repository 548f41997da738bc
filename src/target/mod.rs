//! A machine as a table: the forms of its instructions, and the registers that they may have.
//! @ch02 The rule language and the selection depend on nothing else of a machine.
#[cfg(feature = "ch05")]
pub mod blocks;
#[cfg(feature = "ch02")]
pub mod code_builder;
mod register_kind;
#[cfg(test)]
#[cfg(feature = "ch04")]
pub mod read_blocks;
pub mod report;

#[cfg(feature = "ch02")]
pub use register_kind::RegisterClass;
pub use register_kind::RegisterKind;

use crate::firm::Op;
#[cfg(feature = "ch02")]
use code_builder::Operand;

/// A machine, as rules see it.
#[cfg(feature = "ch02")]
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// Names of the real registers, indexed by their numbers.
    pub registers: &'static [&'static str],
    /// The stack pointer, which rules must not use, if there is one.
    #[cfg(feature = "ch19")]
    pub stack: Option<u8>,
    /// One row per instruction and operand form. A mnemonic may have several rows.
    pub instructions: &'static [InstructionForm],
    /// The bytes of an instruction, given by its number. All virtual registers are alike.
    pub length: fn(usize, &[Operand]) -> u32,
    /// Whether it has instructions for operations that occur in files only, not in programs.
    #[cfg(feature = "ch25")]
    pub has_file_only_operations: bool,
}

#[cfg(feature = "ch19")]
impl Target {
    /// Whether programs for the machine have this operation.
    pub fn has(&self, op: Op) -> bool {
        match op {
            #[cfg(feature = "ch29")]
            Op::Mux => self.has_conditional_copies(),
            #[cfg(feature = "ch14")]
            Op::Call(_) => self.has_calls(),
            #[cfg(feature = "ch14")]
            Op::SymConst(_) => self.has_symbols(),
            Op::Conv(_) => false,
            _ if op.accesses_memory() => self.has_memory(),
            _ => op.is_selected(),
        }
    }

    /// Whether it has instructions that copy a value if a relation holds.
    #[cfg(feature = "ch29")]
    fn has_conditional_copies(&self) -> bool {
        let is_updated = |slot: &OperandConstraint| slot.reads() && slot.writes();
        let is_condition = |slot: &OperandConstraint| *slot == OperandConstraint::Condition;
        let mut operands = self.instructions.iter().map(|it| it.operands);
        operands.any(|it| it.iter().any(is_condition) && it.iter().any(is_updated))
    }

    /// Whether code for it has addresses of symbols: of those that it calls.
    /// @ch25 Or of any, in graphs from files.
    #[cfg(feature = "ch14")]
    fn has_symbols(&self) -> bool {
        #[cfg(feature = "ch25")]
        if self.has_file_only_operations {
            return true;
        }
        self.has_calls()
    }

    fn has_memory(&self) -> bool {
        self.instructions.iter().any(|it| it.effect == Effect::Memory)
    }
}

#[cfg(feature = "ch14")]
impl Target {
    /// Whether it has instructions that call functions.
    pub fn has_calls(&self) -> bool {
        self.instructions.iter().any(|it| matches!(it.effect, Effect::Calls { .. }))
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
    #[cfg(feature = "ch02")]
    pub writes: &'static [u8],
    #[cfg(feature = "ch14")]
    pub effect: Effect,
    #[cfg(feature = "ch04")]
    pub flags: Flags,
    /// Whether the carry after it is that of a sum or a difference.
    #[cfg(feature = "ch14")]
    pub carries: bool,
}

/// The side effect of an instruction.
#[cfg(feature = "ch14")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    None,
    /// It leaves the function.
    Leaves,
    /// It leaves the block.
    Jumps,
    /// It writes to memory or moves the stack.
    Stack,
    /// It reads memory, or writes to it.
    Memory,
    /// It calls a function, which may change these registers.
    #[cfg(feature = "ch14")]
    Calls {
        clobbers: &'static [u8],
    },
}

#[cfg(feature = "ch02")]
impl InstructionForm {
    /// The registers that it overwrites without naming them.
    pub fn overwritten(&self) -> impl Iterator<Item = u8> + use<> {
        let overwritten = self.writes.iter();
        #[cfg(feature = "ch14")]
        let overwritten = overwritten.chain(self.clobbers());
        overwritten.copied()
    }
}

#[cfg(feature = "ch14")]
impl InstructionForm {
    /// The registers that a function called by it may change.
    pub fn clobbers(&self) -> &'static [u8] {
        let Effect::Calls { clobbers } = self.effect else { return &[] };
        clobbers
    }
}

/// The use of the condition flags by an instruction.
#[cfg(feature = "ch04")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flags {
    Untouched,
    /// Leaves them undefined.
    Undefined,
    /// Sets them by whether its result is zero. They do not show how it compares with zero, since
    /// the result may have overflowed.
    Zero,
    /// Sets them by comparing its result with zero.
    Result,
    /// Sets them by comparing its operands.
    Compared,
    /// Sets them by comparing its operands, as if these were integers without a sign.
    #[cfg(feature = "ch12")]
    ComparedUnsigned,
    Read,
    /// Reads the carry, and leaves them undefined.
    #[cfg(feature = "ch14")]
    Carry,
    /// Reads the carry as a borrow. Sets them by whether the left operand is less than the sum of
    /// the right one and the borrow.
    #[cfg(feature = "ch14")]
    Borrow,
}

#[cfg(feature = "ch05")]
impl Flags {
    /// Whether the instruction reads the flags.
    pub fn reads(self) -> bool {
        #[cfg(feature = "ch14")]
        if matches!(self, Flags::Carry | Flags::Borrow) {
            return true;
        }
        self == Flags::Read
    }

    /// Whether the instruction changes the flags.
    pub fn writes(self) -> bool {
        !matches!(self, Flags::Untouched | Flags::Read)
    }
}

#[cfg(feature = "ch20")]
impl Flags {
    /// Whether the flags are read, by one of the following instructions or after the last of them.
    pub fn are_read(following: impl IntoIterator<Item = Flags>, is_read_at_end: bool) -> bool {
        let next = following.into_iter().find(|&it| it != Flags::Untouched);
        next.map_or(is_read_at_end, Flags::reads)
    }
}

#[cfg(feature = "ch05")]
impl Flags {
    /// Whether the instruction only compares.
    pub fn are_of_a_comparison(self) -> bool {
        #[cfg(feature = "ch12")]
        if self == Flags::ComparedUnsigned {
            return true;
        }
        self == Flags::Compared
    }
}

/// One explicit operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandConstraint {
    /// A register: its access, and the registers that are permitted.
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
    #[cfg(feature = "ch14")]
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
    /// The kind of operand.
    #[cfg(feature = "ch02")]
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
            #[cfg(feature = "ch14")]
            OperandConstraint::Symbol => "symbol",
        }
    }

    /// Whether the register is read.
    pub fn reads(self) -> bool {
        let OperandConstraint::Register(access, _) = self else { return false };
        access != OperandAccess::Define
    }

    /// Whether the register is written.
    pub fn writes(self) -> bool {
        let OperandConstraint::Register(access, _) = self else { return false };
        access != OperandAccess::Use
    }
}

#[cfg(feature = "ch02")]
impl RegisterConstraint {
    /// The class of the registers, and the size of the part that is accessed.
    pub fn part(self) -> RegisterKind {
        match self {
            RegisterConstraint::Any => RegisterKind::WORD,
            #[cfg(feature = "ch04")]
            RegisterConstraint::Byte => RegisterKind { bytes: 1, ..RegisterKind::WORD },
            #[cfg(feature = "ch14")]
            RegisterConstraint::Half => RegisterKind { bytes: 2, ..RegisterKind::WORD },
            #[cfg(feature = "ch14")]
            RegisterConstraint::Only(_) => RegisterKind { bytes: 1, ..RegisterKind::WORD },
            #[cfg(feature = "ch12")]
            RegisterConstraint::Float => RegisterKind::FLOAT,
        }
    }
}

/// The registers that an operand may be in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterConstraint {
    Any,
    /// One whose low byte can be addressed.
    #[cfg(feature = "ch04")]
    Byte,
    /// The lower half of any one.
    #[cfg(feature = "ch14")]
    Half,
    /// The low byte of the register with this number.
    #[cfg(feature = "ch14")]
    Only(u8),
    /// Any one for floating-point numbers.
    #[cfg(feature = "ch12")]
    Float,
}
