//! The solver: reductions in the order of what they cost, then the way back.
//!
//! An edge that says nothing goes first, then nodes with one neighbour, then with two; all these
//! keep the optimum. Only when every node has three neighbours or more is one decided by guess:
//! the one with most edges. The nodes that went unguessed choose on the way back, last gone
//! first. Everything is worked off in a fixed order, so a problem has one solution.
use super::cost::Cost;
use super::crowd::Crowd;
use super::graph::Graph;
use super::problem::{EdgeId, NodeId, Problem};
use super::reduce;
use super::report::{Reduction, Rule, Statistics};
#[cfg(feature = "ch19")]
use super::settings::Settings;
#[cfg(feature = "ch19")]
use super::sweep::Broom;
use crate::base::ids::Id;

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
    |it| if it.is_optimal() { String::new() } else { format!("at least {}\n", it.cost - it.gap) },
];

/// No selection of finite cost was found: `node` has run out of alternatives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Infeasible {
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

/// As `solve_observed`, by other settings.
#[cfg(feature = "ch19")]
pub fn solve_with(
    problem: &Problem,
    settings: Settings,
    observe: Observer,
) -> Result<Solution, Infeasible> {
    let solver = Solver::new(State::new(problem), observe);
    Solver { settings, ..solver }.solve(problem)
}

pub type Observer<'o> = &'o mut dyn FnMut(Reduction);

/// One thing that can be done, if there is something it can be done to; says whether there was.
type Step = fn(&mut Solver) -> bool;

/// What keeps the optimum, in the order in which it is tried.
const REDUCTIONS: &[Step] = &[
    // R1 does at once what would be done to its edge first, and R2 likes to see its edges twice
    // in a row: they are in the cache then.
    #[cfg(feature = "ch19")]
    |it| it.reduce_one(),
    #[cfg(feature = "ch19")]
    |it| it.prepare_two(),
    |it| it.settle(),
    |it| it.reduce_one(),
    |it| it.reduce_two(),
    #[cfg(feature = "ch19")]
    |it| it.sweep(),
];

/// What is done when no reduction is left.
const DECISIONS: &[Step] = &[
    #[cfg(feature = "ch19")]
    |it| it.search(),
    |it| it.guess(),
];

/// What has become of a problem so far.
#[derive(Clone)]
pub(super) struct State<'p> {
    pub graph: Graph<'p>,
    pub choice: Vec<u32>,
    /// The nodes that went without a choice, in this order.
    pub postponed: Vec<NodeId>,
    /// What the nodes that have chosen cost, and all that was left to them.
    pub promised: Cost,
    #[cfg(feature = "ch19")]
    pub broom: Broom,
}

impl<'p> State<'p> {
    pub fn new(problem: &'p Problem) -> State<'p> {
        State {
            graph: Graph::new(problem),
            choice: vec![0; problem.node_count()],
            postponed: Vec::new(),
            promised: Cost::ZERO,
            #[cfg(feature = "ch19")]
            broom: Broom::default(),
        }
    }
}

pub(super) struct Solver<'p, 'o> {
    pub state: State<'p>,
    pub observe: Observer<'o>,
    pub statistics: Statistics,
    /// The nodes that may be guessed.
    crowd: Option<Crowd>,
    /// Room for the alternatives that die.
    dead: Vec<(NodeId, u32)>,
    #[cfg(feature = "ch19")]
    pub settings: Settings,
    /// By how much the searches may have missed the optimum.
    #[cfg(feature = "ch19")]
    pub gap: Cost,
    /// What a search has found out.
    #[cfg(feature = "ch19")]
    pub failed: Option<Infeasible>,
}

impl<'p, 'o> Solver<'p, 'o> {
    pub fn new(state: State<'p>, observe: Observer<'o>) -> Solver<'p, 'o> {
        Solver {
            state,
            observe,
            statistics: Statistics::default(),
            crowd: None,
            dead: Vec::new(),
            #[cfg(feature = "ch19")]
            settings: Settings::default(),
            #[cfg(feature = "ch19")]
            gap: Cost::ZERO,
            #[cfg(feature = "ch19")]
            failed: None,
        }
    }

    fn solve(mut self, problem: &Problem) -> Result<Solution, Infeasible> {
        loop {
            self.reduce()?;
            if !DECISIONS.iter().any(|step| step(&mut self)) {
                break;
            }
        }
        self.go_back();
        let cost = problem.cost(&self.state.choice);
        assert_eq!(cost, self.state.promised, "reductions keep the cost of a selection");
        Ok(Solution {
            cost,
            statistics: self.statistics,
            #[cfg(feature = "ch19")]
            gap: if self.settings.propagate { self.gap } else { cost },
            choice: self.state.choice,
        })
    }

    /// Reduces until nothing can be reduced; fails if a node has lost all its alternatives.
    pub fn reduce(&mut self) -> Result<(), Infeasible> {
        loop {
            self.tell_dead();
            self.check()?;
            if !REDUCTIONS.iter().any(|step| step(self)) {
                return Ok(());
            }
        }
    }

    fn check(&self) -> Result<(), Infeasible> {
        FAILURES.iter().find_map(|failure| failure(self)).map_or(Ok(()), Err)
    }

    /// Settles an edge.
    fn settle(&mut self) -> bool {
        let Some(edge) = self.state.graph.next_unsettled() else { return false };
        self.settle_edge(edge);
        true
    }

