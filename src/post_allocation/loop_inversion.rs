//! Loop inversion: before a loop, its test is copied instead of jumped to.
//!
//! Block layout puts the test of a loop at its bottom. Without a copy, each entry of the loop costs
//! a jump there. The copy is a branch around the loop, and if the first iteration is certain, it
//! disappears. Otherwise it is longer than the jump, so it is made in outer loops only, and if the
//! loop counts down: then the compare in the loop will be redundant. The test itself is then
//! entered from the loop alone, and becomes a part of its last block. (S. S. Muchnick, Advanced
//! Compiler Design and Implementation, 1997, 18.5.)
//!
//! A test whose result is certain is left out at all jumps to it, not only at loops: where a
//! variable was set to a constant, the jump goes on to the target (there, 18.11).
use super::control_flow::compared;
use super::control_flow::{Block, ControlFlow};
use super::decoded::Decoded;
use super::jump_threading::drop_compare;
use super::signs;
use crate::ia32::code::BlockId;
use crate::ia32::terminator::Terminator;
use crate::ia32::{Op, Operand, Register};

/// Tests of more instructions than this are not copied.
const MAX_INSTRUCTIONS: usize = 3;

pub fn invert(flow: &mut ControlFlow) {
    let predecessors = flow.order().predecessors;
    let mut inverted = Vec::new();
    for id in flow.blocks.ids() {
        let Terminator::Goto(test) = flow.blocks[id].terminator else { continue };
        let Block { body, terminator, depth, .. } = &flow.blocks[test];
        let is_test = matches!(terminator, Terminator::Branch(..));
        if !is_test || body.len() > MAX_INSTRUCTIONS {
            continue;
        }
        let enters_loop = flow.blocks[id].depth < *depth;
        let mut copy = Block { terminator: *terminator, ..flow.blocks[id].clone() };
        copy.body.extend(body);
        if let Some(target) = certain_target(&copy) {
            drop_compare(&mut copy);
            copy.terminator = Terminator::Goto(target);
        } else if !enters_loop || copy.depth == 0 && !counts_down(flow, test, &predecessors[test]) {
            continue;
        }
        flow.blocks[id] = copy;
        if enters_loop {
            inverted.push(test);
        }
    }
    append_tests(flow, &inverted);
}

/// Appends each test to the block before it, if there is only one: the last of its loop.
fn append_tests(flow: &mut ControlFlow, tests: &[BlockId]) {
    let predecessors = flow.order().predecessors;
    for &test in tests {
        let [last] = predecessors[test][..] else { continue };
        if flow.blocks[last].terminator == Terminator::Goto(test) {
            let Block { body, terminator, .. } = flow.blocks[test].clone();
            flow.blocks[last].body.extend(body);
            flow.blocks[last].terminator = terminator;
        }
    }
}

/// Whether a loop goes on while a number is above zero that each iteration decrements once.
fn counts_down(flow: &ControlFlow, test: BlockId, predecessors: &[BlockId]) -> bool {
    let Terminator::Branch(_, yes, no) = flow.blocks[test].terminator else { return false };
    let counter = [yes, no].into_iter().find_map(|it| signs::tested(&flow.blocks[test], it));
    counter.is_some_and(|counter| {
        let is_inside = |id: &&BlockId| flow.blocks[**id].depth >= flow.blocks[test].depth;
        predecessors.iter().filter(is_inside).all(|&id| {
            let last =
                flow.blocks[id].body.iter().rev().find(|it| it.writes().any(|to| to == counter));
            last.is_some_and(|it| signs::decremented(it) == Some(counter))
        })
    })
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
