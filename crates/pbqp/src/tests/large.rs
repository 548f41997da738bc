//! The limits for large matrices.
use super::*;

/// Some nodes of few alternatives, each with edges to the same two of many. The matrices are not
/// symmetric.
fn between(narrow: usize, few: usize, many: usize) -> Problem {
    let mut problem = Problem::new();
    let costs = |count: usize, by: usize| {
        (0..count).map(|i| Cost::new((i * by % 1009) as u64)).collect::<Vec<_>>()
    };
    let wide = [0, 1].map(|at| problem.add_node(&costs(many, 7 + at)));
    for x in 0..narrow {
        let node = problem.add_node(&costs(few, 3 + x));
        wide.iter().zip(11..).for_each(|(&y, by)| {
            problem.add_edge(node, y, &costs(few * many, by + 13 * x));
        });
    }
    problem
}

fn solved(problem: &Problem) -> (Solution, Vec<String>) {
    let (solution, trace) = traced(problem);
    (solution.expect("nothing is forbidden"), trace)
}

/// The least cost: for each choice of the wide nodes, the sum of the minima of the narrow ones.
fn least(problem: &Problem) -> Cost {
    let [y, z] = [0, 1].map(NodeId::from_index);
    let rows = |x: NodeId, y: NodeId| {
        let edge = problem.between(x, y).expect("it is there");
        (problem.entries(edge), problem.vector(x).len())
    };
    let narrow: Vec<_> = problem.nodes().skip(2).map(|x| (x, rows(x, y), rows(x, z))).collect();
    let mut least = Cost::INFINITY;
    for (j, &cost) in problem.vector(y).iter().enumerate() {
        for (l, &other) in problem.vector(z).iter().enumerate() {
            let best = narrow.iter().map(|&(x, (with_y, few), (with_z, _))| {
                let vector = problem.vector(x).iter().enumerate();
                let all = vector.map(|(i, &it)| it + with_y[j * few + i] + with_z[l * few + i]);
                all.min().unwrap_or(Cost::INFINITY)
            });
            least = least.min(cost + other + best.sum());
        }
    }
    least
}

#[test]
fn nodes_with_one_alternative_make_no_matrix() {
    let (solution, steps) = solved(&between(3, 1, 20_000));
    assert!(steps.iter().all(|step| !step.ends_with("into 0-1")), "{steps:?}");
    assert!(solution.is_optimal());
    assert_eq!(solution.cost, least(&between(3, 1, 2_000)), "costs repeat");
}

#[test]
fn the_widest_nodes_of_a_cycle_are_eliminated_first() {
    let (solution, steps) = solved(&between(2, 2, 20_000));
    let two: Vec<_> = steps.iter().filter(|step| step.starts_with("R2")).collect();
    assert!(["R2 0 into 2-3", "R2 1 into 2-3"].contains(&&two[0][..]), "{steps:?}");
    assert!(solution.is_optimal(), "{steps:?}");
}

/// Three narrow nodes are more than a cycle: only R2 applies.
#[test]
fn large_matrices_are_made_within_the_capacity() {
    for (many, fits) in [(600, true), (4_200, false)] {
        let problem = between(3, 2, many);
        let (solution, steps) = solved(&problem);
        assert_eq!(steps.iter().any(|step| step.starts_with("R2")), fits, "{steps:?}");
        let least = least(&problem);
        assert!(solution.cost == least || !solution.is_optimal(), "{many}");
        assert!(solution.cost >= least && (solution.is_optimal() || !fits), "{many}");
    }
}

#[test]
fn capacity_is_taken_once() {
    let problem = between(3, 2, 600);
    let mut large = LargeMatrices::new(&problem, 0);
    assert!(large.take(MAX_SMALL_MATRIX) && large.take(40_000) && !large.take(40_000));
    assert!(large.take(17_000) && !large.take(1_025) && large.take(MAX_SMALL_MATRIX));
    assert!(solve(&problem).is_ok());
}
