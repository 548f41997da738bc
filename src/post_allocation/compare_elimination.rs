//! Compare elimination: removes compares whose result the flags already hold.
//!
//! An arithmetic instruction sets the flags by whether its result is zero, and some by how it
//! compares with zero. A `test` of that result is redundant if later conditions read no more than
//! that. A compare that repeats the one before it is redundant, too. So is one that repeats it with
//! exchanged operands: the conditions that read it are mirrored. The flags at the end of a block
//! are known at the start of a successor without other predecessors. If all predecessors of a block
//! but one already set the flags that its compare would set, as at the test of a loop that counts
//! down, only that one needs the compare. Where other instructions stand between the arithmetic and
//! the `test` and change the flags, the arithmetic moves down to the test if it can.
use super::control_flow::{Block, ControlFlow, Order, ZERO, compared};
use super::decoded::Decoded;
#[cfg(feature = "ch29")]
use super::signs::{self, Signs};
use crate::arith::Relation;
use crate::ia32::code::BlockId;
use crate::ia32::instruction::needs_only_zero_flag;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Operand, Register};
use crate::target::Flags;
use arena::SideTable;

pub fn eliminate_compares(flow: &mut ControlFlow, order: &Order) {
    let Order { reachable, predecessors } = order;
    let mut starts = SideTable::<BlockId, Known>::new(flow.blocks.len());
    #[cfg(feature = "ch29")]
    note_signs(flow, order, &mut starts);
    let mut ends = SideTable::<BlockId, KnownFlags>::new(flow.blocks.len());
    for &id in reachable {
        let mut known = starts[id];
        let Block { body, terminator, .. } = &mut flow.blocks[id];
        let mut remaining = 0;
        for at in 0..body.len() {
            let (before, following) = body.split_at_mut(at + 1);
            if known.is_redundant(&before[at], following, terminator) {
                continue;
            }
            #[cfg(feature = "ch29")]
            if let Some(from) = movable_result(&before[..remaining], &before[at]) {
                let moved = Known { flags: KnownFlags::Nothing.after(&before[from]), ..known };
                if moved.is_redundant(&before[at], following, terminator) {
                    before[from..remaining].rotate_left(1);
                    known = moved;
                    continue;
                }
            }
            known.step(&before[at]);
            before[remaining] = before[at];
            remaining += 1;
        }
        body.truncate(remaining);
        ends[id] = known.flags;
        for next in flow.successors(id).filter(|&next| predecessors[next].len() == 1) {
            starts[next].flags = known.flags;
        }
    }
    for &id in reachable {
        if let Some(from) = unavoidable_compares(flow, id, &ends, &predecessors[id]) {
            let compare = flow.blocks[id].body.remove(0);
            flow.blocks[from].body.push(compare);
        }
    }
}

/// The knowledge at a point of the code.
#[derive(Clone, Copy, Default)]
struct Known {
    flags: KnownFlags,
    #[cfg(feature = "ch29")]
    signs: Signs,
}

/// Notes the signs that are known at the start of each block.
#[cfg(feature = "ch29")]
fn note_signs(flow: &ControlFlow, order: &Order, starts: &mut SideTable<BlockId, Known>) {
    let signs = signs::of_counters(flow, order);
    flow.blocks.ids().for_each(|id| starts[id].signs = signs[id]);
}

impl Known {
    fn step(&mut self, instruction: &Decoded) {
        self.flags = self.flags.after(instruction);
        #[cfg(feature = "ch29")]
        self.signs.step(instruction);
    }

    /// Whether the flags make an instruction redundant, which compares. The conditions that read it
    /// change if they must.
    fn is_redundant(
        self,
        instruction: &Decoded,
        following: &mut [Decoded],
        end: &mut Terminator,
    ) -> bool {
        let Some(order) = compared(instruction) else { return false };
        if self.flags.imply(order, || needs_more_than_zero(following, *end)) {
            return true;
        }
        // The carry is that of one order only; conditions can be mirrored.
        if self.flags == KnownFlags::Order(order.1, order.0)
            && conditions_are(following, *end, |_| true)
        {
            change_conditions(following, end, Relation::swapped);
            return true;
        }
        #[cfg(feature = "ch29")]
        if let KnownFlags::Zero(result) = self.flags
            && order == (Operand::Register(result), ZERO)
        {
            return self.signs.is_natural(result) && replace_conditions(following, end, of_count)
                || replace_conditions(following, end, of_sign);
        }
        false
    }
}

/// Replaces all conditions that read the flags, if all of them have a replacement.
#[cfg(feature = "ch29")]
fn replace_conditions(
    following: &mut [Decoded],
    end: &mut Terminator,
    replacement: fn(Relation) -> Option<Relation>,
) -> bool {
    let all = conditions_are(following, *end, |it| replacement(it).is_some());
    if all {
        change_conditions(following, end, |it| replacement(it).unwrap_or(it));
    }
    all
}

/// The longest distance that a result moves.
#[cfg(feature = "ch29")]
const MAX_DISTANCE: usize = 32;

/// The position of the instruction that computes the register which a test compares with zero, if
/// it may stand before the test: in between, its result is not used, its operands do not change,
/// and no flags are read.
#[cfg(feature = "ch29")]
fn movable_result(body: &[Decoded], test: &Decoded) -> Option<usize> {
    let (Operand::Register(result), ZERO) = compared(test)? else { return None };
    let first = body.len().saturating_sub(MAX_DISTANCE);
    let writes = |it: &Decoded| it.real_writes().contains(result);
    let at = first + body[first..].iter().rposition(writes)?;
    let accesses_memory = body[at].operands.iter().any(|it| matches!(it, Operand::Address(_)));
    let operands = body[at].real_reads().union(body[at].real_writes());
    let stays = |it: &Decoded| {
        it.flags().reads()
            || it.real_reads().contains(result)
            || !it.real_writes().intersect(operands).is_empty()
    };
    (!accesses_memory && !body[at + 1..].iter().any(stays)).then_some(at)
}

