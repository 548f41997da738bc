//! The order of groups: several things that are done at once, among things that wait for others.
//!
//! To contract the nodes of a graph that stand in one group leaves a graph of groups. It has an
//! order only if it has no cycle, and it may have one though the graph had none, even where each
//! group alone does no harm: of two groups, each may wait for a part of the other.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The numbers below `count` in an order that puts a before b for each `(a, b)` of `waits`, and
/// otherwise changes as little as it can; or those that wait for each other in a circle, and all
/// that wait for them.
pub fn order(count: usize, waits: &[(u32, u32)]) -> Result<Vec<u32>, Vec<u32>> {
    let mut missing = vec![0u32; count];
    let mut first = vec![0u32; count + 1];
    for &(before, after) in waits {
        missing[after as usize] += 1;
        first[before as usize + 1] += 1;
    }
    (0..count).for_each(|at| first[at + 1] += first[at]);
    let (mut next, mut followers) = (first.clone(), vec![0u32; waits.len()]);
    for &(before, after) in waits {
        followers[next[before as usize] as usize] = after;
        next[before as usize] += 1;
    }
    let free = (0..count as u32).filter(|&it| missing[it as usize] == 0).map(Reverse);
    let (mut ready, mut order): (BinaryHeap<_>, _) = (free.collect(), Vec::new());
    while let Some(Reverse(at)) = ready.pop() {
        order.push(at);
        for &follower in &followers[first[at as usize] as usize..first[at as usize + 1] as usize] {
            missing[follower as usize] -= 1;
            if missing[follower as usize] == 0 {
                ready.push(Reverse(follower));
            }
        }
    }
    if order.len() == count {
        return Ok(order);
    }
    Err((0..count as u32).filter(|&it| missing[it as usize] > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of `waits` between things when they stand in groups.
    fn contracted(group: &[u32], waits: &[(usize, usize)]) -> Vec<(u32, u32)> {
        let groups = waits.iter().map(|&(before, after)| (group[before], group[after]));
        groups.filter(|(before, after)| before != after).collect()
    }

    #[test]
    fn what_waits_for_nothing_keeps_its_place() {
        assert_eq!(order(4, &[]), Ok(vec![0, 1, 2, 3]));
        assert_eq!(order(4, &[(3, 1)]), Ok(vec![0, 2, 3, 1]));
        assert_eq!(order(5, &[(4, 0), (0, 1)]), Ok(vec![2, 3, 4, 0, 1]));
    }

    #[test]
    fn circles_are_told_with_what_waits_for_them() {
        assert_eq!(order(4, &[(1, 2), (2, 1), (2, 3)]), Err(vec![1, 2, 3]));
    }

    /// Two loads, each folded into an addition whose other operand is loaded behind a store that
    /// waits for the other load. Each fold alone has an order, both together have none.
    #[test]
    fn two_folded_loads_may_wait_for_each_other() {
        let [load1, load2, store1, store2, behind1, behind2, add1, add2] = [0, 1, 2, 3, 4, 5, 6, 7];
        let waits = [
            (load1, store1),
            (load2, store2),
            (store1, behind1),
            (store2, behind2),
            (load1, add1),
            (behind2, add1),
            (load2, add2),
            (behind1, add2),
        ];
        let alone: [u32; 8] = std::array::from_fn(|at| at as u32);
        let fold = |mut group: [u32; 8], load: usize, add: usize| {
            group[load] = group[add];
            group
        };
        let first = fold(alone, load1, add1);
        let second = fold(alone, load2, add2);
        let both = fold(first, load2, add2);
        assert!(order(8, &contracted(&alone, &waits)).is_ok());
        assert!(order(8, &contracted(&first, &waits)).is_ok());
        assert!(order(8, &contracted(&second, &waits)).is_ok());
        assert!(order(8, &contracted(&both, &waits)).is_err());
    }

    /// If all that touches memory stands in one chain, then folds that are harmless one by one are
    /// harmless together.
    #[test]
    fn on_a_chain_of_memory_harmless_folds_stay_harmless() {
        // load1, store1, load2, store2, as one chain; additions of what the loads have loaded.
        let waits = [(0, 1), (1, 2), (2, 3), (0, 4), (2, 4), (2, 5)];
        let of = |group: [u32; 6]| order(6, &contracted(&group, &waits)).is_ok();
        // The first load cannot go to an addition that needs the second one, which comes behind
        // the store; the second one can go to either addition.
        assert!(!of([4, 1, 2, 3, 4, 5]));
        assert!(of([0, 1, 4, 3, 4, 5]));
        assert!(of([0, 1, 5, 3, 4, 5]));
    }
}
