//! Data-flow analysis: an abstract state for each block, in the direction of control or against it.
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

/// The states of the blocks of `order` that agree with each other: a state may pass others on to
/// neighbours, and each is joined with all that are passed to it. `pass(block, state, to)` calls
/// `to(neighbour, passed)` for each neighbour: for the predecessors, if information flows against
/// the direction of control. The blocks begin with `states`; the neighbours are in the order, too.
///
/// A block is visited again only if its state has changed. If each block is after most of those
/// that pass states on to it, as in postorder for information that flows backwards, the visits are
/// as many as in rounds through all blocks of nested loops: as deep as these are nested, plus two
/// (J. B. Kam, J. D. Ullman, "Global Data Flow Analysis and Iterative Algorithms", JACM 1976).
/// `join` may change a state only a few times, or the analysis does not end.
pub fn solve<I: Id, S: Clone + Default + PartialEq>(
    order: &[I],
    mut states: SideTable<I, S>,
    join: impl Fn(&S, &S) -> S,
    mut pass: impl FnMut(I, &S, &mut dyn FnMut(I, S)),
) -> SideTable<I, S> {
    let mut is_changed: SideTable<I, bool> = SideTable::new(0);
    order.iter().for_each(|&block| is_changed[block] = true);
    let (mut changed, mut at) = (order.len(), 0);
    while changed > 0 {
        let block = order[at];
        at = (at + 1) % order.len();
        if !std::mem::replace(&mut is_changed[block], false) {
            continue;
        }
        changed -= 1;
        let state = states[block].clone();
        pass(block, &state, &mut |neighbour, passed| {
            let joined = join(&states[neighbour], &passed);
            if joined != states[neighbour] {
                states[neighbour] = joined;
                changed += usize::from(!std::mem::replace(&mut is_changed[neighbour], true));
            }
        });
    }
    states
}

#[cfg(test)]
#[path = "tests/data_flow.rs"]
mod tests;
