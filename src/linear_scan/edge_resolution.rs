//! Resolves edges between blocks: moves on each edge bring values from their locations at its
//! source to their locations at its target.
//!
//! If the source of an edge has no other successor, the moves are at its end, else at the start of
//! the target, which has no other predecessor. Only values in registers need moves: all others are
//! in their slots. (Wimmer & Mössenböck, 2005, section 4.)
use crate::ia32::code::BlockId;
use crate::linear_scan::allocation::Allocation;
use crate::linear_scan::rewrite::Sweep;
use crate::linear_scan::scan::Part;
use crate::linear_scan::spill_code::Move;
use crate::live_ranges::parallel_copy::Location;
use arena::ListTable;

impl Allocation<'_> {
    /// The moves on all edges.
    pub fn resolve_edges(&self) -> Vec<Move> {
        let (mut entry_parts, mut exit_parts) =
            (ListTable::<BlockId, Part>::default(), ListTable::default());
        let mut sweep = Sweep::new(&self.parts);
        for block in self.code.blocks.ids() {
            entry_parts.push(sweep.live(self, self.intervals.flow.start(block)));
            exit_parts.push(sweep.live(self, self.intervals.flow.last(block)));
        }
        let mut moves = Vec::new();
        for from in self.code.blocks.ids() {
            for &to in &self.intervals.flow.successors[from] {
                self.resolve_edge(from, to, &exit_parts[from], &entry_parts[to], &mut moves);
            }
        }
        moves
    }

    fn resolve_edge(
        &self,
        from: BlockId,
        to: BlockId,
        exit_parts: &[Part],
        entry_parts: &[Part],
        moves: &mut Vec<Move>,
    ) {
        let (last, start) = (self.intervals.flow.last(from), self.intervals.flow.start(to));
        // A block may consist of its jump: moves of outgoing edges follow those of incoming ones.
        let at = if self.intervals.flow.successors[from].len() == 1 { last + 1 } else { start };
        let before = moves.len();
        let is_parameter = |value| self.code.blocks[to].parameters.contains(&value);
        let mut copy = |to, value| {
            let from = exit_parts.iter().find(|part| part.value == value);
            let from = from.map_or_else(
                || self.memory_location(value),
                |part| Location::Register(part.register),
            );
            moves.push(Move::new(at, to, from, self.intervals[value].kind));
        };
        for part in entry_parts.iter().filter(|part| !is_parameter(part.value)) {
            if self.is_live(part.value, start) {
                copy(Location::Register(part.register), part.value);
            }
        }
        let (parameters, arguments) =
            (&self.code.blocks[to].parameters, &self.code.blocks[from].arguments);
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            if self.intervals.of(parameter).covers(start) {
                copy(self.location(parameter, start), argument);
            }
        }
        for part in exit_parts {
            let remains = entry_parts.iter().any(|other| other.value == part.value);
            if !remains && self.is_live(part.value, start) {
                moves.extend(self.store(at, part.value, part.register));
            }
        }
        if moves[before..].iter().all(|it| it.copy.to == it.copy.from) {
            moves.truncate(before);
        }
    }
}
