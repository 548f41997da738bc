//! The decision table has an entry for every operation, and each entry is the choice of a PBQP.
use super::change::has_instruction;
use super::decision_table::{COLUMNS, DecisionTable, MAX_VALUES, column, value_places};
use super::select_by_table::select_by_table;
use super::solve;
use crate::firm::Op;
use crate::rules;
use crate::select::options::SelectionOptions;
use crate::ttc::TARGET;
use crate::ttc::generate::structured;
use source::Source;

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

#[test]
fn the_table_has_the_choices_of_the_pbqp_of_the_whole_graph() {
    let text = include_str!("../ttc.rules").to_string();
    let source = Source { name: "ttc.rules".to_string(), text };
    let rules = rules::parse(&source, &TARGET).expect("they are right");
    let options = SelectionOptions::default();
    let table = DecisionTable::cheapest(&rules, options).expect("no rule is nested");
    for seed in 0..40 {
        let graph = structured(seed, 30).firm;
        let [whole, by_table] =
            [solve(&graph, &rules, options), select_by_table(&graph, &table, 2)]
                .map(|changes| changes.expect("all is covered"));
        assert_eq!(whole.forms, by_table.forms);
        assert_eq!(whole.immediates, by_table.immediates);
    }
}
