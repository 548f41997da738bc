//! Variable elimination: an oracle that shares no code with the solver.
//!
//! A table has the cost of each combination of alternatives of some nodes. To eliminate a node, all
//! its tables are added up, and for each combination of the other nodes the minimum is kept. It
//! takes time exponential in the number of nodes of a table, the width.
//! Source: Dechter, "Bucket elimination", Artificial Intelligence 1999.
use super::*;

/// The costs of combinations of alternatives; the last node changes fastest.
struct Table {
    nodes: Vec<usize>,
    costs: Vec<Cost>,
}

/// The size of the largest table.
const MAX_TABLE: usize = 1 << 20;

/// The least cost of all selections; none if a table would become too large.
pub fn least_cost(problem: &Problem) -> Option<Cost> {
    let sizes: Vec<usize> = problem.nodes().map(|x| problem.vector(x).len()).collect();
    let vectors = problem
        .nodes()
        .map(|x| Table { nodes: vec![x.index()], costs: problem.vector(x).to_vec() });
    let matrices = problem
        .edges()
        .map(|(u, v, matrix)| Table { nodes: vec![u.index(), v.index()], costs: matrix.to_vec() });
    let mut tables: Vec<Table> = vectors.chain(matrices).collect();
    let mut left: Vec<usize> = (0..sizes.len()).collect();
    let mut cost = Cost::ZERO;
    while !left.is_empty() {
        let size = |x| scope(&tables, x).iter().map(|&y| sizes[y]).product::<usize>();
        let at = (0..left.len()).min_by_key(|&at| size(left[at]))?;
        if size(left[at]) > MAX_TABLE {
            return None;
        }
        let table = eliminate(&mut tables, left.swap_remove(at), &sizes);
        if table.nodes.is_empty() {
            cost += table.costs[0];
        } else {
            tables.push(table);
        }
    }
    Some(cost)
}

/// The nodes that share a table with `x`.
fn scope(tables: &[Table], x: usize) -> Vec<usize> {
    let known = tables.iter().filter(|table| table.nodes.contains(&x));
    let mut nodes: Vec<usize> = known.flat_map(|table| &table.nodes).copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes.retain(|&y| y != x);
    nodes
}

fn eliminate(tables: &mut Vec<Table>, x: usize, sizes: &[usize]) -> Table {
    let nodes = scope(tables, x);
    let (known, others) =
        std::mem::take(tables).into_iter().partition(|table| table.nodes.contains(&x));
    *tables = others;
    let known: Vec<Table> = known;
    let mut choice = vec![0; sizes.len()];
    let mut costs = Vec::new();
    loop {
        let sum = |choice: &[usize]| known.iter().map(|table| table.cost(choice, sizes)).sum();
        let of_x = (0..sizes[x]).map(|i| {
            choice[x] = i;
            sum(&choice)
        });
        costs.push(of_x.min().unwrap_or(Cost::INFINITY));
        // Counts up; the last node changes fastest.
        let stopped = nodes.iter().rev().find(|&&y| {
            choice[y] = (choice[y] + 1) % sizes[y];
            choice[y] != 0
        });
        if stopped.is_none() {
            return Table { nodes, costs };
        }
    }
}

impl Table {
    fn cost(&self, choice: &[usize], sizes: &[usize]) -> Cost {
        self.costs[self.nodes.iter().fold(0, |at, &x| at * sizes[x] + choice[x])]
    }
}

/// The number of problems of each family; the variable PROBLEMS overrides it.
fn count() -> u64 {
    std::env::var("PROBLEMS").map_or(12, |count| count.parse().expect("a number"))
}

/// A size for which elimination needs little time.
fn size(family: &Family, random: &mut Random) -> usize {
    if family.name == "dense" { 10 } else { 40 + random.below(25) }
}

/// Calls `check` with problems and their least costs.
fn each_problem(check: &mut dyn FnMut(&str, &Problem, Cost)) {
    for family in FAMILIES {
        let mut known = 0;
        for seed in 0..count() {
            let random = &mut Random(1000 + seed);
            let size = size(family, random);
            let problem = (family.draw)(random, size);
            if let Some(least) = least_cost(&problem) {
                check(&format!("{} {seed}", family.name), &problem, least);
                known += 1;
            }
        }
        assert!(known * 2 > count(), "{}: {known} of {}", family.name, count());
    }
}

#[test]
fn elimination_finds_what_brute_force_finds() {
    for seed in 0..400 {
        let random = &mut Random(seed as u64);
        let size = 2 + random.below(6);
        let problem = (FAMILIES[seed % FAMILIES.len()].draw)(random, size);
        assert_eq!(least_cost(&problem), Some(brute_force(&problem)), "{seed}");
    }
}

#[test]
fn the_solver_finds_the_least_cost_and_proves_it() {
    each_problem(&mut |name, problem, least| match solve(problem) {
        Ok(solution) => {
            assert_eq!((solution.cost, solution.gap), (least, Cost::ZERO), "{name}");
        }
        Err(Infeasible { proven, .. }) => {
            assert!(proven && !least.is_finite(), "{name}: {least}");
        }
    });
}

#[test]
fn without_search_the_bound_is_below_the_least_cost_and_contradictions_are_repaired() {
    let approximated = |problem: &Problem| {
        solve_with(problem, Settings { budget: Budget::new(0), ..Settings::default() })
    };
    let (mut heuristic, mut missed) = (0, 0);
    each_problem(&mut |name, problem, least| match approximated(problem) {
        Ok(solution) => {
            assert_eq!(solution.cost, problem.cost(&solution.choice), "{name}");
            assert!(solution.cost >= least && solution.cost.is_finite(), "{name}");
            assert!(solution.cost - solution.gap <= least, "{name}");
            heuristic += u32::from(!solution.statistics.is_exact());
            missed += u32::from(solution.cost != least);
        }
        Err(Infeasible { proven, .. }) => {
            assert!(!least.is_finite(), "{name}: {proven} {least}");
        }
    });
    assert!(heuristic > missed && missed > 0, "{missed} of {heuristic} miss the optimum");
}

#[test]
fn a_search_that_is_cut_short_returns_bounds() {
    let mut cut_short = 0;
    each_problem(&mut |name, problem, least| {
        for steps in [0, 500, 2000] {
            let result = search(problem, None, &mut Budget::new(steps));
            assert!(result.lower_bound <= least, "{name}");
            cut_short += u32::from(!result.is_complete());
            if let Some((choice, cost)) = result.best {
                assert_eq!(cost, problem.cost(&choice), "{name}");
                assert!(cost >= least, "{name}");
            }
        }
    });
    assert!(cut_short > 0);
}
