//! Compares that tell what the flags tell already are left out.
//!
//! An instruction that computes leaves in the flags whether its result is zero, and some leave
//! how it compares with zero: a `test` of that result adds nothing, if no more than that is asked
//! behind it. Nor does a compare that repeats the one before it. What a block's only predecessor
//! leaves is known at the block's begin. And where all blocks but one that lead to a compare tell
//! what it asks, as at the test of a loop that counts down, only that one needs to compare.
use crate::finish::flow::{Block, End, Flow};
use crate::ia32::code::{BlockId, Inst};
use crate::ia32::inst::tells_zero;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::Flags;
use arena::{ListTable, SideTable};

pub fn reuse(flow: &mut Flow) {
    let reached = flow.reached();
    let predecessors = predecessors(flow, &reached);
    let mut starts = SideTable::<BlockId, Told>::new(flow.blocks.len());
    for id in flow.blocks.ids().filter(|&id| reached[id]) {
        let mut told = starts[id];
        let block = &mut flow.blocks[id];
        let mut kept = Vec::with_capacity(block.body.len());
        for (at, inst) in block.body.iter().enumerate() {
            let asks = || asks_more_than_zero(&block.body[at + 1..], block.end);
            if !compared(inst).is_some_and(|order| told.tells(order, asks)) {
                told = told.behind(inst);
                kept.push(*inst);
            }
        }
        block.body = kept;
        for next in flow.successors(id).filter(|&next| predecessors[next].len() == 1) {
            starts[next] = told;
        }
    }
    for id in flow.blocks.ids().filter(|&id| reached[id]) {
        if let Some(from) = who_alone_must_compare(flow, id, &predecessors[id]) {
            let compare = flow.blocks[id].body.remove(0);
            flow.blocks[from].body.push(compare);
        }
    }
}

/// Where a block compares for its branch alone: of those that lead there and nowhere else, the
/// only one whose instructions do not tell the same, if it stands in fewer loops.
fn who_alone_must_compare(flow: &Flow, id: BlockId, from: &[BlockId]) -> Option<BlockId> {
    let Block { body, end: End::Branch(..), depth, .. } = &flow.blocks[id] else { return None };
    let order = compared(body.first()?)?;
    let asks = || asks_more_than_zero(&body[1..], flow.blocks[id].end);
    let tells = |id: BlockId| {
        let told = flow.blocks[id].body.iter().fold(Told::Nothing, |told, inst| told.behind(inst));
        told.tells(order, asks)
    };
    let mut others = from.iter().copied().filter(|&from| !tells(from));
    let only = others.next().filter(|_| others.next().is_none())?;
    let lead_here = from.iter().all(|&from| flow.blocks[from].end == End::Goto(id));
    let read_behind = flow.successors(id).any(|next| may_read_flags(&flow.blocks[next]));
    (lead_here && !read_behind && flow.blocks[only].depth < *depth).then_some(only)
}

/// Whether flags may be read behind the begin of a block before they are written.
fn may_read_flags(block: &Block) -> bool {
    let touches = block.body.iter().map(Inst::flags).find(|&flags| flags != Flags::Untouched);
    touches.map_or(block.end != End::Return, |flags| flags == Flags::Read)
}

/// The blocks that lead to each.
fn predecessors(flow: &Flow, reached: &SideTable<BlockId, bool>) -> ListTable<BlockId, BlockId> {
    let from = flow.blocks.ids().filter(|&id| reached[id]);
    let ways = from.flat_map(|from| flow.successors(from).map(move |to| (to, from)));
    ListTable::group(flow.blocks.len(), ways)
}

/// What the flags tell.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Told {
    #[default]
    Nothing,
    /// Whether what is in a register is zero.
    Zero(Register),
    /// How two operands compare.
    Order(Operand, Operand),
}

const ZERO: Operand = Operand::Immediate(0);

/// The operands that an instruction does nothing but compare.
fn compared(inst: &Inst) -> Option<(Operand, Operand)> {
    let [left, right, _] = inst.operands;
    match inst.op {
        Op::Cmp | Op::CmpImmediate => Some((left, right)),
        Op::Test if left == right => Some((left, ZERO)),
        _ => None,
    }
}

impl Told {
    fn tells(self, order: (Operand, Operand), asks_more_than_zero: impl Fn() -> bool) -> bool {
        match self {
            Told::Nothing => false,
            Told::Zero(register) => {
                order == (Operand::Register(register), ZERO) && !asks_more_than_zero()
            }
            Told::Order(left, right) => order == (left, right),
        }
    }

    fn behind(self, inst: &Inst) -> Told {
        let Operand::Register(result) = inst.operands[0] else { return self.unless_written(inst) };
        match inst.flags() {
            Flags::Untouched | Flags::Read => self.unless_written(inst),
            Flags::Undefined => Told::Nothing,
            Flags::Zero => Told::Zero(result),
            Flags::Result => Told::Order(Operand::Register(result), ZERO),
            Flags::Compared => {
                compared(inst).map_or(Told::Nothing, |(left, right)| Told::Order(left, right))
            }
        }
    }

    fn unless_written(self, inst: &Inst) -> Told {
        let written = |operand: Operand| inst.writes().any(|it| operand == Operand::Register(it));
        match self {
            Told::Zero(register) if written(Operand::Register(register)) => Told::Nothing,
            Told::Order(left, right) if written(left) || written(right) => Told::Nothing,
            Told::Nothing | Told::Zero(_) | Told::Order(..) => self,
        }
    }
}

/// Whether somebody asks the flags for more than zero before they are written again.
fn asks_more_than_zero(behind: &[Inst], end: End) -> bool {
    for inst in behind {
        match inst.flags() {
            Flags::Untouched => {}
            Flags::Read => match inst.operands[0] {
                Operand::Condition(relation) if tells_zero(relation) => {}
                _ => return true,
            },
            Flags::Undefined | Flags::Zero | Flags::Result | Flags::Compared => return false,
        }
    }
    matches!(end, End::Branch(relation, ..) if !tells_zero(relation))
}
