//! The result of the scan: the location of each value at each position.
use crate::ia32::register::NAMES;
use crate::ia32::{Code, Register};
use crate::linear_scan::scan::Part;
use crate::live_ranges::Position;
#[cfg(feature = "ch05")]
use crate::live_ranges::intervals::Facts;
use crate::live_ranges::intervals::Intervals;
use crate::live_ranges::parallel_copy::Location;
use crate::live_ranges::stack_slots::StackSlots;
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

impl<'c> Allocation<'c> {
    pub fn new(
        code: &'c Code,
        intervals: &'c Intervals,
        parts: Vec<Part>,
        slots: StackSlots,
    ) -> Allocation<'c> {
        let by_value = parts.iter().map(|part| (part.value, *part));
        let by_value = ListTable::group(NAMES.len() + code.virtual_registers.len(), by_value);
        Allocation { code, intervals, parts, by_value, slots }
    }

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
