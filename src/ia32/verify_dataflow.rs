//! The abstract states at the starts of the blocks of allocated code, by data-flow analysis.
//!
//! The entry block starts with the state of every function, and each other block with the meet of
//! the states at the ends of its predecessors. Blocks are visited again until nothing changes. The
//! state of a block can change only a few times, so the iteration terminates. Earlier blocks are
//! first, so most blocks are visited after all their predecessors. (G. A. Kildall, A unified
//! approach to global program optimization, 1973.)
use crate::ia32::code::{BlockId, Code, Form};
use crate::ia32::verify_state::AbstractState;
use arena::{Id, SideTable};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Calls `execute` for each reachable block with the state at its start, and again if that state
/// has changed. `execute` makes it the state at the end, and returns whether there is one. In
/// selected code every block starts with the entry state.
pub fn execute_all(code: &Code, mut execute: impl FnMut(usize, &mut AbstractState) -> bool) {
    let entry = AbstractState::entry(code);
    match code.form {
        Form::Selected => (0..code.blocks.len()).for_each(|block| {
            execute(block, &mut { entry });
        }),
        Form::Allocated => fixed_point(code, entry, execute),
    }
}

fn fixed_point(
    code: &Code,
    entry: AbstractState,
    mut execute: impl FnMut(usize, &mut AbstractState) -> bool,
) {
    let mut states = vec![None; code.blocks.len()];
    let mut waiting = SideTable::<BlockId, bool>::new(code.blocks.len());
    let mut pending = BinaryHeap::from([Reverse(BlockId::ENTRY)]);
    states[0] = Some(entry);
    while let Some(Reverse(block)) = pending.pop() {
        waiting[block] = false;
        let Some(mut state) = states[block.index()] else { continue };
        if !execute(block.index(), &mut state) {
            continue;
        }
        for next in code.successors(block) {
            let known = states[next.index()];
            let met = known.map_or(state, |known| known.meet(state));
            if known != Some(met) {
                states[next.index()] = Some(met);
                if !std::mem::replace(&mut waiting[next], true) {
                    pending.push(Reverse(next));
                }
            }
        }
    }
}
