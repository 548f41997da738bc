//! How often each folding rule is applied to the programs of the book, as a table of its chapter.
use crate::cases::cases;
use crate::check::Check;
use crate::configuration::Configuration;
use expect_test::expect_file;
use sonc::this_chapter;

#[test]
fn folding_rules_apply_to_programs() {
    let mut fired = Vec::new();
    for case in cases() {
        let mut check = Check::default();
        // The case may be one of an error.
        let configuration = Configuration { trace: true, ..Configuration::standard() };
        let _ = configuration.compile(&case.source, &mut check);
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
