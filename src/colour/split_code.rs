//! Code whose values have several live ranges each, or none.
//!
//! Spilling splits the live range of a value: where it is in memory, it has none. Each live range
//! gets one register. The ranges are virtual registers with numbers of their own, in ascending
//! order of their definitions. An instruction is not stored again, only the names of its operands.
use crate::ia32::Register;
use crate::ia32::code::{BlockId, Named};
use crate::ia32::register::RegisterSet;
use arena::SideTable;
use std::ops::Range;

#[derive(Default)]
pub struct SplitCode {
    pub blocks: SideTable<BlockId, SplitBlock>,
    /// The estimated number of executions of each block.
    pub frequencies: SideTable<BlockId, u64>,
    /// The steps of all blocks.
    pub steps: Vec<Step>,
    /// The live ranges and real registers that the instructions name.
    pub operands: Vec<Named>,
    pub copies: Vec<Copy>,
    /// The live ranges that are live across the parallel copies.
    pub across: Vec<Register>,
    /// For each live range, the registers that its instructions permit, and its group.
    pub ranges: Vec<LiveRange>,
    pub groups: u32,
}

/// A part of one of the lists.
#[derive(Clone, Copy, Default)]
pub struct Part {
    start: u32,
    end: u32,
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
    pub parameters: Part,
    pub steps: Part,
    /// The parallel copies to the parameters of the only successor.
    pub exit: Part,
}

#[derive(Clone, Copy)]
pub struct Step {
    pub action: Action,
    /// The real registers that no live range may have after this step.
    pub fixed: RegisterSet,
    /// The instruction of the code that it belongs to.
    pub at: u32,
}

#[derive(Clone, Copy)]
pub enum Action {
    /// The instruction itself, with these operands in registers, or a form of it with a value in
    /// memory.
    Instruction { operands: Part, memory: Option<Register> },
    /// Parallel copies, and the live ranges that are live across them.
    Copies { copies: Part, across: Part },
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

    /// The copies from this one on are a step, if there are any.
    pub fn end_copies(&mut self, first: usize, fixed: RegisterSet, at: usize) {
        let copies = Part::since(first, &self.copies);
        if !copies.range().is_empty() {
            self.steps.push(Step::copies(copies, fixed, at as u32));
        }
    }
}

impl Step {
    pub fn copies(copies: Part, fixed: RegisterSet, at: u32) -> Step {
        Step { action: Action::Copies { copies, across: Part::default() }, fixed, at }
    }
}

impl Part {
    pub fn new(range: Range<usize>) -> Part {
        Part { start: range.start as u32, end: range.end as u32 }
    }

    /// The end of a list, from `first` on.
    pub fn since<T>(first: usize, list: &[T]) -> Part {
        Part::new(first..list.len())
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The number of a live range.
pub fn number(register: Register) -> usize {
    register.virtual_number().expect("live ranges are virtual registers") as usize
}

/// All live ranges with these numbers.
pub fn ranges(numbers: Range<usize>) -> impl Iterator<Item = Register> + Clone {
    (numbers.start as u32..numbers.end as u32).map(Register::new_virtual)
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
