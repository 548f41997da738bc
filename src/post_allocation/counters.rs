//! Counters: registers that hold a number above zero, because a test of them has led to the block.
//!
//! If such a number is decremented, the result is not negative, and the flags show whether it is
//! zero. So they show whether it is above zero, too, and a loop that counts down needs no compare.
//! The analysis is a forward data-flow problem: a register is in the set of a block if it is in
//! that of all its predecessors at their ends (S. S. Muchnick, Advanced Compiler Design and
//! Implementation, 1997, 8.1).
use super::control_flow::{Block, ControlFlow, Terminator, ZERO, compared};
use crate::arith::Relation;
use crate::ia32::code::{BlockId, Instruction};
use crate::ia32::register::RegisterSet;
use crate::ia32::{Op, Operand, Register};
use crate::rules::target::{Flags, RegisterClass};
use arena::SideTable;
use std::collections::VecDeque;

/// For each reachable block, the registers that hold a number above zero at its start.
pub fn at_starts(flow: &ControlFlow) -> SideTable<BlockId, RegisterSet> {
    let mut changed = VecDeque::from(flow.reachable());
    let mut starts = SideTable::<BlockId, RegisterSet>::new(flow.blocks.len());
    changed.iter().for_each(|&id| starts[id] = RegisterSet::allocatable(RegisterClass::General));
    starts[BlockId::ENTRY] = RegisterSet::EMPTY;
    while let Some(id) = changed.pop_front() {
        let mut end = starts[id];
        flow.blocks[id].body.iter().for_each(|it| forget_written(&mut end, it));
        for next in flow.successors(id) {
            let mut arriving = end;
            tested(&flow.blocks[id], next).into_iter().for_each(|it| arriving.insert(it));
            let both = starts[next].intersect(arriving);
            if starts[next] != both {
                starts[next] = both;
                changed.push_back(next);
            }
        }
    }
    starts
}

/// Removes the registers that an instruction writes.
pub fn forget_written(positive: &mut RegisterSet, instruction: &Instruction) {
    instruction.writes().for_each(|it| positive.remove(it));
}

/// The register that an instruction decrements.
pub fn decremented(instruction: &Instruction) -> Option<Register> {
    match (instruction.op, instruction.operands[0]) {
        (Op::Dec, Operand::Register(register)) => Some(register),
        _ => None,
    }
}

/// The register that is above zero if control goes from a block to `next`.
pub fn tested(block: &Block, next: BlockId) -> Option<Register> {
    let Terminator::Branch(relation, yes, no) = block.terminator else { return None };
    let at = block.body.iter().rposition(|it| it.flags() != Flags::Untouched)?;
    let (Operand::Register(register), ZERO) = compared(&block.body[at])? else { return None };
    let relation = if next == yes { relation } else { relation.negated() };
    let is_written = block.body[at..].iter().any(|it| it.writes().any(|to| to == register));
    (yes != no && relation == Relation::Greater && !is_written).then_some(register)
}
