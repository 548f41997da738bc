//! The rest of a problem after each reduction.
use super::*;
use crate::{Residual, Rule};

/// The cost of the cheapest selection of the nodes that are not eliminated.
fn least_rest(residual: Residual) -> Cost {
    let problem = residual.problem();
    let eliminated = problem.nodes().filter(|&node| !residual.contains(node));
    let least = |node| *problem.vector(node).iter().min().expect("it has alternatives");
    let separate: Cost = eliminated.map(least).sum();
    let all = brute_force(&problem);
    if all.is_finite() { all - separate } else { all }
}

#[test]
fn reductions_move_the_cost_of_the_optimum_to_the_rest() {
    let mut checked = 0;
    for family in FAMILIES {
        for seed in 0..50 {
            let problem = (family.draw)(&mut Random(seed), 6);
            let least = brute_force(&problem);
            let mut has_chosen = false;
            let mut check = |it: Reduction| {
                has_chosen |= matches!(it.rule, Rule::R0 | Rule::BB | Rule::RN);
                if !has_chosen && least.is_finite() {
                    assert_eq!(least_rest(it.residual), least, "{} {seed}: {it}", family.name);
                    checked += 1;
                }
            };
            let settings = Settings { trace: Some(&mut check), ..Settings::default() };
            assert_eq!(solve_with(&problem, settings).is_ok(), least.is_finite());
        }
    }
    assert!(checked > 1000, "{checked}");
}
