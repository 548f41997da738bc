//! The whole solver: solutions, traces, and problems without a solution.
use super::*;

/// Checks the result of the solver, given the least cost.
fn check(problem: &Problem, least: Cost, easy: bool, name: &str) {
    match solve(problem) {
        Ok(solution) => {
            assert_eq!(solution.cost, problem.cost(&solution.choice), "{name}");
            assert!(solution.cost.is_finite() && solution.cost >= least, "{name}");
            let optimal = solution.is_optimal();
            assert!(optimal || !easy, "{name}");
            assert!(solution.cost == least || !optimal, "{name}");
        }
        Err(Infeasible { proven, .. }) => {
            assert!(proven || !easy, "{name}");
            assert!(!least.is_finite() || !proven, "{name}");
        }
    }
}

#[test]
fn small_problems_are_solved_as_documented() {
    for family in FAMILIES {
        for seed in 0..800 {
            let random = &mut Random(seed);
            let size = 2 + random.below(6);
            let problem = (family.draw)(random, size);
            let name = format!("{} {seed}", family.name);
            check(&problem, brute_force(&problem), family.easy, &name);
        }
    }
}

#[test]
fn larger_problems_are_solved_as_documented() {
    for family in FAMILIES {
        for seed in 0..100 {
            let problem = (family.draw)(&mut Random(seed), 24);
            let name = format!("{} {seed}", family.name);
            match solve_exactly(&problem, None, &mut Budget::new(10_000_000)) {
                Ok(it) if it.is_optimal() => check(&problem, it.cost, family.easy, &name),
                Err(it) if it.proven => check(&problem, INF, family.easy, &name),
                Ok(_) | Err(_) => {}
            }
        }
    }
}

/// Without propagation, solutions are allowed, and infeasible problems are.
#[test]
fn without_propagation_and_search_a_solution_has_a_finite_cost() {
    let mut failed = 0;
    for family in FAMILIES {
        for (seed, search) in (0..800).flat_map(|seed| [(seed, false), (seed, true)]) {
            let random = &mut Random(seed);
            let size = 2 + random.below(6);
            let problem = (family.draw)(random, size);
            let least = brute_force(&problem);
            let settings = Settings { propagate: false, search, ..Settings::default() };
            let name = format!("{} {seed}", family.name);
            match solve_with(&problem, settings) {
                Ok(it) => {
                    assert!(it.cost.is_finite() && it.lower_bound() <= least, "{name}");
                    assert!(!it.report().contains("inf"), "{name}");
                }
                Err(Infeasible { proven, .. }) => {
                    assert!(!proven || !least.is_finite(), "{name}");
                    failed += u32::from(least.is_finite());
                }
            }
        }
    }
    assert!(failed > 0, "it always finds a solution");
}

/// Pairs of nodes, each of which costs 2²² times the largest cost of an input, or, if it is `free`
/// to choose, 2²².
fn pairs(count: usize, free: bool) -> Problem {
    let mut problem = Problem::new();
    let other = if free { Cost::new(1) } else { Cost::INFINITY };
    for _ in 0..count {
        let ends = [2, 1].map(|count| problem.add_node(&vec![Cost::ZERO; count]));
        let mut matrix = vec![Cost::new(Cost::MAX_INPUT), other];
        problem.add_edge(ends[0], ends[1], &matrix);
        for _ in 0..22 {
            // Edges between the same nodes add up.
            problem.add_edge(ends[0], ends[1], &matrix);
            matrix.iter_mut().for_each(|cost| *cost += *cost);
        }
    }
    problem
}

#[test]
fn infinite_sums_are_no_solution_and_hide_none() {
    let exactly = |problem| solve_exactly(problem, None, &mut Budget::new(1000));
    let finite = pairs(2, false);
    assert!(finite.is_summable());
    let most = finite.cost(&[0; 4]);
    assert!(most.is_finite());
    assert_eq!(solve(&finite).map(|it| it.cost), Ok(most));
    let solution = exactly(&finite).expect("there is a solution");
    assert_eq!((solution.cost, solution.gap), (most, Cost::ZERO));
    assert_eq!(solution.choice, [0; 4]);
    let infinite = pairs(3, false);
    assert!(!infinite.is_summable());
    assert!(solve(&infinite).is_err_and(|it| it.proven));
    assert!(exactly(&infinite).is_err_and(|it| it.proven));
    let free = pairs(3, true);
    assert!(!free.is_summable());
    let least = Cost::new(3 << 22);
    assert_eq!(solve(&free).map(|it| (it.cost, it.is_optimal())), Ok((least, true)));
    assert_eq!(exactly(&free).map(|it| (it.cost, it.is_optimal())), Ok((least, true)));
}

/// The same problem with other numbers for its nodes.
fn renumbered(problem: &Problem, random: &mut Random) -> Problem {
    let mut order: Vec<NodeId> = problem.nodes().collect();
    (1..order.len()).for_each(|at| order.swap(at, random.below(at + 1)));
    let mut other = Problem::new();
    let mut names = vec![order[0]; order.len()];
    for x in order {
        names[x.index()] = other.add_node(problem.vector(x));
    }
    for (u, v, matrix) in problem.edges() {
        other.add_edge(names[u.index()], names[v.index()], matrix);
    }
    other
}

#[test]
fn without_rn_the_order_of_the_nodes_does_not_matter() {
    for family in FAMILIES.iter().filter(|family| family.easy || family.name == "selection") {
        for seed in 0..100 {
            let random = &mut Random(seed);
            let problem = (family.draw)(random, 40);
            let cost = |problem: &Problem| match solve(problem) {
                Ok(solution) if !solution.statistics.is_exact() => None,
                Ok(solution) => Some(solution.cost),
                Err(_) => Some(Cost::INFINITY),
            };
            let Some(first) = cost(&problem) else { continue };
            for _ in 0..5 {
                let second = cost(&renumbered(&problem, random));
                assert!(second.is_none_or(|cost| cost == first), "{} {seed}", family.name);
            }
        }
    }
}

