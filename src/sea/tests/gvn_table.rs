//! Tests of `gvn_table.rs`.
use super::*;

#[test]
fn removal_keeps_the_other_entries_reachable() {
    let mut table = GvnTable::default();
    let node = |number: u32| NodeId::from_index(number as usize);
    let hash = |number: u32| (number * number) % 50 + 1;
    for number in 0..1000 {
        table.insert(hash(number), node(number));
    }
    for removed in (0..1000).step_by(3) {
        table.remove(hash(removed), node(removed));
    }
    for number in 0..1000 {
        let found = table.candidates(hash(number)).any(|it| it.index() == number as usize);
        assert_eq!(found, number % 3 != 0, "{number}");
    }
}
