//! Variable elimination: the least cost by a way that has nothing in common with the solver's.
//!
//! A table says what some nodes cost together, for each combination of their alternatives. To
//! eliminate a node, all tables that know it are added up, and of each combination of the others
//! the cheapest is kept. It takes time exponential in the number of nodes in a table, the width.
//! Source: Dechter, "Bucket elimination", Artificial Intelligence 1999.
use super::cost::Cost;
use super::problem::Problem;
use arena::Id;

/// What some nodes cost together; the last one changes the fastest.
struct Table {
    nodes: Vec<usize>,
    costs: Vec<Cost>,
}

/// Tables do not become larger.
const LARGEST: usize = 1 << 20;

/// The least cost of all selections; nothing if a table would become too large.
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
        if size(left[at]) > LARGEST {
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
        // Counts up, the last node the fastest.
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

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::super::random::{FAMILIES, Family, Random, brute_force};
    use super::super::search::search;
    use super::super::settings::Settings;
    use super::super::solve::{Infeasible, solve, solve_with};
    use super::*;

    /// How many problems of a family; the environment may ask for more.
    fn count() -> u64 {
        std::env::var("PROBLEMS").map_or(12, |count| count.parse().expect("a number"))
    }

    /// So large that elimination still comes to an end.
    fn size(family: &Family, random: &mut Random) -> usize {
        if family.name == "dense" { 10 } else { 40 + random.below(25) }
    }

    /// Problems and their least costs.
    fn each_problem(see: &mut dyn FnMut(&str, &Problem, Cost)) {
        for family in FAMILIES {
            let mut known = 0;
            for seed in 0..count() {
                let random = &mut Random(1000 + seed);
                let size = size(family, random);
                let problem = (family.draw)(random, size);
                if let Some(least) = least_cost(&problem) {
                    see(&format!("{} {seed}", family.name), &problem, least);
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
    fn the_solver_finds_the_least_cost_and_knows_it() {
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
    fn without_search_the_bound_is_below_the_least_cost_and_contradictions_are_mended() {
        let guesses = |problem: &Problem| {
            solve_with(problem, Settings::default(), Budget::new(0), &mut |_| {})
        };
        let (mut guessed, mut missed) = (0, 0);
        each_problem(&mut |name, problem, least| match guesses(problem) {
            Ok(solution) => {
                assert_eq!(solution.cost, problem.cost(&solution.choice), "{name}");
                assert!(solution.cost >= least && solution.cost.is_finite(), "{name}");
                assert!(solution.cost - solution.gap <= least, "{name}");
                guessed += u32::from(!solution.statistics.is_optimal());
                missed += u32::from(solution.cost != least);
            }
            Err(Infeasible { proven, .. }) => {
                assert!(!least.is_finite(), "{name}: {proven} {least}");
            }
        });
        assert!(guessed > missed && missed > 0, "{missed} of {guessed} guesses are wrong");
    }

    #[test]
    fn a_search_that_is_cut_short_knows_how_far_it_may_be_off() {
        let mut short = 0;
        each_problem(&mut |name, problem, least| {
            for steps in [0, 500, 2000] {
                let found = search(problem, None, &mut Budget::new(steps));
                assert!(found.lower <= least, "{name}");
                short += u32::from(!found.is_complete());
                if let Some((choice, cost)) = found.best {
                    assert_eq!(cost, problem.cost(&choice), "{name}");
                    assert!(cost >= least, "{name}");
                }
            }
        });
        assert!(short > 0);
    }
}
