//! Code whose values have several live ranges each, or none.
//!
//! Spilling splits the live range of a value: where it is in memory, it has none. Each live range
//! gets one register. The ranges are virtual registers with numbers of their own, in ascending
//! order of their definitions.
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Instruction};
use crate::ia32::register::RegisterSet;
use arena::SideTable;

#[derive(Default)]
pub struct SplitCode {
    pub blocks: SideTable<BlockId, SplitBlock>,
    /// The estimated number of executions of each block.
    pub frequencies: SideTable<BlockId, u64>,
    /// For each live range, the registers that its instructions permit, and its group.
    pub ranges: Vec<LiveRange>,
    pub groups: u32,
}

#[derive(Clone, Copy)]
pub struct LiveRange {
    pub allowed: RegisterSet,
    /// Ranges that begin at once have one group.
    pub group: u32,
}

#[derive(Clone, Default)]
pub struct SplitBlock {
    /// The live ranges that begin at its start.
    pub parameters: Vec<Register>,
    pub steps: Vec<Step>,
    /// The parallel copies to the parameters of the only successor.
    pub exit: Vec<Copy>,
}

#[derive(Clone)]
pub struct Step {
    pub action: Action,
    /// The real registers that no live range may have after this step.
    pub fixed: RegisterSet,
    /// The value in memory that is the second operand of its instruction.
    pub memory: Option<Register>,
    /// The instruction of the code that it belongs to.
    pub at: usize,
}

#[derive(Clone)]
pub enum Action {
    Instruction(Instruction),
    /// Parallel copies, and the live ranges that are live across them.
    Copies(Vec<Copy>, Vec<Register>),
}

#[derive(Clone, Copy)]
pub struct Copy {
    pub to: Target,
    pub from: Source,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Target {
    /// A live range or a real register.
    Register(Register),
    /// The slot of a value.
    Memory(Register),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Source {
    Register(Register),
    Memory(Register),
    /// The result of the instruction with this number, which reads no register: the value is
    /// rematerialized.
    Computed(u32),
}

impl SplitCode {
    /// The next live ranges begin at the same point.
    pub fn begin_group(&mut self) {
        self.groups += 1;
    }

    pub fn new_range(&mut self, allowed: RegisterSet) -> Register {
        self.ranges.push(LiveRange { allowed, group: self.groups });
        Register::new_virtual(self.ranges.len() as u32 - 1)
    }

    pub fn range(&mut self, register: Register) -> &mut LiveRange {
        &mut self.ranges[number(register)]
    }
}

/// The number of a live range.
pub fn number(register: Register) -> usize {
    register.virtual_number().expect("live ranges are virtual registers") as usize
}

/// All live ranges.
pub fn ranges(count: usize) -> impl Iterator<Item = Register> {
    (0..count as u32).map(Register::new_virtual)
}

impl Copy {
    pub fn to_register(to: Register, from: Source) -> Copy {
        Copy { to: Target::Register(to), from }
    }

    /// The live range or real register that is copied.
    pub fn source(&self) -> Option<Register> {
        let Source::Register(register) = self.from else { return None };
        Some(register)
    }

    pub fn target(&self) -> Option<Register> {
        let Target::Register(register) = self.to else { return None };
        Some(register)
    }
}
