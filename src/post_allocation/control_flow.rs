//! Control flow of code: the body of each block and its terminator.
use super::decoded::Decoded;
#[cfg(feature = "ch18")]
use crate::firm::Signature;
#[cfg(feature = "ch15")]
use crate::frequency::without_cold;
use crate::frequency::{edges, frequencies};
use crate::ia32::code::{BlockId, Code, Instruction};
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand};
use arena::{Arena, ListTable, SideTable};

pub struct ControlFlow {
    pub blocks: Arena<BlockId, Block>,
    /// The instruction that returns: all return an integer, or all a float.
    pub returns: Op,
    #[cfg(feature = "ch18")]
    pub signature: Signature,
}

#[derive(Clone)]
pub struct Block {
    /// Its instructions, without the jumps or the `ret` at the end.
    pub body: Vec<Decoded>,
    pub terminator: Terminator,
    /// The number of the node of the terminator.
    pub origin: u32,
    /// The number of loops around it.
    pub depth: u32,
}

impl ControlFlow {
    pub fn new(code: &Code) -> ControlFlow {
        let is_return = |it: &Instruction| it.op.is_return().then_some(it.op);
        let returns = code.instructions.iter().find_map(is_return).unwrap_or(Op::Ret);
        let mut flow = ControlFlow {
            blocks: Arena::with_capacity(code.blocks.len()),
            returns,
            #[cfg(feature = "ch18")]
            signature: code.signature,
        };
        for id in code.blocks.ids() {
            flow.blocks.push(split(code, id));
        }
        flow
    }

    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + Clone + use<> {
        self.blocks[block].terminator.targets()
    }

    /// The order of the blocks.
    pub fn order(&self) -> Order {
        let successor = |block, number| self.successors(block).nth(number);
        let reachable = flow::reverse_postorder(BlockId::ENTRY, self.blocks.len(), successor);
        let from = reachable.iter().copied();
        let edges = from.flat_map(|from| self.successors(from).map(move |to| (to, from)));
        let predecessors = ListTable::group(self.blocks.len(), edges);
        Order { reachable, predecessors }
    }

    /// The estimated number of executions of each block.
    pub fn frequencies(&self, order: &Order) -> SideTable<BlockId, u64> {
        frequencies(&order.reachable, |id| (self.blocks[id].terminator, self.blocks[id].depth))
    }

    /// The edges from the end of a block that is executed `times` times, each with its number of
    /// executions.
    pub fn edges(&self, block: BlockId, times: u64) -> impl Iterator<Item = (BlockId, u64)> {
        let edges = edges(self.blocks[block].terminator, |id| self.blocks[id].depth, times);
        #[cfg(feature = "ch15")]
        let edges = without_cold(edges, |id| self.blocks[id].terminator == Terminator::NoReturn);
        edges
    }

    /// Whether a block consists of a return.
    pub fn only_returns(&self, block: BlockId) -> bool {
        self.blocks[block].body.is_empty() && self.blocks[block].terminator == Terminator::Return
    }
}

/// The order of the blocks, for passes that leave the edges between them as they are.
pub struct Order {
    /// The reachable blocks. Each is after all its predecessors, except for the sources of back
    /// edges.
    pub reachable: Vec<BlockId>,
    /// The reachable predecessors of each block.
    pub predecessors: ListTable<BlockId, BlockId>,
}

/// The right operand of a compare with zero.
pub const ZERO: Operand = Operand::Immediate(0);

/// The operands of an instruction that only compares.
pub fn compared(instruction: &Instruction) -> Option<(Operand, Operand)> {
    let [left, right, _] = &instruction.operands;
    match instruction.op {
        Op::Cmp | Op::CmpImmediate => Some((*left, *right)),
        Op::Test if left == right => Some((*left, ZERO)),
        _ => None,
    }
}

/// Splits a block into its body and its terminator.
fn split(code: &Code, id: BlockId) -> Block {
    let instructions = &code.instructions[code.range(id)];
    let is_end = |it: &&Instruction| it.op.is_return() || matches!(it.op, Op::Jmp | Op::Jcc);
    let ends = instructions.iter().rev().take_while(is_end).count();
    let body = &instructions[..instructions.len() - ends];
    let origin = instructions.last().map_or(0, |instruction| instruction.origin);
    let body = body.iter().copied().map(Decoded::from).collect();
    Block { body, terminator: code.terminator(id), origin, depth: code.blocks[id].depth }
}
