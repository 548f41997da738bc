//! Dominance and RM.
use super::*;

/// Four nodes, each with an edge to each other, so that R1 and R2 do not apply.
fn clique(vectors: [&[u64]; 4], matrix: impl Fn(usize, usize) -> Vec<Cost>) -> Problem {
    let mut problem = Problem::new();
    let nodes = vectors.map(|vector| problem.add_node(&costs(vector)));
    for (u, v) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        problem.add_edge(nodes[u], nodes[v], &matrix(u, v));
    }
    problem
}

fn trace(problem: &Problem) -> Vec<String> {
    let (solution, trace) = traced(problem);
    assert_eq!(solution.expect("there is a solution").cost, brute_force(problem));
    trace
}

#[test]
fn dominated_alternatives_are_pruned_and_of_equals_the_last() {
    let alike = |u: usize, _: usize| match u {
        0 => costs(&[2, 0, 2, 0, 0, 2]),
        _ => costs(&[2, 0, 0, 2]),
    };
    // Rows 0 and 1 of the first node are equal; row 2 may be better than both by 6.
    let problem = clique([&[1, 1, 6], &[0, 0], &[0, 1], &[2, 0]], alike);
    let trace = trace(&problem);
    assert_eq!(trace[0], "dominated 0 alternative 1", "{trace:?}");
}

#[test]
fn a_node_determined_by_another_is_merged_into_it() {
    // The first node takes 0 if the second takes 0, and 1 if the second takes 1 or 2.
    let (none, forbidden) = (Cost::ZERO, Cost::INFINITY);
    let matrix = |u: usize, v: usize| match (u, v) {
        (0, 1) => vec![none, forbidden, forbidden, forbidden, none, none],
        (0, _) => costs(&[0, 9, 9, 0]),
        (1, _) => costs(&[9, 0, 0, 9, 4, 4]),
        (_, _) => costs(&[0, 7, 7, 0]),
    };
    let problem = clique([&[3, 3], &[5, 5, 5], &[4, 4], &[2, 2]], matrix);
    assert_eq!(trace(&problem)[0], "RM 0 into 1");
}

#[test]
fn sweeping_keeps_the_least_cost() {
    let mut swept = 0;
    for family in FAMILIES {
        for seed in 0..200 {
            let random = &mut Random(seed);
            let size = 4 + random.below(5);
            let problem = (family.draw)(random, size);
            let mut count = |it: Reduction| {
                swept += u32::from(matches!(it.rule, Rule::RM | Rule::Dominated));
            };
            let mut solver = Solver::new(State::new(&problem), Some(&mut count));
            let least = brute_force(&problem);
            if solver.reduce().is_err() {
                assert_eq!(least, Cost::INFINITY, "{} {seed}", family.name);
                continue;
            }
            let rest = Solver::new(solver.state, None);
            let solution = finish(rest, &problem, Some(&mut Budget::new(DEFAULT_STEPS)));
            assert_eq!(solution.map_or(INF, |it| it.cost), least, "{seed}");
        }
    }
    assert!(swept > 100, "{swept}");
}
