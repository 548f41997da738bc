//! Tests of `group_order.rs`.
use super::{Group, Id};

/// The order of groups by their numbers.
fn order(count: usize, waits: &[(usize, usize)]) -> Result<Vec<usize>, Vec<usize>> {
    let pair = |&(before, after): &_| (Group::from_index(before), Group::from_index(after));
    let waits: Vec<_> = waits.iter().map(pair).collect();
    let numbers = |groups: Vec<Group>| groups.into_iter().map(Id::index).collect();
    super::order(count, &waits).map(numbers).map_err(numbers)
}

/// The dependences between groups, given those between nodes.
fn contracted(group: &[usize], waits: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let groups = waits.iter().map(|&(before, after)| (group[before], group[after]));
    groups.filter(|(before, after)| before != after).collect()
}

#[test]
fn groups_without_dependences_keep_their_order() {
    assert_eq!(order(4, &[]), Ok(vec![0, 1, 2, 3]));
    assert_eq!(order(4, &[(3, 1)]), Ok(vec![0, 2, 3, 1]));
    assert_eq!(order(5, &[(4, 0), (0, 1)]), Ok(vec![2, 3, 4, 0, 1]));
}

#[test]
fn cycles_are_reported_with_the_groups_that_depend_on_them() {
    assert_eq!(order(4, &[(1, 2), (2, 1), (2, 3)]), Err(vec![1, 2, 3]));
}

/// Two loads, each folded into an addition whose other operand is loaded after a store that depends
/// on the other load. Each fold unfolded has an order, both together have none.
#[test]
fn two_folded_loads_may_depend_on_each_other() {
    let [load1, load2, store1, store2, reload1, reload2, add1, add2] = [0, 1, 2, 3, 4, 5, 6, 7];
    let waits = [
        (load1, store1),
        (load2, store2),
        (store1, reload1),
        (store2, reload2),
        (load1, add1),
        (reload2, add1),
        (load2, add2),
        (reload1, add2),
    ];
    let unfolded: [usize; 8] = std::array::from_fn(|at| at);
    let fold = |mut group: [usize; 8], load: usize, add: usize| {
        group[load] = group[add];
        group
    };
    let first = fold(unfolded, load1, add1);
    let second = fold(unfolded, load2, add2);
    let both = fold(first, load2, add2);
    assert!(order(8, &contracted(&unfolded, &waits)).is_ok());
    assert!(order(8, &contracted(&first, &waits)).is_ok());
    assert!(order(8, &contracted(&second, &waits)).is_ok());
    assert!(order(8, &contracted(&both, &waits)).is_err());
}

/// If all memory operations are in one chain, folds that are harmless one by one are harmless
/// together.
#[test]
fn on_a_chain_of_memory_harmless_folds_stay_harmless() {
    // load1, store1, load2, store2, as one chain; additions of the loaded values.
    let waits = [(0, 1), (1, 2), (2, 3), (0, 4), (2, 4), (2, 5)];
    let of = |group: [usize; 6]| order(6, &contracted(&group, &waits)).is_ok();
    // The first load cannot be folded into an addition that depends on the second one, since that
    // is after the store. The second one can be folded into either addition.
    assert!(!of([4, 1, 2, 3, 4, 5]));
    assert!(of([0, 1, 4, 3, 4, 5]));
    assert!(of([0, 1, 5, 3, 4, 5]));
}
