//! Control flow of code: the body of each block and its terminator.
use crate::arith::Relation;
use crate::ia32::code::{BlockId, Code, Instruction};
use crate::ia32::{Op, Operand};
#[cfg(feature = "ch20")]
use crate::rules::target::Flags;
use arena::{Arena, ListTable, SideTable};

pub struct ControlFlow {
    pub blocks: Arena<BlockId, Block>,
}

#[derive(Clone)]
pub struct Block {
    /// Its instructions, without the jumps or the `ret` at the end.
    pub body: Vec<Instruction>,
    pub terminator: Terminator,
    /// The number of the node of the terminator.
    pub origin: u32,
    /// The number of loops around it.
    pub depth: u32,
}

/// The terminator of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminator {
    Return,
    Goto(BlockId),
    /// To the first block if the relation holds, else to the second.
    Branch(Relation, BlockId, BlockId),
}

impl ControlFlow {
    pub fn new(code: &Code) -> ControlFlow {
        let mut flow = ControlFlow { blocks: Arena::default() };
        for id in code.blocks.ids() {
            flow.blocks.push(split(code, id));
        }
        flow
    }

    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + Clone + use<> {
        self.blocks[block].terminator.targets()
    }

    /// The reachable blocks, depth first: a block with one predecessor is after it.
    pub fn reachable(&self) -> Vec<BlockId> {
        let mut reached = SideTable::<BlockId, bool>::new(self.blocks.len());
        let mut order = Vec::new();
        let mut pending = vec![BlockId::ENTRY];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                order.push(block);
                pending.extend(self.successors(block));
            }
        }
        order
    }

    /// The reachable predecessors of each block.
    pub fn predecessors(&self) -> ListTable<BlockId, BlockId> {
        let from = self.reachable().into_iter();
        let edges = from.flat_map(|from| self.successors(from).map(move |to| (to, from)));
        ListTable::group(self.blocks.len(), edges)
    }

    /// Whether a block consists of a return.
    pub fn only_returns(&self, block: BlockId) -> bool {
        self.blocks[block].body.is_empty() && self.blocks[block].terminator == Terminator::Return
    }
}

impl Terminator {
    pub fn targets(self) -> impl Iterator<Item = BlockId> + Clone {
        let targets = match self {
            Terminator::Return => [None, None],
            Terminator::Goto(target) => [Some(target), None],
            Terminator::Branch(_, yes, no) => [Some(yes), Some(no)],
        };
        targets.into_iter().flatten()
    }
}

/// The right operand of a compare with zero.
pub const ZERO: Operand = Operand::Immediate(0);

/// The operands of an instruction that only compares.
pub fn compared(instruction: &Instruction) -> Option<(Operand, Operand)> {
    let [left, right, _] = instruction.operands;
    match instruction.op {
        Op::Cmp | Op::CmpImmediate => Some((left, right)),
        Op::Test if left == right => Some((left, ZERO)),
        _ => None,
    }
}

/// Whether the flags that are set before these instructions are read by them or by the terminator.
#[cfg(feature = "ch20")]
pub fn are_flags_read<'i>(
    following: impl IntoIterator<Item = &'i Instruction>,
    is_read_at_end: bool,
) -> bool {
    let mut flags = following.into_iter().map(Instruction::flags);
    let next = flags.find(|&flags| flags != Flags::Untouched);
    next.map_or(is_read_at_end, |flags| flags == Flags::Read)
}

/// Splits a block into its body and its terminator. Without a jump at its end, control falls
/// through to the next block.
fn split(code: &Code, id: BlockId) -> Block {
    let instructions = &code.instructions[code.range(id)];
    let is_end = |it: &&Instruction| it.op.is_return() || matches!(it.op, Op::Jmp | Op::Jcc);
    let ends = instructions.iter().rev().take_while(is_end).count();
    let (body, ends) = instructions.split_at(instructions.len() - ends);
    let mut end = match ends.last().map(|instruction| instruction.op) {
        Some(op) if op.is_return() => Terminator::Return,
        _ => Terminator::Goto(
            code.successors(id).next_back().expect("a block without a return has a successor"),
        ),
    };
    if let [Instruction { op: Op::Jcc, operands, .. }, ..] = ends
        && let ([Operand::Condition(relation), Operand::Block(yes), _], Terminator::Goto(no)) =
            (operands, end)
    {
        end = Terminator::Branch(*relation, *yes, no);
    }
    let origin = instructions.last().map_or(0, |instruction| instruction.origin);
    Block { body: body.to_vec(), terminator: end, origin, depth: code.blocks[id].depth }
}
