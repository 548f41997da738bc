//! The exact solver, compared with brute force.
use super::*;

#[test]
fn the_search_finds_what_brute_force_finds() {
    for family in FAMILIES {
        for seed in 0..800 {
            let random = &mut Random(seed);
            let size = 1 + random.below(7);
            let problem = (family.draw)(random, size.max(2));
            let least = brute_force(&problem);
            match solve_exactly(&problem, None, &mut Budget::new(u64::MAX)) {
                Ok(it) => {
                    assert_eq!((it.cost, problem.cost(&it.choice)), (least, least), "{seed}");
                    assert!(it.is_optimal() && it.cost.is_finite(), "{} {seed}", family.name);
                }
                Err(Infeasible { proven, .. }) => assert!(proven && least == INF, "{seed}"),
            }
        }
    }
}

#[test]
fn on_a_tree_the_search_never_backtracks() {
    let size = 3000;
    let tree = &FAMILIES[0];
    let solved = (0..20).filter(|&seed| {
        let problem = (tree.draw)(&mut Random(seed), size);
        let steps = size + problem.edge_count();
        match solve_exactly(&problem, None, &mut Budget::new(steps as u64)) {
            Ok(solution) => solution.is_optimal(),
            Err(Infeasible { proven, .. }) => !proven,
        }
    });
    assert!(solved.count() > 10);
}

/// Whatever the budget, no claim is wrong, and a known solution becomes no worse.
#[test]
fn a_search_that_is_cut_short_returns_bounds() {
    let mut cut_short = [0; 2];
    for family in FAMILIES {
        for seed in 0..100 {
            let problem = (family.draw)(&mut Random(seed), 6);
            let least = brute_force(&problem);
            let first = solve_heuristically(&problem).ok();
            for steps in [0, 5, 20, 80] {
                for known in [None, first.clone()] {
                    let is_known = known.is_some();
                    match solve_exactly(&problem, known, &mut Budget::new(steps)) {
                        Ok(it) => {
                            assert!(it.cost >= least && it.cost.is_finite(), "{seed}");
                            assert!(it.lower_bound() <= least, "{} {seed}", family.name);
                            assert_eq!(problem.cost(&it.choice), it.cost, "{seed}");
                            assert!(first.iter().all(|first| !is_known || it.cost <= first.cost));
                            cut_short[0] += u32::from(!it.is_optimal());
                        }
                        Err(Infeasible { proven, .. }) => {
                            assert!(!is_known && (!proven || least == INF), "{seed}");
                            cut_short[1] += u32::from(!proven);
                        }
                    }
                }
            }
        }
    }
    assert!(cut_short.iter().all(|&count| count > 50), "{cut_short:?}");
}

#[test]
fn a_long_search_reports_its_progress() {
    let problem = (FAMILIES[3].draw)(&mut Random(0), 30);
    let mut reports = Vec::new();
    let mut record = |progress: Progress| reports.push(progress);
    let mut budget = Budget::with_progress(10_000, 100, &mut record);
    // Whether it finds a solution does not matter here.
    let _ = solve_exactly(&problem, None, &mut budget);
    assert!(reports.len() > 3, "{reports:?}");
    for (number, Progress { taken, total, nodes, lower_bound, best }) in (0..).zip(&reports) {
        assert!(*taken / 100 > number && *total == 10_000, "{reports:?}");
        assert!(*nodes == 30 && lower_bound <= best, "{reports:?}");
    }
}
