//! The ends of blocks, and how often they are executed.
use super::code::{BlockId, Code};
use super::{Op, Operand};
use crate::frequency;
use arena::{Id, SideTable};

pub type Terminator = frequency::Terminator<BlockId>;

impl Code {
    /// The estimated number of executions of each block.
    pub fn frequencies(&self) -> SideTable<BlockId, u64> {
        let order = self.blocks.ids().collect::<Vec<_>>();
        let ends = order.iter().map(|&id| (self.terminator(id), self.blocks[id].depth));
        let ends = ends.collect::<Vec<_>>();
        frequency::frequencies(&order, |id| ends[id.index()])
    }

    /// The terminator of a block. Without a jump at its end, control falls through to the next one.
    pub fn terminator(&self, block: BlockId) -> Terminator {
        let mut targets = self.successors(block);
        #[cfg(feature = "ch15")]
        if self.instructions[self.range(block)].last().is_some_and(|it| it.op == Op::CallNoReturn) {
            return Terminator::NoReturn;
        }
        let Some(last) = targets.next_back() else { return Terminator::Return };
        let Some(first) = targets.next_back() else { return Terminator::Goto(last) };
        let relation = self.instructions[self.range(block)].iter().rev().find_map(|it| {
            let is_relation = |operand: &Operand| match operand {
                Operand::Condition(relation) => Some(*relation),
                _ => None,
            };
            it.operands.iter().find_map(is_relation)
        });
        Terminator::Branch(relation.expect("a branch has a condition"), first, last)
    }
}