/// Changes the conditions that read the flags before they are written again.
fn change_conditions(
    following: &mut [Decoded],
    end: &mut Terminator,
    change: impl Fn(Relation) -> Relation,
) {
    for instruction in following {
        match (instruction.flags(), instruction.operands[0]) {
            (Flags::Untouched, _) => {}
            (Flags::Read, Operand::Condition(relation)) => {
                instruction.set_condition(change(relation));
            }
            _ => return,
        }
    }
    if let Terminator::Branch(relation, ..) = end {
        *relation = change(*relation);
    }
}

/// The condition about zero that is equivalent for a number that is not negative.
#[cfg(feature = "ch29")]
fn of_count(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::Greater => Some(Relation::NotEqual),
        Relation::LessEqual => Some(Relation::Equal),
        _ => needs_only_zero_flag(relation).then_some(relation),
    }
}

/// The condition on the sign of a result that is equivalent to a comparison of the result with
/// zero. The sign is that of the result as it is, after an overflow, too.
#[cfg(feature = "ch29")]
fn of_sign(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::Less => Some(Relation::Negative),
        Relation::GreaterEqual => Some(Relation::NotNegative),
        _ => needs_only_zero_flag(relation).then_some(relation),
    }
}

/// The only predecessor that needs the compare of a block, if the block compares for its branch
/// alone, its predecessors have no other successors, and this predecessor is in fewer loops.
fn unavoidable_compares(
    flow: &ControlFlow,
    id: BlockId,
    ends: &SideTable<BlockId, KnownFlags>,
    from: &[BlockId],
) -> Option<BlockId> {
    let Block { body, terminator: Terminator::Branch(..), depth, .. } = &flow.blocks[id] else {
        return None;
    };
    let order = compared(body.first()?)?;
    let more_than_zero = || needs_more_than_zero(&body[1..], flow.blocks[id].terminator);
    let implies_order = |id: BlockId| ends[id].imply(order, more_than_zero);
    let mut others = from.iter().copied().filter(|&from| !implies_order(from));
    let only = others.next().filter(|_| others.next().is_none())?;
    let are_gotos = from.iter().all(|&from| flow.blocks[from].terminator == Terminator::Goto(id));
    let is_read_later = flow.successors(id).any(|next| may_read_flags(&flow.blocks[next]));
    (are_gotos && !is_read_later && flow.blocks[only].depth < *depth).then_some(only)
}

/// Whether flags may be read in a block before they are written.
pub fn may_read_flags(block: &Block) -> bool {
    let touches = block.body.iter().map(Decoded::flags).find(|&flags| flags != Flags::Untouched);
    touches.map_or(block.terminator != Terminator::Return, Flags::reads)
}

/// The knowledge about the flags.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum KnownFlags {
    #[default]
    Nothing,
    /// Whether the value of a register is zero, and its sign.
    Zero(Register),
    /// How two operands compare.
    Order(Operand, Operand),
}

impl KnownFlags {
    fn imply(self, order: (Operand, Operand), more_than_zero: impl Fn() -> bool) -> bool {
        match self {
            KnownFlags::Nothing => false,
            KnownFlags::Zero(register) => {
                order == (Operand::Register(register), ZERO) && !more_than_zero()
            }
            KnownFlags::Order(left, right) => order == (left, right),
        }
    }

    fn after(self, instruction: &Decoded) -> KnownFlags {
        match (instruction.flags(), instruction.operands[0]) {
            (Flags::Untouched | Flags::Read, _) => self.unless_written(instruction),
            (Flags::Zero, Operand::Register(result)) => KnownFlags::Zero(result),
            (Flags::Result, result @ Operand::Register(_)) => KnownFlags::Order(result, ZERO),
            (Flags::Compared, _) => compared(instruction)
                .map_or(KnownFlags::Nothing, |(left, right)| KnownFlags::Order(left, right)),
            // The result is in memory, or it is that of a call.
            _ => KnownFlags::Nothing,
        }
    }

    fn unless_written(self, instruction: &Decoded) -> KnownFlags {
        let writes = instruction.real_writes();
        let is_written =
            |operand| matches!(operand, Operand::Register(register) if writes.contains(register));
        let is_lost = match self {
            KnownFlags::Nothing => false,
            KnownFlags::Zero(register) => writes.contains(register),
            KnownFlags::Order(left, right) => is_written(left) || is_written(right),
        };
        if is_lost { KnownFlags::Nothing } else { self }
    }
}

/// Whether the flags are read for more than zero before they are written again.
fn needs_more_than_zero(following: &[Decoded], end: Terminator) -> bool {
    !conditions_are(following, end, needs_only_zero_flag)
}

/// Whether all conditions that read the flags before they are written again are of a kind.
fn conditions_are(following: &[Decoded], end: Terminator, kind: impl Fn(Relation) -> bool) -> bool {
    for instruction in following {
        match instruction.flags() {
            Flags::Untouched => {}
            Flags::Read => match instruction.operands[0] {
                Operand::Condition(relation) if kind(relation) => {}
                _ => return false,
            },
            flags if flags.reads() => return false,
            _ => return true,
        }
    }
    !matches!(end, Terminator::Branch(relation, ..) if !kind(relation))
}
