//! Tests of `ids.rs`.
use super::*;

id! {
    /// A value of these tests.
    TestId
}

#[test]
fn ids_are_numbers_in_order() {
    let mut arena = Arena::with_capacity(2);
    assert!(arena.is_empty());
    let ids: Vec<TestId> = ["a", "b", "c"].map(|value| arena.push(value)).into();
    assert_eq!(arena.ids().collect::<Vec<_>>(), ids);
    arena[ids[1]] = "B";
    assert_eq!((arena.len(), arena[ids[1]], ids[2].index()), (3, "B", 2));
}

#[test]
fn a_side_table_has_a_row_for_each_id() {
    let mut table = SideTable::<TestId, u8>::of(vec![1]);
    table[TestId::from_index(5)] = 9;
    let rows = (0..8).map(|at| table[TestId::from_index(at)]);
    assert_eq!(rows.collect::<Vec<_>>(), [1, 0, 0, 0, 0, 9, 0, 0]);
}

#[test]
fn a_sparse_table_has_a_row_for_each_id_that_was_written() {
    let mut table = SparseTable::<TestId, u8>::new(2);
    [(5, 9), (1, 2), (5, 7)].into_iter().for_each(|(at, row)| table[TestId::from_index(at)] = row);
    let rows = (0..8).map(|at| table[TestId::from_index(at)]);
    assert_eq!(rows.collect::<Vec<_>>(), [0, 2, 0, 0, 0, 7, 0, 0]);
}
