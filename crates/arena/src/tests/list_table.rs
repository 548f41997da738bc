//! Tests of `list_table.rs`.
use super::*;
use crate::id;

id! {
    /// The owner of a list.
    OwnerId
}

#[test]
fn group_and_push_build_equal_lists() {
    let owner = OwnerId::from_index;
    let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (2, 'a')];
    let pairs = pairs.iter().map(|&(id, value)| (owner(id), value));
    let grouped = ListTable::group(5, pairs);
    let mut pushed = ListTable::default();
    for (id, list) in ["b", "", "aca", "d", ""].into_iter().enumerate() {
        pushed.push(list.chars());
        assert_eq!(grouped[owner(id)].iter().collect::<String>(), list);
        assert_eq!(pushed[owner(id)], grouped[owner(id)]);
    }
    assert_eq!((grouped.len(), pushed.is_empty()), (5, false));
}

#[test]
fn an_inverted_table_has_the_ids_of_the_lists_of_each_value() {
    let owner = OwnerId::from_index;
    let mut table = ListTable::default();
    [vec![2, 1], vec![], vec![2]]
        .into_iter()
        .for_each(|list| table.push(list.into_iter().map(owner)));
    let inverted = table.inverted();
    let lists = [0, 1, 2].map(|id| inverted[owner(id)].to_vec());
    assert_eq!(lists, [vec![], vec![owner(0)], vec![owner(0), owner(2)]]);
}

#[test]
fn a_table_counts_the_values_of_all_lists() {
    let mut table = ListTable::<OwnerId, char>::with_capacity(3, 9);
    ["ab", "", "c"].into_iter().for_each(|list| table.push(list.chars()));
    table.shrink_to_fit();
    assert_eq!((table.len(), table.value_count()), (3, 3));
}
