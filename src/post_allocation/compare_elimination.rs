//! Compare elimination: removes compares whose result the flags already hold.
//!
//! An arithmetic instruction sets the flags by whether its result is zero, and some by how it
//! compares with zero. A `test` of that result is redundant if later conditions read no more than
//! that. A compare that repeats the one before it is redundant, too. So is one that repeats it with
//! exchanged operands: the conditions that read it are mirrored. The flags at the end of a block
//! are known at the start of a successor without other predecessors. If all predecessors of a block
//! but one already set the flags that its compare would set, as at the test of a loop that counts
//! down, only that one needs the compare.
use super::control_flow::{Block, ControlFlow, Terminator};
use crate::ia32::code::{BlockId, Instruction};
use crate::ia32::instruction::needs_only_zero_flag;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::Flags;
use arena::SideTable;

pub fn eliminate_compares(flow: &mut ControlFlow) {
    let reachable = flow.reachable();
    let predecessors = flow.predecessors();
    let mut starts = SideTable::<BlockId, KnownFlags>::new(flow.blocks.len());
    for &id in &reachable {
        let mut known = starts[id];
        let Block { body, terminator, .. } = &mut flow.blocks[id];
        let mut remaining = Vec::with_capacity(body.len());
        for at in 0..body.len() {
            let (instruction, following) = (body[at], &mut body[at + 1..]);
            let more_than_zero = || needs_more_than_zero(following, *terminator);
            let compared = compared(&instruction);
            if compared.is_some_and(|order| known.imply(order, more_than_zero)) {
                continue;
            }
            if compared.is_some_and(|(left, right)| known == KnownFlags::Order(right, left)) {
                mirror_conditions(following, terminator);
                continue;
            }
            known = known.after(&instruction);
            remaining.push(instruction);
        }
        *body = remaining;
        for next in flow.successors(id).filter(|&next| predecessors[next].len() == 1) {
            starts[next] = known;
        }
    }
    for &id in &reachable {
        if let Some(from) = unavoidable_compares(flow, id, &predecessors[id]) {
            let compare = flow.blocks[id].body.remove(0);
            flow.blocks[from].body.push(compare);
        }
    }
}

/// Mirrors the conditions that read the flags before they are written again.
fn mirror_conditions(following: &mut [Instruction], end: &mut Terminator) {
    for instruction in following {
        match (instruction.flags(), &mut instruction.operands[0]) {
            (Flags::Untouched, _) => {}
            (Flags::Read, Operand::Condition(relation)) => *relation = relation.swapped(),
            (Flags::Read | Flags::Undefined | Flags::Zero, _) => return,
            (Flags::Result | Flags::Compared, _) => return,
            #[cfg(feature = "ch12")]
            (Flags::ComparedUnsigned, _) => return,
        }
    }
    if let Terminator::Branch(relation, ..) = end {
        *relation = relation.swapped();
    }
}

/// The only predecessor that needs the compare of a block, if the block compares for its branch
/// alone, its predecessors have no other successors, and this predecessor is in fewer loops.
fn unavoidable_compares(flow: &ControlFlow, id: BlockId, from: &[BlockId]) -> Option<BlockId> {
    let Block { body, terminator: Terminator::Branch(..), depth, .. } = &flow.blocks[id] else {
        return None;
    };
    let order = compared(body.first()?)?;
    let more_than_zero = || needs_more_than_zero(&body[1..], flow.blocks[id].terminator);
    let implies_order = |id: BlockId| {
        let known = flow.blocks[id]
            .body
            .iter()
            .fold(KnownFlags::Nothing, |known, instruction| known.after(instruction));
        known.imply(order, more_than_zero)
    };
    let mut others = from.iter().copied().filter(|&from| !implies_order(from));
    let only = others.next().filter(|_| others.next().is_none())?;
    let are_gotos = from.iter().all(|&from| flow.blocks[from].terminator == Terminator::Goto(id));
    let is_read_later = flow.successors(id).any(|next| may_read_flags(&flow.blocks[next]));
    (are_gotos && !is_read_later && flow.blocks[only].depth < *depth).then_some(only)
}

/// Whether flags may be read in a block before they are written.
fn may_read_flags(block: &Block) -> bool {
    let touches =
        block.body.iter().map(Instruction::flags).find(|&flags| flags != Flags::Untouched);
    touches.map_or(block.terminator != Terminator::Return, |flags| flags == Flags::Read)
}

/// The knowledge about the flags.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum KnownFlags {
    #[default]
    Nothing,
    /// Whether the value of a register is zero.
    Zero(Register),
    /// How two operands compare.
    Order(Operand, Operand),
}

const ZERO: Operand = Operand::Immediate(0);

/// The operands of an instruction that only compares.
pub fn compared(instruction: &Instruction) -> Option<(Operand, Operand)> {
    let [left, right, _] = instruction.operands;
    match instruction.op {
        Op::Cmp | Op::CmpImmediate => Some((left, right)),
        Op::Test if left == right => Some((left, ZERO)),
        _ => None,
    }
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

    fn after(self, instruction: &Instruction) -> KnownFlags {
        match (instruction.flags(), instruction.operands[0]) {
            (Flags::Untouched | Flags::Read, _) => self.unless_written(instruction),
            (Flags::Zero, Operand::Register(result)) => KnownFlags::Zero(result),
            (Flags::Result, result @ Operand::Register(_)) => KnownFlags::Order(result, ZERO),
            (Flags::Compared, _) => compared(instruction)
                .map_or(KnownFlags::Nothing, |(left, right)| KnownFlags::Order(left, right)),
            #[cfg(feature = "ch12")]
            (Flags::ComparedUnsigned, _) => KnownFlags::Nothing,
            // The result is in memory, or it is that of a call.
            (Flags::Undefined | Flags::Zero | Flags::Result, _) => KnownFlags::Nothing,
        }
    }

    fn unless_written(self, instruction: &Instruction) -> KnownFlags {
        let written =
            |operand: Operand| instruction.writes().any(|it| operand == Operand::Register(it));
        match self {
            KnownFlags::Zero(register) if written(Operand::Register(register)) => {
                KnownFlags::Nothing
            }
            KnownFlags::Order(left, right) if written(left) || written(right) => {
                KnownFlags::Nothing
            }
            KnownFlags::Nothing | KnownFlags::Zero(_) | KnownFlags::Order(..) => self,
        }
    }
}

/// Whether the flags are read for more than zero before they are written again.
fn needs_more_than_zero(following: &[Instruction], end: Terminator) -> bool {
    for instruction in following {
        match instruction.flags() {
            Flags::Untouched => {}
            Flags::Read => match instruction.operands[0] {
                Operand::Condition(relation) if needs_only_zero_flag(relation) => {}
                _ => return true,
            },
            Flags::Undefined | Flags::Zero | Flags::Result | Flags::Compared => return false,
            #[cfg(feature = "ch12")]
            Flags::ComparedUnsigned => return false,
        }
    }
    matches!(end, Terminator::Branch(relation, ..) if !needs_only_zero_flag(relation))
}
