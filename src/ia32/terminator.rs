//! The ends of blocks.
use super::Operand;
use super::code::{BlockId, Code};
use crate::arith::Relation;

/// The terminator of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminator {
    Return,
    Goto(BlockId),
    /// To the first block if the relation holds, else to the second.
    Branch(Relation, BlockId, BlockId),
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

impl Code {
    /// The terminator of a block. Without a jump at its end, control falls through to the next one.
    pub fn terminator(&self, block: BlockId) -> Terminator {
        let mut targets = self.successors(block);
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
