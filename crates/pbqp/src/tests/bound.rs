//! The lower bound of TRW-S.
use super::*;

/// The sum of minima and the bound of the rest that reductions leave, and the least cost of all.
fn bounds(problem: &Problem) -> Option<[Cost; 3]> {
    let mut solver = Solver::new(State::new(problem), None);
    solver.reduce().ok()?;
    let graph = solver.state.graph;
    Some([sum_of_minima(&graph), trw_s_bound(graph), brute_force(problem)])
}

#[test]
fn the_bound_is_never_above_the_least_cost_and_often_better_than_minima() {
    let mut better = 0;
    for family in FAMILIES {
        for seed in 0..200 {
            let problem = (family.draw)(&mut Random(seed), 8);
            let Some([minima, bound, least]) = bounds(&problem) else { continue };
            assert!(minima <= bound && bound <= least, "{} {seed}", family.name);
            better += usize::from(minima < bound);
        }
    }
    assert!(better > 50, "{better}");
}
