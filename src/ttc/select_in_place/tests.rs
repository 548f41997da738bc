//! The decision table has an entry for every operation.
use super::change::has_instruction;
use super::decision_table::{COLUMNS, MAX_VALUES, column, value_places};
use crate::firm::Op;

#[test]
fn each_operation_has_a_column_and_each_value_a_position() {
    let mut columns = Vec::new();
    for op in Op::kinds().filter(|op| has_instruction(*op)) {
        assert!(value_places(op).count() <= MAX_VALUES, "{op:?}");
        columns.push(column(op));
    }
    columns.sort_unstable();
    assert!(columns.into_iter().eq(0..COLUMNS - 1));
}
