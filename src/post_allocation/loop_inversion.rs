//! Loop inversion: before a loop, its test is copied instead of jumped to.
//!
//! Block layout puts the test of a loop at its bottom. Without a copy, each entry of the loop costs
//! a jump there. The copy is a branch around the loop, and if the first iteration is certain, it
//! disappears. Otherwise it is longer than the jump, so it is made in outer loops only. (S. S.
//! Muchnick, Advanced Compiler Design and Implementation, 1997, 18.5.)
use super::compare_elimination::compared;
use super::control_flow::{Block, ControlFlow, Terminator};
use super::jump_threading::drop_compare;
use crate::ia32::code::{BlockId, Instruction};
use crate::ia32::{Op, Operand, Register};

/// Tests of more instructions than this are not copied.
const MAX_INSTRUCTIONS: usize = 3;

pub fn invert(flow: &mut ControlFlow) {
    for id in flow.blocks.ids() {
        let Terminator::Goto(test) = flow.blocks[id].terminator else { continue };
        let Block { body, terminator, depth, .. } = &flow.blocks[test];
        let is_test = matches!(terminator, Terminator::Branch(..));
        if !is_test || body.len() > MAX_INSTRUCTIONS || flow.blocks[id].depth >= *depth {
            continue;
        }
        let mut copy = Block { terminator: *terminator, ..flow.blocks[id].clone() };
        copy.body.extend(body);
        if let Some(target) = certain_target(&copy) {
            drop_compare(&mut copy);
            copy.terminator = Terminator::Goto(target);
        } else if copy.depth == 0 {
            continue;
        }
        flow.blocks[id] = copy;
    }
}

/// The target of a branch, if it compares a constant.
fn certain_target(block: &Block) -> Option<BlockId> {
    let Terminator::Branch(relation, yes, no) = block.terminator else { return None };
    let (compare, before) = block.body.split_last()?;
    let (Operand::Register(register), Operand::Immediate(limit)) = compared(compare)? else {
        return None;
    };
    let number = constant(before, register)?;
    Some(if relation.holds(number.into(), limit.into()) { yes } else { no })
}

/// The constant that a register has after these instructions.
fn constant(instructions: &[Instruction], mut register: Register) -> Option<i32> {
    for instruction in instructions.iter().rev() {
        if !instruction.writes().any(|it| it == register) {
            continue;
        }
        match (instruction.op, instruction.operands[1]) {
            (Op::MovImmediate, Operand::Immediate(number)) => return Some(number),
            (Op::Zero, _) => return Some(0),
            (Op::Mov, Operand::Register(from)) => register = from,
            _ => return None,
        }
    }
    None
}
