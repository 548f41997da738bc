//! Data-flow analysis forwards: an abstract state at the start of each block.
//!
//! Source: G. A. Kildall, "A Unified Approach to Global Program Optimization", POPL 1973.
use arena::{Id, SideTable};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Calls `execute` for each reachable block with the state at its start, and again if that state
/// has changed: it is the meet of the states at the ends of the predecessors, and `start` for the
/// block `entry`. `execute` makes it the state at the end, and returns whether there is one.
///
/// Blocks with smaller numbers are first. If most blocks are after their predecessors, most are
/// executed once. The state of a block may change only a few times, or the analysis does not end.
pub fn execute_all<I: Id + Ord, S: Clone + PartialEq, N: IntoIterator<Item = I>>(
    (entry, start): (I, S),
    successors: impl Fn(I) -> N,
    meet: impl Fn(S, S) -> S,
    mut execute: impl FnMut(I, &mut S) -> bool,
) {
    let mut states: SideTable<I, Option<S>> = SideTable::new(0);
    let mut waiting: SideTable<I, bool> = SideTable::new(0);
    let mut pending = BinaryHeap::from([Reverse(entry)]);
    states[entry] = Some(start);
    while let Some(Reverse(block)) = pending.pop() {
        waiting[block] = false;
        let Some(mut state) = states[block].clone() else { continue };
        if !execute(block, &mut state) {
            continue;
        }
        for next in successors(block) {
            let known = states[next].clone();
            let met = known.map_or_else(|| state.clone(), |known| meet(known, state.clone()));
            if states[next].as_ref() != Some(&met) {
                states[next] = Some(met);
                if !std::mem::replace(&mut waiting[next], true) {
                    pending.push(Reverse(next));
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/data_flow.rs"]
mod tests;