    fn settle_edge(&mut self, edge: EdgeId) {
        let independent = reduce::settle(&mut self.state.graph, edge);
        self.tell_dead();
        self.state.graph.settled(edge);
        if independent {
            self.state.graph.remove(edge);
            let [u, v] = self.state.graph.ends(edge);
            self.report(Rule::RE, u, &[v], None);
        }
    }

    /// R2, or what has to be done to an edge before.
    #[cfg(feature = "ch19")]
    fn prepare_two(&mut self) -> bool {
        let Some(x) = self.state.graph.next_of_degree(2) else { return false };
        self.state.graph.enlist(x);
        let Some(edge) = self.state.graph.unsettled_edge_of(x) else { return self.reduce_two() };
        self.settle_edge(edge);
        true
    }

    fn reduce_one(&mut self) -> bool {
        let Some(x) = self.state.graph.next_of_degree(1) else { return false };
        let y = reduce::r1(&mut self.state.graph, x);
        self.postpone(Rule::R1, x, &[y]);
        true
    }

    fn reduce_two(&mut self) -> bool {
        let Some(x) = self.state.graph.next_of_degree(2) else { return false };
        let others = reduce::r2(&mut self.state.graph, x);
        self.postpone(Rule::R2, x, &others);
        true
    }

    pub fn guess(&mut self) -> bool {
        let graph = &mut self.state.graph;
        let crowd = self.crowd.get_or_insert_with(|| Crowd::new(graph));
        let Some(x) = crowd.next(graph) else { return false };
        let choice = reduce::rn(graph, x);
        self.take(Rule::RN, x, choice);
        true
    }

    /// Gives a node up that has lost all its alternatives: the others go on without it.
    #[cfg(feature = "ch19")]
    pub fn set_aside(&mut self, x: NodeId) {
        self.state.graph.abandon(x);
        self.state.postponed.push(x);
    }

    /// Without edges the nodes that are left choose alone; then those that went, last gone first.
    pub fn go_back(&mut self) {
        let mut costs = Vec::new();
        for x in self.state.graph.nodes() {
            if !self.state.graph.is_gone(x) {
                let choice = self.state.choose(x, &mut costs);
                self.take(Rule::R0, x, choice);
            }
        }
        while let Some(x) = self.state.postponed.pop() {
            self.state.choice[x.index()] = self.state.choose(x, &mut costs);
        }
    }

    pub fn take(&mut self, rule: Rule, x: NodeId, choice: u32) {
        self.state.choice[x.index()] = choice;
        self.state.promised += self.state.graph.vector(x)[choice as usize];
        self.report(rule, x, &[], Some(choice));
    }

    pub fn postpone(&mut self, rule: Rule, x: NodeId, others: &[NodeId]) {
        self.state.postponed.push(x);
        self.report(rule, x, others, None);
    }

    /// Tells which alternatives have died, and their neighbours that they have.
    fn tell_dead(&mut self) {
        let mut dead = std::mem::take(&mut self.dead);
        self.state.graph.take_dead(&mut dead);
        for &(x, i) in &dead {
            self.report(Rule::Dead, x, &[], Some(i));
            if SPREADS.iter().all(|spreads| spreads(self)) {
                self.state.graph.spread(x);
            }
        }
        self.dead = dead;
    }

    pub fn report(
        &mut self,
        rule: Rule,
        node: NodeId,
        others: &[NodeId],
        alternative: Option<u32>,
    ) {
        self.statistics.add(rule);
        (self.observe)(Reduction { rule, node, others, alternative });
    }
}

impl State<'_> {
    fn choose(&self, x: NodeId, costs: &mut Vec<Cost>) -> u32 {
        reduce::choose(&self.graph, x, &self.choice, costs)
    }
}

/// How it can be known that no selection will be found.
const FAILURES: &[fn(&Solver) -> Option<Infeasible>] = &[
    |solver| {
        let proven = solver.statistics.is_optimal();
        solver.state.graph.hopeless().map(|node| Infeasible { node, proven })
    },
    #[cfg(feature = "ch19")]
    |solver| solver.failed.clone(),
];

/// The neighbours hear of a dead alternative if all of these say so.
const SPREADS: &[fn(&Solver) -> bool] = &[
    #[cfg(feature = "ch19")]
    |solver| solver.settings.propagate,
];

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
            let mut solver = Solver::new(State::new(&problem), &mut silent);
            while solver.check().is_ok() && solver.settle() {}
            if solver.check().is_err() {
                continue;
            }
            let graph = &solver.state.graph;
            let edges = |x| graph.edges_of(x).iter().map(move |&edge| (x, edge));
            for (x, edge) in graph.nodes().flat_map(edges) {
                let y = graph.across(edge, x);
                let live = |x| (0..graph.vector(x).len()).filter(move |&i| graph.is_alive(x, i));
                let partner = |i| live(y).any(|j| graph.view(edge, x).at(i, j).is_finite());
                assert!(live(x).all(partner), "{seed}");
                if reduce::is_thin(graph, edge) {
                    continue;
                }
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
            &[
                "dead 4 alternative 2",
                "R2 4 into 0-1",
                "BB 0 takes 0",
                "BB 1 takes 0",
                "BB 2 takes 1",
                "BB 3 takes 1",
            ],
            &[1, 0, 0, 0, 0, 1, 0, 4, 0],
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
