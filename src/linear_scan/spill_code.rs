//! Moves, loads and stores within blocks, between the parts of an interval.
use crate::ia32::Register;
use crate::linear_scan::allocation::Allocation;
use crate::live_ranges::Position;
use crate::live_ranges::parallel_copy::{Copy, Location};
use crate::target::RegisterKind;

/// A copy at a position, before the instruction there reads its operands. All copies at one
/// position are parallel.
#[derive(Clone, Copy)]
pub struct Move {
    pub at: Position,
    pub copy: Copy,
    /// For a store to a stack slot, the value.
    #[cfg(feature = "ch05")]
    pub stored: Option<Register>,
}

impl Move {
    pub fn new(at: Position, to: Location, from: Location, kind: RegisterKind) -> Move {
        Move {
            at,
            copy: Copy { to, from, kind },
            #[cfg(feature = "ch05")]
            stored: None,
        }
    }
}

impl Allocation<'_> {
    /// Stores a value that leaves its register, unless it is an argument in memory.
    pub fn store(&self, at: Position, value: Register, register: Register) -> Option<Move> {
        let (to, from) = (self.memory_location(value), Location::Register(register));
        let store = Move::new(at, to, from, self.intervals[value].kind);
        #[cfg(feature = "ch05")]
        let store = Move { stored: Some(value), ..store };
        self.intervals[value].argument.is_none().then_some(store)
    }

    /// The moves between the parts of each interval, within blocks.
    pub fn connect_parts(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for part in &self.parts {
            let is_first = self.intervals.of(part.value).start() == part.from;
            // A part with an odd start is defined there.
            if !is_first && part.from.is_multiple_of(2) && self.is_inside(part.value, part.from) {
                let (to, from) = (part.register, self.location(part.value, part.from - 1));
                let kind = self.intervals[part.value].kind;
                moves.push(Move::new(part.from, Location::Register(to), from, kind));
            }
            let continues = self.register(part.value, part.to).is_some();
            if !continues && self.is_inside(part.value, part.to) {
                moves.extend(self.store(part.to, part.value, part.register));
            }
        }
        moves
    }

    /// Whether a value is live at a position inside a block.
    fn is_inside(&self, value: Register, at: Position) -> bool {
        let is_live = self.intervals.of(value).covers(at);
        #[cfg(feature = "ch05")]
        let is_live = is_live && !self.intervals.flow.is_start(at) && self.is_live(value, at);
        is_live
    }
}
