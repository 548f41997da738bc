//! Edges between blocks: each brings the values from where its first block leaves them to where
//! its second block expects them.
//!
//! An edge of which the first block has no other is resolved at the end of that block, any other
//! one at the begin of the second block, which has no other. Only values in registers are looked
//! at: all others are in their slots. (Wimmer & Mössenböck, 2005, section 4.)
use crate::allocate::Allocation;
use crate::allocate::linear_scan::Part;
use crate::allocate::parallel_copy::Location;
use crate::allocate::rewrite::Sweep;
use crate::allocate::spill_code::Move;
use crate::ia32::code::BlockId;
use arena::ListTable;

impl Allocation<'_> {
    /// The moves on all edges.
    pub fn resolve_edges(&self) -> Vec<Move> {
        let (mut entered, mut left) = (ListTable::<BlockId, Part>::default(), ListTable::default());
        let mut sweep = Sweep::new(&self.parts);
        for block in self.code.blocks.ids() {
            entered.push(sweep.live(self, self.intervals.flow.start(block)));
            left.push(sweep.live(self, self.intervals.flow.last(block)));
        }
        let mut moves = Vec::new();
        for from in self.code.blocks.ids() {
            for to in self.code.successors(from) {
                self.resolve_edge(from, to, &left[from], &entered[to], &mut moves);
            }
        }
        moves
    }

    fn resolve_edge(
        &self,
        from: BlockId,
        to: BlockId,
        left: &[Part],
        entered: &[Part],
        moves: &mut Vec<Move>,
    ) {
        let (last, start) = (self.intervals.flow.last(from), self.intervals.flow.start(to));
        // The only instruction of a block may be its jump: what goes out comes after what came in.
        let at = if self.code.successors(from).count() == 1 { last + 1 } else { start };
        let before = moves.len();
        let is_parameter = |value| self.code.blocks[to].parameters.contains(&value);
        let mut copy = |to, value| {
            let from = left.iter().find(|part| part.value == value);
            let from =
                from.map_or_else(|| self.home(value), |part| Location::Register(part.register));
            moves.push(Move::new(at, to, from));
        };
        for part in entered.iter().filter(|part| !is_parameter(part.value)) {
            if self.is_live(part.value, start) {
                copy(Location::Register(part.register), part.value);
            }
        }
        let (parameters, arguments) =
            (&self.code.blocks[to].parameters, &self.code.blocks[from].arguments);
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            if self.intervals[parameter].covers(start) {
                copy(self.location(parameter, start), argument);
            }
        }
        for part in left {
            let stays = entered.iter().any(|other| other.value == part.value);
            if !stays && self.is_live(part.value, start) {
                moves.extend(self.store(at, part.value, part.register));
            }
        }
        if moves[before..].iter().all(|it| it.copy.to == it.copy.from) {
            moves.truncate(before);
        }
    }
}
