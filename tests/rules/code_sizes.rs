//! The code of the programs of the book, selected for size greedily and by a PBQP, as a table of
//! the last chapter on selection.
use crate::cases::{Case, cases};
use crate::configuration::{Configuration, rules};
use expect_test::expect_file;
use sonc::{Artifact, Halt, Method, Objective, Stage, StageObserver, this_chapter};
use std::cmp::Ordering;

struct NoObserver;

impl StageObserver for NoObserver {
    fn stage_done(&mut self, _: Stage, _: &dyn Artifact) -> Result<(), Halt> {
        Ok(())
    }
}

/// The bytes of the program's functions; `None` if it has an error.
fn bytes(case: &Case, method: Method) -> Option<u32> {
    let mut configuration = Configuration::standard();
    configuration.selection.objective = Objective::Size;
    configuration.selection.method = method;
    let rules = rules();
    let options = configuration.options(rules);
    let executable = sonc::compile(&case.source, options, &mut NoObserver).ok()?;
    let functions = executable.symbols.iter().filter(|it| it.name != "_start");
    Some(functions.map(|it| it.size).sum())
}

#[test]
fn the_pbqp_selects_shorter_code_than_greedy_selection() {
    let sizes = |case: &Case| Some([bytes(case, Method::Greedy)?, bytes(case, Method::Pbqp)?]);
    let sizes: Vec<[u32; 2]> = cases().iter().filter_map(sizes).collect();
    let total = |at: usize| sizes.iter().map(|it| it[at]).sum::<u32>();
    let count = |order: Ordering| sizes.iter().filter(|it| it[1].cmp(&it[0]) == order).count();
    assert!(total(1) < total(0), "{} and {} bytes", total(1), total(0));
    let orders = [Ordering::Less, Ordering::Equal, Ordering::Greater].map(count);
    let mut table = format!("{:<14}{:>6}\n", "programs", sizes.len());
    for (name, number) in [("greedy, bytes", total(0)), ("PBQP, bytes", total(1))] {
        table += &format!("{name:<14}{number:>6}\n");
    }
    for (name, number) in ["PBQP shorter", "equal", "PBQP longer"].into_iter().zip(orders) {
        table += &format!("{name:<14}{number:>6}\n");
    }
    if this_chapter() == 19 {
        expect_file!["../../chapters/19-rule-sets/cases/code_sizes.txt"].assert_eq(&table);
    }
}
