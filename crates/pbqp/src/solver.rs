//! The solver's state, and the reductions in the order in which they are tried.
//!
//! The work lists are in the graph, so each reduction knows in O(1) whether it applies. All lists
//! are processed in a fixed order.
use crate::backpropagation::ReductionStack;
use crate::cost::Cost;
use crate::degree_buckets::DegreeBuckets;
use crate::graph::Graph;
use crate::large::{LargeMatrices, MIN_CAPACITY};
use crate::problem::{EdgeId, NodeId, Problem};
use crate::reduce::{self, Scratch};
use crate::report::{Observer, Reporter, Rule};
use crate::solution::Infeasible;
use crate::sweep::SweepState;
use alloc::vec;
use alloc::vec::Vec;

/// A problem that is partly solved.
#[derive(Clone)]
pub struct State<'p> {
    pub graph: Graph<'p>,
    pub choice: Vec<u32>,
    /// The nodes that were eliminated without a choice.
    pub stack: ReductionStack,
    /// The cost of the nodes that have a choice, with all costs moved to them.
    pub base_cost: Cost,
    pub large: LargeMatrices<'p>,
    pub sweep: SweepState,
}

impl<'p> State<'p> {
    pub fn new(problem: &'p Problem) -> State<'p> {
        State {
            graph: Graph::new(problem),
            choice: vec![0; problem.node_count()],
            stack: ReductionStack::default(),
            base_cost: Cost::ZERO,
            large: LargeMatrices::new(problem, MIN_CAPACITY),
            sweep: SweepState::default(),
        }
    }
}

pub struct Solver<'p, 'o> {
    pub state: State<'p>,
    pub reporter: Reporter<'o>,
    /// Whether neighbours of a node that loses an alternative are normalized again.
    pub propagate: bool,
    /// The nodes that RN may decide.
    buckets: Option<DegreeBuckets>,
    /// The node whose cost made the sum infinite.
    pub infinite_at: Option<NodeId>,
    pruned: Vec<(NodeId, u32)>,
    scratch: Scratch,
}

impl<'p, 'o> Solver<'p, 'o> {
    pub fn new(state: State<'p>, observer: Option<Observer<'o>>) -> Solver<'p, 'o> {
        Solver {
            state,
            reporter: Reporter::new(observer),
            propagate: true,
            buckets: None,
            infinite_at: None,
            pruned: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Reduces until no reduction applies; fails if a node has lost all its alternatives.
    pub fn reduce(&mut self) -> Result<(), Infeasible> {
        loop {
            self.propagate_pruned();
            self.check()?;
            // R1 and R2 come before normalization: they make it unnecessary for their edges.
            let is_changed = self.reduce_r1()
                || self.reduce_r2()
                || self.normalize()
                || self.reduce_postponed()
                || self.sweep();
            if !is_changed {
                return Ok(());
            }
        }
    }

    pub fn check(&self) -> Result<(), Infeasible> {
        let proven = self.reporter.statistics.is_exact();
        self.state.graph.wiped_out().map_or(Ok(()), |node| Err(Infeasible { node, proven }))
    }

    fn reduce_r1(&mut self) -> bool {
        let Some(x) = self.state.graph.next_of_degree(1) else { return false };
        let y = reduce::r1(&mut self.state.graph, x, &mut self.state.stack);
        self.reporter.reduced(&self.state.graph, Rule::R1, x, &[y]);
        true
    }

    fn reduce_r2(&mut self) -> bool {
        let State { graph, large, .. } = &mut self.state;
        let Some(x) = graph.next_of_degree(2) else { return false };
        if large.take_for_r2(graph, x) {
            self.eliminate_by_r2(x);
        } else {
            self.postpone_r2(x);
        }
        true
    }

    fn eliminate_by_r2(&mut self, x: NodeId) {
        let State { graph, stack, .. } = &mut self.state;
        let others = reduce::r2(graph, x, stack, &mut self.scratch);
        self.reporter.reduced(graph, Rule::R2, x, &others);
    }

    /// Normalizes the edges of `x`, and postpones R2 if both are still there.
    fn postpone_r2(&mut self, x: NodeId) {
        let edges = [0, 1].map(|at| self.state.graph.edges_of(x)[at].edge);
        edges.into_iter().for_each(|edge| self.normalize_edge(edge));
        if self.state.graph.degree(x) == 2 {
            self.state.large.postpone(x);
        }
    }

    fn reduce_postponed(&mut self) -> bool {
        let State { graph, large, .. } = &mut self.state;
        let Some(x) = large.next_postponed(graph) else { return false };
        self.eliminate_by_r2(x);
        true
    }

    pub fn normalize(&mut self) -> bool {
        let graph = &mut self.state.graph;
        let Some(edge) = graph.next_to_normalize() else { return false };
        if reduce::is_reducible(graph, edge) {
            graph.set_normalized(edge);
        } else {
            self.normalize_edge(edge);
        }
        true
    }

    /// Normalizes an edge, and removes it if it is independent then.
    fn normalize_edge(&mut self, edge: EdgeId) {
        let is_independent =
            reduce::normalize(&mut self.state.graph, edge, &mut self.scratch.minima);
        self.propagate_pruned();
        let graph = &mut self.state.graph;
        graph.set_normalized(edge);
        if is_independent {
            graph.remove(edge);
            graph.free_matrix(edge);
            let [u, v] = graph.ends(edge);
            self.reporter.reduced(graph, Rule::RE, u, &[v]);
        }
    }

    fn sweep(&mut self) -> bool {
        let State { graph, stack, large, sweep, .. } = &mut self.state;
        sweep.step(graph, stack, large, &mut self.reporter)
    }

    /// Decides a node of the highest degree heuristically; false if there are no edges.
    pub fn reduce_rn(&mut self) -> bool {
        let graph = &mut self.state.graph;
        let buckets = self.buckets.get_or_insert_with(|| DegreeBuckets::new(graph));
        let Some(x) = buckets.next(graph) else { return false };
        let choice = reduce::rn(graph, x);
        self.take(Rule::RN, x, choice);
        true
    }

    /// Eliminates a node that has lost all its alternatives, so that the others can be decided.
    pub fn drop_node(&mut self, x: NodeId) {
        self.state.graph.drop_wiped_out(x);
        self.state.stack.push_isolated(x);
    }

    /// R0 for all remaining nodes, which have no edges; then the eliminated nodes choose.
    pub fn backpropagate(&mut self) {
        for x in self.state.graph.nodes() {
            if !self.state.graph.is_eliminated(x) {
                let (choice, _) = reduce::cheapest(self.state.graph.vector(x).iter().copied());
                self.take(Rule::R0, x, choice);
            }
        }
        self.state.stack.backpropagate(&mut self.state.choice);
    }

    /// Records the choice of a node.
    pub fn take(&mut self, rule: Rule, x: NodeId, choice: u32) {
        self.state.choice[x.index()] = choice;
        self.state.base_cost += self.state.graph.vector(x)[choice as usize];
        if !self.state.base_cost.is_finite() {
            self.infinite_at.get_or_insert(x);
        }
        self.reporter.chosen(&self.state.graph, rule, x, choice);
    }

    /// Reports the alternatives that were pruned, and queues the edges of their nodes.
    fn propagate_pruned(&mut self) {
        if self.state.graph.nothing_pruned() {
            return;
        }
        let mut pruned = core::mem::take(&mut self.pruned);
        self.state.graph.take_pruned(&mut pruned);
        for &(x, i) in &pruned {
            self.reporter.chosen(&self.state.graph, Rule::Pruned, x, i);
            if self.propagate {
                self.state.graph.propagate(x);
            }
        }
        self.pruned = pruned;
    }
}
