//! The solver: reductions in the order of what they cost, then the way back.
//!
//! An edge that says nothing goes first, then nodes with one neighbour, then with two; all these
//! keep the optimum. Only when every node has three neighbours or more is one decided by guess:
//! the one with most edges. The nodes that went unguessed choose on the way back, last gone
//! first. Everything is worked off in a fixed order, so a problem has one solution.
use super::cost::Cost;
use super::graph::Graph;
use super::problem::{NodeId, Problem};
use super::reduce;
use crate::base::ids::Id;
use std::cmp::Reverse;
use std::fmt;

/// A selection of finite cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The alternative of each node.
    pub choice: Vec<u32>,
    pub cost: Cost,
    pub statistics: Statistics,
}

/// No selection of finite cost was found: `node` has run out of alternatives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Infeasible {
    pub node: NodeId,
    /// No selection is finite. Otherwise a guess may have been wrong.
    pub proven: bool,
}

/// What a reduction is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// An alternative cannot be part of any selection.
    Dead,
    RE,
    R0,
    R1,
    R2,
    RN,
}

impl Rule {
    pub const ALL: [Rule; 6] = [Rule::Dead, Rule::RE, Rule::R0, Rule::R1, Rule::R2, Rule::RN];

    pub fn name(self) -> &'static str {
        match self {
            Rule::Dead => "dead",
            Rule::RE => "RE",
            Rule::R0 => "R0",
            Rule::R1 => "R1",
            Rule::R2 => "R2",
            Rule::RN => "RN",
        }
    }
}

/// How often each rule was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics([u32; Rule::ALL.len()]);

impl Statistics {
    pub fn count(&self, rule: Rule) -> u32 {
        self.0[rule as usize]
    }

    /// Whether nothing was guessed: then no selection is cheaper.
    pub fn is_optimal(&self) -> bool {
        self.count(Rule::RN) == 0
    }
}

/// One step of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction<'a> {
    pub rule: Rule,
    pub node: NodeId,
    /// Where the rest of the problem feels it: the other end of RE's edge, the nodes that R1 and
    /// R2 leave their costs to.
    pub others: &'a [NodeId],
    /// The alternative that is dead, or that R0 or RN takes.
    pub alternative: Option<u32>,
}

impl fmt::Display for Reduction<'_> {
    /// `RE 0-2`, `R1 3 into 5`, `R2 4 into 0-5`, `RN 7 takes 0`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let joint = match self.rule {
            Rule::Dead => " alternative ",
            Rule::RE => "-",
            Rule::R0 | Rule::RN => " takes ",
            Rule::R1 | Rule::R2 => " into ",
        };
        write!(f, "{} {}{joint}", self.rule.name(), self.node.index())?;
        let others = self.others.iter().map(|other| other.index().to_string());
        let others = others.chain(self.alternative.map(|alternative| alternative.to_string()));
        write!(f, "{}", others.collect::<Vec<_>>().join("-"))
    }
}

/// A cheap selection, a cheapest one if `Statistics::is_optimal`, in O((n + m) k³).
pub fn solve(problem: &Problem) -> Result<Solution, Infeasible> {
    solve_observed(problem, &mut |_| {})
}

/// As `solve`, and tells `observe` every step.
pub fn solve_observed(
    problem: &Problem,
    observe: &mut dyn FnMut(Reduction),
) -> Result<Solution, Infeasible> {
    let mut solver = Solver::new(problem, observe);
    solver.reduce()?;
    solver.go_back();
    let cost = problem.cost(&solver.choice);
    debug_assert_eq!(cost, solver.promised, "reductions keep the cost of a selection");
    Ok(Solution { choice: solver.choice, cost, statistics: solver.statistics })
}

struct Solver<'p, 'o> {
    graph: Graph<'p>,
    observe: &'o mut dyn FnMut(Reduction),
    statistics: Statistics,
    choice: Vec<u32>,
    /// The nodes that R1 and R2 took out, in this order.
    postponed: Vec<NodeId>,
    /// What the nodes that have chosen cost, and all that was left to them.
    promised: Cost,
}

impl<'p, 'o> Solver<'p, 'o> {
    fn new(problem: &'p Problem, observe: &'o mut dyn FnMut(Reduction)) -> Solver<'p, 'o> {
        Solver {
            graph: Graph::new(problem),
            observe,
            statistics: Statistics::default(),
            choice: vec![0; problem.node_count()],
            postponed: Vec::new(),
            promised: Cost::ZERO,
        }
    }

    /// Takes the graph apart until no edge is left.
    fn reduce(&mut self) -> Result<(), Infeasible> {
        let mut crowd = None;
        loop {
            self.settle()?;
            if let Some(x) = self.graph.next_of_degree(1) {
                let y = reduce::r1(&mut self.graph, x);
                self.postpone(Rule::R1, x, &[y]);
            } else if let Some(x) = self.graph.next_of_degree(2) {
                let others = reduce::r2(&mut self.graph, x);
                self.postpone(Rule::R2, x, &others);
            } else {
                let crowd = crowd.get_or_insert_with(|| Crowd::new(&self.graph));
                let Some(x) = crowd.next(&self.graph) else { return Ok(()) };
                let choice = reduce::rn(&mut self.graph, x);
                self.take(Rule::RN, x, choice);
            }
        }
    }

    /// Settles edges until each live alternative has a live partner at every neighbour.
    fn settle(&mut self) -> Result<(), Infeasible> {
        loop {
            self.report_dead();
            if let Some(node) = self.graph.hopeless() {
                return Err(Infeasible { node, proven: self.statistics.is_optimal() });
            }
            let Some(edge) = self.graph.next_unsettled() else { return Ok(()) };
            if reduce::settle(&mut self.graph, edge) {
                self.report_dead();
                self.graph.remove(edge);
                let [u, v] = self.graph.ends(edge);
                self.report(Rule::RE, u, &[v], None);
            }
        }
    }

