//! Register allocation: its steps, and the result of the scan.
use crate::allocate::intervals::{Facts, Intervals, intervals};
use crate::allocate::linear_scan::{LinearScan, Part};
#[cfg(feature = "ch05")]
use crate::allocate::liveness;
use crate::allocate::parallel_copy::Location;
use crate::allocate::stack_slots::StackSlots;
use crate::allocate::{Position, frame, hints};
#[cfg(feature = "ch05")]
use crate::ia32::code::Block;
use crate::ia32::code::{Code, Form};
use crate::ia32::register::NAMES;
use crate::ia32::{Op, Register};
use arena::ListTable;

/// The location of each value at each position.
pub struct Allocation<'c> {
    pub code: &'c Code,
    pub intervals: &'c Intervals,
    /// The parts of intervals with registers, in the order of their starts.
    pub parts: Vec<Part>,
    /// The parts of each value.
    by_value: ListTable<Register, Part>,
    /// The stack slots of spilled values.
    pub slots: StackSlots,
}

/// The live interval of each register of the code.
pub fn live_intervals(code: &Code) -> Intervals {
    let intervals = intervals(code);
    #[cfg(feature = "ch05")]
    let intervals = liveness::extend(code, intervals);
    intervals
}

pub fn allocate(mut code: Code) -> Code {
    let mut intervals = live_intervals(&code);
    hints::commute(&mut code, &mut intervals);
    let copies = hints::copies(&code, &intervals);
    let (parts, spilled) = LinearScan::new(&intervals, copies).run(code.register_count());
    let slots = StackSlots::new(&intervals, &spilled);
    let by_value = parts.iter().map(|part| (part.value, *part));
    let by_value = ListTable::group(NAMES.len() + code.virtual_registers.len(), by_value);
    let mut allocation = Allocation { code: &code, intervals: &intervals, parts, by_value, slots };
    #[cfg(feature = "ch05")]
    allocation.slots.coalesce(&code);
    let moves = allocation.connect_parts();
    #[cfg(feature = "ch05")]
    let moves = allocation.place_stores([moves, allocation.resolve_edges()].concat());
    let body = allocation.rewrite(moves);
    let instructions = frame::lay_out(vec![body], &allocation.slots);
    let allocated =
        Code { form: Form::Allocated, instructions, virtual_registers: Vec::new(), ..code };
    #[cfg(feature = "ch05")]
    let allocated = with_blocks(allocated);
    allocated
}

/// Sets the blocks: each ends in its only `jmp` or `ret`.
#[cfg(feature = "ch05")]
pub fn with_blocks(mut code: Code) -> Code {
    let ends = code.instructions.iter().enumerate();
    let ends =
        ends.filter(|(_, instruction)| instruction.op == Op::Jmp || instruction.op.is_return());
    let firsts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect::<Vec<_>>();
    for (block, first) in code.blocks.ids().zip(firsts) {
        let depth = code.blocks[block].depth;
        code.blocks[block] = Block { first, depth, ..Block::default() };
    }
    code
}

impl Allocation<'_> {
    /// The location of a value at a position.
    pub fn location(&self, value: Register, at: Position) -> Location {
        self.register(value, at).map_or_else(|| self.memory_location(value), Location::Register)
    }

    /// The register of a value at a position.
    pub fn register(&self, value: Register, at: Position) -> Option<Register> {
        let parts = &self.by_value[value];
        let begun = parts.partition_point(|part| part.from <= at);
        parts[..begun].last().filter(|part| at < part.to).map(|part| part.register)
    }

    /// The location of a spilled value in memory.
    pub fn memory_location(&self, value: Register) -> Location {
        Location::Memory(self.slots.address(value))
    }

    /// Whether a value is live at a position. A long interval may have fewer holes than possible,
    /// but a value is not live where its definition does not dominate.
    #[cfg(feature = "ch05")]
    pub fn is_live(&self, value: Register, at: Position) -> bool {
        let Facts { block, .. } = self.intervals[value];
        let is_defined =
            self.intervals.flow.dominators.dominates(block, self.intervals.flow.block(at));
        is_defined && self.intervals.of(value).covers(at)
    }
}
