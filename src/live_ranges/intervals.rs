//! Live intervals: the positions at which each register holds a value that is still needed.
//!
//! Instruction number i reads its operands at position 2i and writes its result at 2i + 1. A value
//! is live from its first write to its last read. One backward scan of each block finds that. A
//! real register that the code names also has an interval, a *fixed* one. (C. Wimmer, M. Franz:
//! Linear Scan Register Allocation on SSA Form, 2010.)
#[cfg(feature = "ch05")]
use crate::ia32::code::BlockId;
use crate::ia32::code::{Base, Code, Instruction, Named};
use crate::ia32::register::{NAMES, RegisterSet};
use crate::ia32::{Op, Operand, Register};
use crate::live_ranges::Position;
#[cfg(feature = "ch05")]
use crate::live_ranges::control_flow::ControlFlow;
use crate::target::{OperandConstraint, RegisterConstraint, RegisterKind};
use arena::{ListTable, SideTable};
use std::ops::{Index, IndexMut, Range};

/// The position of a use that does not exist.
pub const NEVER: Position = Position::MAX;

/// The intervals of all registers.
pub struct Intervals {
    facts: SideTable<Register, Facts>,
    ranges: ListTable<Register, LiveRange>,
    uses: ListTable<Register, Use>,
    #[cfg(feature = "ch05")]
    pub flow: ControlFlow,
}

/// The facts about a value, apart from the positions where it is live.
#[derive(Clone)]
pub struct Facts {
    pub kind: RegisterKind,
    /// The real registers that the value may be in.
    pub registers: RegisterSet,
    /// The argument that holds the value and is never overwritten.
    pub argument: Option<Base>,
    /// The block of the definition.
    #[cfg(feature = "ch05")]
    pub block: BlockId,
}

/// The interval of one register.
#[derive(Clone, Copy)]
pub struct Interval<'i> {
    intervals: &'i Intervals,
    register: Register,
}

/// Positions without a hole between them; the value is no longer live at the end.
#[derive(Clone, Copy)]
pub struct LiveRange {
    pub start: Position,
    pub end: Position,
}

#[derive(Clone, Copy)]
pub struct Use {
    pub at: Position,
    pub kind: UseKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UseKind {
    Read,
    Write,
    /// The source of a copy, which may be in memory.
    Copied,
    /// The end of a loop whose next iteration reads the value.
    #[cfg(feature = "ch07")]
    NextIteration,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts {
            kind: RegisterKind::WORD,
            registers: RegisterSet::EMPTY,
            argument: None,
            #[cfg(feature = "ch05")]
            block: BlockId::ENTRY,
        }
    }
}

impl Index<Register> for Intervals {
    type Output = Facts;

    fn index(&self, register: Register) -> &Facts {
        &self.facts[register]
    }
}

impl IndexMut<Register> for Intervals {
    fn index_mut(&mut self, register: Register) -> &mut Facts {
        &mut self.facts[register]
    }
}

impl Intervals {
    pub fn of(&self, register: Register) -> Interval<'_> {
        Interval { intervals: self, register }
    }

    /// The numbers of all ranges and uses.
    #[cfg(feature = "ch05")]
    pub fn sizes(&self) -> [usize; 2] {
        [self.ranges.value_count(), self.uses.value_count()]
    }

    /// The same registers with other intervals.
    #[cfg(feature = "ch05")]
    pub fn with(
        self,
        ranges: ListTable<Register, LiveRange>,
        uses: ListTable<Register, Use>,
    ) -> Intervals {
        Intervals { ranges, uses, ..self }
    }

    /// Moves a read to another instruction: from the last use to the copy before it, or the
    /// reverse.
    pub fn move_read(&mut self, register: Register, from: Position, to: Position) {
        let kind = if to < from { UseKind::Copied } else { UseKind::Read };
        let uses = &mut self.uses[register];
        uses[uses.partition_point(|it| it.at < from)] = Use { at: to, kind };
        let ranges = &mut self.ranges[register];
        let range = &mut ranges[ranges.partition_point(|range| range.end <= from)];
        if range.end == from + 1 {
            range.end = to + 1;
        }
    }
}

impl<'i> Interval<'i> {
    /// In ascending order. Between two ranges is a *lifetime hole*.
    pub fn ranges(&self) -> &'i [LiveRange] {
        &self.intervals.ranges[self.register]
    }

    /// In ascending order.
    pub fn uses(&self) -> &'i [Use] {
        &self.intervals.uses[self.register]
    }

    pub fn start(&self) -> Position {
        self.ranges().first().map_or(NEVER, |range| range.start)
    }

    pub fn end(&self) -> Position {
        self.ranges().last().map_or(0, |range| range.end)
    }

    pub fn covers(&self, at: Position) -> bool {
        self.range_after(at).is_some_and(|range| range.start <= at)
    }

    /// The first range that ends after a position.
    pub fn range_after(&self, at: Position) -> Option<LiveRange> {
        let ranges = self.ranges();
        ranges.get(ranges.partition_point(|range| range.end <= at)).copied()
    }

    /// The first position from `from` on in both intervals.
    pub fn overlap(&self, other: Interval, mut from: Position) -> Option<Position> {
        loop {
            let (a, b) = (self.range_after(from)?, other.range_after(from)?);
            let both = a.start.max(b.start).max(from);
            if both < a.end.min(b.end) {
                return Some(both);
            }
            from = both;
        }
    }

    /// The uses from a position on.
    pub fn uses_from(&self, at: Position) -> &'i [Use] {
        let uses = self.uses();
        &uses[uses.partition_point(|it| it.at < at)..]
    }

    pub fn next_use(&self, at: Position) -> Position {
        self.uses_from(at).first().map_or(NEVER, |it| it.at)
    }

    /// The next use that requires a register.
    pub fn next_in_register(&self, at: Position) -> Option<Position> {
        let needs = |it: &&Use| matches!(it.kind, UseKind::Read | UseKind::Write);
        self.uses_from(at).iter().find(needs).map(|it| it.at)
    }

    /// The last use before a position.
    #[cfg(feature = "ch07")]
    pub fn last_use(&self, before: Position) -> Option<Position> {
        let uses = self.uses();
        let later = uses.partition_point(|it| it.at < before);
        Some(uses[later.checked_sub(1)?].at)
    }

    #[cfg(feature = "ch05")]
    pub fn writes(&self) -> impl Iterator<Item = Position> + use<'i> {
        self.uses().iter().filter(|it| it.kind == UseKind::Write).map(|it| it.at)
    }
}

