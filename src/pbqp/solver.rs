//! What the solver does, step by step: a table of steps, in the order in which they are tried.
//!
//! What a step finds to do is kept in the lists of `graph`, so that each asks in O(1) whether it
//! has something to do, and everything is worked off in a fixed order.
use super::answers::Answers;
#[cfg(feature = "ch19")]
use super::budget::Budget;
use super::cost::Cost;
use super::crowd::Crowd;
use super::graph::Graph;
use super::large::{Large, ROOM};
use super::problem::{EdgeId, NodeId, Problem};
use super::reduce::{self, Room};
use super::report::{Reduction, Rule, Statistics};
#[cfg(feature = "ch19")]
use super::settings::{Settings, USUAL_STEPS};
use super::solve::{Infeasible, Solution};
#[cfg(feature = "ch19")]
use super::sweep::Broom;
use arena::Id;

pub type Observer<'o> = &'o mut dyn FnMut(Reduction);

/// One thing that can be done, if there is something it can be done to; says whether there was.
type Step = fn(&mut Solver) -> bool;

/// What keeps the optimum, in the order in which it is tried.
const REDUCTIONS: &[Step] = &[
    // R1 and R2 do at once what would be done to their edges first.
    #[cfg(feature = "ch19")]
    |it| it.reduce_one(),
    #[cfg(feature = "ch19")]
    |it| it.reduce_two(),
    |it| it.settle(),
    |it| it.reduce_one(),
    |it| it.reduce_two(),
    |it| it.reduce_large(),
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
pub struct State<'p> {
    pub graph: Graph<'p>,
    pub choice: Vec<u32>,
    /// The nodes that went without a choice.
    pub answers: Answers,
    /// What the nodes that have chosen cost, and all that was left to them.
    pub promised: Cost,
    pub large: Large<'p>,
    #[cfg(feature = "ch19")]
    pub broom: Broom,
}

impl<'p> State<'p> {
    pub fn new(problem: &'p Problem) -> State<'p> {
        State {
            graph: Graph::new(problem),
            choice: vec![0; problem.node_count()],
            answers: Answers::default(),
            promised: Cost::ZERO,
            large: Large::new(problem, ROOM),
            #[cfg(feature = "ch19")]
            broom: Broom::default(),
        }
    }
}

pub struct Solver<'p, 'o> {
    pub state: State<'p>,
    pub observe: Observer<'o>,
    pub statistics: Statistics,
    /// The nodes that may be guessed.
    crowd: Option<Crowd>,
    /// The first node with which the cost is infinite.
    beyond: Option<NodeId>,
    /// Room for the alternatives that die.
    dead: Vec<(NodeId, u32)>,
    /// Room for costs.
    pub room: Room,
    #[cfg(feature = "ch19")]
    pub settings: Settings,
    /// How much the searches may do.
    #[cfg(feature = "ch19")]
    pub budget: Budget<'o>,
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
            beyond: None,
            dead: Vec::new(),
            room: Room::default(),
            #[cfg(feature = "ch19")]
            settings: Settings::default(),
            #[cfg(feature = "ch19")]
            budget: Budget::new(USUAL_STEPS),
            #[cfg(feature = "ch19")]
            gap: Cost::ZERO,
            #[cfg(feature = "ch19")]
            failed: None,
        }
    }

    pub fn solve(mut self, problem: &Problem) -> Result<Solution, Infeasible> {
        BEGINNINGS.iter().for_each(|begin| begin(&mut self, problem));
        loop {
            self.reduce()?;
            if !DECISIONS.iter().any(|step| step(&mut self)) {
                break;
            }
        }
        self.go_back();
        let cost = self.state.promised;
        if let Some(node) = self.beyond {
            return Err(Infeasible { node, proven: self.statistics.is_optimal() });
        }
        debug_assert_eq!(cost, problem.cost(&self.state.choice), "reductions keep what it costs");
        Ok(Solution {
            cost,
            statistics: self.statistics,
            #[cfg(feature = "ch19")]
            gap: if self.settings.goes_on() { self.gap } else { cost },
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

    pub fn check(&self) -> Result<(), Infeasible> {
        FAILURES.iter().find_map(|failure| failure(self)).map_or(Ok(()), Err)
    }

    /// Settles an edge.
    pub fn settle(&mut self) -> bool {
        let Some(edge) = self.state.graph.next_unsettled() else { return false };
        let independent = reduce::settle(&mut self.state.graph, edge, &mut self.room.least);
        self.settled(edge, independent);
        true
    }

    /// Tells of the dead that an edge has left, and removes it if it is independent.
    pub fn settled(&mut self, edge: EdgeId, independent: bool) {
        self.tell_dead();
        self.state.graph.settled(edge);
        if independent {
            self.state.graph.remove(edge);
            self.state.graph.release(edge);
            let [u, v] = self.state.graph.ends(edge);
            self.report(Rule::RE, u, &[v], None);
        }
    }

    fn reduce_one(&mut self) -> bool {
        let Some(x) = self.state.graph.next_of_degree(1) else { return false };
        let y = reduce::r1(&mut self.state.graph, x, &mut self.state.answers);
        self.report(Rule::R1, x, &[y], None);
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
        self.state.answers.answer_nobody(x);
    }

    /// Without edges the nodes that are left choose alone; then those that went, last gone first.
    pub fn go_back(&mut self) {
        for x in self.state.graph.nodes() {
            if !self.state.graph.is_gone(x) {
                let (choice, _) = reduce::cheapest(self.state.graph.vector(x).iter().copied());
                self.take(Rule::R0, x, choice);
            }
        }
        self.state.answers.choose(&mut self.state.choice);
    }

    pub fn take(&mut self, rule: Rule, x: NodeId, choice: u32) {
        self.state.choice[x.index()] = choice;
        self.state.promised += self.state.graph.vector(x)[choice as usize];
        if !self.state.promised.is_finite() {
            self.beyond.get_or_insert(x);
        }
        self.report(rule, x, &[], Some(choice));
    }

    /// Tells which alternatives have died, and their neighbours that they have.
    fn tell_dead(&mut self) {
        if self.state.graph.nothing_died() {
            return;
        }
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

/// What there is to be told before the first step.
const BEGINNINGS: &[fn(&mut Solver, &Problem)] = &[
    #[cfg(feature = "ch19")]
    |solver, problem| {
        for edge in problem.edges.ids().filter(|&edge| problem.edges[edge].silent) {
            let [u, v] = problem.edges[edge].ends;
            solver.report(Rule::RE, u, &[v], None);
        }
    },
];

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
