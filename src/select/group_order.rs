//! A topological order of groups of nodes that are executed at once.
//!
//! Contracting the nodes of each group leaves a graph of groups. It has an order only if it has no
//! cycle. It may have a cycle though the graph had none, even if each group alone is harmless: of
//! two groups, each may depend on a part of the other.
use arena::{Id, ListTable, SideTable, id};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

id! {
    /// A group.
    Group
}

/// The first `count` groups in an order that puts a before b for each `(a, b)` of `waits`, and
/// otherwise follows their numbers. If there is a cycle: the groups on cycles, and all that depend
/// on them.
pub fn order(count: usize, waits: &[(Group, Group)]) -> Result<Vec<Group>, Vec<Group>> {
    let followers = ListTable::group(count, waits.iter().copied());
    let mut missing: SideTable<Group, u32> = SideTable::new(count);
    waits.iter().for_each(|(_, after)| missing[*after] += 1);
    let groups = || (0..count).map(Group::from_index);
    let free = groups().filter(|&it| missing[it] == 0).map(Reverse);
    let (mut ready, mut order): (BinaryHeap<_>, _) = (free.collect(), Vec::new());
    while let Some(Reverse(group)) = ready.pop() {
        order.push(group);
        for &follower in &followers[group] {
            missing[follower] -= 1;
            if missing[follower] == 0 {
                ready.push(Reverse(follower));
            }
        }
    }
    if order.len() == count {
        Ok(order)
    } else {
        Err(groups().filter(|&it| missing[it] > 0).collect())
    }
}

#[cfg(test)]
#[path = "tests/group_order.rs"]
mod tests;
