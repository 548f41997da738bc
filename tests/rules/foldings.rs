//! How often each rule that folds Firm graphs is applied to the programs of the book, as a table
//! of the chapter that has these rules.
use crate::cases::cases;
use crate::check::Check;
use crate::configuration::Configuration;
use expect_test::expect_file;
use sonc::this_chapter;

#[test]
fn rules_for_graphs_are_of_use_to_programs() {
    let mut fired = Vec::new();
    for case in cases() {
        let mut check = Check::default();
        // A case may be there to be refused.
        let _ = Configuration::usual().compile(&case.source, &mut check);
        fired.append(&mut check.fired);
    }
    let count = |name: &str| fired.iter().filter(|it| **it == name).count();
    let rows = sonc::folding_rules().map(|(name, _)| format!("{name:<20}{:>5}\n", count(name)));
    let table = rows.collect::<String>();
    assert!(sonc::folding_rules().any(|(name, _)| count(name) > 0), "{table}");
    if this_chapter() == 25 {
        expect_file!["../../chapters/25-graph-rewriting/cases/foldings.txt"].assert_eq(&table);
    }
}
