//! The control-flow graph: blocks of instructions on variables.
use crate::arith::Traps;
use crate::region::Operator;
use arena::{Arena, id};
use source::Span;

id! {
    /// A block.
    BlockId
}
id! {
    /// A variable. All variables are 0 before their first assignment.
    VariableId
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Variable(VariableId),
    Number(i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    Operator(Operator),
    Copy,
    /// Writes its operands as a line; its value is 0.
    Use,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instruction {
    pub operation: Operation,
    pub operands: Vec<Operand>,
    pub result: Option<VariableId>,
    /// The text that it was made for; empty if there is none.
    pub origin: Span,
}

impl Instruction {
    /// Whether it may trap: a quotient or a remainder, unless its divisor is known not to.
    pub fn may_trap(&self) -> bool {
        let traps = match self.operation {
            Operation::Operator(Operator::Binary(binary)) => binary.row().traps != Traps::Never,
            Operation::Operator(Operator::Compare(_)) | Operation::Copy | Operation::Use => false,
        };
        traps && !matches!(self.operands[1], Operand::Number(it) if it != 0 && it != -1)
    }
}

/// The end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Goto(BlockId),
    /// Jumps to the target with the number of the operand, or to the last one if there is none.
    Switch(Operand, Vec<BlockId>),
    Return(Vec<Operand>),
}

impl End {
    pub fn targets(&self) -> &[BlockId] {
        match self {
            End::Goto(target) => std::slice::from_ref(target),
            End::Switch(_, targets) => targets,
            End::Return(_) => &[],
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    pub label: String,
    pub instructions: Vec<Instruction>,
    pub end: End,
    /// The text of the jump; empty if there is none.
    pub end_origin: Span,
}

#[derive(Clone, Default, Debug)]
pub struct Graph {
    pub variables: Arena<VariableId, String>,
    pub parameters: Vec<VariableId>,
    /// The first block is the entry.
    pub blocks: Arena<BlockId, Block>,
}

impl Graph {
    pub fn entry(&self) -> BlockId {
        arena::Id::from_index(0)
    }

    /// The number of values that each Return has.
    pub fn results(&self) -> usize {
        let count = |id| match &self.blocks[id].end {
            End::Return(values) => Some(values.len()),
            End::Goto(_) | End::Switch(..) => None,
        };
        self.blocks.ids().find_map(count).unwrap_or(0)
    }

    /// The blocks that control can reach, predecessors before their successors, back edges
    /// excepted.
    pub fn reachable(&self) -> Vec<BlockId> {
        let successor = |block, at| self.blocks[block].end.targets().get(at).copied();
        flow::reverse_postorder(self.entry(), self.blocks.len(), successor)
    }
}
