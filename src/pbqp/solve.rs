//! The solver: reductions in the order of what they cost, then the way back.
//!
//! An edge that says nothing goes first, then nodes with one neighbour, then with two; all these
//! keep the optimum. Only when every node has three neighbours or more is one decided by guess:
//! the one with most edges. The nodes that went unguessed choose on the way back, last gone
//! first. Everything is worked off in a fixed order, so a problem has one solution.
#[cfg(feature = "ch19")]
use super::budget::Budget;
use super::cost::Cost;
use super::problem::{NodeId, Problem};
use super::report::{Rule, Statistics};
#[cfg(feature = "ch19")]
use super::settings::{Settings, USUAL_STEPS};
use super::solver::{Observer, Solver, State};

/// A selection of finite cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The alternative of each node.
    pub choice: Vec<u32>,
    pub cost: Cost,
    pub statistics: Statistics,
    /// No selection costs less than `cost` minus this.
    #[cfg(feature = "ch19")]
    pub gap: Cost,
}

impl Solution {
    /// Whether it is known that no selection is cheaper.
    pub fn is_optimal(&self) -> bool {
        PROOFS.iter().any(|proves| proves(self))
    }

    /// No selection costs less than this.
    pub fn lower(&self) -> Cost {
        LOWER[LOWER.len() - 1](self)
    }

    /// How often each rule was used, and what is known of the cost.
    pub fn report(&self) -> String {
        let count = |&rule: &Rule| format!("{} {}\n", rule.name(), self.statistics.count(rule));
        let counts: String = Rule::ALL.iter().map(count).collect();
        counts + &VERDICTS.iter().map(|verdict| verdict(self)).collect::<String>()
    }
}

/// What proves that no selection is cheaper.
const PROOFS: &[fn(&Solution) -> bool] = &[
    |solution| solution.statistics.is_optimal(),
    #[cfg(feature = "ch19")]
    |solution| solution.gap == Cost::ZERO,
];

/// What is said about the quality of a solution.
const VERDICTS: &[fn(&Solution) -> String] = &[
    #[cfg(feature = "ch19")]
    |it| {
        let guessed = it.statistics.count(Rule::RN) as usize;
        format!("{} of {} nodes without a guess\n", it.choice.len() - guessed, it.choice.len())
    },
    |it| if it.is_optimal() { "optimal\n" } else { "not proven optimal\n" }.to_string(),
    #[cfg(feature = "ch19")]
    |it| if it.is_optimal() { String::new() } else { format!("at least {}\n", it.lower()) },
];

/// What is known to be the least cost at best; the last one counts.
const LOWER: &[fn(&Solution) -> Cost] = &[
    |it| if it.is_optimal() { it.cost } else { Cost::ZERO },
    #[cfg(feature = "ch19")]
    |it| it.cost - it.gap,
];

/// No selection of finite cost was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Infeasible {
    /// It has run out of alternatives, or whatever it takes, all together cost too much.
    pub node: NodeId,
    /// No selection is finite. Otherwise a guess may have been wrong.
    pub proven: bool,
}

/// A cheap selection, a cheapest one if `Statistics::is_optimal`, in O((n + m) k³).
pub fn solve(problem: &Problem) -> Result<Solution, Infeasible> {
    solve_observed(problem, &mut |_| {})
}

/// As `solve`, and tells `observe` every step.
pub fn solve_observed(problem: &Problem, observe: Observer) -> Result<Solution, Infeasible> {
    Solver::new(State::new(problem), observe).solve(problem)
}

/// As `solve`, but what cannot be reduced by R1 and R2 is guessed: to see what comes of it.
#[cfg(feature = "ch19")]
pub fn solve_by_guesses(problem: &Problem) -> Result<Solution, Infeasible> {
    let settings = Settings { search: false, ..Settings::default() };
    solve_with(problem, settings, Budget::new(USUAL_STEPS), &mut |_| {})
}

