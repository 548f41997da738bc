//! Loop inversion: before a loop, its test is copied instead of jumped to.
//!
//! Block layout puts the test of a loop at its bottom. Without a copy, each entry of the loop costs
//! a jump there. The copy is a branch around the loop. If the first iteration is certain, jump
//! threading has entered the loop after its test. Otherwise the copy is longer than the jump, so it
//! is made in outer loops only, and if the loop counts down: then the compare in the loop will be
//! redundant. The test itself is then entered from the loop alone, and becomes a part of its last
//! block. (S. S. Muchnick, Advanced Compiler Design and Implementation, 1997, 18.5.)
use super::control_flow::ControlFlow;
use super::jump_threading::{append_test, short_test};
use super::signs;
use crate::ia32::code::BlockId;
use crate::ia32::terminator::Terminator;

pub fn invert(flow: &mut ControlFlow) {
    let predecessors = flow.order().predecessors;
    for id in flow.blocks.ids() {
        let Some(test) = short_test(flow, id) else { continue };
        let is_header = predecessors[test].iter().any(|from| test < *from);
        let depth = flow.blocks[id].depth;
        let enters_loop = is_header && depth < flow.blocks[test].depth;
        if enters_loop && (depth > 0 || counts_down(flow, test, &predecessors[test])) {
            append_test(flow, id, test);
        }
    }
    append_tests(flow);
}

/// Appends each test that only its loop enters to the last block of the loop.
fn append_tests(flow: &mut ControlFlow) {
    let predecessors = flow.order().predecessors;
    for test in flow.blocks.ids() {
        let [last] = predecessors[test][..] else { continue };
        if test < last && flow.blocks[last].terminator == Terminator::Goto(test) {
            append_test(flow, last, test);
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
