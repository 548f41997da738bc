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
fn shortened_lists_keep_their_first_values() {
    let owner = OwnerId::from_index;
    let mut table = ListTable::default();
    ["ab", "", "cde", "f"].into_iter().for_each(|list| table.push(list.chars()));
    table.shorten(|list| {
        list.reverse();
        list.len() / 2
    });
    table.shrink_to_fit();
    let lists = (0..4).map(|id| table[owner(id)].iter().collect::<String>());
    assert_eq!(
        (lists.collect::<Vec<_>>(), table.value_count()),
        (["b", "", "e", ""].map(String::from).into(), 2)
    );
}