/// The live ranges of each register within the blocks that read or write it.
pub fn intervals(code: &Code) -> Intervals {
    let count = NAMES.len() + code.virtual_registers.len();
    let mut scan = BackwardScan {
        facts: SideTable::new(count),
        ranges: Vec::with_capacity(2 * count),
        uses: Vec::with_capacity(5 * code.instructions.len() / 2),
        last: SideTable::new(count),
        #[cfg(feature = "ch05")]
        blocks: code.blocks.ids().collect(),
    };
    for (number, &kind) in (0..).zip(&code.virtual_registers) {
        let facts = &mut scan.facts[Register::new_virtual(number)];
        facts.kind = kind;
        facts.registers = RegisterSet::allocatable(kind.class);
    }
    for block in code.ranges().into_iter().rev() {
        scan.block(code, block);
    }
    drop(scan.last);
    let uses = ListTable::group(count, scan.uses.iter().rev().copied());
    drop(scan.uses);
    Intervals {
        facts: scan.facts,
        ranges: ListTable::group(count, scan.ranges.iter().rev().copied()),
        uses,
        #[cfg(feature = "ch05")]
        flow: ControlFlow::new(code),
    }
}

pub struct BackwardScan {
    facts: SideTable<Register, Facts>,
    /// The ranges and uses of all registers, in descending order.
    ranges: Vec<(Register, LiveRange)>,
    uses: Vec<(Register, Use)>,
    last: SideTable<Register, Last>,
    /// The blocks that have not been scanned.
    #[cfg(feature = "ch05")]
    pub blocks: Vec<BlockId>,
}

/// The range of a register that was added last.
#[derive(Clone, Default)]
struct Last {
    /// The start of the block in which the range is open. It is open while its definition has not
    /// been reached.
    block: Option<Position>,
    /// Its number among all ranges.
    range: u32,
    #[cfg(feature = "ch04")]
    is_written: bool,
}

impl BackwardScan {
    fn block(&mut self, code: &Code, block: Range<usize>) {
        let begin = 2 * block.start as Position;
        #[cfg(feature = "ch05")]
        self.arguments(code, 2 * (block.end - 1) as Position, begin);
        for at in block.rev() {
            self.instruction(&code.instructions[at], 2 * at as Position, begin);
        }
    }

    fn instruction(&mut self, instruction: &Instruction, at: Position, begin: Position) {
        for register in instruction.implicit_writes() {
            self.write(register, at + 1, begin);
        }
        let kind = if instruction.op.is_copy() { UseKind::Copied } else { UseKind::Read };
        let used = Use { at, kind };
        // Operands that are written are before those that are only read.
        instruction.for_each_named(|it @ Named { register, slot }| {
            if let OperandConstraint::Register(_, class) = slot {
                if slot.writes() {
                    let written = at + 1;
                    // With a constrained register, other values can still be moved first.
                    #[cfg(feature = "ch04")]
                    let written = written - u32::from(class == RegisterConstraint::Byte);
                    self.write(register, written, begin);
                    #[cfg(feature = "ch04")]
                    self.note_argument(instruction, register);
                }
                let allowed = &mut self.facts[register].registers;
                *allowed = allowed.intersect(RegisterSet::of(class));
            }
            if it.is_read() {
                self.read(register, used, begin);
            }
        });
        for register in instruction.implicit_reads() {
            self.read(register, used, begin);
        }
    }

    /// Adds a use: the range extends to the start of the block.
    pub fn read(&mut self, register: Register, used: Use, begin: Position) {
        self.uses.push((register, used));
        let last = &mut self.last[register];
        if last.block == Some(begin) {
            self.ranges[last.range as usize].1.start = begin;
        } else {
            last.block = Some(begin);
            last.range = self.ranges.len() as u32;
            self.ranges.push((register, LiveRange { start: begin, end: used.at + 1 }));
        }
    }

    /// Adds a definition: the range starts here, unless an earlier definition in the block extends
    /// it.
    fn write(&mut self, register: Register, at: Position, begin: Position) {
        self.uses.push((register, Use { at, kind: UseKind::Write }));
        let last = &mut self.last[register];
        if last.block == Some(begin) {
            self.ranges[last.range as usize].1.start = at;
        } else {
            last.range = self.ranges.len() as u32;
            self.ranges.push((register, LiveRange { start: at, end: at + 2 - at % 2 }));
        }
        last.block = (!register.is_real()).then_some(begin);
    }

    /// A value that is loaded from an argument never needs a store.
    #[cfg(feature = "ch04")]
    fn note_argument(&mut self, instruction: &Instruction, register: Register) {
        let is_only = !std::mem::replace(&mut self.last[register].is_written, true);
        self.facts[register].argument = match (instruction.op, instruction.operands[1]) {
            (Op::Load, Operand::Address(it)) if is_only && it.is_argument_word() => Some(it.base()),
            _ => None,
        };
    }
}
