//! Compares that tell what the flags tell already are left out.
//!
//! An instruction that computes leaves in the flags whether its result is zero, and some leave
//! how it compares with zero: a `test` of that result adds nothing, if no more than that is asked
//! behind it. Nor does a compare that repeats the one before it. What a block's only predecessor
//! leaves is known at the block's begin. And where all blocks but one that lead to a compare tell
//! what it asks, as at the test of a loop that counts down, only that one needs to compare.
use super::control_flow::{Block, ControlFlow, Terminator};
use crate::ia32::code::{BlockId, Instruction};
use crate::ia32::instruction::needs_only_zero_flag;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::Flags;
use arena::{ListTable, SideTable};

pub fn eliminate_compares(flow: &mut ControlFlow) {
    let reached = flow.reached();
    let predecessors = predecessors(flow, &reached);
    let mut starts = SideTable::<BlockId, KnownFlags>::new(flow.blocks.len());
    for id in flow.blocks.ids().filter(|&id| reached[id]) {
        let mut told = starts[id];
        let block = &mut flow.blocks[id];
        let mut kept = Vec::with_capacity(block.body.len());
        for (at, instruction) in block.body.iter().enumerate() {
            let asks = || needs_more_than_zero(&block.body[at + 1..], block.end);
            if !compared(instruction).is_some_and(|order| told.known_flags(order, asks)) {
                told = told.after(instruction);
                kept.push(*instruction);
            }
        }
        block.body = kept;
        for next in flow.successors(id).filter(|&next| predecessors[next].len() == 1) {
            starts[next] = told;
        }
    }
    for id in flow.blocks.ids().filter(|&id| reached[id]) {
        if let Some(from) = unavoidable_compares(flow, id, &predecessors[id]) {
            let compare = flow.blocks[id].body.remove(0);
            flow.blocks[from].body.push(compare);
        }
    }
}

/// Where a block compares for its branch alone: of those that lead there and nowhere else, the
/// only one whose instructions do not tell the same, if it stands in fewer loops.
fn unavoidable_compares(flow: &ControlFlow, id: BlockId, from: &[BlockId]) -> Option<BlockId> {
    let Block { body, end: Terminator::Branch(..), depth, .. } = &flow.blocks[id] else {
        return None;
    };
    let order = compared(body.first()?)?;
    let asks = || needs_more_than_zero(&body[1..], flow.blocks[id].end);
    let tells = |id: BlockId| {
        let told = flow.blocks[id]
            .body
            .iter()
            .fold(KnownFlags::Nothing, |told, instruction| told.after(instruction));
        told.known_flags(order, asks)
    };
    let mut others = from.iter().copied().filter(|&from| !tells(from));
    let only = others.next().filter(|_| others.next().is_none())?;
    let lead_here = from.iter().all(|&from| flow.blocks[from].end == Terminator::Goto(id));
    let read_behind = flow.successors(id).any(|next| may_read_flags(&flow.blocks[next]));
    (lead_here && !read_behind && flow.blocks[only].depth < *depth).then_some(only)
}

/// Whether flags may be read behind the begin of a block before they are written.
fn may_read_flags(block: &Block) -> bool {
    let touches =
        block.body.iter().map(Instruction::flags).find(|&flags| flags != Flags::Untouched);
    touches.map_or(block.end != Terminator::Return, |flags| flags == Flags::Read)
}

/// The blocks that lead to each.
fn predecessors(
    flow: &ControlFlow,
    reached: &SideTable<BlockId, bool>,
) -> ListTable<BlockId, BlockId> {
    let from = flow.blocks.ids().filter(|&id| reached[id]);
    let ways = from.flat_map(|from| flow.successors(from).map(move |to| (to, from)));
    ListTable::group(flow.blocks.len(), ways)
}

/// What the flags tell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum KnownFlags {
    #[default]
    Nothing,
    /// Whether what is in a register is zero.
    Zero(Register),
    /// How two operands compare.
    Order(Operand, Operand),
}

const ZERO: Operand = Operand::Immediate(0);

/// The operands that an instruction does nothing but compare.
fn compared(instruction: &Instruction) -> Option<(Operand, Operand)> {
    let [left, right, _] = instruction.operands;
    match instruction.op {
        Op::Cmp | Op::CmpImmediate => Some((left, right)),
        Op::Test if left == right => Some((left, ZERO)),
        _ => None,
    }
}

impl KnownFlags {
    fn known_flags(
        self,
        order: (Operand, Operand),
        asks_more_than_zero: impl Fn() -> bool,
    ) -> bool {
        match self {
            KnownFlags::Nothing => false,
            KnownFlags::Zero(register) => {
                order == (Operand::Register(register), ZERO) && !asks_more_than_zero()
            }
            KnownFlags::Order(left, right) => order == (left, right),
        }
    }

    fn after(self, instruction: &Instruction) -> KnownFlags {
        let Operand::Register(result) = instruction.operands[0] else {
            return self.unless_written(instruction);
        };
        match instruction.flags() {
            Flags::Untouched | Flags::Read => self.unless_written(instruction),
            Flags::Undefined => KnownFlags::Nothing,
            Flags::Zero => KnownFlags::Zero(result),
            Flags::Result => KnownFlags::Order(Operand::Register(result), ZERO),
            Flags::Compared => compared(instruction)
                .map_or(KnownFlags::Nothing, |(left, right)| KnownFlags::Order(left, right)),
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

/// Whether somebody asks the flags for more than zero before they are written again.
fn needs_more_than_zero(behind: &[Instruction], end: Terminator) -> bool {
    for instruction in behind {
        match instruction.flags() {
            Flags::Untouched => {}
            Flags::Read => match instruction.operands[0] {
                Operand::Condition(relation) if needs_only_zero_flag(relation) => {}
                _ => return true,
            },
            Flags::Undefined | Flags::Zero | Flags::Result | Flags::Compared => return false,
        }
    }
    matches!(end, Terminator::Branch(relation, ..) if !needs_only_zero_flag(relation))
}