/// As `solve_observed`, by other settings, while the searches may take other steps.
#[cfg(feature = "ch19")]
pub fn solve_with<'o>(
    problem: &Problem,
    settings: Settings,
    budget: Budget<'o>,
    observe: Observer<'o>,
) -> Result<Solution, Infeasible> {
    let mut solver = Solver::new(State::new(problem), observe);
    solver.settings = settings;
    solver.budget = budget;
    solver.solve(problem)
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::super::exact::{Exact, solve_exactly};
    use super::super::random::{FAMILIES, Random, brute_force};
    use super::super::reduce;
    use super::super::report::Reduction;
    use super::*;
    use arena::Id;

    /// What must be true of any answer, given the least cost there is.
    fn check(problem: &Problem, least: Cost, easy: bool, name: &str) {
        match solve(problem) {
            Ok(solution) => {
                assert_eq!(solution.cost, problem.cost(&solution.choice), "{name}");
                assert!(solution.cost.is_finite() && solution.cost >= least, "{name}");
                let optimal = solution.statistics.is_optimal();
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
    fn small_problems_are_solved_as_well_as_promised() {
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
    fn larger_problems_are_solved_as_well_as_promised() {
        for family in FAMILIES {
            for seed in 0..100 {
                let problem = (family.draw)(&mut Random(seed), 24);
                let name = format!("{} {seed}", family.name);
                match solve_exactly(&problem, None, &mut Budget::new(10_000_000)) {
                    Exact::Optimal { cost, .. } => check(&problem, cost, family.easy, &name),
                    Exact::Infeasible => check(&problem, Cost::INFINITY, family.easy, &name),
                    Exact::GaveUp { .. } => {}
                }
            }
        }
    }

    /// Whatever is left out, what is found is allowed, and what is called impossible is.
    #[cfg(feature = "ch19")]
    #[test]
    fn without_propagation_and_search_a_solution_has_a_finite_cost() {
        let mut failed = 0;
        for family in FAMILIES {
            for (seed, search) in (0..800).flat_map(|seed| [(seed, false), (seed, true)]) {
                let random = &mut Random(seed);
                let size = 2 + random.below(6);
                let problem = (family.draw)(random, size);
                let least = brute_force(&problem);
                let settings = Settings { propagate: false, search };
                let name = format!("{} {seed}", family.name);
                match solve_with(&problem, settings, Budget::new(USUAL_STEPS), &mut |_| {}) {
                    Ok(it) => {
                        assert!(it.cost.is_finite() && it.cost - it.gap <= least, "{name}");
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

    /// So many pairs, each of which costs 2²² times the largest cost of a text; or 2²² if it is
    /// `free` to.
    fn pairs(count: usize, free: bool) -> Problem {
        let mut problem = Problem::new();
        let other = if free { Cost::new(1) } else { Cost::INFINITY };
        for _ in 0..count {
            let ends = [2, 1].map(|count| problem.add_node(&vec![Cost::ZERO; count]));
            let mut matrix = vec![Cost::new(Cost::LARGEST), other];
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
    fn sums_beyond_all_costs_are_no_solution_and_no_reason_to_miss_one() {
        let exactly = |problem| solve_exactly(problem, None, &mut Budget::new(1000));
        let finite = pairs(2, false);
        assert!(finite.is_summable());
        let most = finite.cost(&[0; 4]);
        assert!(most.is_finite());
        assert_eq!(solve(&finite).map(|it| it.cost), Ok(most));
        assert_eq!(exactly(&finite), Exact::Optimal { choice: vec![0; 4], cost: most });
        let infinite = pairs(3, false);
        assert!(!infinite.is_summable());
        assert!(solve(&infinite).is_err_and(|it| it.proven));
        assert_eq!(exactly(&infinite), Exact::Infeasible);
        let free = pairs(3, true);
        assert!(!free.is_summable());
        let least = Cost::new(3 << 22);
        assert_eq!(solve(&free).map(|it| (it.cost, it.is_optimal())), Ok((least, true)));
        assert!(matches!(exactly(&free), Exact::Optimal { cost, .. } if cost == least));
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
    fn without_guesses_the_order_of_the_nodes_does_not_matter() {
        for family in FAMILIES.iter().filter(|family| family.easy || family.name == "selection") {
            for seed in 0..100 {
                let random = &mut Random(seed);
                let problem = (family.draw)(random, 40);
                let cost = |problem: &Problem| match solve(problem) {
                    Ok(solution) if !solution.statistics.is_optimal() => None,
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
    fn a_settled_graph_has_a_zero_in_each_live_row_and_column() {
        for seed in 0..200 {
            let problem = (FAMILIES[seed % FAMILIES.len()].draw)(&mut Random(seed as u64), 9);
            let mut silent = |_: Reduction| {};
            let mut solver = Solver::new(State::new(&problem), &mut silent);
            while solver.check().is_ok() && solver.settle() {}
            if solver.check().is_err() {
                continue;
            }
            let graph = &solver.state.graph;
            let links = |x| graph.edges_of(x).iter().map(move |link| (x, link.edge, link.other));
            for (x, edge, y) in graph.nodes().flat_map(links) {
                let live = |x| (0..graph.vector(x).len()).filter(move |&i| graph.is_alive(x, i));
                let partner = |i| live(y).any(|j| graph.view(edge, x).at(i, j).is_finite());
                if reduce::is_thin(graph, edge) {
                    continue;
                }
                assert!(live(x).all(partner), "{seed}");
                let zero = |i| live(y).any(|j| graph.view(edge, x).at(i, j) == Cost::ZERO);
                assert!(live(x).all(zero), "{seed}");
            }
        }
    }

    /// Four nodes, each with an edge to each other, and a tail. An alternative of the tail fits
    /// nothing at the first node; to the second node the tail means nothing.
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

    /// The steps that solve the kite, and how many there are of each kind. The last row counts.
    const STEPS: &[(&[&str], &[u32])] = &[
        (
            &[
                "dead 4 alternative 2",
                "RE 1-4",
                "R1 4 into 0",
                "RN 0 takes 0",
                "R2 2 into 1-3",
                "R1 3 into 1",
                "R0 1 takes 0",
            ],
            &[1, 1, 1, 2, 1, 1],
        ),
        #[cfg(feature = "ch19")]
        (
            &["R2 4 into 0-1", "BB 0 takes 0", "BB 1 takes 0", "BB 2 takes 1", "BB 3 takes 1"],
            &[0, 0, 0, 0, 0, 1, 0, 4, 0],
        ),
    ];

    #[test]
    fn every_step_is_told() {
        let mut steps = Vec::new();
        let solution = solve_observed(&kite(), &mut |step| steps.push(step.to_string()));
        let (expected, counts) = STEPS[STEPS.len() - 1];
        assert_eq!(steps, expected);
        let solution = solution.expect("no alternative but one is forbidden");
        assert_eq!(solution.choice, [0, 0, 1, 1, 0]);
        let count = |&rule: &Rule| solution.statistics.count(rule);
        assert_eq!(Rule::ALL.iter().map(count).collect::<Vec<_>>(), counts);
    }

    #[test]
    fn what_cannot_be_is_an_error_with_its_node() {
        let mut problem = kite();
        let last = problem.add_node(&[Cost::INFINITY, Cost::INFINITY]);
        assert_eq!(solve(&problem), Err(Infeasible { node: last, proven: true }));
        assert_eq!(solve_exactly(&problem, None, &mut Budget::new(1000)), Exact::Infeasible);
        let mut problem = Problem::new();
        let none = problem.add_node(&[]);
        assert_eq!(solve(&problem), Err(Infeasible { node: none, proven: true }));
    }

    /// Problems on which anything quadratic or recursive would not come to an end.
    #[test]
    fn size_is_no_matter() {
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
}
