//! What is certain where the blocks of allocated code begin, on whichever way control comes.
//!
//! The entry begins with what every function begins with, and each block with what is certain at
//! the end of all blocks that lead to it. Blocks are looked at again while that takes something
//! away, which for each block can happen only a few times. (G. A. Kildall, A unified approach to
//! global program optimization, 1973.)
use crate::ia32::abstract_state::AbstractState;
use crate::ia32::code::{BlockId, Code, Form};
use arena::{Id, SideTable};

/// Nothing for a block that no way leads to. Selected code knows nothing at the begin of a block.
pub fn entry_states(code: &Code) -> Vec<Option<AbstractState>> {
    let entry = AbstractState::entry(code.form);
    match code.form {
        Form::Selected => vec![Some(entry); code.blocks.len()],
        Form::Allocated => fixed_point(code, entry),
    }
}

fn fixed_point(code: &Code, entry: AbstractState) -> Vec<Option<AbstractState>> {
    let mut states = vec![None; code.blocks.len()];
    let mut waiting = SideTable::<BlockId, bool>::new(code.blocks.len());
    let mut pending = vec![BlockId::ENTRY];
    states[0] = Some(entry);
    while let Some(block) = pending.pop() {
        waiting[block] = false;
        let Some(mut state) = states[block.index()] else { continue };
        let done = code.instructions[code.range(block)].iter().try_for_each(|it| state.step(it));
        if done.is_err() {
            continue; // it is reported where the states are used
        }
        for next in code.successors(block).rev() {
            let known = states[next.index()];
            let met = known.map_or(state, |known| known.meet(state));
            if known != Some(met) {
                states[next.index()] = Some(met);
                if !std::mem::replace(&mut waiting[next], true) {
                    pending.push(next);
                }
            }
        }
    }
    states
}

/// Which blocks each block leads to.
pub fn edges(code: &Code) -> Vec<Vec<usize>> {
    let edges = |block| code.successors(block).map(Id::index).collect();
    code.blocks.ids().map(edges).collect()
}
