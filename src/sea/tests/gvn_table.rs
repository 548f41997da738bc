//! Tests of `gvn_table.rs`.
use super::*;

#[test]
fn what_is_taken_out_leaves_the_others_in_reach() {
    let mut numbers = GvnTable::default();
    let node = |number: u32| NodeId::from_index(number as usize);
    let hash = |number: u32| (number * number) % 50 + 1;
    for number in 0..1000 {
        numbers.insert(hash(number), node(number));
    }
    for gone in (0..1000).step_by(3) {
        numbers.remove(hash(gone), node(gone));
    }
    for number in 0..1000 {
        let found = numbers.candidates(hash(number)).any(|it| it.index() == number as usize);
        assert_eq!(found, number % 3 != 0, "{number}");
    }
}
