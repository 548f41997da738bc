//! Jump threading by known values: a jump to a test whose result is certain goes on to the target.
//!
//! Where a variable was set to a constant, a short test of it right after the jump is computed by
//! the compiler. (S. S. Muchnick, Advanced Compiler Design and Implementation, 1997, 18.11.)
use super::{FinalTargets, drop_compare};
use crate::ia32::code::BlockId;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};
use crate::post_allocation::control_flow::{Block, ControlFlow, compared};
use crate::post_allocation::decoded::Decoded;

/// Tests of more instructions than this are not copied.
const MAX_INSTRUCTIONS: usize = 3;

pub fn thread_certain_tests(flow: &mut ControlFlow) {
    // Empty blocks may be between a jump and the test.
    let mut targets = FinalTargets::new(flow);
    for id in flow.blocks.ids() {
        if let Terminator::Goto(next) = flow.blocks[id].terminator {
            flow.blocks[id].terminator = Terminator::Goto(targets.resolve(flow, next));
        }
        let Some(test) = short_test(flow, id) else { continue };
        if let Some(target) = certain_target(&flow.blocks[id], &flow.blocks[test]) {
            append_test(flow, id, test);
            drop_compare(&mut flow.blocks[id]);
            flow.blocks[id].terminator = Terminator::Goto(target);
        }
    }
}

/// The test that a block jumps to, if it is short enough to be copied.
pub fn short_test(flow: &ControlFlow, id: BlockId) -> Option<BlockId> {
    let Terminator::Goto(test) = flow.blocks[id].terminator else { return None };
    let Block { body, terminator, .. } = &flow.blocks[test];
    let is_test = matches!(terminator, Terminator::Branch(..));
    (is_test && body.len() <= MAX_INSTRUCTIONS).then_some(test)
}

/// Replaces the jump to a test by a copy of the test.
pub fn append_test(flow: &mut ControlFlow, id: BlockId, test: BlockId) {
    let Block { body, terminator, .. } = flow.blocks[test].clone();
    flow.blocks[id].body.extend(body);
    flow.blocks[id].terminator = terminator;
}

/// The target of a test after a block, if it compares a constant.
fn certain_target(block: &Block, test: &Block) -> Option<BlockId> {
    let Terminator::Branch(relation, yes, no) = test.terminator else { return None };
    let (compare, before) = test.body.split_last()?;
    let (Operand::Register(register), Operand::Immediate(limit)) = compared(compare)? else {
        return None;
    };
    let number = constant(before.iter().rev().chain(block.body.iter().rev()), register)?;
    Some(if relation.holds(number.into(), limit.into()) { yes } else { no })
}

/// The constant that a register has after these instructions, the last one first.
fn constant<'c>(
    instructions: impl Iterator<Item = &'c Decoded>,
    mut register: Register,
) -> Option<i32> {
    for instruction in instructions {
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
