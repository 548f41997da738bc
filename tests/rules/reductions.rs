//! How often each reduction is applied to the programs of the book, as a table of the last chapter
//! on selection. None of them needs RN.
use crate::cases::{Case, cases};
use crate::configuration::Configuration;
use crate::counts::Counts;
use expect_test::expect_file;
use sonc::Method;
use sonc::this_chapter;

const COLUMNS: [&str; 9] = ["pruned", "dominated", "RE", "R0", "R1", "R2", "RM", "BB", "RN"];

/// The total counts of these programs.
fn row(cases: &[Case], method: Method) -> [u32; COLUMNS.len()] {
    let mut configuration = Configuration::standard();
    configuration.selection.method = method;
    let mut counts = Counts::default();
    for case in cases {
        // The case may be one of an error.
        let _ = configuration.compile(&case.source, &mut counts);
    }
    COLUMNS.map(|name| counts.of(name))
}

#[test]
fn the_programs_of_the_book_need_no_heuristic_choice() {
    let cases = cases();
    let mut table = format!("{:<22}{:>7}", "", COLUMNS[0]);
    COLUMNS[1..].iter().for_each(|name| table += &format!("{name:>10}"));
    for (name, method) in
        [("with all reductions", Method::Pbqp), ("with R1 and R2", Method::Heuristic)]
    {
        let row = row(&cases, method);
        assert_eq!(row[COLUMNS.len() - 1], 0, "{name}: {row:?}");
        table += &format!("\n{name:<22}{:>7}", row[0]);
        row[1..].iter().for_each(|count| table += &format!("{count:>10}"));
    }
    if this_chapter() == 19 {
        expect_file!["../../chapters/19-rule-sets/cases/reductions.txt"].assert_eq(&(table + "\n"));
    }
}
