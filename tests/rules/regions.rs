//! Each rule of regions fires in a program of the book. The other tests are in `src/egraph`.
use crate::cases::region_programs;
use crate::check::Check;
use crate::configuration::Configuration;
use sonc::{Source, region_rules};
use std::collections::BTreeSet;

#[test]
fn each_fires_in_a_program_of_the_book() {
    let mut fired = BTreeSet::new();
    for path in region_programs() {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|it| panic!("{name}: {it}"));
        let mut check = Check::default();
        // The program may be one with an error.
        let _ = Configuration::standard().compile(&Source { name, text }, &mut check);
        fired.extend(check.fired);
    }
    let names: Vec<_> = region_rules().map(|it| it.name).collect();
    super::check_names(names.iter().copied());
    let missing: Vec<_> = names.iter().filter(|it| !fired.contains(*it)).collect();
    assert!(missing.is_empty(), "these rules fire in no case: {missing:?}");
}
