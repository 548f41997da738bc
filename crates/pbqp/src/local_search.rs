//! Large components: heuristic choices first, then local search with an exact step.
//!
//! RN alone is incomplete: an earlier choice may take a node's last alternative. Such a node is
//! dropped with an arbitrary choice, and RN continues. Contradictions that remain are repaired: the
//! nodes around one are decided anew by branch and bound while all others keep their choice, and if
//! that fails, so are more nodes. The same step then makes the selection cheaper wherever it can,
//! until its budget is exhausted.
//! Source: Shaw, "Using constraint programming and local search methods to solve vehicle routing
//! problems", CP 1998 (large neighbourhood search).
use crate::bound::trw_s_bound;
use crate::branch_and_bound::{Selection, search};
use crate::budget::Budget;
use crate::cost::Cost;
use crate::graph::Graph;
use crate::problem::{NodeId, Problem};
use crate::report::{Reduction, Rule};
use crate::solver::{Solver, State};
use crate::subproblem::SubproblemExtractor;
use crate::sweep::SweepState;
use alloc::vec;
use alloc::vec::Vec;

/// The size of the first neighbourhood of a contradiction.
const REPAIR_SIZE: usize = 16;

/// The budget for each node of such a neighbourhood.
const REPAIR_STEPS_PER_NODE: u64 = 2_000;

/// The size of a neighbourhood that is decided anew to become cheaper.
const NEIGHBOURHOOD_SIZE: usize = 28;

/// A node with more edges is not decided anew to become cheaper: that reads all its edges.
const MAX_DEGREE: usize = 64;

/// The budget for such a neighbourhood.
const NEIGHBOURHOOD_STEPS: u64 = 2_000;

/// The budget for all of them, for each node of the component.
const STEPS_PER_NODE: u64 = 8;

/// A selection for a component, and its quality.
pub struct ComponentSolution {
    pub best: Option<Selection>,
    pub lower_bound: Cost,
    /// The nodes decided by RN, unless the selection is proved optimal.
    pub is_heuristic: Vec<bool>,
}

/// A selection for a component that is not searched to the end.
pub fn approximate(problem: &Problem) -> ComponentSolution {
    let mut is_heuristic = vec![false; problem.node_count()];
    let infeasible =
        ComponentSolution { best: None, lower_bound: Cost::INFINITY, is_heuristic: Vec::new() };
    let Some((choice, lower_bound)) = choose_by_rn(problem, &mut is_heuristic) else {
        return infeasible;
    };
    let graph = Graph::new(problem);
    let extractor = SubproblemExtractor::new(&graph);
    let mut local = LocalSearch { problem, graph, extractor, choice };
    match local.repair() {
        Repair::Infeasible => return infeasible,
        Repair::GaveUp => return ComponentSolution { best: None, lower_bound, is_heuristic },
        Repair::Done => local.improve(STEPS_PER_NODE * problem.node_count() as u64),
    }
    let cost = problem.cost(&local.choice);
    ComponentSolution { best: Some((local.choice, cost)), lower_bound, is_heuristic }
}

/// A choice, which may be forbidden, and a lower bound for all selections; none if every choice is
/// forbidden. Marks the nodes decided by RN.
fn choose_by_rn(problem: &Problem, is_heuristic: &mut [bool]) -> Option<(Vec<u32>, Cost)> {
    let mut mark = |it: Reduction| is_heuristic[it.node.index()] |= it.rule == Rule::RN;
    let mut solver = Solver::new(State::new(problem), Some(&mut mark));
    // Components have been swept.
    solver.state.sweep = SweepState::paused();
    solver.reduce().ok()?;
    let lower_bound = solver.state.base_cost + trw_s_bound(solver.state.graph.clone());
    while solver.reduce_rn() {
        while let Err(contradiction) = solver.reduce() {
            solver.drop_node(contradiction.node);
        }
    }
    solver.backpropagate();
    Some((solver.state.choice, lower_bound))
}

/// The result of the repair.
enum Repair {
    /// The selection is allowed.
    Done,
    /// No selection is allowed.
    Infeasible,
    GaveUp,
}

struct LocalSearch<'p> {
    problem: &'p Problem,
    graph: Graph<'p>,
    extractor: SubproblemExtractor,
    choice: Vec<u32>,
}

impl LocalSearch<'_> {
    /// Decides the nodes around every contradiction anew, more and more of them, until there is
    /// no contradiction, or until this fails for all nodes together.
    fn repair(&mut self) -> Repair {
        for x in self.problem.nodes() {
            let mut size = REPAIR_SIZE;
            while self.is_contradiction(x) {
                let nodes = self.extractor.neighbourhood(&self.graph, x, size, usize::MAX);
                let is_all = nodes.len() == self.problem.node_count();
                let mut budget = Budget::new(REPAIR_STEPS_PER_NODE * size as u64);
                let is_feasible = self.reoptimize(nodes, &mut budget);
                if is_all && !is_feasible {
                    return Repair::Infeasible;
                }
                if is_all && self.is_contradiction(x) {
                    return Repair::GaveUp;
                }
                size *= 2;
            }
        }
        Repair::Done
    }

    /// Whether the choice of `x` is forbidden, or incompatible with that of a neighbour.
    fn is_contradiction(&self, x: NodeId) -> bool {
        let chosen = |x: NodeId| self.choice[x.index()] as usize;
        let edges = self.graph.edges_of(x).iter();
        let entries = edges.map(|it| self.graph.view(it.edge, x).at(chosen(x), chosen(it.other)));
        !(self.graph.vector(x)[chosen(x)] + entries.sum()).is_finite()
    }

    /// Decides the neighbourhood of one node after the other anew, until each node was in one.
    fn improve(&mut self, steps: u64) {
        let mut budget = Budget::new(steps);
        let mut was_decided = vec![false; self.problem.node_count()];
        for x in self.problem.nodes() {
            if !was_decided[x.index()] && self.graph.degree(x) <= MAX_DEGREE {
                let nodes =
                    self.extractor.neighbourhood(&self.graph, x, NEIGHBOURHOOD_SIZE, MAX_DEGREE);
                nodes.iter().for_each(|x| was_decided[x.index()] = true);
                let Some(reserved) = budget.reserve_all_but(NEIGHBOURHOOD_STEPS) else { return };
                self.reoptimize(nodes, &mut budget);
                budget.release(reserved);
            }
        }
    }

    /// Decides some nodes anew while the others keep their choice; false if that is impossible.
    fn reoptimize(&mut self, nodes: Vec<NodeId>, budget: &mut Budget) -> bool {
        let part = self.extractor.extract(&self.graph, nodes, &self.choice);
        let choice: Vec<u32> = part.nodes.iter().map(|x| self.choice[x.index()]).collect();
        let cost = part.problem.cost(&choice);
        let known = cost.is_finite().then_some((choice, cost));
        let result = search(&part.problem, known, budget);
        if let Some((choice, _)) = &result.best {
            part.in_graph(choice).for_each(|(x, i)| self.choice[x.index()] = i);
        }
        result.lower_bound.is_finite()
    }
}
