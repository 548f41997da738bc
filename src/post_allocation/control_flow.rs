//! Code taken apart: what each block does, and how control leaves it.
use crate::arith::Relation;
use crate::ia32::code::{BlockId, Code, Instruction};
use crate::ia32::{Op, Operand};
use arena::{Arena, SideTable};

pub struct ControlFlow {
    pub blocks: Arena<BlockId, Block>,
}

pub struct Block {
    /// Its instructions, without the jumps or the `ret` at the end.
    pub body: Vec<Instruction>,
    pub end: Terminator,
    /// The number of the node that control goes on for.
    pub origin: u32,
    /// How many loops it stands in.
    pub depth: u32,
}

/// How control leaves a block.
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
        self.blocks[block].end.targets()
    }

    /// Whether control comes to a block at all.
    pub fn reached(&self) -> SideTable<BlockId, bool> {
        let mut reached = SideTable::new(self.blocks.len());
        let mut pending = vec![BlockId::ENTRY];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                pending.extend(self.successors(block));
            }
        }
        reached
    }

    /// Whether all a block does is to return.
    pub fn only_returns(&self, block: BlockId) -> bool {
        self.blocks[block].body.is_empty() && self.blocks[block].end == Terminator::Return
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

/// Control that reaches the end of a block without a jump goes on with the next one.
fn split(code: &Code, id: BlockId) -> Block {
    let instructions = &code.instructions[code.range(id)];
    let is_end = |instruction: &&Instruction| matches!(instruction.op, Op::Ret | Op::Jmp | Op::Jcc);
    let ends = instructions.iter().rev().take_while(is_end).count();
    let (body, ends) = instructions.split_at(instructions.len() - ends);
    let mut end = match ends.last().map(|instruction| instruction.op) {
        Some(Op::Ret) => Terminator::Return,
        _ => Terminator::Goto(code.successors(id).next_back().expect("control goes somewhere")),
    };
    if let [Instruction { op: Op::Jcc, operands, .. }, ..] = ends
        && let ([Operand::Condition(relation), Operand::Block(yes), _], Terminator::Goto(no)) =
            (operands, end)
    {
        end = Terminator::Branch(*relation, *yes, no);
    }
    let origin = instructions.last().map_or(0, |instruction| instruction.origin);
    Block { body: body.to_vec(), end, origin, depth: code.blocks[id].depth }
}