#[test]
fn instructions_can_always_be_selected() {
    let selection = FAMILIES.iter().find(|family| family.name == "selection").unwrap();
    for seed in 0..300 {
        let solution = solve(&(selection.draw)(&mut Random(seed), 60));
        assert!(solution.is_ok_and(|solution| solution.cost.is_finite()), "{seed}");
    }
}

#[test]
fn a_normalized_graph_has_a_zero_in_each_allowed_row_and_column() {
    for seed in 0..200 {
        let problem = (FAMILIES[seed % FAMILIES.len()].draw)(&mut Random(seed as u64), 9);
        let mut solver = Solver::new(State::new(&problem), None);
        while solver.check().is_ok() && solver.normalize() {}
        if solver.check().is_err() {
            continue;
        }
        let graph = &solver.state.graph;
        let edges = |x| graph.edges_of(x).iter().map(move |it| (x, it.edge, it.other));
        for (x, edge, y) in graph.nodes().flat_map(edges) {
            let allowed = |x| (0..graph.vector(x).len()).filter(move |&i| graph.is_allowed(x, i));
            let support = |i| allowed(y).any(|j| graph.view(edge, x).at(i, j).is_finite());
            if is_reducible(graph, edge) {
                continue;
            }
            assert!(allowed(x).all(support), "{seed}");
            let zero = |i| allowed(y).any(|j| graph.view(edge, x).at(i, j) == Cost::ZERO);
            assert!(allowed(x).all(zero), "{seed}");
        }
    }
}

/// Four nodes, each with an edge to each other, and a tail. The first node forbids an alternative
/// of the tail; the tail's edge to the second node is constant.
fn kite() -> Problem {
    let [two, one, none] = [2, 1, 0].map(Cost::new);
    let mut problem = Problem::new();
    let body = [0, 1, 2, 3].map(|i| problem.add_node(&[Cost::new(i), Cost::new(3 - i)]));
    for (u, v) in [(0, 1), (1, 2), (2, 3), (0, 3), (1, 3), (0, 2)] {
        problem.add_edge(body[u], body[v], &[two, none, none, two]);
    }
    let tail = problem.add_node(&[Cost::new(2), Cost::new(4), none]);
    let matrix = [one, none, Cost::INFINITY, none, two, Cost::INFINITY];
    problem.add_edge(body[0], tail, &matrix);
    problem.add_edge(body[1], tail, &[one; 6]);
    problem
}

#[test]
fn every_reduction_is_traced() {
    let expected =
        ["R2 4 into 0-1", "BB 0 takes 0", "BB 1 takes 0", "BB 2 takes 1", "BB 3 takes 1"];
    let (solution, trace) = traced(&kite());
    assert_eq!(trace, expected);
    let solution = solution.expect("one alternative of each node is allowed");
    assert_eq!(solution.choice, [0, 0, 1, 1, 0]);
    let counts = Rule::ALL.map(|rule| solution.statistics.count(rule));
    assert_eq!(counts, [0, 0, 0, 0, 0, 1, 0, 4, 0]);
}

#[test]
fn without_search_rn_decides() {
    let solution = solve_heuristically(&kite()).expect("one alternative of each node is allowed");
    let counts = Rule::ALL.map(|rule| solution.statistics.count(rule));
    assert_eq!(counts, [0, 0, 0, 1, 1, 2, 0, 0, 1]);
    assert!(!solution.is_optimal() && solution.lower_bound() == Cost::ZERO);
}

#[test]
fn an_infeasible_problem_is_an_error_with_a_node() {
    let mut problem = kite();
    let last = problem.add_node(&[Cost::INFINITY, Cost::INFINITY]);
    assert_eq!(solve(&problem), Err(Infeasible { node: last, proven: true }));
    let exact = solve_exactly(&problem, None, &mut Budget::new(1000));
    assert_eq!(exact, Err(Infeasible { node: last, proven: true }));
    let mut problem = Problem::new();
    let none = problem.add_node(&[]);
    assert_eq!(solve(&problem), Err(Infeasible { node: none, proven: true }));
}

/// Problems for which a quadratic or recursive algorithm would fail.
#[test]
fn large_problems_take_linear_time_and_constant_stack() {
    let many = 100_000;
    let path = |i| vec![(i, i + 1)];
    let star = |i| vec![(0, i + 1)];
    let wheel = |i| vec![(0, i + 1), (i + 1, if i + 1 < many { i + 2 } else { 1 })];
    let two_hubs = |i| vec![(0, i + 2), (1, i + 2)];
    let ladder = |i| if i % 2 == 0 { vec![(i, i + 1), (i, i + 2)] } else { vec![(i, i + 2)] };
    let shapes: [&dyn Fn(usize) -> Vec<(usize, usize)>; 5] =
        [&path, &star, &wheel, &two_hubs, &ladder];
    for shape in shapes {
        let mut problem = Problem::new();
        for i in 0..many + 2 {
            problem.add_node(&[Cost::new(i as u64 % 7), Cost::new(i as u64 % 5)]);
        }
        let matrix = [4, 0, 1, 3].map(Cost::new);
        for (u, v) in (0..many).flat_map(shape) {
            problem.add_edge(NodeId::from_index(u), NodeId::from_index(v), &matrix);
        }
        assert!(solve(&problem).is_ok());
    }
}
