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
