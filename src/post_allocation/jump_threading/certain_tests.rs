//! Jump threading by known values: a jump to a test whose result is certain goes on to the target.
//!
//! Where a variable was set to a constant, a short test of it right after the jump is computed by
//! the compiler. (S. S. Muchnick, Advanced Compiler Design and Implementation, 1997, 18.11.)
use super::drop_compare;
use crate::ia32::code::BlockId;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use crate::post_allocation::control_flow::{Block, ControlFlow, compared};
use crate::post_allocation::decoded::Decoded;

/// Tests of more instructions than this are not copied.
const MAX_INSTRUCTIONS: usize = 3;

pub fn thread_certain_tests(flow: &mut ControlFlow) {
    for id in flow.blocks.ids() {
        let Some((_, mut copy)) = with_test(flow, id) else { continue };
        if let Some(target) = certain_target(&copy) {
            drop_compare(&mut copy);
            copy.terminator = Terminator::Goto(target);
            flow.blocks[id] = copy;
        }
    }
}

/// The short test that a block jumps to, and the block with a copy of it instead of the jump.
pub fn with_test(flow: &ControlFlow, id: BlockId) -> Option<(BlockId, Block)> {
    let Terminator::Goto(test) = flow.blocks[id].terminator else { return None };
    let Block { body, terminator, .. } = &flow.blocks[test];
    let is_test = matches!(terminator, Terminator::Branch(..));
    if !is_test || body.len() > MAX_INSTRUCTIONS {
        return None;
    }
    let mut copy = Block { terminator: *terminator, ..flow.blocks[id].clone() };
    copy.body.extend(body);
    Some((test, copy))
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
fn constant(instructions: &[Decoded], mut register: Register) -> Option<i32> {
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