    /// Without edges the nodes that are left choose alone; then those that went, last gone first.
    fn go_back(&mut self) {
        for x in self.graph.nodes() {
            if !self.graph.is_gone(x) {
                let choice = reduce::choose(&self.graph, x, &self.choice);
                self.take(Rule::R0, x, choice);
            }
        }
        while let Some(x) = self.postponed.pop() {
            self.choice[x.index()] = reduce::choose(&self.graph, x, &self.choice);
        }
    }

    fn take(&mut self, rule: Rule, x: NodeId, choice: u32) {
        self.choice[x.index()] = choice;
        self.promised += self.graph.vector(x)[choice as usize];
        self.report(rule, x, &[], Some(choice));
    }

    fn postpone(&mut self, rule: Rule, x: NodeId, others: &[NodeId]) {
        self.postponed.push(x);
        self.report(rule, x, others, None);
    }

    fn report_dead(&mut self) {
        for (node, alternative) in self.graph.take_dead() {
            self.report(Rule::Dead, node, &[], Some(alternative));
        }
    }

    fn report(&mut self, rule: Rule, node: NodeId, others: &[NodeId], alternative: Option<u32>) {
        self.statistics.0[rule as usize] += 1;
        (self.observe)(Reduction { rule, node, others, alternative });
    }
}

/// The nodes with three edges or more, by degree: a list for each degree.
///
/// Degrees only fall, so a list is complete when those of all higher degrees are empty; only then
/// is it put in order. A node whose degree has fallen meanwhile moves down when it is met, so it
/// moves no more often than it loses edges.
struct Crowd {
    by_degree: Vec<Vec<NodeId>>,
    /// Whether the list of the highest degree is in order, smallest node last.
    ordered: bool,
}

impl Crowd {
    fn new(graph: &Graph) -> Crowd {
        let mut by_degree = Vec::new();
        for x in graph.nodes().filter(|&x| !graph.is_gone(x)) {
            let degree = graph.degree(x);
            if degree >= by_degree.len() {
                by_degree.resize(degree + 1, Vec::new());
            }
            by_degree[degree].push(x);
        }
        Crowd { by_degree, ordered: false }
    }

    /// A node with the most edges, the smallest of them; none if there are no edges.
    fn next(&mut self, graph: &Graph) -> Option<NodeId> {
        while let Some(list) = self.by_degree.last_mut() {
            if !std::mem::replace(&mut self.ordered, true) {
                list.sort_unstable_by_key(|&x| Reverse(x));
            }
            let Some(x) = list.pop() else {
                self.by_degree.pop();
                self.ordered = false;
                continue;
            };
            let degree = graph.degree(x);
            if graph.is_gone(x) || degree == 0 {
                continue;
            }
            if degree + 1 == self.by_degree.len() {
                return Some(x);
            }
            self.by_degree[degree].push(x);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::{Exact, solve_exactly};
    use super::super::random::{FAMILIES, Random, brute_force};
    use super::*;

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
                match solve_exactly(&problem, 1_000_000) {
                    Exact::Optimal { cost, .. } => check(&problem, cost, family.easy, &name),
                    Exact::Infeasible => check(&problem, Cost::INFINITY, family.easy, &name),
                    Exact::GaveUp => {}
                }
            }
        }
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
            let mut solver = Solver::new(&problem, &mut silent);
            if solver.settle().is_err() {
                continue;
            }
            let graph = &solver.graph;
            for (x, edge) in
                graph.nodes().flat_map(|x| graph.edges_of(x).iter().map(move |&edge| (x, edge)))
            {
                let y = graph.across(edge, x);
                let live = |x| (0..graph.vector(x).len()).filter(move |&i| graph.is_alive(x, i));
                let zero = |i| live(y).any(|j| graph.view(edge, x).at(i, j) == Cost::ZERO);
                assert!(live(x).all(zero), "{seed}");
            }
        }
    }

    #[test]
    fn guesses_start_at_the_first_node_with_the_most_edges() {
        for seed in 0..50 {
            let problem = (FAMILIES[3].draw)(&mut Random(seed), 30);
            let mut graph = Graph::new(&problem);
            let mut crowd = Crowd::new(&graph);
            loop {
                let left = graph.nodes().filter(|&x| !graph.is_gone(x) && graph.degree(x) > 0);
                let expected = left.max_by_key(|&x| (graph.degree(x), Reverse(x)));
                assert_eq!(crowd.next(&graph), expected, "{seed}");
                let Some(x) = expected else { break };
                graph.retire(x);
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

    #[test]
    fn every_step_is_told() {
        let mut steps = Vec::new();
        let solution = solve_observed(&kite(), &mut |step| steps.push(step.to_string()));
        let expected = [
            "dead 4 alternative 2",
            "RE 1-4",
            "R1 4 into 0",
            "RN 0 takes 0",
            "R2 2 into 1-3",
            "R1 3 into 1",
            "R0 1 takes 0",
        ];
        assert_eq!(steps, expected);
        let solution = solution.expect("no alternative but one is forbidden");
        assert_eq!(solution.choice, [0, 0, 1, 1, 0]);
        assert_eq!(Rule::ALL.map(|rule| solution.statistics.count(rule)), [1, 1, 1, 2, 1, 1]);
    }

    #[test]
    fn what_cannot_be_is_an_error_with_its_node() {
        let mut problem = kite();
        let last = problem.add_node(&[Cost::INFINITY, Cost::INFINITY]);
        assert_eq!(solve(&problem), Err(Infeasible { node: last, proven: true }));
        assert_eq!(solve_exactly(&problem, 1000), Exact::Infeasible);
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
